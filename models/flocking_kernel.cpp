// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Birds act one after the other, each by sums over three runs of birds (flocking_kernel.h).
//
//   a run:   x  |. . . .|. . - -|     8 doubles a block, the rest of the last one masked
//            y  |. . . .|. . - -|     one block is enough where few are near, so that the loop over blocks
//            vx, vy                   ends where the processor expects it
//
// About 20 instructions a block, and three blocks a bird where two are near; then 14 additions in a row of
// three, four divisions and a root. The limit is how long that takes one after the other: by estimate 110
// cycles, in which two birds overlap. Fetching ahead what later turns read costs more than it saves, up to
// 100,000 birds.
//
// Sums stand in 8 lanes on every instruction set, in two or four registers where those are narrow; they are
// joined in one order, and nothing is fused: the same bits everywhere.
#include "models/flocking_kernel.h"

#include <algorithm>

#ifndef JUXTA_MODELS_FLOCKING_KERNEL_ONCE
#define JUXTA_MODELS_FLOCKING_KERNEL_ONCE
namespace juxta::models_detail {
namespace {

/// What the bird makes of the pull of its neighbours.
inline void fly(const FlockingStep& step, std::uint32_t bird, double pull_x, double pull_y,
                std::size_t neighbours) {
  const FlockingRules& rules = step.rules;
  const auto share = static_cast<double>(neighbours > 1 ? neighbours : 1);
  double &vx = step.velocity[0][bird], &vy = step.velocity[1][bird];
  const double x = vx + pull_x / share, y = vy + pull_y / share;
  if (const double norm = std::sqrt(x * x + y * y); norm > 0) {  // else it flies on
    vx = x / norm;
    vy = y / norm;
  }
  step.place[0][bird] = flocking_inside(step.place[0][bird] + vx * rules.speed, rules.size);
  step.place[1][bird] = flocking_inside(step.place[1][bird] + vy * rules.speed, rules.size);
}

}  // namespace
}  // namespace juxta::models_detail
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/flocking_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::models_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, kFlockingLanes>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kParts = kFlockingLanes / kLanes;

/// Sums of what a bird's neighbours pull.
struct Pull {
  Vec x[kParts], y[kParts];
  std::size_t neighbours;
};

/// The shortest way round.
HWY_INLINE Vec Nearest(Vec d, Vec size, Vec half) {
  const auto over = hn::IfThenElseZero(hn::Gt(d, half), size);
  const auto under = hn::IfThenElseZero(hn::Lt(d, hn::Neg(half)), size);
  return hn::Add(hn::Sub(d, over), under);
}

/// `lanes` of the kLanes birds from index `i` on, but for `self`, which stands `self` lanes behind i.
template <bool wraps>
HWY_INLINE void Meet(const FlockingStep& step, std::size_t i, std::int64_t lanes, std::int64_t self, Vec px,
                     Vec py, Vec& pull_x, Vec& pull_y, std::size_t& neighbours) {
  const Tag d;
  const hn::RebindToSigned<Tag> integers;
  const FlockingRules& rules = step.rules;
  auto dx = hn::Sub(hn::LoadU(d, step.place[0] + i), px), dy = hn::Sub(hn::LoadU(d, step.place[1] + i), py);
  if constexpr (wraps) {
    const auto size = hn::Set(d, rules.size), half = hn::Set(d, rules.size / 2);
    dx = Nearest(dx, size, half);
    dy = Nearest(dy, size, half);
  }
  const auto distance2 = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
  const auto lane = hn::Iota(integers, 0);
  const auto other = hn::And(hn::Lt(lane, hn::Set(integers, lanes)), hn::Ne(lane, hn::Set(integers, self)));
  const auto near =
      hn::And(hn::Le(distance2, hn::Set(d, rules.radius * rules.radius)), hn::RebindMask(d, other));
  const auto close = hn::Lt(distance2, hn::Set(d, rules.separation * rules.separation));
  const auto towards =
      hn::IfThenElse(close, hn::Set(d, rules.cohere - rules.separate), hn::Set(d, rules.cohere));
  const auto match = hn::Set(d, rules.match);
  const auto x = hn::Add(hn::Mul(dx, towards), hn::Mul(hn::LoadU(d, step.velocity[0] + i), match));
  const auto y = hn::Add(hn::Mul(dy, towards), hn::Mul(hn::LoadU(d, step.velocity[1] + i), match));
  pull_x = hn::Add(pull_x, hn::IfThenElseZero(near, x));
  pull_y = hn::Add(pull_y, hn::IfThenElseZero(near, y));
  neighbours += hn::CountTrue(d, near);
}

/// A run of birds.
template <bool wraps>
HWY_INLINE void Look(const FlockingStep& step, std::uint32_t begin, std::uint32_t end, std::uint32_t self,
                     Vec px, Vec py, Pull& pull) {
  std::uint32_t block = begin;
  do {  // once even where nobody is, which the processor then need not guess
    for (std::size_t part = 0; part < kParts; ++part) {
      const std::size_t first = block + part * kLanes;
      Meet<wraps>(step, first, std::int64_t{end} - static_cast<std::int64_t>(first),
                  std::int64_t{self} - static_cast<std::int64_t>(first), px, py, pull.x[part], pull.y[part],
                  pull.neighbours);
    }
    block += kFlockingLanes;
  } while (block < end);
}

HWY_INLINE double Sum(const Vec* parts) {
  const Tag d;
  HWY_ALIGN double lanes[kFlockingLanes];
  for (std::size_t part = 0; part < kParts; ++part) {
    hn::Store(parts[part], d, lanes + part * kLanes);
  }
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

HWY_INLINE void Act(const FlockingStep& step, double cells_per_length, std::uint32_t bird) {
  const Tag d;
  const std::int32_t x = flocking_cell(step.place[0][bird], cells_per_length, step.side);
  const std::int32_t y = flocking_cell(step.place[1][bird], cells_per_length, step.side);
  FlockingRuns runs;
  const std::size_t count = flocking_runs(step, x, y, runs);
  const auto px = hn::Set(d, step.place[0][bird]), py = hn::Set(d, step.place[1][bird]);
  Pull pull{};
  for (std::size_t part = 0; part < kParts; ++part) {
    pull.x[part] = pull.y[part] = hn::Zero(d);
  }
  // Two cells from the edge nobody near has flown across it.
  if (std::min(x, y) >= 2 && std::max(x, y) < step.side - 2) {
    for (std::size_t run = 0; run < 3; ++run) {
      Look<false>(step, runs[run].begin, runs[run].end, bird, px, py, pull);
    }
  } else {
    for (std::size_t run = 0; run < count; ++run) {
      Look<true>(step, runs[run].begin, runs[run].end, bird, px, py, pull);
    }
  }
  fly(step, bird, Sum(pull.x), Sum(pull.y), pull.neighbours);
}

void FlyInTurn(const FlockingStep& step) {
  const double cells_per_length = step.side / step.rules.size;
  for (const std::uint32_t bird : step.turns) {
    Act(step, cells_per_length, bird);
  }
}

}  // namespace juxta::models_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::models_detail {

JUXTA_KERNEL(FlyInTurn);

void fly_in_turn(const FlockingStep& step) noexcept {
  JUXTA_CALL_KERNEL(FlyInTurn)(step);
}

void fly_in_turn_plain(const FlockingStep& step) noexcept {
  const FlockingRules& rules = step.rules;
  const double cells_per_length = step.side / rules.size;
  const auto nearest = [&](double d) {
    return d > rules.size / 2 ? d - rules.size : d < -rules.size / 2 ? d + rules.size : d;
  };
  const auto sum = [](const double(&s)[kFlockingLanes]) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  };
  for (const std::uint32_t bird : step.turns) {
    const double px = step.place[0][bird], py = step.place[1][bird];
    FlockingRuns runs;
    const std::size_t count = flocking_runs(step, flocking_cell(px, cells_per_length, step.side),
                                            flocking_cell(py, cells_per_length, step.side), runs);
    double x[kFlockingLanes] = {}, y[kFlockingLanes] = {};
    std::size_t neighbours = 0;
    for (std::size_t run = 0; run < count; ++run) {
      for (std::uint32_t other = runs[run].begin; other < runs[run].end; ++other) {
        const double dx = nearest(step.place[0][other] - px), dy = nearest(step.place[1][other] - py);
        const double distance2 = dx * dx + dy * dy;
        if (other != bird && distance2 <= rules.radius * rules.radius) {
          const bool close = distance2 < rules.separation * rules.separation;
          const double towards = close ? rules.cohere - rules.separate : rules.cohere;
          const std::uint32_t lane = (other - runs[run].begin) % kFlockingLanes;
          x[lane] += dx * towards + step.velocity[0][other] * rules.match;
          y[lane] += dy * towards + step.velocity[1][other] * rules.match;
          ++neighbours;
        }
      }
    }
    fly(step, bird, sum(x), sum(y), neighbours);
  }
}

}  // namespace juxta::models_detail
#endif  // HWY_ONCE
