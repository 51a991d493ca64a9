// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How agents of the benchmarks react to each other, once, for any number of lanes.
#pragma once

#include <juxta/agents/interaction_types.h>

namespace rules {

// The boids of the published program. Its near is "nearer than", the pass's "not farther": hence add_if.
struct Flocking {
  float see2 = 0.138F, avoid2 = 0.02598F;

  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F vx, vy;
    static constexpr auto kNames = juxta::names("vx", "vy");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> n, sum_vx, sum_vy, dx, dy, away_x, away_y;
    static constexpr auto kNames = juxta::names("n", "sum_vx", "sum_vy", "dx", "dy", "away_x", "away_y");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>& seen,
                  Found<F>& found) const {
    const auto near = pair.distance2 < F(see2);
    const auto close = pair.distance2 < F(avoid2);
    found.n.add_if(near, F(1));
    found.sum_vx.add_if(near, seen.vx);
    found.sum_vy.add_if(near, seen.vy);
    found.dx.add_if(near, pair.dx);
    found.dy.add_if(near, pair.dy);
    found.away_x.add_if(close, -pair.dx);
    found.away_y.add_if(close, -pair.dy);
  }
};

struct Steer {
  float half_size = 10.5F, time_step = 1.0F / 60, min_speed = 1.088F, max_speed = 1.55F;
  float wall_distance = 0.25292F, wall = 0.14117F, avoid = 0.07352F, align = 0.09117F, cohere = 0.22352F;

  template <class F>
  struct Reads {
    F n, sum_vx, sum_vy, dx, dy, away_x, away_y;
    static constexpr auto kNames = juxta::names("n", "sum_vx", "sum_vy", "dx", "dy", "away_x", "away_y");
  };
  template <class F>
  struct Writes {
    F x, y, vx, vy;
    static constexpr auto kNames = juxta::names("x", "y", "vx", "vy");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& boid) const {
    const auto anybody = in.n > F(0);
    const F share = F(1) / max(in.n, F(1));
    F vx = steered(boid.vx, in.dx, in.away_x, in.sum_vx, share, anybody);
    F vy = steered(boid.vy, in.dy, in.away_y, in.sum_vy, share, anybody);
    const F speed = sqrt(vx * vx + vy * vy);
    const F wanted = min(max(speed, F(min_speed)), F(max_speed));
    const F scale = select(speed > F(0), wanted / speed, F(1));
    boid.vx = off_walls(boid.x, vx * scale);
    boid.vy = off_walls(boid.y, vy * scale);
    const F most(half_size - 0.01F);
    boid.x = min(max(boid.x + boid.vx * F(time_step), -most), most);
    boid.y = min(max(boid.y + boid.vy * F(time_step), -most), most);
  }

 private:
  template <class F, class Mask>
  F steered(F v, const F& d, const F& away, const F& sum_v, const F& share, const Mask& anybody) const {
    v = v + select(anybody, F(cohere) * (d * share), F(0));
    v = v + F(avoid) * away;
    return v + select(anybody, F(align) * (sum_v * share - v), F(0));
  }
  template <class F>
  F off_walls(const F& p, const F& v) const {
    const F pushed = select(p < F(wall_distance - half_size), v + F(wall), v);
    return select(p > F(half_size - wall_distance), pushed - F(wall), pushed);
  }
};

// Visits: `terms` sums of (1 - d / radius)^2, each of another share of the distance. One term is the distance
// itself; ten are a pass whose interaction weighs ten times as much.
template <int terms>
struct Visit {
  float inverse_radius = 1;

  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> n, sum;
    static constexpr auto kNames = juxta::names("n", "sum");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>&, Found<F>& found) const {
    found.n.add(F(1));
    F all(0);
    for (int k = 1; k <= terms; ++k) {
      const F share(static_cast<float>(k) / terms);
      const F left = F(1) - sqrt(pair.distance2 * share) * F(inverse_radius);
      all = all + left * left;
    }
    found.sum.add(all);
  }
};

// The velocities of all neighbours: what agents of Vicsek's model take their heading from.
struct Headings2 {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F vx, vy;
    static constexpr auto kNames = juxta::names("vx", "vy");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> n, sum_x, sum_y;
    static constexpr auto kNames = juxta::names("n", "sum_x", "sum_y");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>&, const Seer<F>&, const Seen<F>& seen, Found<F>& found) const {
    found.n.add(F(1));
    found.sum_x.add(seen.vx);
    found.sum_y.add(seen.vy);
  }
};
struct Headings3 {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F vx, vy, vz;
    static constexpr auto kNames = juxta::names("vx", "vy", "vz");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> n, sum_x, sum_y, sum_z;
    static constexpr auto kNames = juxta::names("n", "sum_x", "sum_y", "sum_z");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>&, const Seer<F>&, const Seen<F>& seen, Found<F>& found) const {
    found.n.add(F(1));
    found.sum_x.add(seen.vx);
    found.sum_y.add(seen.vy);
    found.sum_z.add(seen.vz);
  }
};

// One step between walls, for visits in 2D and 3D: a column a time.
struct Reflect {
  float lo = 0, hi = 1;

  template <class F>
  using Reads = juxta::NoColumns<F>;
  template <class F>
  void move(F& p, F& v) const {
    p = p + v;
    v = select((p < F(lo)) | (p > F(hi)), -v, v);
    p = select(p < F(lo), F(lo), select(p > F(hi), F(hi), p));
  }
};
struct Reflect2 : Reflect {
  template <class F>
  struct Writes {
    F x, y, vx, vy;
    static constexpr auto kNames = juxta::names("x", "y", "vx", "vy");
  };
  template <class F>
  void operator()(const Reads<F>&, Writes<F>& agent) const {
    move(agent.x, agent.vx);
    move(agent.y, agent.vy);
  }
};
struct Reflect3 : Reflect {
  template <class F>
  struct Writes {
    F x, y, z, vx, vy, vz;
    static constexpr auto kNames = juxta::names("x", "y", "z", "vx", "vy", "vz");
  };
  template <class F>
  void operator()(const Reads<F>&, Writes<F>& agent) const {
    move(agent.x, agent.vx);
    move(agent.y, agent.vy);
    move(agent.z, agent.vz);
  }
};

// Tay's own test: sums of differences, whose mean is felt, and a step between walls.
struct TaySee {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  using Seen = juxta::NoColumns<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> n, sum_x, sum_y, sum_z;
    static constexpr auto kNames = juxta::names("n", "sum_x", "sum_y", "sum_z");
  };
  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>&, Found<F>& found) const {
    found.n.add(F(1));
    found.sum_x.add(pair.dx);
    found.sum_y.add(pair.dy);
    found.sum_z.add(pair.dz);
  }
};
struct TayAct : Reflect {
  template <class F>
  struct Reads {
    F n, sum_x, sum_y, sum_z;
    static constexpr auto kNames = juxta::names("n", "sum_x", "sum_y", "sum_z");
  };
  template <class F>
  struct Writes {
    F x, y, z, vx, vy, vz, felt_x, felt_y, felt_z;
    static constexpr auto kNames =
        juxta::names("x", "y", "z", "vx", "vy", "vz", "felt_x", "felt_y", "felt_z");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& agent) const {
    const auto anybody = in.n > F(0);
    const F count = max(in.n, F(1));
    agent.felt_x = agent.felt_x + select(anybody, in.sum_x / count, F(0));
    agent.felt_y = agent.felt_y + select(anybody, in.sum_y / count, F(0));
    agent.felt_z = agent.felt_z + select(anybody, in.sum_z / count, F(0));
    move(agent.x, agent.vx);
    move(agent.y, agent.vy);
    move(agent.z, agent.vz);
  }
};

}  // namespace rules
