# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Uses Juxta in each of the ways of docs/embedding.md: writes that page's code blocks into a scratch project, builds
it and compares what the program prints with the page. Juxta's own objects come from the main build tree
(JUXTA_PREBUILT), except for the plain compile, which compiles a module and all it needs, without optimisation."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

PRINTED = re.compile(r"It prints `(.+)`")
# Components that the core must not look for.
FOREIGN = ("HDF5", "PNG", "fmt", "nlohmann_json", "CLI11", "GTest", "rapidcheck", "benchmark", "Boost", "Python3")
MODULES = ("core", "math", "order", "layer", "shape", "ranked", "points", "transform", "agents", "grid")


def run(command, **options):
    done = subprocess.run(command if isinstance(command, str) else [str(word) for word in command],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {command}\n{done.stdout}")
    return done.stdout


def section(page, heading, language):
    """The code blocks of one language below one heading; `heading` is None for what comes before the first."""
    parts = re.split(r"^## (.+)$", page, flags=re.M)
    text = parts[0] if heading is None else parts[parts.index(heading) + 1]
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.M | re.S)
    if not blocks:
        sys.exit(f"docs/embedding.md has no {language} block below {heading}")
    return blocks


class Project:
    """A user's folder: app.cpp and third_party/juxta, as the page has them."""

    def __init__(self, a, page):
        self.a, self.page, self.place = a, page, a.work / "project"
        shutil.rmtree(a.work, ignore_errors=True)
        (self.place / "third_party").mkdir(parents=True)
        (self.place / "third_party/juxta").symlink_to(a.source)
        (self.place / "app.cpp").write_text(section(page, None, "cpp")[0])

    def check_output(self, program, **options):
        printed, [expected] = run([program], **options).strip(), PRINTED.findall(self.page)
        if printed != expected:
            sys.exit(f"the program prints '{printed}', the page says '{expected}'")

    def configure(self, heading, *settings):
        (self.place / "CMakeLists.txt").write_text(section(self.page, heading, "cmake")[0])
        self.build = self.a.work / "build"
        return run([self.a.cmake, "-S", self.place, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    f"-DCMAKE_CXX_COMPILER={self.a.cxx}", f"-DCMAKE_CXX_FLAGS={self.a.cxx_flags}",
                    *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in FOREIGN), *settings])

    def build_and_run(self):
        run([self.a.cmake, "--build", self.build])
        self.check_output(next(path for path in (self.build / "app", self.build / "bin/app") if path.exists()))


def prebuilt(a):
    # The main build's executor.cpp has the oneTBB executor in it if that build has.
    return f"-DJUXTA_PREBUILT={a.build}", f"-DJUXTA_TBB={a.tbb}"


def add_subdirectory(a, project):
    project.configure("add_subdirectory", *prebuilt(a))
    project.build_and_run()
    compiled = run(["ninja", "-C", project.build, "-t", "commands", "app"]).count(" -c ")
    if compiled != 1:
        sys.exit(f"{compiled} files were compiled, and not app.cpp alone")
    targets = run(["ninja", "-C", project.build, "-t", "targets", "all"])
    extra = [name for name in ("juxta_files", "juxta_study", "juxta_contest", "juxta_tool", "juxta_scenes",
                               "juxta_headers_alone", "example_", "bench_") if f"{name}.dir" in targets]
    if extra:
        sys.exit(f"below another project, there are targets that the core does not need: {extra}")
    if "-Werror" in run(["ninja", "-C", project.build, "-t", "commands"]):
        sys.exit("below another project, warnings are errors")


def fetch_content(a, project):
    project.configure("FetchContent", *prebuilt(a), f"-DFETCHCONTENT_SOURCE_DIR_JUXTA={a.source}")
    project.build_and_run()


def fetched_dependencies(a, project):
    """Configures with JUXTA_FETCH_DEPENDENCIES, with copies of the system's headers in place of the downloads."""
    fake = {name: a.work / name for name in ("highway", "tl_expected", "random123")}
    for folder in (fake["highway"] / "hwy", fake["tl_expected"] / "include", fake["random123"] / "include"):
        folder.mkdir(parents=True)
    (fake["tl_expected"] / "include/tl").symlink_to(pathlib.Path(a.expected) / "tl")
    (fake["random123"] / "include/Random123").symlink_to(pathlib.Path(a.random123) / "Random123")
    overrides = [f"-DFETCHCONTENT_SOURCE_DIR_{name.upper()}={folder}" for name, folder in fake.items()]
    said = project.configure("add_subdirectory", "-DJUXTA_FETCH_DEPENDENCIES=ON", *overrides,
                             "-DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_tl-expected=ON",
                             "-DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON", "-DJUXTA_INSTALL=ON")
    for words in (*(f"fetching {name} " for name in fake), "no install rules"):
        if words not in said:
            sys.exit(f"CMake does not say '{words}':\n{said}")
    commands = run(["ninja", "-C", project.build, "-t", "commands", "app"])
    for name, folder in fake.items():
        if str(folder) not in commands:
            sys.exit(f"nothing is compiled with the headers of {name}")
    if "-lhwy" in commands or "libhwy.so" in commands:
        sys.exit("Highway's library is linked, of which only the headers are needed")
    # Without the option, what is missing is named, with what to do about it.
    refused = subprocess.run([str(a.cmake), "-S", str(project.place), "-B", str(a.work / "refused"), "-G", "Ninja",
                              f"-DCMAKE_CXX_COMPILER={a.cxx}", "-DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON"],
                             capture_output=True, text=True, check=False)
    if refused.returncode == 0 or not all(word in refused.stderr for word in ("libhwy-dev", "JUXTA_FETCH_DEPENDENCIES")):
        sys.exit(f"a missing Highway is not explained:\n{refused.stderr}")


def installed(a):
    prefix = a.work / "prefix"
    run([a.cmake, "--install", a.build, "--prefix", prefix, "--component", "library"])
    return prefix


def find_package(a, project):
    project.configure("find_package", f"-DCMAKE_PREFIX_PATH={installed(a)}")
    project.build_and_run()


def pkg_config(a, project):
    [folder] = {path.parent for path in installed(a).rglob("juxta.pc")}
    [command] = section(project.page, "pkg-config", "sh")
    command = command.replace("g++", f"{a.cxx} {a.cxx_flags}").replace("-O2", "-O0").replace("pkg-config", a.pkg_config)
    run(command, shell=True, cwd=project.place, env={**os.environ, "PKG_CONFIG_PATH": str(folder)})
    project.check_output(project.place / "app")


def compiled_sources(a):
    """The files of src that the main build tree compiles, one by one or several in a file that CMake writes."""
    found = set()
    for line in (a.build / "objects/juxta.txt").read_text().split():
        name = re.sub(r".*/juxta\.dir/(\./)?|\.o$", "", line)
        together = a.build / "src/CMakeFiles/juxta.dir" / name
        if name.startswith("Unity/"):
            included = re.findall(r'#include "(.*)"', together.read_text())
            found |= {str(pathlib.Path(path).resolve().relative_to(a.source.resolve() / "src")) for path in included}
        elif line.endswith(".o"):  # no headers
            found.add(name)
    return found


def plain(a, project):
    [command] = section(project.page, "A plain compile", "sh")
    # No optimisation and one instruction set: this asks whether the files compile and link as the page says.
    command = command.replace("g++", f"{a.cxx} -DHWY_COMPILE_ONLY_STATIC").replace("-O2", "-O0")
    run(["bash", "-euc", command], cwd=project.place)
    project.check_output(project.place / "app")


def plain_files(a, project):
    """The folders that the page names for each module, together, are the files that CMake compiles."""
    named = {folder for module in MODULES for folder in re.findall(r"`([a-z/]+)`", "".join(
        re.findall(rf"^\| `{module}` \|(.*)$", project.page, flags=re.M)))}
    sources = {str(path.relative_to(a.source / "src")) for folder in named | {"core", "c"}
               for path in (a.source / "src" / folder).glob("*.cpp")} - {"ranked/contest.cpp"}
    compiled = compiled_sources(a)
    if sources != compiled:
        sys.exit(f"the page's folders and CMake's list differ in {sorted(sources ^ compiled)}")


def main():
    ways = {way.__name__: way for way in (add_subdirectory, fetch_content, fetched_dependencies, find_package,
                                         pkg_config, plain, plain_files)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--way", choices=ways, required=True)
    for name in ("source", "build", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "cxx", "pkg-config", "tbb", "expected", "random123"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--cxx-flags", default="")
    a = parser.parse_args()
    a.source, a.build, a.work = a.source.resolve(), a.build.resolve(), a.work.resolve()
    ways[a.way](a, Project(a, (a.source / "docs/embedding.md").read_text()))
    print(a.way, "builds and runs as docs/embedding.md says")


if __name__ == "__main__":
    main()
