# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Nothing fuses a product with a sum (docs/determinism.md). Builds unfused.cpp as users would, with and without their
-march=native and -ffp-contract=off, and compares the hashes that it prints. Then looks for fused instructions in
the given libraries and programs."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
GOLDEN = "87f5289b5ea6ace7 b4c6629d170d2cbb"
FLAGS = ["-O3 -march=native", "-O3 -march=native -ffp-contract=off", "-O2 -mavx2 -mfma"]
FUSED = re.compile(r"\bvfn?m(?:add|sub)(?:add|sub)?[123p]")
# Where a fused operation has one right answer: [function, instruction].
EXACT = [
    # A masked sum: flock_kernel.cpp writes it as value * 1 + sum, whose product is exact.
    (re.compile(r"<.*juxta::agents_detail::N_AVX3::(?:MeetAcrossEdges|MoveRows)<.*>:"), re.compile(r"\{%k")),
    # Sides of boxes that are rounded outwards, once; and what is left of a product (box_sides-inl.h).
    (re.compile(r"<juxta::transform_detail::N_AVX3::Box(?:Nodes|Mapped)\("),
     re.compile(r"vfmadd\d+ps \{r[ud]-sae\}|vfmsub\d+ps %y")),
]


def run(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def runs_here(flags):
    cpu = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    return "-mfma" not in flags or re.search(r"^flags\b.*\bavx2\b.*\bfma\b|^flags\b.*\bfma\b.*\bavx2\b", cpu, re.M)


def check_users(compilers, include, directory):
    wrong = []
    for compiler in compilers:
        for flags in filter(runs_here, FLAGS):
            program = pathlib.Path(directory) / "unfused"
            run([compiler, "-std=c++20", *flags.split(), *(f"-I{path}" for path in include), HERE / "unfused.cpp", "-o",
                 program])
            printed = run([program]).strip()
            if printed != GOLDEN:
                wrong.append(f"{compiler} {flags}: {printed}, expected {GOLDEN}")
        print(f"{compiler}: {len(FLAGS)} builds")
    return wrong


def check_code(objdump, files):
    wrong = []
    for file in files:
        function, count = "", 0
        for line in run([objdump, "-d", "-C", "--no-show-raw-insn", file]).splitlines():
            if line.endswith(">:"):
                function = line
            elif FUSED.search(line) and not any(f.search(function) and i.search(line) for f, i in EXACT):
                count += 1
                wrong.append(f"{file}: {function}\n  {line.strip()}")
        print(f"{pathlib.Path(file).name}: {count} fused instructions")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cxx", action="append", default=[])
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--objdump", required=True)
    parser.add_argument("files", nargs="+")
    a = parser.parse_args()
    compilers = {pathlib.Path(path).resolve(): path for path in map(shutil.which, a.cxx) if path}
    with tempfile.TemporaryDirectory() as directory:
        wrong = check_users(compilers.values(), a.include, directory)
    wrong += check_code(a.objdump, a.files)
    if wrong:
        sys.exit("\n".join(wrong[:20]))


if __name__ == "__main__":
    main()
