// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How cells of a tissue press on each other. Lengths are in diameters of a cell.
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::models {

/// Cells that overlap push each other apart, by their overlap.
struct Press {
  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  using Seen = NoColumns<F>;
  template <class F>
  struct Found {
    Sum<F> push_x, push_y, pressure;
    static constexpr auto kNames = names("push_x", "push_y", "pressure");
  };

  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>&, const Seen<F>&, Found<F>& found) const {
    const F distance = pair.distance();
    const F overlap = F(1) - distance;  // the radius of the pass is 1
    const F push = overlap / max(distance, F(0.01F));
    found.push_x.add(-(pair.dx * push));
    found.push_y.add(-(pair.dy * push));
    found.pressure.add(overlap);
  }
};

}  // namespace juxta::models
