#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Compares the C functions of a built library with the reviewed list, and with what the headers declare.

Usage: check_symbols.py LIBRARY            a libjuxta.a or libjuxta.so
       check_symbols.py LIBRARY --write    writes the list, to be reviewed and committed
       check_symbols.py --self-test

The list is packaging/c-symbols.txt: a line for each function, stable or experimental. A stable one that is gone, or that
became experimental, breaks programs that are already built.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "packaging/c-symbols.txt"
DECLARED = re.compile(r"JUXTA_(STABLE|EXPERIMENTAL)\s+JUXTA_API\s+[\w\s*]+?\b(juxta_\w+)\s*\(", re.S)
MARKED = re.compile(r"(?<!define )JUXTA_API\b")


def declared_in(texts):
    """{name: "stable" or "experimental"}, and offences."""
    names, offences = {}, []
    for path, text in texts.items():
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        found = DECLARED.findall(code)
        names.update({name: kind.lower() for kind, name in found})
        if len(found) != len(MARKED.findall(code)):
            offences.append(f"{path}: a function is neither JUXTA_STABLE nor JUXTA_EXPERIMENTAL, or is not called juxta_...")
    return names, offences


def listed():
    lines = LIST.read_text().split("\n") if LIST.exists() else []
    return {name: kind for kind, name in (line.split() for line in lines if line and line[0] != "#")}


def defined_in(library):
    dynamic = ["-D"] if ".so" in pathlib.Path(library).name else []
    said = subprocess.run(["nm", *dynamic, "--defined-only", "--extern-only", library], check=True, capture_output=True, text=True)
    return {m[1] for m in re.finditer(r"^[0-9a-f]+ T (juxta_\w+)(?:@.*)?$", said.stdout, re.M)}


def compare(headers, wanted, built):
    offences = [f"{name} is declared but the library has no such function" for name in sorted(set(headers) - built)]
    offences += [f"{name} is in the library, but no header declares it" for name in sorted(built - set(headers))]
    offences += [f"{name} is not in {LIST.relative_to(ROOT)}: review it, then --write" for name in sorted(set(headers) - set(wanted))]
    for name, kind in sorted(wanted.items()):
        now = headers.get(name)
        if now != kind:
            offences.append(f"{name} was {kind} and is {now or 'gone'}")
    return offences


def self_test():
    names, offences = declared_in({"a.h": "JUXTA_STABLE JUXTA_API int juxta_a(void);\nJUXTA_EXPERIMENTAL JUXTA_API\n  const float* juxta_b(int);"})
    bad = declared_in({"b.h": "JUXTA_API int juxta_c(void);"})[1]
    found = compare(names, {"juxta_a": "stable", "juxta_d": "stable"}, {"juxta_a", "juxta_e"})
    if names != {"juxta_a": "stable", "juxta_b": "experimental"} or offences or len(bad) != 1 or len(found) != 4:
        sys.exit(f"self-test: {names} {offences} {bad} {found}")
    print("self-test passed")


def main():
    words = sys.argv[1:]
    if words == ["--self-test"]:
        return self_test()
    headers, offences = declared_in({path.relative_to(ROOT): path.read_text() for path in sorted((ROOT / "include/juxta/c").glob("*.h"))})
    if "--write" in words:
        LIST.write_text("# The functions of juxta.h, written by scripts/check_symbols.py --write.\n" +
                        "".join(f"{kind} {name}\n" for name, kind in sorted(headers.items())))
    offences += compare(headers, listed(), defined_in(words[0]))
    print("\n".join(offences))
    print(f"{len(headers)} functions, {len(offences)} offences")
    sys.exit(1 if offences else 0)


if __name__ == "__main__":
    main()
