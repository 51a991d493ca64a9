#!/usr/bin/env bash
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# Installs the packages of a folder on this system and uses each as its users would:
#   packaging/debian/smoke_test.sh FOLDER
# Only for a system that may be thrown away: scripts/build_packages --check runs it in a clean root.
set -euo pipefail
packages=$(realpath "$1")
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
cd "$work"
step() { printf '\n== %s\n' "$*"; }

step "the command alone: neither headers nor compilers come with it"
apt-get -q update
apt-get -q install -y --no-install-recommends "$packages"/juxta_*.deb "$packages"/libjuxta[0-9]*.deb "$packages"/libjuxta-study*.deb
juxta --version
juxta generate boxes --count 1000 --out boxes.csv
juxta pairs boxes.csv --check
juxta model schelling --steps 3 --out schelling
timeout -s INT 3 juxta view model schelling --no-browser --port 0 >view.txt 2>&1 || true
grep http://127.0.0.1: view.txt
! command -v g++ || { echo "smoke_test: a compiler came with the command"; exit 1; }

step "Python, without compilers too"
apt-get -q install -y --no-install-recommends "$packages"/python3-juxta_*.deb
! command -v g++ || { echo "smoke_test: a compiler came with the Python module"; exit 1; }
python3 - <<'TEXT'
import importlib.metadata, pathlib
import numpy as np
import juxta

layer = juxta.Layer(np.array([[[0, 0, 0], [2, 2, 2]], [[1, 1, 1], [3, 3, 3]], [[9, 0, 0], [10, 1, 1]]], np.float32))
assert layer.find_pairs().T.tolist() == [[0, 1]]
points = juxta.RankedPoints([1.0, 2.0, 9.0], [1.0, 2.0, 9.0], [5, 3, 1])
assert points.top([[0, 0], [3, 3]], k=2).tolist() == [1, 0]
assert juxta.models.run("schelling", steps=3, seed=1) is not None
with juxta.view.Server(port=0) as server:
    server.start({"points": {"x": [1.0], "y": [2.0]}})
    assert server.client.select([0, 0], [2, 2])["points"]["x"].tolist() == [1]
assert importlib.metadata.version("juxta") == juxta.__version__
assert pathlib.Path(juxta.__file__).is_relative_to("/usr/lib/python3/dist-packages"), juxta.__file__
print("juxta", juxta.__version__, "with NumPy", np.__version__)
TEXT

step "a C++ program and a C program, by pkg-config and by CMake"
apt-get -q install -y --no-install-recommends "$packages"/*.deb g++ cmake make pkg-config
cp "$source/examples/start_games.cpp" program.cpp
g++ -std=c++20 -O2 program.cpp $(pkg-config --cflags --libs juxta) -o by_pkg_config
./by_pkg_config
gcc -std=c99 -Wall -Wextra -pedantic "$source/examples/c/ranked.c" $(pkg-config --cflags --libs juxta) -o from_c
./from_c
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES CXX)
find_package(juxta 0.3 REQUIRED COMPONENTS study)
add_executable(by_cmake program.cpp)
target_link_libraries(by_cmake PRIVATE juxta::juxta juxta::study)
TEXT
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build
build/by_cmake

step "your own models as a program, and your own world in a browser"
cmake -S "$source/tests/house/consumer" -B consumers -DCMAKE_BUILD_TYPE=Release
cmake --build consumers
consumers/program_consumer --steps 3
consumers/view_consumer

step "rules in C++ from Python, now that there is a compiler"
python3 - <<'TEXT'
import numpy as np
import juxta

rules = juxta.compile_rules("""
struct Halve {
  template <class F>
  struct Reads {
    F x;
    static constexpr auto kNames = juxta::names("x");
  };
  template <class F>
  struct Writes {
    F half;
    static constexpr auto kNames = juxta::names("half");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& out) const {
    out.half = in.x * F(0.5F);
  }
};
JUXTA_ACTION(Halve);
""")
world = juxta.Simulation(0, 100, dimensions=2)
people = world.add_population("people")
people.add_column("half")
people.insert(x=np.arange(3), y=np.arange(3))
rules["Halve"].act(people)
assert people["half"].tolist() == [0, 0.5, 1], people["half"]
TEXT

step "everything can be removed again"
apt-get -q purge -y juxta python3-juxta 'libjuxta*'
[[ -z $(find /usr -name '*juxta*' -not -path '*/doc/*') ]] || { find /usr -name '*juxta*'; exit 1; }
echo "smoke_test: passed"
