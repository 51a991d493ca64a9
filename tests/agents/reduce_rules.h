// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What reduce() and steer_boids() do, as a user would write it.
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::test {

struct Totals {
  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  struct Seen {
    F value;
    static constexpr auto kNames = names("value");
  };
  template <class F>
  struct Found {
    Sum<F> n, sum;
    Least<F> least;
    Most<F> greatest;
    static constexpr auto kNames = names("n", "sum", "least", "greatest");
  };
  template <class F>
  void operator()(const Neighbour<F>& /*pair*/, const Seer<F>& /*nothing*/, const Seen<F>& seen,
                  Found<F>& found) const {
    found.n.add(1);
    found.sum.add(seen.value);
    found.least.add(seen.value);
    found.greatest.add(seen.value);
  }
};

struct BoidTotals {
  float avoid_radius2 = 0;

  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  struct Seen {
    F vx, vy, vz;
    static constexpr auto kNames = names("vx", "vy", "vz");
  };
  template <class F>
  struct Found {
    Sum<F> n, svx, svy, svz, sdx, sdy, sdz, nx, ny, nz;
    static constexpr auto kNames =
        names("n_boids", "svx", "svy", "svz", "sdx", "sdy", "sdz", "nx", "ny", "nz");
  };
  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& /*nothing*/, const Seen<F>& seen,
                  Found<F>& found) const {
    const auto too_near = pair.distance2 <= F(avoid_radius2);
    found.n.add(1);
    found.svx.add(seen.vx);
    found.svy.add(seen.vy);
    found.svz.add(seen.vz);
    found.sdx.add(pair.dx);
    found.sdy.add(pair.dy);
    found.sdz.add(pair.dz);
    found.nx.add_if(too_near, pair.dx);
    found.ny.add_if(too_near, pair.dy);
    found.nz.add_if(too_near, pair.dz);
  }
};

}  // namespace juxta::test
