# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The module imports, and its version is the library's."""

import importlib.util
import pathlib
import re

import numpy as np
import pytest

import juxta


def test_version_is_that_of_the_header():
    header = pathlib.Path(__file__).parents[2] / "include/juxta/version.h"
    assert re.search(rf'JUXTA_VERSION_STRING "{re.escape(juxta.__version__)}"', header.read_text())


def test_top_of_three_points():
    points = juxta.RankedPoints([1.0, 2.0, 9.0], [1.0, 2.0, 9.0], [5, 3, 1])
    assert points.top([[0, 0], [3, 3]], k=2).tolist() == [1, 0]
    assert points.top([0, 0, 3, 3], k=2).dtype == np.intp


def test_a_rule_is_compiled_and_loaded(tmp_path, monkeypatch):
    monkeypatch.setenv("JUXTA_CACHE", str(tmp_path))
    rules = juxta.compile_rules("""
        struct Count {
          template <class F> using Seer = juxta::NoColumns<F>;
          template <class F> using Seen = juxta::NoColumns<F>;
          template <class F> struct Found { JUXTA_TOTALS(Sum(n)); };
          template <class F>
          void operator()(const juxta::Neighbour<F>&, const Seer<F>&, const Seen<F>&, Found<F>& found) const {
            found.n.add(1);
          }
        };
        JUXTA_INTERACTION(Count);
    """)
    world = juxta.Simulation(0, 10, dimensions=2)
    agents = world.add_population("agents")
    agents.add_result("n")
    agents.insert(x=[1, 2, 9], y=[1, 1, 9])
    agents.sort(2)
    rules["Count"].see(agents, 2)
    assert sorted(agents["n"]) == [0, 1, 1]


def test_every_public_name_is_there():
    for name in juxta.__all__:
        assert hasattr(juxta, name), name


def test_models_are_linked_with_all_they_need():
    if importlib.util.find_spec("juxta._study") is None:
        pytest.skip("built without models")
    assert "flocking" in juxta.models.list()
