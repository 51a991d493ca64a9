# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""A mistake in the struct of an interaction or an action is one sentence: the first error that the compiler prints, and
few lines in all. The correct struct compiles. Each mistake is tried in a file of rules and in a program that uses it."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

MOST_LINES = 30
INTERACTION = """
struct Rules {
  template <class F>
  struct Seer {
    F mass;
    static constexpr auto kNames = juxta::names("mass");
  };
  template <class F>
  struct Seen {
    F vx, vy;
    static constexpr auto kNames = juxta::names("vx", "vy");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> count;
    juxta::Least<F> nearest;
    static constexpr auto kNames = juxta::names("count", "nearest");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>& seen, Found<F>& found) const {
    found.count.add(seen.vx);
    found.nearest.add(pair.distance2);
  }
};
"""
ACTION = """
struct Rules {
  template <class F>
  struct Reads {
    F count;
    static constexpr auto kNames = juxta::names("count");
  };
  template <class F>
  struct Writes {
    F x, y;
    static constexpr auto kNames = juxta::names("x", "y");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& agent) const {
    agent.y = agent.x + in.count;
  }
};
"""
RULES_FILE = "#include <juxta/agents/interaction.h>\n"
USES = {
    INTERACTION: (RULES_FILE + "%sJUXTA_INTERACTION(Rules);\n",
                  "#include <juxta/agents/see.h>\n%sbool use(juxta::Population& all) "
                  "{ return juxta::see(all, all, 1, Rules()).has_value(); }\n"),
    ACTION: (RULES_FILE + "%sJUXTA_ACTION(Rules);\n",
             "#include <juxta/agents/act.h>\n#include <juxta/agents/interaction_types.h>\n%sbool use(juxta::Population& all) "
             "{ return juxta::act(all, Rules()).has_value(); }\n"),
}
# (the struct, what is replaced, by what, words of the sentence)
MISTAKES = [
    (INTERACTION, "struct Seer", "struct Looker", "the rules have no template Seer<F>"),
    (INTERACTION, "struct Seen", "struct Looked", "the rules have no template Seen<F>"),
    (INTERACTION, "struct Found", "struct Totals", "the rules have no template Found<F>"),
    (INTERACTION, 'names("mass")', 'names("mass", "charge")', "the names of Seer<F> do not match its fields"),
    (INTERACTION, 'names("vx", "vy")', 'names("vx")', "the names of Seen<F> do not match its fields"),
    (INTERACTION, 'names("count", "nearest")', 'names("count", "nearest", "far")',
     "the names of Found<F> do not match its fields"),
    (INTERACTION, 'static constexpr auto kNames = juxta::names("mass");', "", "Seer<F> has no kNames"),
    (INTERACTION, "F vx, vy;", "F vx; int* vy;", "a field of Seen<F> has another type"),
    (INTERACTION, "juxta::Sum<F> count;", "F count;", "a field of Found<F> has another type"),
    (INTERACTION, "Found<F>& found) const {", "Found<F>& found) {", "the function of an interaction is not const"),
    (INTERACTION, "operator()", "meet", "an interaction needs this function"),
    (INTERACTION, "const Seer<F>&, ", "", "an interaction needs this function"),
    (ACTION, "struct Reads", "struct In", "the rules have no template Reads<F>"),
    (ACTION, "struct Writes", "struct Out", "the rules have no template Writes<F>"),
    (ACTION, 'names("count")', 'names("count", "mass")', "the names of Reads<F> do not match its fields"),
    (ACTION, 'names("x", "y")', 'names("x")', "the names of Writes<F> do not match its fields"),
    (ACTION, "Writes<F>& agent) const {", "Writes<F>& agent) {", "the function of an action is not const"),
    (ACTION, "operator()", "move", "an action needs this function"),
]


def compiled(compiler, include, text):
    flags = ["-std=c++20", "-O0", "-fsyntax-only", "-x", "c++", *(f"-I{path}" for path in include), "-"]
    done = subprocess.run([compiler, *flags], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def check_correct(compiler, include):
    wrong = []
    for struct, uses in USES.items():
        for use in uses:
            good, output = compiled(compiler, include, use % struct)
            if not good:
                wrong.append(f"{compiler}: the correct struct does not compile\n{output}")
    return wrong


def check_mistake(compiler, include, struct, old, new, sentence):
    if struct.count(old) < 1:
        return [f"'{old}' is not in the struct"]
    wrong = []
    # `struct Seer` takes its uses in the function along, so that a missing part is the only mistake.
    changed = struct.replace(old, new)
    if old.startswith("struct "):
        changed = changed.replace(f"{old.split()[1]}<F>", f"{new.split()[1]}<F>")
    for use in USES[struct]:
        good, output = compiled(compiler, include, use % changed)
        errors = [line for line in output.splitlines() if re.search(r"\berror: ", line)]
        lines = len(output.splitlines())
        if good or not errors or sentence not in errors[0] or lines > MOST_LINES:
            wrong.append(f"{compiler}: '{old}' -> '{new}': {lines} lines, expected '{sentence}' first\n{output[:3000]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cxx", action="append", required=True)
    parser.add_argument("--include", action="append", default=[])
    a = parser.parse_args()
    compilers = {pathlib.Path(path).resolve(): path for path in map(shutil.which, a.cxx) if path}
    wrong = []
    for compiler in compilers.values():
        wrong += check_correct(compiler, a.include)
        for mistake in MISTAKES:
            wrong += check_mistake(compiler, a.include, *mistake)
        print(f"{compiler}: {len(MISTAKES)} mistakes")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
