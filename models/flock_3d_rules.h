// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a bird of Tay's demonstration notes about those ahead of it, and how it turns (docs/sources.md).
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::models {

/// Only those ahead count: with the bird's direction u, u . d > 0.
struct Ahead {
  float radius, separation;

  template <class F>
  struct Direction {
    F ux, uy, uz;
    static constexpr auto kNames = names("ux", "uy", "uz");
  };
  template <class F>
  using Seer = Direction<F>;
  template <class F>
  using Seen = Direction<F>;
  template <class F>
  struct Found {
    Sum<F> ahead, with_x, with_y, with_z, to_x, to_y, to_z, close, away_x, away_y, away_z;
    static constexpr auto kNames = names("ahead", "with_x", "with_y", "with_z", "to_x", "to_y", "to_z",
                                         "close", "away_x", "away_y", "away_z");
  };

  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& self, const Seen<F>& other,
                  Found<F>& found) const {
    const F distance = pair.distance();
    const auto ahead =
        (self.ux * pair.dx + self.uy * pair.dy + self.uz * pair.dz > F(0)) & (distance < F(radius));
    found.ahead.add_if(ahead, F(1));
    found.with_x.add_if(ahead, other.ux);
    found.with_y.add_if(ahead, other.uy);
    found.with_z.add_if(ahead, other.uz);
    found.to_x.add_if(ahead, pair.dx);
    found.to_y.add_if(ahead, pair.dy);
    found.to_z.add_if(ahead, pair.dz);
    const auto close = ahead & (distance < F(separation));
    const F push = (F(separation) - distance) / distance;  // of those ahead none is at distance 0
    found.close.add_if(close, F(1));
    found.away_x.add_if(close, -(pair.dx * push));
    found.away_y.add_if(close, -(pair.dy * push));
    found.away_z.add_if(close, -(pair.dz * push));
  }
};

/// Turns by the means of what it noted, and towards the middle of the world when it is far out.
struct Turn {
  float align, separate, cohere, home, pull, speed;

  template <class F>
  struct Reads {
    F ahead, with_x, with_y, with_z, to_x, to_y, to_z, close, away_x, away_y, away_z;
    static constexpr auto kNames = Ahead::Found<F>::kNames;
  };
  template <class F>
  struct Writes {
    F x, y, z, ux, uy, uz;
    static constexpr auto kNames = names("x", "y", "z", "ux", "uy", "uz");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& bird) const {
    using juxta::max, juxta::sqrt, juxta::select;
    const F n = F(1) / max(in.ahead, F(1)), m = F(1) / max(in.close, F(1));
    const F out = sqrt(bird.x * bird.x + bird.y * bird.y + bird.z * bird.z);
    const F back = select(out > F(home), (out - F(home)) * F(pull) / out, F(0));
    const auto turned = [&](const F& u, const F& with, const F& away, const F& to, const F& at) {
      return u - at * back + with * (F(align) * n) + away * (F(separate) * m) + to * (F(cohere) * n);
    };
    const F ux = turned(bird.ux, in.with_x, in.away_x, in.to_x, bird.x);
    const F uy = turned(bird.uy, in.with_y, in.away_y, in.to_y, bird.y);
    const F uz = turned(bird.uz, in.with_z, in.away_z, in.to_z, bird.z);
    const F norm = sqrt(ux * ux + uy * uy + uz * uz);
    const F scale = select(norm > F(0), F(1) / norm, F(1));
    bird.ux = ux * scale;
    bird.uy = uy * scale;
    bird.uz = uz * scale;
    bird.x += bird.ux * F(speed);
    bird.y += bird.uy * F(speed);
    bird.z += bird.uz * F(speed);
  }
};

}  // namespace juxta::models
