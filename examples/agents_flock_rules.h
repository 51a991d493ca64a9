// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The boids of juxta/agents/flock.h, written as an interaction and an action of your own. This file is read
// by the program, which hands in the parameters, and by agents_flock_rules.cpp, which is compiled once for
// each instruction set. docs/interactions.md explains every line.
#pragma once

#include <juxta/agents/flock.h>
#include <juxta/agents/interaction_types.h>

namespace boids {

/// What a boid notes about those it sees.
struct Flocking {
  float avoid_radius2;

  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F vx, vy;
    static constexpr auto kNames = juxta::names("vx", "vy");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> n, sum_vx, sum_vy, sum_dx, sum_dy, away_x, away_y;
    static constexpr auto kNames =
        juxta::names("n", "sum_vx", "sum_vy", "sum_dx", "sum_dy", "away_x", "away_y");
  };

  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& /*none*/, const Seen<F>& seen,
                  Found<F>& found) const {
    found.n.add(1);
    found.sum_vx.add(seen.vx);
    found.sum_vy.add(seen.vy);
    found.sum_dx.add(pair.dx);
    found.sum_dy.add(pair.dy);
    const auto close = pair.distance2 < F(avoid_radius2);
    found.away_x.add_if(close, -pair.dx);
    found.away_y.add_if(close, -pair.dy);
  }
};

/// What it does about that, and one step of flight.
struct Steer {
  juxta::FlockRules rules;
  float half_size;

  template <class F>
  struct Reads {
    F n, sum_vx, sum_vy, sum_dx, sum_dy, away_x, away_y;
    static constexpr auto kNames = Flocking::Found<F>::kNames;
  };
  template <class F>
  struct Writes {
    F x, y, vx, vy;
    static constexpr auto kNames = juxta::names("x", "y", "vx", "vy");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& boid) const {
    using juxta::max, juxta::min, juxta::sqrt;
    const F one_over_n = F(1) / max(in.n, F(1));  // of nobody all sums are 0
    F vx = boid.vx + F(rules.cohere) * in.sum_dx * one_over_n + F(rules.avoid) * in.away_x;
    F vy = boid.vy + F(rules.cohere) * in.sum_dy * one_over_n + F(rules.avoid) * in.away_y;
    vx += align(in.n, in.sum_vx * one_over_n - vx);
    vy += align(in.n, in.sum_vy * one_over_n - vy);
    const F speed = sqrt(vx * vx + vy * vy);
    const F scale = min(max(speed, F(rules.min_speed)), F(rules.max_speed)) / speed;
    boid.vx = vx * scale + push(boid.x);
    boid.vy = vy * scale + push(boid.y);
    boid.x = inside(boid.x + boid.vx * F(rules.time_step));
    boid.y = inside(boid.y + boid.vy * F(rules.time_step));
  }

 private:
  // Helpers are templates over F as well: there is then one of each for each instruction set.
  template <class F>
  F align(const F& n, const F& difference) const {
    using juxta::select;
    return select(n > F(0), F(rules.align) * difference, F(0));
  }
  template <class F>
  F push(const F& x) const {
    using juxta::select;
    const F low = select(x < F(rules.wall_distance - half_size), F(rules.wall), F(0));
    return low - select(x > F(half_size - rules.wall_distance), F(rules.wall), F(0));
  }
  template <class F>
  F inside(const F& x) const {
    using juxta::max, juxta::min;
    return min(max(x, F(0.01F - half_size)), F(half_size - 0.01F));
  }
};

}  // namespace boids
