# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.compile_rules: rules in C++ against reductions and NumPy, and mistakes in them."""

import os
import pathlib

import numpy as np
import pytest

import juxta
from juxta import _compile

CONTACTS = """
struct Contacts {
  float gain = 2, least;
  static constexpr auto kParameters = juxta::names("gain", "least");
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F ill;
    static constexpr auto kNames = juxta::names("ill");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> near, total;
    juxta::Least<F> nearest;
    static constexpr auto kNames = juxta::names("near", "total", "nearest");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>& seen, Found<F>& found) const {
    found.near.add(1);
    found.total.add_if(seen.ill >= F(least), seen.ill * F(gain));
    found.nearest.add(pair.distance2);
  }
};
JUXTA_INTERACTION(Contacts);
"""
STEP = """
namespace mine {
struct Step {
  float dt = 0.5F;
  static constexpr auto kParameters = juxta::names("dt");
  template <class F>
  struct Reads {
    F total;
    static constexpr auto kNames = juxta::names("total");
  };
  template <class F>
  struct Writes {
    F x, ill;
    static constexpr auto kNames = juxta::names("x", "ill");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& agent) const {
    using juxta::select;
    agent.ill = select(in.total > F(0), agent.ill + F(1), agent.ill);
    agent.x += F(dt);
  }
};
}  // namespace mine
JUXTA_ACTION(mine::Step);
"""


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """One cache for all tests of this file, and none of the user's."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("JUXTA_CACHE")
    os.environ["JUXTA_CACHE"] = str(folder)
    try:
        _compile.find_compiler()
    except juxta.errors.IoError as error:
        pytest.skip(str(error))
    yield folder
    if before is None:
        del os.environ["JUXTA_CACHE"]
    else:
        os.environ["JUXTA_CACHE"] = before


def crowd(n=500, seed=1, dimensions=2, edge=10.0):
    world = juxta.Simulation(0, edge, dimensions=dimensions, edges="periodic")
    people = world.add_population("people")
    for column in ("ill", "near", "total", "nearest", "count"):
        people.add_column(column)
    rng = np.random.default_rng(seed)
    axes = {axis: rng.random(n, np.float32) * edge for axis in "xyz"[:dimensions]}
    people.insert(**axes, ill=rng.integers(0, 4, n))
    return people


def brute_force(people, radius, edge=10.0):
    """Who is near whom, and the squared distances, in float32 as the library computes them."""
    d2 = np.zeros((len(people), len(people)), np.float32)
    for axis in "xy":
        d = people[axis][None, :] - people[axis][:, None]
        d = np.where(d > edge / 2, d - np.float32(edge), np.where(d < -edge / 2, d + np.float32(edge), d))
        d2 += d * d
    near = d2 <= np.float32(radius) ** 2
    np.fill_diagonal(near, False)
    return near, d2


def test_an_interaction():
    people = crowd()
    people.sort(1.0)
    (rule,) = juxta.compile_rules(CONTACTS).values()
    tested = rule.see(people, 1.0, parameters={"least": 1})
    near, d2 = brute_force(people, 1.0)
    assert tested >= near.sum() > 500
    assert people["near"].tolist() == near.sum(axis=1).tolist()
    assert people["total"].tolist() == (near * people["ill"] * 2).sum(axis=1).tolist()
    assert np.array_equal(people["nearest"], np.where(near, d2, np.inf).min(axis=1))
    people.reduce("count", None, "count", radius=1.0)
    assert people["count"].tobytes() == people["near"].tobytes()
    people.reduce("sum", "ill", "count", radius=1.0)
    rule.see(people, 1.0, parameters={"gain": 1.0})
    assert people["count"].tobytes() == people["total"].tobytes()


def test_threads_metric_radii_and_others():
    people, rule = crowd(5000), juxta.compile_rules(CONTACTS)["Contacts"]
    people.sort(0.5)
    rule.see(people, 0.5)
    one = people["total"]
    rule.see(people, 0.5, threads=3)
    assert people["total"].tobytes() == one.tobytes()
    rule.see(people, 0.5, metric="box")
    assert (people["near"] >= 0).all() and people["near"].sum() > 0
    people.add_column("reach", 0.25)
    rule.see(people, 0.5, radii="reach")
    short = people["near"]
    rule.see(people, 0.25)
    assert people["near"].tobytes() == short.tobytes()
    world = juxta.Simulation(0, 10, dimensions=2, edges="periodic")
    dogs, cats = world.add_population("dogs"), world.add_population("cats")
    for column in ("near", "total", "nearest"):
        dogs.add_result(column)
    cats.add_column("ill")
    dogs.insert(x=[1, 5], y=[1, 5])
    cats.insert(x=[1.5, 9], y=[1, 9], ill=[3, 1])
    dogs.sort(1.0)
    cats.sort(1.0)
    rule.see(dogs, 1.0, seen=cats)
    assert sorted(dogs["total"].tolist()) == [0, 6]


def test_an_action_and_what_a_rule_says_of_itself():
    rules = juxta.compile_rules(CONTACTS + STEP)
    assert [*rules] == ["Contacts", "mine::Step"]
    contacts, step = rules.values()
    assert contacts.columns == {"seer": [], "seen": ["ill"], "found": ["near", "total", "nearest"]}
    assert step.columns == {"reads": ["total"], "writes": ["x", "ill"]}
    assert contacts.parameters == {"gain": 2.0, "least": 0.0} and step.parameters == {"dt": 0.5}
    assert step.name == "mine::Step" and repr(step) == "<juxta.Rule mine::Step>"
    people = crowd(100)
    people["total"] = np.arange(100) % 2
    x, ill = people["x"], people["ill"]
    step.act(people, parameters={"dt": 0.25}, threads=2)
    assert np.array_equal(people["x"], x + np.float32(0.25)) and np.array_equal(people["ill"], ill + np.arange(100) % 2)
    assert step.parameters == {"dt": 0.5}


def test_wrong_calls():
    people, rules = crowd(20), juxta.compile_rules(CONTACTS + STEP)
    contacts, step = rules.values()
    with pytest.raises(juxta.errors.InvalidArgument, match="sort"):
        contacts.see(people, 1.0)
    people.sort(1.0)
    bare = juxta.Simulation(0, 1, dimensions=2).add_population("bare")
    for call, error, sentence in [
        (lambda: step.see(people, 1.0), ValueError, "mine::Step is an action: call its act"),
        (lambda: contacts.act(people), ValueError, "Contacts is an interaction: call its see"),
        (lambda: contacts.see(people, -1.0), ValueError, "radius"),
        (lambda: contacts.see(people, 1.0, radii="none"), KeyError, "there is no column 'none'"),
        (lambda: contacts.see(people, 1.0, metric="round"), ValueError, "'ball', 'box'"),
        (lambda: contacts.see(people, 1.0, parameters={"loss": 1}), KeyError, "no parameter 'loss'. It has: gain, least"),
        (lambda: contacts.see(people, 1.0, parameters={"gain": "x"}), TypeError, ""),
        (lambda: contacts.see(people, 1.0, parameters=[1, 2]), TypeError, "Give a dict"),
        (lambda: step.act(bare), KeyError, "total"),
        (lambda: juxta.Rule(), TypeError, ""),
        (lambda: juxta.Rule.__new__(juxta.Rule).act(people), (TypeError, ValueError), ""),
        (lambda: juxta.Rule._of(5), TypeError, "compile_rules"),
        (lambda: juxta.compile_rules(5), TypeError, "text is 5"),
        (lambda: juxta.compile_rules(CONTACTS, name='a"b'), ValueError, "name is"),
        (lambda: juxta.compile_rules("int a;"), ValueError, "declares no rule"),
    ]:
        with pytest.raises(error, match=sentence):
            call()


def test_the_rules_of_the_examples_compile():
    """A source file of docs/interactions.md is a text as it stands, with its include."""
    folder = pathlib.Path(__file__).parents[2] / "examples"
    header = (folder / "agents_predators_rules.h").read_text()
    source = (folder / "agents_predators_rules.cpp").read_text()
    text = header.replace("#pragma once", "") + source.replace('#include "agents_predators_rules.h"', "")
    rules = juxta.compile_rules(text)
    assert [*rules] == [f"meadow::{name}" for name in ("Nearest", "WhoIsNearest", "Company", "Fear", "Run")]
    assert rules["meadow::Run"].parameters == {}  # it has member variables, and no kParameters


@pytest.mark.parametrize(
    "change,line,sentence",
    [
        (("pair.distance2", "pair.distance3"), 21, "distance3"),
        (("F ill;\n", "F ill, age;\n"), None, "the names of Seen<F> do not match its fields"),
        (("Found<F>& found) const {", "Found<F>& found) {"), None, "the function of an interaction is not const"),
        (('names("gain", "least");\n  template', 'names("gain");\n  template'), None, "kParameters has one name for each"),
        (("juxta::Sum<F> near, total;", "juxta::Sum<F> near total;"), 13, "expected"),
        (("JUXTA_INTERACTION(Contacts)", "JUXTA_INTERACTION(Contact)"), 24, "Contact"),
    ],
)
def test_mistakes_have_the_line_of_the_text(change, line, sentence):
    assert change[0] in CONTACTS
    text = CONTACTS.lstrip("\n").replace(*change)
    with pytest.raises(juxta.errors.CompileError) as found:
        juxta.compile_rules(text, name="crowd.cpp")
    error = found.value
    assert sentence in str(error) and sentence in error.output and "error: " in error.output
    assert str(error).startswith(f"crowd.cpp:{error.line}: ") and 1 <= error.line <= 24
    assert line in (None, error.line)
    assert text.splitlines()[error.line - 1].strip() in str(error)
    assert isinstance(error, ValueError) and error.code == "parse"
