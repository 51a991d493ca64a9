# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What a rule compiled from Python costs: compiling, loading, a pass, a call. Beside it the reduction that is built in, which
sums one column where this rule fills two.

    PYTHONPATH=BUILD/python python3 python/bench/rules.py [--n AGENTS]
"""

import argparse
import os
import tempfile
import time

import numpy as np

import juxta
from juxta import _compile

RULES = """
struct Contacts {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F ill;
    static constexpr auto kNames = juxta::names("ill");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> ill_near;
    juxta::Least<F> nearest;
    static constexpr auto kNames = juxta::names("ill_near", "nearest");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>& seen, Found<F>& found) const {
    found.ill_near.add(seen.ill);
    found.nearest.add(pair.distance2);
  }
};
JUXTA_INTERACTION(Contacts);
struct FallIll {
  template <class F>
  struct Reads {
    F ill_near;
    static constexpr auto kNames = juxta::names("ill_near");
  };
  template <class F>
  struct Writes {
    F ill;
    static constexpr auto kNames = juxta::names("ill");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& person) const {
    using juxta::select;
    person.ill = select(in.ill_near > F(2), F(1), person.ill);
  }
};
JUXTA_ACTION(FallIll);
"""


def seconds(call, rounds=1):
    """The least of `rounds` calls."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def crowd(n, radius, neighbours):
    """People of a density at which each has so many neighbours."""
    world = juxta.Simulation(0, (np.pi * n / neighbours) ** 0.5 * radius, dimensions=2, edges="periodic")
    people = world.add_population("people")
    for column in ("ill", "sum", "ill_near", "nearest"):
        people.add_column(column)
    rng = np.random.default_rng(1)
    x, y = rng.random((2, n), np.float32) * world.hi[0]
    people.insert(x=x, y=y, ill=rng.random(n) < 0.5)
    people.sort(radius)
    return people


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=1_000_000, help="agents")
    n = parser.parse_args().n
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JUXTA_CACHE"] = folder
        print(f"compile                          {seconds(lambda: juxta.compile_rules(RULES)):8.2f} s")
        _compile._loaded.clear()
        print(f"load from the cache              {seconds(lambda: juxta.compile_rules(RULES)) * 1e3:8.2f} ms")
        rules = juxta.compile_rules(RULES)
    people, few = crowd(n, 3.0, 28), crowd(8, 1.0, 2)
    contacts, fall_ill = rules["Contacts"], rules["FallIll"]
    for what, call in {
        "see, about 28 neighbours": lambda: contacts.see(people, 3.0),
        "reduce('sum')": lambda: people.reduce("sum", "ill", "sum", radius=3.0),
        "act": lambda: fall_ill.act(people),
    }.items():
        print(f"{what:32} {seconds(call, 7) / n * 1e9:8.2f} ns an agent, one thread")
    calls = 100_000
    one = seconds(lambda: [fall_ill.act(few) for _ in range(calls)], 3) / calls
    print(f"a call of act, 8 agents          {one * 1e6:8.2f} us")


if __name__ == "__main__":
    main()
