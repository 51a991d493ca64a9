// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What hares and foxes see of each other, and how a hare runs.
#pragma once

#include <juxta/agents/interaction_types.h>

namespace meadow {

/// How near the nearest one is.
struct Nearest {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Least<F> near2;
    static constexpr auto kNames = juxta::names("near2");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& /*none*/, const Seen<F>& /*none*/,
                  Found<F>& found) const {
    found.near2.add(pair.distance2);
  }
};

/// Who that is. A second pass, because it asks for what the first one found: the lowest tag of those that are
/// as near as the nearest. The program writes row numbers into the tags: a float holds them up to 2^24.
struct WhoIsNearest {
  template <class F>
  struct Seer {
    F near2;
    static constexpr auto kNames = juxta::names("near2");
  };
  template <class F>
  struct Seen {
    F tag;
    static constexpr auto kNames = juxta::names("tag");
  };
  template <class F>
  struct Found {
    juxta::Least<F> who;
    static constexpr auto kNames = juxta::names("who");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& seer, const Seen<F>& seen,
                  Found<F>& found) const {
    found.who.add_if(pair.distance2 <= seer.near2, seen.tag);
  }
};

/// How many are near. Of hares among hares: is there grass for one more?
struct Company {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> company;
    static constexpr auto kNames = juxta::names("company");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& /*pair*/, const Seer<F>& /*none*/, const Seen<F>& /*none*/,
                  Found<F>& found) const {
    found.company.add(1);
  }
};

/// Away from foxes, the more so the nearer they are.
struct Fear {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> away_x, away_y;
    static constexpr auto kNames = juxta::names("away_x", "away_y");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& /*none*/, const Seen<F>& /*none*/,
                  Found<F>& found) const {
    const F strength = F(1) / (pair.distance2 + F(0.1F));
    found.away_x.add(-pair.dx * strength);
    found.away_y.add(-pair.dy * strength);
  }
};

/// A hare's step. Nothing keeps it in the world: it has no edges, and sort() counts around.
struct Run {
  float time_step, slowest, fastest;

  template <class F>
  struct Reads {
    F away_x, away_y;
    static constexpr auto kNames = juxta::names("away_x", "away_y");
  };
  template <class F>
  struct Writes {
    F x, y, vx, vy;
    static constexpr auto kNames = juxta::names("x", "y", "vx", "vy");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& hare) const {
    using juxta::max, juxta::min, juxta::sqrt;
    const F vx = hare.vx + in.away_x * F(time_step), vy = hare.vy + in.away_y * F(time_step);
    const F speed = sqrt(vx * vx + vy * vy) + F(1e-6F);
    const F scale = min(max(speed, F(slowest)), F(fastest)) / speed;
    hare.vx = vx * scale;
    hare.vy = vy * scale;
    hare.x += hare.vx * F(time_step);
    hare.y += hare.vy * F(time_step);
  }
};

}  // namespace meadow
