// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a ship notes about those near it, and what it does about that. Read by steer.cpp and, once for each
// instruction set, by steer_rules.cpp.
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::sector {

/// Its own, to flock with; those of any faction that are too near; enemies, weighed by their threat.
struct Notice {
  float room;

  template <class F>
  struct Seer {
    F faction;
    static constexpr auto kNames = names("faction");
  };
  template <class F>
  struct Seen {
    F vx, vy, vz, faction, threat;
    static constexpr auto kNames = names("vx", "vy", "vz", "faction", "threat");
  };
  template <class F>
  struct Found {
    Sum<F> own, own_vx, own_vy, own_vz, own_x, own_y, own_z, away_x, away_y, away_z, own_threat, foe_threat,
        foe_x, foe_y, foe_z;
    static constexpr auto kNames =
        names("own", "own_vx", "own_vy", "own_vz", "own_x", "own_y", "own_z", "away_x", "away_y", "away_z",
              "own_threat", "foe_threat", "foe_x", "foe_y", "foe_z");
  };

  template <class F>
  void operator()(const Neighbour<F>& pair, const Seer<F>& self, const Seen<F>& other,
                  Found<F>& found) const {
    using juxta::max;
    const auto own = other.faction == self.faction, foe = other.faction != self.faction;
    found.own.add_if(own, F(1));
    found.own_vx.add_if(own, other.vx);
    found.own_vy.add_if(own, other.vy);
    found.own_vz.add_if(own, other.vz);
    found.own_x.add_if(own, pair.dx);
    found.own_y.add_if(own, pair.dy);
    found.own_z.add_if(own, pair.dz);
    found.own_threat.add_if(own, other.threat);
    found.foe_threat.add_if(foe, other.threat);
    found.foe_x.add_if(foe, pair.dx * other.threat);
    found.foe_y.add_if(foe, pair.dy * other.threat);
    found.foe_z.add_if(foe, pair.dz * other.threat);
    const F distance = max(pair.distance(), F(1e-6F));
    const auto close = distance < F(room);
    const F push = (F(room) - distance) / distance;  // by how much they are too near, along the unit vector
    found.away_x.add_if(close, -(pair.dx * push));
    found.away_y.add_if(close, -(pair.dy * push));
    found.away_z.add_if(close, -(pair.dz * push));
  }
};

/// Turns its velocity by what it noted.
struct Flock {
  float align, cohere, separate, chase, flee, dt;

  template <class F>
  struct Reads {
    F own, own_vx, own_vy, own_vz, own_x, own_y, own_z, away_x, away_y, away_z, own_threat, foe_threat, foe_x,
        foe_y, foe_z, threat;
    static constexpr auto kNames =
        names("own", "own_vx", "own_vy", "own_vz", "own_x", "own_y", "own_z", "away_x", "away_y", "away_z",
              "own_threat", "foe_threat", "foe_x", "foe_y", "foe_z", "threat");
  };
  template <class F>
  struct Writes {
    F vx, vy, vz;
    static constexpr auto kNames = names("vx", "vy", "vz");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& ship) const {
    using juxta::max, juxta::select;
    const F n = F(1) / max(in.own, F(1)), alone = select(in.own > F(0), F(1), F(0));
    const auto outnumbered = in.foe_threat > in.own_threat + in.threat;
    const F foe = select(outnumbered, F(-flee), F(chase)) / max(in.foe_threat, F(1e-6F));
    const auto turned = [&](const F& v, const F& own_v, const F& own, const F& away, const F& foes) {
      const F flock = alone * (F(align) * (own_v * n - v) + F(cohere) * (own * n));
      return v + F(dt) * (flock + F(separate) * away + foe * foes);
    };
    ship.vx = turned(ship.vx, in.own_vx, in.own_x, in.away_x, in.foe_x);
    ship.vy = turned(ship.vy, in.own_vy, in.own_y, in.away_y, in.foe_y);
    ship.vz = turned(ship.vz, in.own_vz, in.own_z, in.away_z, in.foe_z);
  }
};

/// Flies towards its target, away from asteroids and from the walls, no slower and no faster than its kind
/// can; and its guns reload.
struct Pilot {
  float advance, avoid, margin, half_x, half_y, half_z, dt;

  template <class F>
  struct Reads {
    F x, y, z, avoid_x, avoid_y, avoid_z, advance_x, advance_y, advance_z, speed_min, speed_max;
    static constexpr auto kNames = names("x", "y", "z", "avoid_x", "avoid_y", "avoid_z", "advance_x",
                                         "advance_y", "advance_z", "speed_min", "speed_max");
  };
  template <class F>
  struct Writes {
    F vx, vy, vz, reload;
    static constexpr auto kNames = names("vx", "vy", "vz", "reload");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& ship) const {
    using juxta::max, juxta::min, juxta::select, juxta::sqrt;
    const auto turned = [&](const F& v, const F& at, const F& avoids, const F& advances, float half) {
      const F beyond = max(at - F(half - margin), F(0)) + min(at + F(half - margin), F(0));
      return v + F(dt) * (in.speed_max * (F(avoid) * avoids + F(advance) * advances) - beyond * F(4));
    };
    const F vx = turned(ship.vx, in.x, in.avoid_x, in.advance_x, half_x);
    const F vy = turned(ship.vy, in.y, in.avoid_y, in.advance_y, half_y);
    const F vz = turned(ship.vz, in.z, in.avoid_z, in.advance_z, half_z);
    const F speed = sqrt(vx * vx + vy * vy + vz * vz);
    const F scale = min(max(speed, in.speed_min), in.speed_max) / max(speed, F(1e-6F));
    ship.vx = vx * scale;
    ship.vy = vy * scale;
    ship.vz = vz * scale;
    ship.reload = max(ship.reload - F(dt), F(0));
  }
};

/// Moves, and is thrown back by the walls.
struct Fly {
  float half_x, half_y, half_z, dt;

  template <class F>
  using Reads = NoColumns<F>;
  template <class F>
  struct Writes {
    F x, y, z, vx, vy, vz;
    static constexpr auto kNames = names("x", "y", "z", "vx", "vy", "vz");
  };

  template <class F>
  void operator()(const Reads<F>& /*none*/, Writes<F>& body) const {
    using juxta::abs, juxta::max, juxta::min, juxta::select;
    const auto fly = [&](F& at, F& v, float half) {
      const F next = at + v * F(dt);
      v = select(abs(next) > F(half), -v, v);
      at = max(min(next, F(half)), F(-half));
    };
    fly(body.x, body.vx, half_x);
    fly(body.y, body.vy, half_y);
    fly(body.z, body.vz, half_z);
  }
};

/// Flies on, whatever is there, and grows older.
struct Travel {
  float dt;

  template <class F>
  using Reads = NoColumns<F>;
  template <class F>
  struct Writes {
    F x, y, z, vx, vy, vz, age;
    static constexpr auto kNames = names("x", "y", "z", "vx", "vy", "vz", "age");
  };

  template <class F>
  void operator()(const Reads<F>& /*none*/, Writes<F>& body) const {
    body.x += body.vx * F(dt);
    body.y += body.vy * F(dt);
    body.z += body.vz * F(dt);
    body.age += F(dt);
  }
};

}  // namespace juxta::sector
