#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Doxygen's view of a header: `doxygen_filter.py HEADER` prints it.

The comments of the headers are plain text. Doxygen would read some of it as HTML, as Markdown or as links:

  <vector>, a < b, #include, 2 * 3        escaped, so that they show as they are
  Cost:  Memory:  Threads:  Errors: ...   at the start of a line: a paragraph with a heading of its own
  a picture, indented by three or more    shown as it is
  the comment at the top of the file      the description of the header
  namespace juxta                         left out: Doxygen documents functions of a namespace on one page for all headers,
                                          and those of no namespace on the page of their header

`doxygen_filter.py --self-test` tests that.
"""
import re
import sys

DOC = re.compile(r"^(\s*)///(?![/<])(.*)$")
TRAILING = re.compile(r"^(.*?)///<(.*)$")
HEADING = re.compile(r"(Cost|Memory|Threads|Errors|Order|Source|Idea|Cost, memory \([^)]*\), threads):?\s+")
ESCAPES = {"<": "&lt;", ">": "&gt;", "#": "\\#", "%": "\\%", "&": "\\&", "*": "&lowast;", "|": "&#124;"}


def escaped(text):
    """Text without HTML and Markdown, except for code in backticks. Commands stay, so that Doxygen checks them."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = "".join(ESCAPES.get(letter, letter) for letter in parts[i])
    return "`".join(parts)


def indent(text):
    return len(text) - len(text.lstrip())


def with_description(lines):
    """The comment below the licence, before any code, as the description of the file."""
    end = 1
    while end < len(lines) and lines[end].startswith("//"):
        end += 1
    return [lines[0], "/// \\file", *("/" + line for line in lines[1:end]), "", *lines[end:]]


def filtered(lines):
    out, in_picture, previous = [], False, None
    lines = [line for line in lines if line not in ("namespace juxta {", "}  // namespace juxta")]
    lines = with_description(lines) if lines and "SPDX" in lines[0] else lines
    for line in lines:
        match, trailing = DOC.match(line), TRAILING.match(line)
        text = match[2] if match else None
        if match and text.strip() and indent(text) >= 3 and (in_picture or previous == ""):
            in_picture = True
            out.append(f"{match[1]}///     {text}")  # code in Markdown: four more blanks after an empty line
        elif match:
            in_picture = False
            heading = HEADING.match(text.strip())
            if heading and ":" in heading[0]:
                out.append(f"{match[1]}/// \\par {heading[1]}")
                text = text.strip()[heading.end():]
            out.append(f"{match[1]}/// {escaped(text.strip())}")
        else:
            in_picture = False
            out.append(f"{trailing[1]}///<{escaped(trailing[2])}" if trailing else line)
        previous = text.strip() if match else None
    return out


def self_test():
    given = ["/// Sorts a<b. 2 * 3 in `a*b`.", "/// Cost:    O(n)", "///", "///   one | two", "void f();  ///< #1"]
    wanted = ["/// Sorts a&lt;b. 2 &lowast; 3 in `a*b`.", "/// \\par Cost", "/// O(n)", "/// ", "///        one | two",
              "void f();  ///< \\#1"]
    found = filtered(given)
    if found != wanted:
        sys.exit(f"self-test: expected {wanted}, found {found}")
    found = filtered(["// SPDX", "// What meets.", "#pragma once", "namespace juxta {", "int a;", "}  // namespace juxta"])
    if found != ["// SPDX", "/// \\file", "/// What meets.", "", "#pragma once", "int a;"]:
        sys.exit(f"self-test: found {found}")
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write("\n".join(filtered(file.read().split("\n"))))


if __name__ == "__main__":
    main()
