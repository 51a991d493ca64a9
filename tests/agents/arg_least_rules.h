// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::test {

/// Who is the nearest one, the nearest one that is heavy enough, and the heaviest of all.
struct WhoIsIt {
  float heavy = 0;

  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  struct Seen {
    F mass;
    static constexpr auto kNames = names("mass");
  };
  template <class F>
  struct Found {
    ArgLeast<F> nearest;
    Least<F> distance2;
    ArgLeast<F> nearest_heavy, heaviest;
    Sum<F> count;
    static constexpr auto kNames = names("who_nearest", "nearest", "who_heavy", "who_heaviest", "count");
  };
  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& /*nothing*/, const Seen<F>& seen,
                  Found<F>& found) const {
    found.nearest.add(pair.distance2);
    found.distance2.add(pair.distance2);
    found.nearest_heavy.add_if(seen.mass >= F(heavy), pair.distance2);
    found.heaviest.add(-seen.mass);
    found.count.add(1);
  }
};

}  // namespace juxta::test
