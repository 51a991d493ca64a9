// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What particles of a cloth do by themselves: keep apart where the cloth folds, and fall, but not into the
// ball.
#pragma once

#include <juxta/agents/interaction_types.h>

namespace cloth {

/// Away from all that are nearer than the cloth is thick, the more so the nearer they are. Those that a
/// spring ties are further away than that, while the cloth is well.
struct KeepApart {
  float thickness;

  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> away_x, away_y, away_z;
    static constexpr auto kNames = juxta::names("away_x", "away_y", "away_z");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& /*none*/, const Seen<F>& /*none*/,
                  Found<F>& found) const {
    const F strength = F(1) - pair.distance2 * F(1 / (thickness * thickness));
    found.away_x.add(-pair.dx * strength);
    found.away_y.add(-pair.dy * strength);
    found.away_z.add(-pair.dz * strength);
  }
};

/// One time step: springs, folds, weight and air; then out of the ball, onto which the cloth sticks a little.
struct Fall {
  float time_step, gravity, apart, air, ball, grip;

  template <class F>
  struct Reads {
    F pull_x, pull_y, pull_z, away_x, away_y, away_z;
    static constexpr auto kNames = juxta::names("pull_x", "pull_y", "pull_z", "away_x", "away_y", "away_z");
  };
  template <class F>
  struct Writes {
    F x, y, z, vx, vy, vz;
    static constexpr auto kNames = juxta::names("x", "y", "z", "vx", "vy", "vz");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& at) const {
    using juxta::max, juxta::select, juxta::sqrt;
    const F dt = F(time_step), slower = F(1 - air * time_step);
    F vx = (at.vx + dt * (in.pull_x + F(apart) * in.away_x)) * slower;
    F vy = (at.vy + dt * (in.pull_y + F(apart) * in.away_y)) * slower;
    F vz = (at.vz + dt * (in.pull_z + F(apart) * in.away_z - F(gravity))) * slower;
    at.x += vx * dt;
    at.y += vy * dt;
    at.z += vz * dt;
    const F distance = sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
    const F out = max(F(ball) / max(distance, F(1e-6F)), F(1));
    const F hold = select(out > F(1), F(grip), F(1));
    at.x *= out;
    at.y *= out;
    at.z *= out;
    at.vx = vx * hold;
    at.vy = vy * hold;
    at.vz = vz * hold;
  }
};

}  // namespace cloth
