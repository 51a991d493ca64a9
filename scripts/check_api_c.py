# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The part of check_api.py for the C headers, include/juxta/c/*.h (docs/c.md has the rules):

  - a header has a guard and extern "C", includes nothing but C's own headers, juxta/c and export.h, and has no // comment
  - a function is JUXTA_STABLE or JUXTA_EXPERIMENTAL, then JUXTA_API; its name begins with juxta_
  - types begin with juxta_, macros and enumerators with JUXTA_
  - functions, types and macros have a comment above them that begins with /**
  - whatever returns a juxta_status takes a juxta_error* last, and nothing else takes one
  - behind a context come `result`, `report`, `out` and `error` alone; behind a stride comes a count
  - options begin with a cookie, and whatever has a cookie has a juxta_default_...()
  - what has a _build has a _free, which returns nothing
"""
import re

ALLOWED_INCLUDE = re.compile(r"(std\w+\.h|juxta/c/\w+\.h|juxta/core/export\.h)$")
NOT_MACROS = {"JUXTA_STABLE", "JUXTA_EXPERIMENTAL"}
FUNCTION = re.compile(r"^(?P<mark>[^()]*?)\b(?P<name>[A-Za-z_]\w*)\s*\((?P<given>.*)\)$", re.S)


def blanked(match):
    """Spaces in place of a match, so that places and lines stay."""
    return re.sub(r"[^\n]", " ", match[0])


def top_level(code):
    """(place, text) of each declaration at file scope, without its semicolon. Braces of extern "C" do not count."""
    code = re.sub(r"^\s*#.*(?:\\\n.*)*$", blanked, code, flags=re.M)
    depth, start = 0, 0
    for i, c in enumerate(code):
        depth += {"{": 1, "}": -1, "(": 1, ")": -1}.get(c, 0)
        if c == ";" and depth == 0:
            text = code[start:i]
            lead = len(text) - len(text.lstrip())
            yield start + lead, " ".join(text.split()), text.strip()
            start = i + 1


class Header:
    """One header, and what was found in it."""

    def __init__(self, where, raw):
        self.where, self.raw, self.offences = where, raw, []
        # The two braces of extern "C" would make everything one declaration.
        code = re.sub(r"#ifdef __cplusplus.*?#endif", blanked, raw, flags=re.S)
        self.code = re.sub(r"/\*.*?\*/", blanked, code, flags=re.S)
        self.functions, self.cookies = {}, {}  # {name: what it returns}, {struct: its place}

    def offend(self, place, reason):
        self.offences.append(f"{self.where}:{self.raw.count(chr(10), 0, place) + 1}: {reason}")

    def documented(self, place):
        before = self.raw[:place].rstrip()
        return before.endswith("*/") and before.rfind("/**") > before.rfind("*/", 0, -2)

    def check_file(self):
        guard = re.search(r"^#ifndef (JUXTA_C_\w+_H)\n#define \1$", self.raw, flags=re.M)
        if guard is None:
            self.offend(0, "has no guard JUXTA_C_..._H")
        if self.raw.count("#ifdef __cplusplus") != 2 or 'extern "C" {' not in self.raw:
            self.offend(0, 'what it declares is not in extern "C", between #ifdef __cplusplus')
        for match in re.finditer(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', self.raw, flags=re.M):
            if not ALLOWED_INCLUDE.match(match[1]):
                self.offend(match.start(), f"includes {match[1]}: C's own headers, juxta/c and export.h are all")
        for match in re.finditer(r"//", self.code):
            self.offend(match.start(), "a // comment, which older C does not have")
        for match in re.finditer(r"^#define (\w+)", self.raw, flags=re.M):
            if guard is not None and match[1] == guard[1] or match[1] in NOT_MACROS:
                continue
            self.check_name(match.start(), match[1], "JUXTA_")

    def check_name(self, place, name, prefix):
        if not name.startswith(prefix):
            self.offend(place, f"{name}: its name does not begin with {prefix}")
        if not self.documented(place):
            self.offend(place, f"{name}: no comment above it that begins with /**")

    def check_type(self, place, text, own):
        callback = re.match(r"typedef [\w\s*]+\(\s*\*\s*(\w+)\s*\)", text)
        name = callback[1] if callback else re.split(r"[\s*]+", text)[-1]
        self.check_name(place, name, "juxta_")
        if text.startswith("typedef enum"):
            for value in re.findall(r"(\w+)\s*(?:=[^,}]*)?[,}]", text[text.index("{"):]):
                if not value.startswith("JUXTA_"):
                    self.offend(place, f"{value}: its name does not begin with JUXTA_")
        members = re.search(r"\{(.*)\}", own, flags=re.S)
        if text.startswith("typedef struct") and members:
            first = members[1].split(";")[0].split()
            if first == ["uint32_t", "cookie"]:
                self.cookies[name] = place
            elif name.endswith("_options"):
                self.offend(place, f"{name}: its first member is not `uint32_t cookie`")

    def check_function(self, place, match):
        name, mark = match["name"], match["mark"].split()
        if mark[:1] not in (["JUXTA_STABLE"], ["JUXTA_EXPERIMENTAL"]) or mark[1:2] != ["JUXTA_API"]:
            self.offend(place, f"{name}(): neither JUXTA_STABLE JUXTA_API nor JUXTA_EXPERIMENTAL JUXTA_API")
        self.check_name(place, name, "juxta_")
        returns = " ".join(mark[2:])
        self.functions[name] = (returns, place)
        given = [part.strip() for part in match["given"].split(",")]
        errors = [i for i, part in enumerate(given) if re.match(r"juxta_error\s*\*", part)]
        if (returns == "juxta_status") != (errors == [len(given) - 1]) or len(errors) > 1:
            self.offend(place, f"{name}(): a juxta_status is returned, and a juxta_error* taken last, together or not at all")
        for i, part in enumerate(given):
            if "juxta_context*" in part and any(not re.search(r"\*\s*\*?(result|report|out|error)$", p) for p in given[i + 1:]):
                self.offend(place, f"{name}(): behind the context come result, report, out and error alone")
            if part == "size_t stride" and not any(re.match(r"size_t \w*count$", p) for p in given[i + 1:]):
                self.offend(place, f"{name}(): behind a stride comes a count")

    def check(self):
        self.check_file()
        for place, text, own in top_level(self.code):
            function = FUNCTION.match(text)
            if text.startswith("typedef"):
                self.check_type(place, text, own)
            elif function:
                self.check_function(place, function)
            else:
                self.offend(place, f"neither a type nor a function: {text[:60]}")
        return self


def check_headers(headers):
    """Offences of {where: text}: of each header, and of all together."""
    checked = [Header(where, raw).check() for where, raw in headers.items()]
    functions = {name: returned for header in checked for name, (returned, _) in header.functions.items()}
    for header in checked:
        for name, place in header.cookies.items():
            maker = name.replace("juxta_", "juxta_default_", 1)
            if functions.get(maker) != name:
                header.offend(place, f"{name}: has a cookie, and there is no {maker}() that returns one")
        for name, (_, place) in header.functions.items():
            if name.endswith("_build") and functions.get(name[:-len("build")] + "free") != "void":
                header.offend(place, f"{name}(): there is no {name[:-len('build')]}free()")
    return [offence for header in checked for offence in header.offences]


GOOD = """#ifndef JUXTA_C_X_H
#define JUXTA_C_X_H

#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/** A limit. */
#define JUXTA_LIMIT 3
/** A handle. */
typedef struct juxta_x juxta_x;
/** A kind. */
typedef enum juxta_kind { JUXTA_KIND_A = 0, /**< One. */ JUXTA_KIND_B } juxta_kind;
/** How. */
typedef struct juxta_x_options {
  uint32_t cookie; /**< From juxta_default_x_options(). */
  bool (*accept)(void* user);
} juxta_x_options;
/** The defaults. */
JUXTA_STABLE JUXTA_API juxta_x_options juxta_default_x_options(void);
/** Calls back. */
typedef bool (*juxta_visitor)(void* user);
/** Builds. */
JUXTA_STABLE JUXTA_API juxta_status juxta_x_build(const float* of, size_t stride, size_t count,
                                                  const juxta_context* context, juxta_x** out, juxta_error* error);
/** Frees. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_x_free(juxta_x* x);
#ifdef __cplusplus
}
#endif
#endif
"""
# What stands in GOOD, and what makes it bad.
BAD = [
    ("#define JUXTA_C_X_H", "#define JUXTA_X_H"), ('extern "C" {', "{"), ("<stdint.h>", "<juxta/core/id.h>"),
    ("/** A handle. */", "/** A handle. */\n// why"), ("JUXTA_LIMIT", "LIMIT"), ("/** A limit. */\n", ""),
    ("typedef struct juxta_x juxta_x;", "typedef struct x x;"), ("/** A kind. */", "/* A kind. */"), ("JUXTA_KIND_B", "KIND_B"),
    ("uint32_t cookie;", "uint32_t size;"), ("juxta_default_x_options(void)", "juxta_make_x_options(void)"),
    ("JUXTA_API juxta_status", "JUXTA_API int"), ("JUXTA_STABLE JUXTA_API juxta_status", "juxta_status"),
    ("juxta_x_free", "juxta_x_end"), (", juxta_error* error", ""), ("size_t stride, size_t count", "size_t count, size_t stride"),
    ("juxta_x** out", "juxta_x** made"), ("/** Frees. */\n", ""), ("JUXTA_API void juxta_x_free(juxta_x* x)", "JUXTA_API void x_free(juxta_x* x)"),
    ("(juxta_x* x)", "(juxta_x* x, juxta_error* error)"), ("(*juxta_visitor)", "(*visitor)"),
]


def self_test():
    """None, or what is wrong with this script."""
    if found := check_headers({"good.h": GOOD}):
        return f"nothing is wrong with the good header, but {found}"
    for text, other in BAD:
        if GOOD.count(text) != 1:
            return f"{text!r} stands {GOOD.count(text)} times in the good header"
        if not check_headers({"bad.h": GOOD.replace(text, other)}):
            return f"{other!r} in place of {text!r} is not found"
    return None
