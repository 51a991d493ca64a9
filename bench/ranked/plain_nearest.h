// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "juxta/math/rect.h"

namespace juxta::bench {

/// The best k of (squared distance, number), ascending.
class PlainBest {
 public:
  explicit PlainBest(std::size_t k) : k_(k) { best_.reserve(k); }
  void clear() { best_.clear(); }
  [[nodiscard]] double worst() const { return best_.size() < k_ ? 1e300 : best_.back().first; }
  void add(double square, std::uint32_t number);
  [[nodiscard]] std::span<const std::pair<double, std::uint32_t>> all() const { return best_; }

 private:
  std::size_t k_;
  std::vector<std::pair<double, std::uint32_t>> best_;
};

/// What a careful programmer would write for few points: all distances, 64 at a time without a branch, and
/// only then a look at which of them are among the best.
void scan_nearest(std::span<const float> xs, std::span<const float> ys, double x, double y, PlainBest& best);

/// What a careful programmer would write for many: square cells of four points on average, each one's
/// coordinates side by side, and rings of cells around the query until nothing nearer can follow.
class PlainGrid {
 public:
  PlainGrid(std::span<const float> xs, std::span<const float> ys, const RectF& frame);
  void nearest(double x, double y, PlainBest& best) const;

 private:
  struct Point {
    float x, y;
    std::uint32_t number;
  };
  [[nodiscard]] std::size_t column(double x) const;
  [[nodiscard]] std::size_t row(double y) const;
  void look_at(std::size_t first_cell, std::size_t last_cell, double x, double y, PlainBest& best) const;

  RectF frame_;
  double size_;
  std::size_t columns_, rows_;
  std::vector<std::uint32_t> begin_;
  std::vector<Point> points_;
};

}  // namespace juxta::bench
