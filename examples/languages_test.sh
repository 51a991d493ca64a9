#!/usr/bin/env bash
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# Builds and runs the example of a language against a shared library:
#   examples/languages_test.sh rust|csharp FOLDER_OF_LIBJUXTA WORK_FOLDER
# Ends with 77 (skipped) where the compiler is missing: scripts/install_packages languages.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
language=$1 library=$2 work=$3/$1
# Debian's compiler where there is one: the oldest that must do.
PATH=/usr/bin:$PATH
needs() {
  for program in "$@"; do
    command -v "$program" >/dev/null || { echo "skipped: no $program (scripts/install_packages languages)"; exit 77; }
  done
}
mkdir -p "$work"
case $language in
  rust)
    needs rustc
    rustc --edition 2021 -O -D warnings -o "$work/main" "$source/rust/main.rs" -L "$library" -l juxta
    LD_LIBRARY_PATH=$library "$work/main"
    ;;
  csharp)
    needs mcs mono
    mcs -warnaserror -out:"$work/program.exe" "$source/csharp/Juxta.cs" "$source/csharp/Program.cs"
    LD_LIBRARY_PATH=$library mono "$work/program.exe"
    ;;
  *) sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
