// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes that keep a distance from each other: what they see, and how they move.
#pragma once

#include <juxta/agents/interaction_types.h>

namespace boxes {

/// How many others are near, how near the nearest one is, and a push away from those that overlap.
struct Crowd {
  template <class F>
  struct Seer {
    F size;
    static constexpr auto kNames = juxta::names("size");
  };
  template <class F>
  struct Seen {
    F size;
    static constexpr auto kNames = juxta::names("size");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> near, larger, push_x, push_y, push_z;
    juxta::Least<F> gap2;
    static constexpr auto kNames = juxta::names("near", "larger", "push_x", "push_y", "push_z", "gap2");
  };

  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& seer, const Seen<F>& seen,
                  Found<F>& found) const {
    found.near.add(1);
    found.larger.add_if(seen.size > seer.size, 1);
    found.gap2.add(pair.distance2);  // of the gap between the two boxes: 0 where they overlap or touch
    const auto overlap = pair.distance2 <= F(0);
    found.push_x.add_if(overlap, -pair.dx);  // from centre to centre
    found.push_y.add_if(overlap, -pair.dy);
    found.push_z.add_if(overlap, -pair.dz);
  }
};

/// Every box moves on, is turned away by those it overlaps, and back by the walls.
struct Move {
  float time_step, push, size;  ///< The world is [0, size] on every axis.

  template <class F>
  struct Reads {
    F push_x, push_y, push_z;
    static constexpr auto kNames = juxta::names("push_x", "push_y", "push_z");
  };
  template <class F>
  struct Writes {
    F x, y, z, vx, vy, vz;
    static constexpr auto kNames = juxta::names("x", "y", "z", "vx", "vy", "vz");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& box) const {
    move(box.x, box.vx, in.push_x);
    move(box.y, box.vy, in.push_y);
    move(box.z, box.vz, in.push_z);
  }

 private:
  template <class F>
  void move(F& x, F& v, const F& away) const {
    using juxta::max, juxta::min, juxta::select;
    v += F(push) * away;
    const F next = x + v * F(time_step);
    const auto out = (next < F(0)) | (next > F(size));
    v = select(out, -v, v);
    x = min(max(next, F(0)), F(size));
  }
};

}  // namespace boxes
