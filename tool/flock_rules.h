// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::tool {

/// How many are near, and where they fly: the sum of their velocities at length 1.
struct Headings {
  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  struct Seen {
    F ux, uy, uz;
    static constexpr auto kNames = names("ux", "uy", "uz");
  };
  template <class F>
  struct Found {
    Sum<F> n, sum_ux, sum_uy, sum_uz;
    static constexpr auto kNames = names("n", "sum_ux", "sum_uy", "sum_uz");
  };

  template <class F>
  void operator()(const Neighbour<F>&, const Seer<F>&, const Seen<F>& seen, Found<F>& found) const {
    found.n.add(1);
    found.sum_ux.add(seen.ux);
    found.sum_uy.add(seen.uy);
    found.sum_uz.add(seen.uz);
  }
};

}  // namespace juxta::tool
