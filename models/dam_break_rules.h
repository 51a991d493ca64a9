// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Smoothed particles: what one of water or wall notes about those near it, and how it moves.
//
// Of two particles of water, d from seer to seen, with Wendland's kernel W of reach 2h and V the volume of
// one:
//
//   |W'| / r  =  k t^3                t = 2h - r                          nothing to divide by
//   rate      =  V k sum t^3 (diffusion (head_j - head_i) - (v_j - v_i).d)
//                                                                 of compression = density / rho0 - 1
//   a         = -V k sum t^3 (push_i + push_j + viscosity) d + gravity
//
//   push      =  p / density^2 of Monaghan (1992), times rho0; p = c^2 (density - rho0)
//   head      =  what compression is above that of still water. With diffusion = 2 delta h c this is that of
//                Molteni and Colagrossi (2009), without what gravity makes (Fourtakas et al. 2019)
//   viscosity =  Monaghan's: alpha h c times how fast they approach, over r^2 + 0.01 h^2
//
// Walls are particles too, which stay where they are. Each has the mean head of the water in its reach,
// weighed by t^3: the pressure of that water, carried on to its own height as in still water (Adami et al.
// 2012). They are smooth (no viscosity), they do not pull (push_i + push_j >= 0), and no density diffuses
// into them.
#pragma once

#include <juxta/agents/interaction_types.h>

namespace juxta::models {

/// Of every pair. Sums leave out the factor V k.
struct PairOfWater {
  float reach;      ///< 2h
  float viscosity;  ///< alpha h c
  float softening;  ///< 0.01 h^2
  float diffusion;  ///< 2 delta h c

  template <class F>
  F weight(const F& distance2) const {
    using juxta::sqrt;
    const F t = F(reach) - sqrt(distance2);
    return t * t * t;
  }
  /// `parting`: the scalar product of distance and velocity, below 0 where two approach. `wet`: 1 for two of
  /// water, 0 where one is of the wall, which neither pulls nor rubs, and takes no density.
  template <class F>
  F pressure(const F& wet, const F& pushes, const F& parting, const F& distance2) const {
    using juxta::max, juxta::select;
    const F viscous = select(parting < F(0), F(viscosity) * parting, F(0)) / (distance2 + F(softening));
    return max(pushes, wet * pushes) - wet * viscous;
  }
  template <class F>
  F rate(const F& wet, const F& heads, const F& parting) const {
    return F(diffusion) * wet * heads - parting;
  }
};

/// A wall's particle adds up the water that touches it.
struct Touch : PairOfWater {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F water, head;
    static constexpr auto kNames = juxta::names("water", "head");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> touched, heads;
    static constexpr auto kNames = juxta::names("touched", "heads");
  };

  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>&, const Seen<F>& j, Found<F>& found) const {
    const F w = weight(pair.distance2) * j.water;
    found.touched.add(w);
    found.heads.add(w * j.head);
  }
};

struct See2D : PairOfWater {
  template <class F>
  struct Seer {
    F vx, vy, push, head, water;
    static constexpr auto kNames = juxta::names("vx", "vy", "push", "head", "water");
  };
  template <class F>
  using Seen = Seer<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> fx, fy, rate;
    static constexpr auto kNames = juxta::names("fx", "fy", "rate");
  };

  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& i, const Seen<F>& j,
                  Found<F>& found) const {
    const F w = weight(pair.distance2), wet = i.water * j.water;
    const F parting = (j.vx - i.vx) * pair.dx + (j.vy - i.vy) * pair.dy;
    found.rate.add(w * rate(wet, j.head - i.head, parting));
    const F p = w * pressure(wet, j.push + i.push, parting, pair.distance2);
    found.fx.add(p * pair.dx);
    found.fy.add(p * pair.dy);
  }
};

struct See3D : PairOfWater {
  template <class F>
  struct Seer {
    F vx, vy, vz, push, head, water;
    static constexpr auto kNames = juxta::names("vx", "vy", "vz", "push", "head", "water");
  };
  template <class F>
  using Seen = Seer<F>;
  template <class F>
  struct Found {
    juxta::Sum<F> fx, fy, fz, rate;
    static constexpr auto kNames = juxta::names("fx", "fy", "fz", "rate");
  };

  template <class F>
  void operator()(const juxta::Neighbour<F>& pair, const Seer<F>& i, const Seen<F>& j,
                  Found<F>& found) const {
    const F w = weight(pair.distance2), wet = i.water * j.water;
    const F parting = (j.vx - i.vx) * pair.dx + (j.vy - i.vy) * pair.dy + (j.vz - i.vz) * pair.dz;
    found.rate.add(w * rate(wet, j.head - i.head, parting));
    const F p = w * pressure(wet, j.push + i.push, parting, pair.distance2);
    found.fx.add(p * pair.dx);
    found.fy.add(p * pair.dy);
    found.fz.add(p * pair.dz);
  }
};

/// One step in time. u and compression are those of the middle between two steps (leapfrog); what others see,
/// v, push and head, is carried half a step on to the step itself (Monaghan 2005, 5.3).
struct StepOfWater {
  float time_step, gravity;
  float scale;        ///< V k
  float sound2;       ///< c^2
  float still_slope;  ///< g / c^2: how much less still water is compressed a metre higher

  template <class F>
  void move(const F& water, const F& force, const F& own, F& x, F& u, F& v) const {
    const F a = water * (own - F(scale) * force);
    u += F(time_step) * a;
    v = u + F(time_step / 2) * a;
    x += F(time_step) * u;
  }
  template <class F>
  void compress(const F& water, const F& sum, const F& y, F& compression, F& push, F& head) const {
    const F rate = water * F(scale) * sum;
    compression += F(time_step) * rate;
    const F now = compression + F(time_step / 2) * rate;
    push = push_of(now);
    head = head_of(now, y);
  }
  template <class F>
  F push_of(const F& compression) const {
    const F density = F(1) + compression;
    return F(sound2) * compression / (density * density);
  }
  template <class F>
  F head_of(const F& compression, const F& y) const {
    return compression + F(still_slope) * y;
  }
};

/// What a wall has from the water that touches it; water keeps its own.
struct Carry : StepOfWater {
  template <class F>
  struct Reads {
    F water, touched, heads, y;
    static constexpr auto kNames = juxta::names("water", "touched", "heads", "y");
  };
  template <class F>
  struct Writes {
    F compression, push;
    static constexpr auto kNames = juxta::names("compression", "push");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& p) const {
    using juxta::max, juxta::select;
    const F none = F(0);
    const F mean = in.heads / select(in.touched > none, in.touched, F(1));
    const F carried = max(mean - F(still_slope) * in.y, none);  // walls do not pull
    const F compression = select(in.touched > none, carried, none);
    p.compression = select(in.water > none, p.compression, compression);
    p.push = select(in.water > none, p.push, push_of(compression));
  }
};

struct Step2D : StepOfWater {
  template <class F>
  struct Reads {
    F water, fx, fy, rate;
    static constexpr auto kNames = juxta::names("water", "fx", "fy", "rate");
  };
  template <class F>
  struct Writes {
    F x, y, ux, uy, vx, vy, compression, push, head;
    static constexpr auto kNames =
        juxta::names("x", "y", "ux", "uy", "vx", "vy", "compression", "push", "head");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& p) const {
    move(in.water, in.fx, F(0), p.x, p.ux, p.vx);
    move(in.water, in.fy, F(-gravity), p.y, p.uy, p.vy);
    compress(in.water, in.rate, p.y, p.compression, p.push, p.head);
  }
};

struct Step3D : StepOfWater {
  template <class F>
  struct Reads {
    F water, fx, fy, fz, rate;
    static constexpr auto kNames = juxta::names("water", "fx", "fy", "fz", "rate");
  };
  template <class F>
  struct Writes {
    F x, y, z, ux, uy, uz, vx, vy, vz, compression, push, head;
    static constexpr auto kNames =
        juxta::names("x", "y", "z", "ux", "uy", "uz", "vx", "vy", "vz", "compression", "push", "head");
  };

  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& p) const {
    move(in.water, in.fx, F(0), p.x, p.ux, p.vx);
    move(in.water, in.fy, F(-gravity), p.y, p.uy, p.vy);
    move(in.water, in.fz, F(0), p.z, p.uz, p.vz);
    compress(in.water, in.rate, p.y, p.compression, p.push, p.head);
  }
};

}  // namespace juxta::models
