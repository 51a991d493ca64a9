// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the nodes of a drawn graph do: push away those near, and go where they are pulled and pushed.
#pragma once

#include <juxta/agents/interaction_types.h>

namespace graph {

/// Away from each node near by length^2 / distance: a push of d / |d|, that strong.
struct Push {
  float length;

  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> push_x, push_y;
    static constexpr auto kNames = juxta::names("push_x", "push_y");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& /*none*/, const Seen<F>& /*none*/,
                  Found<F>& found) const {
    const F strength = F(length * length) / (pair.distance2 + F(1e-6F));
    found.push_x.add(-pair.dx * strength);
    found.push_y.add(-pair.dy * strength);
  }
};

/// By push and pull together, but no further than the graph is still warm, and not out of the sheet.
struct Move {
  float warmth, sheet;

  template <class F>
  struct Reads {
    F push_x, push_y, pull_x, pull_y;
    static constexpr auto kNames = juxta::names("push_x", "push_y", "pull_x", "pull_y");
  };
  template <class F>
  struct Writes {
    F x, y;
    static constexpr auto kNames = juxta::names("x", "y");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& node) const {
    using juxta::max, juxta::min, juxta::sqrt;
    const F dx = in.push_x + in.pull_x, dy = in.push_y + in.pull_y;
    const F scale = min(F(warmth) / (sqrt(dx * dx + dy * dy) + F(1e-6F)), F(1));
    node.x = min(max(node.x + dx * scale, F(0)), F(sheet));
    node.y = min(max(node.y + dy * scale, F(0)), F(sheet));
  }
};

}  // namespace graph
