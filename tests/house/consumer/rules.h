// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <juxta/agents/interaction_types.h>

// How many are near, and how far the nearest of them is.
struct Look {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> count;
    juxta::Least<F> nearest;
    static constexpr auto kNames = juxta::names("count", "nearest");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>&, Found<F>& found) const {
    found.count.add(F(1));
    found.nearest.add(pair.distance());
  }
};

// Agents that see somebody go up by that much.
struct Rise {
  template <class F>
  struct Reads {
    F count;
    static constexpr auto kNames = juxta::names("count");
  };
  template <class F>
  struct Writes {
    F y;
    static constexpr auto kNames = juxta::names("y");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& agent) const {
    agent.y = agent.y + in.count;
  }
};
