// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What two atoms do to each other: V(r) = 4 (r^-12 - r^-6), cut off at the radius of the pass, in units of
// the atom's diameter, the depth of the well and the atom's mass. Read by lennard_jones.cpp and, once for
// each instruction set, by lennard_jones_rules.cpp.
//
// A pair's force is the same number for both but for its sign: differences of positions are exact opposites,
// their squares are equal. What an atom gains is therefore what the others lose, but for the rounding of
// sums.
#pragma once

#include <juxta/agents/interaction_types.h>

namespace juxta::models {

/// Forces alone.
struct LennardJones {
  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  using Seen = NoColumns<F>;
  template <class F>
  struct Found {
    Sum<F> fx, fy, fz;
    static constexpr auto kNames = names("fx", "fy", "fz");
  };

  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& /*none*/, const Seen<F>& /*none*/,
                  Found<F>& found) const {
    const F over2 = F(1) / pair.distance2, over6 = over2 * over2 * over2;
    const F pull = (F(24) - F(48) * over6) * (over6 * over2);  // dV/dr / r
    found.fx.add(pair.dx * pull);
    found.fy.add(pair.dy * pull);
    found.fz.add(pair.dz * pull);
  }
};

/// Forces, and an atom's share of energy and pressure: half of each pair's.
struct LennardJonesMeasured {
  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  using Seen = NoColumns<F>;
  template <class F>
  struct Found {
    Sum<F> fx, fy, fz;
    Sum<F> potential, virial;  // V / 2, -r dV/dr / 2
    Sum<F> near;               // how many: each has -V(cutoff) / 2 less energy if V is shifted to end at 0
    static constexpr auto kNames = names("fx", "fy", "fz", "potential", "virial", "near");
  };

  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& /*none*/, const Seen<F>& /*none*/,
                  Found<F>& found) const {
    const F over2 = F(1) / pair.distance2, over6 = over2 * over2 * over2;
    const F pull = (F(24) - F(48) * over6) * (over6 * over2);
    found.fx.add(pair.dx * pull);
    found.fy.add(pair.dy * pull);
    found.fz.add(pair.dz * pull);
    found.potential.add(F(2) * (over6 - F(1)) * over6);
    found.virial.add((F(24) * over6 - F(12)) * over6);
    found.near.add(1);
  }
};

}  // namespace juxta::models
