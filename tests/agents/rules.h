// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Interactions that show whom they met. Shared with fuzz/agents.
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::test {

/// Sums of small whole numbers, least and largest values: exact, so that they name a set of neighbours
/// whatever the order in which it is met.
struct Census {
  float inner2 = 0;  // squared; who is at most this far is counted apart

  template <class F>
  struct Seer {
    F mass;
    static constexpr auto kNames = names("mass");
  };
  template <class F>
  struct Seen {
    F mass, tag, number;
    static constexpr auto kNames = names("mass", "tag", "number");
  };
  template <class F>
  struct Found {
    Sum<F> count, masses, tags, inner, heavier;
    Least<F> nearest, first;
    Most<F> farthest, last, left;
    static constexpr auto kNames =
        names("count", "masses", "tags", "inner", "heavier", "nearest", "first", "farthest", "last", "left");
  };

  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& seer, const Seen<F>& seen, Found<F>& found) const {
    found.count.add(1);
    found.masses.add(seen.mass);
    found.tags.add(seen.tag);
    found.inner.add_if(pair.distance2 <= inner2, 1);
    found.heavier.add_if(seen.mass > seer.mass, 1);
    found.nearest.add(pair.distance2);
    found.first.add(seen.number);
    found.farthest.add(pair.distance2);
    found.last.add_if(seen.mass <= seer.mass, seen.number);
    found.left.add(-pair.dx);
  }
};

/// A force that falls with distance, and all that a pair and a rule can be asked for.
struct Push {
  float softness = 0.1F;
  float strongest = 2;

  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  struct Seen {
    F mass;
    static constexpr auto kNames = names("mass");
  };
  template <class F>
  struct Found {
    Sum<F> push_x, push_y, push_z, lengths;
    static constexpr auto kNames = names("push_x", "push_y", "push_z", "lengths");
  };

  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& /*nothing*/, const Seen<F>& seen,
                  Found<F>& found) const {
    const F bare = seen.mass / (pair.distance2 + F(softness));
    const F strength = select(seen.mass < F(1), F(0), min(bare, F(strongest)));
    found.push_x.add(-strength * pair.dx);
    found.push_y.add(-strength * pair.dy);
    found.push_z.add(-strength * pair.dz);
    found.lengths.add(pair.distance());
  }
};

/// Nothing is read of the seen, nothing of the seer: the smallest interaction there is.
struct Count {
  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  using Seen = NoColumns<F>;
  template <class F>
  struct Found {
    Sum<F> count;
    static constexpr auto kNames = names("count");
  };
  template <class F>
  void operator()(const Neighbour<F>& /*pair*/, const Seer<F>& /*nothing*/, const Seen<F>& /*nothing*/,
                  Found<F>& found) const {
    found.count.add(1);
  }
};

/// Asks for a column that no population has.
struct Misspelt {
  template <class F>
  using Seer = NoColumns<F>;
  template <class F>
  struct Seen {
    F value;
    static constexpr auto kNames = names("mas");
  };
  template <class F>
  struct Found {
    Sum<F> count;
    static constexpr auto kNames = names("count");
  };
  template <class F>
  void operator()(const Neighbour<F>& /*pair*/, const Seer<F>& /*nothing*/, const Seen<F>& seen,
                  Found<F>& found) const {
    found.count.add(seen.value);
  }
};

/// An action with every operation: what it writes, a scalar must write too.
struct Drift {
  float dt = 1;

  template <class F>
  struct Reads {
    F push_x, push_y, count;
    static constexpr auto kNames = names("push_x", "push_y", "count");
  };
  template <class F>
  struct Writes {
    F x, y, vx, vy;
    static constexpr auto kNames = names("x", "y", "vx", "vy");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& agent) const {
    const F crowd = max(in.count, F(1));
    F vx = agent.vx + in.push_x / crowd * F(dt);
    F vy = agent.vy + in.push_y / crowd * F(dt);
    const F speed = sqrt(vx * vx + vy * vy);
    const F scale = select(speed > F(0.5F), F(0.5F) / speed, F(1));
    vx *= scale;
    vy *= scale;
    agent.vx = select(abs(vx) < F(1e-3F), F(0), vx);
    agent.vy = vy;
    agent.x += agent.vx * F(dt);
    agent.y += agent.vy * F(dt);
  }
};

}  // namespace juxta::test
