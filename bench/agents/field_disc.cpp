// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/agents/field_disc.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace juxta::bench {
namespace {

/// How much of the unit square around (x, y) is within `radius` of 0, by 64 x 64 points.
double covered(int x, int y, double radius) {
  const double nearest = std::hypot(std::max(std::abs(x) - 0.5, 0.0), std::max(std::abs(y) - 0.5, 0.0));
  if (nearest >= radius || std::hypot(std::abs(x) + 0.5, std::abs(y) + 0.5) < radius) {
    return nearest < radius ? 1 : 0;
  }
  constexpr int kPoints = 64;
  int inside = 0;
  for (int i = 0; i < kPoints; ++i) {
    for (int j = 0; j < kPoints; ++j) {
      const double px = x - 0.5 + (i + 0.5) / kPoints, py = y - 0.5 + (j + 0.5) / kPoints;
      inside += px * px + py * py < radius * radius ? 1 : 0;
    }
  }
  return static_cast<double>(inside) / (kPoints * kPoints);
}

/// The squares around nodes, by how much of each a disc covers.
struct Cover {
  int reach = 0;
  std::vector<double> squares;
  double second_moment = 0;  ///< Along x, as it is when boids are dealt out and read back.

  explicit Cover(double radius) : reach(static_cast<int>(std::ceil(radius + 0.5)) - 1) {
    for (int y = -reach; y <= reach; ++y) {
      for (int x = -reach; x <= reach; ++x) {
        squares.push_back(covered(x, y, radius));
        // Bilinear weights spread by 1/6 of a node along each axis, and that twice.
        second_moment += squares.back() * (x * x + 1.0 / 3);
      }
    }
  }
  [[nodiscard]] double area() const {
    double sum = 0;
    for (const double square : squares) {
      sum += square;
    }
    return sum;
  }
};

}  // namespace

// A disc's second moment is its area times radius^2 / 4. Where blurring alone spreads more than that, the
// disc is the one square around the node, and is made lighter instead: what counts for keeping away is the
// moment.
FieldDisc make_field_disc(float radius, bool same_spread) {
  constexpr double kPi = 3.14159265358979323846;
  const double spread = double{radius} * radius / 4, moment = kPi * radius * radius * spread;
  double low = 0.5, high = radius;
  if (same_spread) {
    for (int i = 0; i < 24; ++i) {
      const double middle = (low + high) / 2;
      const Cover cover(middle);
      (cover.second_moment > spread * cover.area() ? high : low) = middle;
    }
  }
  const Cover cover(same_spread ? low : radius);
  const double scale = same_spread ? moment / cover.second_moment : 1;
  FieldDisc disc;
  disc.reach = cover.reach;
  for (const double square : cover.squares) {
    disc.weights.push_back(static_cast<float>(scale * square));
  }
  for (int dy = -disc.reach; dy <= disc.reach; ++dy) {
    int reach = disc.reach;
    while (reach > 0 && disc.at(reach, dy) == 0) {
      --reach;
    }
    disc.lines.push_back({dy, reach});
  }
  disc.same = disc.at(0, 0);
  disc.beside = disc.reach > 0 ? disc.at(1, 0) : 0;
  disc.across = disc.reach > 0 ? disc.at(1, 1) : 0;
  return disc;
}

}  // namespace juxta::bench
