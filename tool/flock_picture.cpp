// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/files/svg_darts.h"
#include "tool/answers.h"
#include "tool/flock.h"

namespace juxta::tool {
namespace {

constexpr std::size_t kMostDarts = 20'000;

/// What of the world lies to the right, up, and away on the paper. In 3D the viewer stands before a corner of
/// the cube, turned by 30 degrees, and looks down by 25.
struct Eye {
  std::array<double, 3> right{1, 0, 0}, up{0, 1, 0}, away{0, 0, 0};

  [[nodiscard]] static double along(const std::array<double, 3>& axis, const std::array<double, 3>& p) {
    return axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
  }
};

Eye eye_of(std::uint32_t dimensions) {
  constexpr double kCos30 = 0.86602540378443865, kSin30 = 0.5;
  constexpr double kCos25 = 0.90630778703664996, kSin25 = 0.42261826174069944;
  if (dimensions == 2) {
    return {};
  }
  return {{kCos30, kSin30, 0},
          {-kSin30 * kSin25, kCos30 * kSin25, kCos25},
          {-kSin30 * kCos25, kCos30 * kCos25, -kSin25}};
}

/// How far a corner of the cube of half size 1 is along an axis of the paper.
double reach(const std::array<double, 3>& axis) {
  return std::abs(axis[0]) + std::abs(axis[1]) + std::abs(axis[2]);
}

/// The twelve edges of the cube.
std::vector<DartLine> edges(const Eye& eye, double half) {
  std::vector<DartLine> lines;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double a : {-half, half}) {
      for (const double b : {-half, half}) {
        std::array<double, 3> from{}, to{};
        from[axis] = -half;
        to[axis] = half;
        from[(axis + 1) % 3] = to[(axis + 1) % 3] = a;
        from[(axis + 2) % 3] = to[(axis + 2) % 3] = b;
        lines.push_back({Eye::along(eye.right, from), Eye::along(eye.up, from), Eye::along(eye.right, to),
                         Eye::along(eye.up, to)});
      }
    }
  }
  return lines;
}

/// Every so many boids by number, so that their order in memory leaves no pattern.
std::vector<Dart> darts_of(const Flock& flock, const Eye& eye, std::size_t stride) {
  const std::uint32_t dimensions = flock.options().dimensions;
  const double deepest = reach(eye.away) * static_cast<double>(flock.options().half_size);
  std::vector<Dart> darts;
  darts.reserve(flock.size() / stride + 1);
  for (const std::uint32_t row : rows_by_number(flock)) {
    if (flock.numbers()[row] % stride != 0) {
      continue;
    }
    std::array<double, 3> p{}, v{};
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      p[axis] = static_cast<double>(flock.position(axis)[row]);
      v[axis] = static_cast<double>(flock.velocity(axis)[row]);
    }
    darts.push_back({Eye::along(eye.right, p), Eye::along(eye.up, p), Eye::along(eye.right, v),
                     Eye::along(eye.up, v), deepest > 0 ? (Eye::along(eye.away, p) / deepest + 1) / 2 : 0});
  }
  return darts;
}

}  // namespace

std::string draw_flock(const FlockReport& report) {
  const Flock& flock = *report.flock;
  const FlockOptions& of = flock.options();
  const bool solid = of.dimensions == 3;
  const double half = static_cast<double>(of.half_size);
  const Eye eye = eye_of(of.dimensions);
  const std::size_t stride = std::max<std::size_t>((flock.size() + kMostDarts - 1) / kMostDarts, 1);
  const auto darts = darts_of(flock, eye, stride);
  const auto lines = solid ? edges(eye, half) : std::vector<DartLine>();

  const double margin = solid ? 1.03 : 1;
  const double wide = reach(eye.right) * half * margin, high = reach(eye.up) * half * margin;
  const FlockOrder& order = report.order.back();
  SvgDartsOptions options;
  options.title = fmt::format("{} boids after {} step{}", grouped(flock.size()), grouped(flock.steps()),
                              flock.steps() == 1 ? "" : "s");
  options.note = fmt::format("polarisation {:.2f}, among neighbours {:.2f}; {:.0f} neighbours each; seed {}",
                             order.polarisation, order.local_polarisation, order.neighbours, report.seed);
  if (stride > 1) {
    options.note += fmt::format("; one boid in {} is drawn", grouped(stride));
  }
  options.world = {-wide, -high, wide, high};
  options.lines = lines;
  options.depth = solid;
  options.speed = static_cast<double>(of.rules.max_speed);
  return svg_darts(darts, options);
}

}  // namespace juxta::tool
