# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Installs the library into a scratch prefix, moves that prefix, and builds and runs tests/house/consumer against
it with find_package(juxta) and with pkg-config, and its C99 part as docs/c.md says. A shared build must do without Highway's and oneTBB's development
files, and must export juxta's names alone; of the static one the installed tool must run."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

CONSUMER = pathlib.Path(__file__).parent / "consumer"


def run(command, **options):
    """Runs a command and returns its output; on failure shows everything and stops the test."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **options)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def build_shared(a):
    """A shared build of the libraries alone (no tests, no tool) from the objects of the main build, which is static."""
    build = a.work / "build"
    run([a.cmake, "-S", a.source, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={a.cxx}",
         f"-DCMAKE_CXX_FLAGS={a.cxx_flags}", "-DCMAKE_BUILD_TYPE=Release", f"-DJUXTA_TBB={a.tbb}",
         "-DBUILD_SHARED_LIBS=ON", f"-DJUXTA_PREBUILT={a.build}", *(f"-DJUXTA_BUILD_{part}=OFF" for part in ("TOOL", "TESTS", "EXAMPLES", "CONTEST"))])
    run([a.cmake, "--build", build])
    if run(["ninja", "-C", build, "-t", "commands"]).count(" -c "):
        sys.exit("the shared library is compiled again and not linked from the objects of the static one")
    return build


def install(a, build, prefix):
    """Installs, and then moves the prefix: a package that names the place where it was put breaks."""
    first = a.work / "prefix_as_installed"
    for old in (first, prefix):
        shutil.rmtree(old, ignore_errors=True)
    run([a.cmake, "--install", build, "--prefix", first])
    first.rename(prefix)


def use_with_cmake(a, prefix):
    build = a.work / "consumer_cmake"
    shutil.rmtree(build, ignore_errors=True)
    hidden = ["hwy", "TBB"] if a.kind == "shared" else ["hwy"]  # as on a machine without their development packages
    configure = [a.cmake, "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={a.cxx}",
                 f"-DCMAKE_CXX_FLAGS={a.cxx_flags}", f"-DCMAKE_PREFIX_PATH={prefix}",
                 *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in hidden)]
    warning = "CMAKE_BUILD_TYPE is empty"
    if "-O" not in a.cxx_flags and run(configure).count(warning) != 1:
        sys.exit("a project without a build type is not warned, or more than once")
    if warning in run([*configure, "-DCMAKE_BUILD_TYPE=Release"]):
        sys.exit("a project with a build type is warned that it has none")
    run([a.cmake, "--build", build])
    run([build / "consumer"])
    run([build / "files_consumer"])
    run([build / "agents_consumer"])
    run([build / "study_consumer"])
    if (build / "program_consumer").exists():
        use_program(a, build / "program_consumer")
    elif (prefix / "include/juxta/study/program.h").exists():
        sys.exit("the header of programs is installed, but find_package does not find the library")
    if (build / "program_consumer").exists():
        first_model(a, prefix)
    if (build / "view_consumer").exists():
        run([build / "view_consumer"])
    elif (prefix / "include/juxta/view").exists():
        sys.exit("headers of the viewer are installed, but find_package does not find it")
    if (build / "cluster_consumer").exists():
        run([build / "cluster_consumer"], env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    print("find_package: built and ran")


def use_program(a, program):
    """A modeller's own program has what `juxta model` has, and names itself."""
    work = a.work / "program"
    shutil.rmtree(work, ignore_errors=True)
    if "walk: " not in run([program, "--list"]) or "--until CONDITION" not in run([program, "--help"]):
        sys.exit("program_consumer --list or --help does not tell what there is")
    report = json.loads(run([program, "--steps", 30, "--until", "away > 4", "--out", work, "--checkpoint", 2, "--json"]))
    if not report["until_met"] or not (work / "walk.png").exists() or not (work / "steps.csv").exists():
        sys.exit(f"program_consumer told {report}")
    again = json.loads(run([program, "--resume", work / "checkpoint.jxr", "--json"]))
    if (again["state"], again["until"]) != (report["state"], "away > 4"):
        sys.exit(f"program_consumer resumed as {again}")
    (work / "sweep.toml").write_text('model = "walk"\nsteps = 5\nseeds = 2\nsample = { kind = "latin", count = 3 }\n'
                                     '[vary]\nwalkers = { from = 5, to = 50 }\n')
    if run([program, "--sweep", work / "sweep.toml"]).count("\n") != 7:
        sys.exit("program_consumer --sweep has other rows than six replicas")
    wrong = subprocess.run([program, "run", "--steps", "3"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if wrong.returncode != 2 or "program_consumer: there is no model 'run': give one of walk" not in wrong.stdout:
        sys.exit(f"program_consumer told {wrong.returncode}, {wrong.stdout}")


def first_model(a, prefix):
    """The folder, the CMakeLists.txt and the commands with which docs/models.md begins."""
    page = (a.source / "docs/models.md").read_text()
    [project] = re.findall(r"^```cmake\n(.*?)^```$", page, flags=re.M | re.S)
    [command] = re.findall(r"^    (cmake -S .*)$", page, flags=re.M)
    place = a.work / "first_model"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "CMakeLists.txt").write_text(project)
    shutil.copy(a.source / "examples/study_epidemic.cpp", place)
    command = re.sub(r"\bcmake ", f"{a.cmake} ", command).replace("PATH=PREFIX", f"PATH={prefix}")
    run(["bash", "-euc", command], cwd=place, env={**os.environ, "CXX": str(a.cxx), "CXXFLAGS": a.cxx_flags})
    if "susceptible 3995 -> 470" not in run([place / "build/epidemic"]):
        sys.exit("the first model of docs/models.md ends elsewhere")


def use_with_pkg_config(a, prefix, libdir):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(libdir / "pkgconfig")}
    modes = [["--static"], []] if a.kind == "static" else [[]]
    for mode in modes:
        flags = run([a.pkg_config, *mode, "--cflags", "--libs", "juxta"], env=environment).split()
        program = a.work / "consumer_pkg_config"
        run([a.cxx, "-std=c++20", *a.cxx_flags.split(), CONSUMER / "main.cpp", "-o", program, *flags])
        run([program], env={**os.environ, "LD_LIBRARY_PATH": str(libdir)})
        print("pkg-config", *mode, "built and ran:", *flags)
    version = run([a.pkg_config, "--modversion", "juxta"], env=environment).strip()
    if not version:
        sys.exit("pkg-config knows no version")


def use_from_c(a, prefix, libdir):
    """The project and the commands of docs/c.md. The project is in C alone: it knows no compiler of C++."""
    page = (a.source / "docs/c.md").read_text()
    [project] = re.findall(r"^```cmake\n(.*?)^```$", page, flags=re.M | re.S)
    commands = re.findall(r"^cc .*$", page, flags=re.M)
    if not commands:
        sys.exit("docs/c.md has no line that begins with cc")
    place = a.work / "c"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "CMakeLists.txt").write_text(project)
    shutil.copy(CONSUMER / "c99.c", place / "app.c")
    flags = "-std=c99 -Wall -Wextra -pedantic -Werror"
    run([a.cmake, "-S", place, "-B", place / "build", "-G", "Ninja", f"-DCMAKE_C_COMPILER={a.cc}", f"-DCMAKE_C_FLAGS={flags}",
         "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_DISABLE_FIND_PACKAGE_tl-expected=ON"])
    run([a.cmake, "--build", place / "build"])
    run([place / "build/app"])
    environment = {**os.environ, "PKG_CONFIG_PATH": str(libdir / "pkgconfig"), "LD_LIBRARY_PATH": str(libdir)}
    for command in commands:
        for word, ours in (("cc", f"{a.cc} {flags}"), ("c++", a.cxx), ("pkg-config", a.pkg_config)):
            command = re.sub(rf"(?<![\w+]){re.escape(word)} ", f"{ours} ", command)
        (place / "app").unlink(missing_ok=True)
        run(["bash", "-euc", command], cwd=place, env=environment)
        run([place / "app"], env=environment)
    print("C99: built and ran with CMake and", len(commands), "commands")


def check_exported_names(a, library):
    """Only names of namespace juxta (with their vtables and type names) and of the C interface may leave the shared
    library. Weak symbols of the standard library's templates are not ours to hide: the linker merges them."""
    listing = run([a.nm, "-D", "--defined-only", "--demangle", library])
    foreign, ours = [], 0
    for line in listing.splitlines():
        _, kind, name = line.split(maxsplit=2)
        if "juxta::" in name or re.match(r"juxta_\w+@@JUXTA_|JUXTA_[\d.]+$", name):  # juxta::detail too: what juxta_files shares with the library
            ours += 1
        elif kind not in "VWu" or not ("std::" in name or "__gnu" in name or "tl::" in name):
            foreign.append(f"{kind} {name}")
    if foreign or ours == 0:
        sys.exit(f"{library.name} exports {ours} names of juxta, and these that it should not:\n" + "\n".join(foreign))
    print(f"{library.name} exports {ours} names, all of them juxta's")


def check_soname(a, library):
    """0.MINOR until 1.0: minor versions may break programs, so they must not replace each other."""
    [version] = re.findall(r'VERSION_STRING "(\d+)\.(\d+)', (a.source / "include/juxta/version.h").read_text())
    expected = "libjuxta.so." + (".".join(version) if version[0] == "0" else version[0])
    [soname] = re.findall(r"SONAME\s+(\S+)", run([a.objdump, "-p", library]))
    if soname != expected:
        sys.exit(f"{library.name} has SONAME {soname}, expected {expected}")
    print("SONAME", soname)


def check_files(a, prefix):
    """What comes beside libraries and headers. The tool's files come with the tool, which the shared build is without."""
    names = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    wanted = ["include/juxta/version.h", "share/doc/juxta/LICENSE", "share/doc/juxta/README.md",
              "share/doc/juxta/docs/embedding.md", "share/doc/juxta/examples/ranked_points.cpp"]
    if a.kind == "static":
        wanted += ["bin/juxta", "share/man/man1/juxta.1", "share/bash-completion/completions/juxta"]
    if missing := [name for name in wanted if name not in names]:
        sys.exit(f"not installed: {missing}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=["static", "shared"], required=True)
    for name in ("source", "build", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "cc", "cxx", "pkg-config", "nm", "objdump", "tbb"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--cxx-flags", default="")
    a = parser.parse_args()

    a.work.mkdir(parents=True, exist_ok=True)
    a.work = a.work.resolve()
    prefix = a.work / "prefix"
    install(a, build_shared(a) if a.kind == "shared" else a.build, prefix)
    [pc_file] = prefix.rglob("juxta.pc")
    libdir = pc_file.parent.parent
    check_files(a, prefix)
    use_with_cmake(a, prefix)
    use_with_pkg_config(a, prefix, libdir)
    if "-fsanitize" not in a.cxx_flags:  # their runtime is linked by the compiler of C++
        use_from_c(a, prefix, libdir)
    if a.kind == "shared":
        check_soname(a, libdir / "libjuxta.so")
        check_exported_names(a, (libdir / "libjuxta.so").resolve())
    else:
        print(run([prefix / "bin" / "juxta", "--version"]).strip())


if __name__ == "__main__":
    main()
