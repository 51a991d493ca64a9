#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Writes the man page and the bash completion of the juxta command from its own help texts.

  scripts/tool_manual.py build/release/bin/juxta            writes packaging/juxta.1 and packaging/juxta.bash
  scripts/tool_manual.py build/release/bin/juxta --check    fails if the files in packaging/ are not up to date
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENTRY = re.compile(r"^  (\S.*?)(?:  +(\S.*))?$")
CONTINUED = re.compile(r"^ {20,}(\S.*)$")


class Help:
    """One help text: `about`, `usage`, and the entries of each section as (name, text)."""

    def __init__(self, tool, path):
        done = subprocess.run([tool, *path, "--help"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"tool_manual: '{' '.join(path)} --help' ends with {done.returncode}: {done.stderr}")
        self.path, self.about, self.usage, self.sections = path, "", "", {}
        entries = None
        for line in done.stdout.splitlines():
            if line.startswith("Usage: "):
                self.usage = line.removeprefix("Usage: ")
            elif line in ("Positionals:", "Options:", "Subcommands:"):
                entries = self.sections.setdefault(line[:-1], [])
            elif not line.startswith(" "):
                self.about, entries = self.about or line, None if line else entries
            elif entries and (more := CONTINUED.match(line)):
                entries[-1] = (entries[-1][0], f"{entries[-1][1]} {more[1]}".strip())
            elif entries is not None and (entry := ENTRY.match(line)):
                entries.append((entry[1], entry[2] or ""))
            else:
                sys.exit(f"tool_manual: cannot read this line of '{' '.join(path)} --help': {line!r}")

    def names(self, section):
        return [name.split()[0] for name, _ in self.sections.get(section, [])]

    def flags(self):
        return [flag for name in self.names("Options") for flag in name.split(",")]


def read_all(tool, path=()):
    """The help of a command and, after it, of all below it."""
    first = Help(tool, list(path))
    return [first] + [below for name in first.names("Subcommands") for below in read_all(tool, (*path, name))]


def roff(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text[:1] in (".", "'") else text


def entries(pages, section, skip=()):
    for name, text in pages.sections.get(section, []):
        flag, _, rest = name.partition(" ")
        if flag not in skip:
            yield f".TP\n\\fB{roff(flag)}\\fR {roff(rest)}".rstrip() + f"\n{roff(text) or '.'}"


def man_page(pages, version):
    top = pages[0]
    lines = ['.\\" Written by scripts/tool_manual.py from the help texts. Do not edit.', f'.TH JUXTA 1 "" "juxta {version}"',
             ".SH NAME", r"juxta \- questions about things in space", ".SH SYNOPSIS", r"\fBjuxta\fR \fICOMMAND\fR [\fIOPTIONS\fR]",
             ".SH DESCRIPTION", roff(top.about), ".SH OPTIONS", *entries(top, "Options"), ".SH COMMANDS"]
    for page in pages[1:]:
        lines += [f".SS juxta {' '.join(page.path)}", roff(page.about), ".PP", roff(page.usage),
                  *entries(page, "Positionals"), *entries(page, "Subcommands"),
                  *entries(page, "Options", skip=("-h,--help",))]
    lines += [".SH EXIT STATUS", ".TP", r"\fB0\fR", "Done.", ".TP", r"\fB1\fR", "Failed; the message says why.", ".TP",
              r"\fB2\fR", "Wrong use.", ".TP", r"\fB130\fR", "Interrupted.", ".SH EXAMPLES", ".nf",
              r"juxta generate boxes \-\-count 1000 \-\-out boxes.csv", "juxta pairs boxes.csv",
              r"juxta sector battle \-\-ticks 100 \-\-out battle", ".fi", ""]
    return "\n".join(lines)


def completion(pages):
    lines = ["# Written by scripts/tool_manual.py from the help texts. Do not edit.",
             "# Completion of the juxta command for bash: commands, options, files.", "_juxta() {",
             "  local word=${COMP_WORDS[COMP_CWORD]} path='' before i words", "  for ((i = 1; i < COMP_CWORD; ++i)); do",
             "    before=${COMP_WORDS[i]}", "    case \"$path $before\" in"]
    lines += [f"      '{' ' + ' '.join(page.path[:-1]) if page.path[:-1] else ''} {page.path[-1]}') path='"
              f" {' '.join(page.path)}' ;;" for page in pages[1:]]
    lines += ["    esac", "  done", "  case $path in"]
    lines += [f"    '{' ' + ' '.join(page.path) if page.path else ''}') words='"
              f"{' '.join([*page.names('Subcommands'), *page.flags()])}' ;;" for page in pages]
    lines += ["  esac", "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")",
              "  ((${#COMPREPLY[@]} > 0)) || mapfile -t COMPREPLY < <(compgen -f -- \"$word\")", "}",
              "complete -o filenames -F _juxta juxta", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    tool = options.tool.resolve()
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    pages = read_all(tool)
    stale = []
    for name, text in (("juxta.1", man_page(pages, version)), ("juxta.bash", completion(pages))):
        file = ROOT / "packaging" / name
        if not options.check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            stale.append(str(file.relative_to(ROOT)))
    if stale:
        sys.exit(f"tool_manual: {' and '.join(stale)} differ from the help texts; run scripts/tool_manual.py {options.tool}")


if __name__ == "__main__":
    main()
