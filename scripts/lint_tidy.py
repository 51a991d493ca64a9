#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""clang-tidy over some files, on all cores: lint_tidy.py BUILD FILE...  BUILD has a compile_commands.json.

A file that was found clean is left out until it changes: what it includes, its command, .clang-tidy and the version
of clang-tidy all count. BUILD/lint/ remembers. A full run takes 40 minutes on two cores, one after a small change a
few. Ends with 1 if a file has a finding.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

TIDY = "clang-tidy-14"


def preprocessed(entry):
    """All that the compiler reads of a file. -C: NOLINT is a comment."""
    words = shlex.split(entry["command"])
    at = words.index("-o")
    done = subprocess.run([*words[:at], *words[at + 2:], "-E", "-C"], cwd=entry["directory"], capture_output=True)
    return done.stdout


def check(entry, common, build):
    """None, or what clang-tidy said."""
    key = hashlib.sha256(b"\0".join([common, entry["command"].encode(), preprocessed(entry)])).hexdigest()
    clean = build / "lint" / key
    if clean.exists():
        return None
    done = subprocess.run([TIDY, "--quiet", "-p", str(build), entry["file"]], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stdout + done.stderr
    clean.touch()
    return None


def main(build, files):
    entries = {os.path.realpath(e["file"]): e for e in json.loads((build / "compile_commands.json").read_text())}
    unknown = [path for path in files if os.path.realpath(path) not in entries]
    if unknown:
        sys.exit(f"lint_tidy: {build} does not compile {' '.join(unknown)}")
    chosen = [entries[os.path.realpath(path)] for path in files]
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    common = version + pathlib.Path(".clang-tidy").read_bytes()
    (build / "lint").mkdir(exist_ok=True)
    found = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        for done, said in enumerate(threads.map(lambda entry: check(entry, common, build), chosen), 1):
            if sys.stdout.isatty():
                print(f"\r{done} of {len(chosen)} files", end="", flush=True)
            if said is not None:
                found += 1
                print(f"\n{said}", flush=True)
    print(f"{len(chosen)} files, {found} with findings")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
