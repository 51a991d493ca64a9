// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/plain_nearest.h"

#include <algorithm>
#include <cmath>

namespace juxta::bench {

void PlainBest::add(double square, std::uint32_t number) {
  const std::pair<double, std::uint32_t> one(square, number);
  if (best_.size() == k_) {
    if (!(one < best_.back())) {
      return;
    }
    best_.pop_back();
  }
  best_.push_back(one);
  for (std::size_t i = best_.size() - 1; i != 0 && best_[i] < best_[i - 1]; --i) {
    std::swap(best_[i], best_[i - 1]);
  }
}

void scan_nearest(std::span<const float> xs, std::span<const float> ys, double x, double y, PlainBest& best) {
  constexpr std::size_t kTogether = 64;
  double squares[kTogether];
  for (std::size_t first = 0; first < xs.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, xs.size() - first);
    double least = 1e300;
    for (std::size_t i = 0; i < count; ++i) {
      const double dx = static_cast<double>(xs[first + i]) - x, dy = static_cast<double>(ys[first + i]) - y;
      squares[i] = dx * dx + dy * dy;
      least = squares[i] < least ? squares[i] : least;
    }
    // Equal ones that come later have a higher number.
    for (std::size_t i = 0; least < best.worst() && i < count; ++i) {
      if (squares[i] < best.worst()) {
        best.add(squares[i], static_cast<std::uint32_t>(first + i));
      }
    }
  }
}

PlainGrid::PlainGrid(std::span<const float> xs, std::span<const float> ys, const RectF& frame)
    : frame_(frame) {
  const double width = double{frame.hx} - double{frame.lx}, height = double{frame.hy} - double{frame.ly};
  size_ = std::sqrt(width * height * 4 / static_cast<double>(xs.size()));
  columns_ = static_cast<std::size_t>(width / size_) + 1;
  rows_ = static_cast<std::size_t>(height / size_) + 1;
  begin_.resize(columns_ * rows_ + 2);
  const auto cell = [&](std::size_t i) {
    return row(static_cast<double>(ys[i])) * columns_ + column(static_cast<double>(xs[i]));
  };
  for (std::size_t i = 0; i < xs.size(); ++i) {
    ++begin_[cell(i) + 2];
  }
  for (std::size_t c = 2; c < begin_.size(); ++c) {
    begin_[c] += begin_[c - 1];
  }
  points_.resize(xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) {
    points_[begin_[cell(i) + 1]++] = {xs[i], ys[i], static_cast<std::uint32_t>(i)};
  }
}

// Points outside the frame are in the cells of its edge.
std::size_t PlainGrid::column(double x) const {
  return static_cast<std::size_t>(
      std::clamp((x - double{frame_.lx}) / size_, 0.0, static_cast<double>(columns_ - 1)));
}
std::size_t PlainGrid::row(double y) const {
  return static_cast<std::size_t>(
      std::clamp((y - double{frame_.ly}) / size_, 0.0, static_cast<double>(rows_ - 1)));
}

void PlainGrid::look_at(std::size_t first_cell, std::size_t last_cell, double x, double y,
                        PlainBest& best) const {
  for (std::size_t p = begin_[first_cell]; p < begin_[last_cell + 1]; ++p) {
    const double dx = static_cast<double>(points_[p].x) - x, dy = static_cast<double>(points_[p].y) - y;
    const double square = dx * dx + dy * dy;
    if (square <= best.worst()) {
      best.add(square, points_[p].number);
    }
  }
}

void PlainGrid::nearest(double x, double y, PlainBest& best) const {
  const std::size_t cx = column(x), cy = row(y), most = std::max(columns_, rows_);
  // How far it is from the query to the border of its cell.
  const double in_x = x - double{frame_.lx} - static_cast<double>(cx) * size_,
               in_y = y - double{frame_.ly} - static_cast<double>(cy) * size_;
  const double border = std::max(0.0, std::min({in_x, in_y, size_ - in_x, size_ - in_y}));
  for (std::size_t ring = 0; ring <= most; ++ring) {
    // A little less, because cells are rounded.
    const double reach = ring == 0 ? 0 : (border + static_cast<double>(ring - 1) * size_) * 0.999999;
    if (reach * reach > best.worst()) {
      return;
    }
    const std::size_t lx = cx - std::min(cx, ring), hx = std::min(cx + ring, columns_ - 1);
    const std::size_t ly = cy - std::min(cy, ring), hy = std::min(cy + ring, rows_ - 1);
    for (std::size_t r = ly; r <= hy; ++r) {
      if (r + ring == cy || r == cy + ring) {
        look_at(r * columns_ + lx, r * columns_ + hx, x, y, best);
      } else {
        if (cx >= ring) {
          look_at(r * columns_ + lx, r * columns_ + lx, x, y, best);
        }
        if (cx + ring < columns_ && ring != 0) {
          look_at(r * columns_ + hx, r * columns_ + hx, x, y, best);
        }
      }
    }
  }
}

}  // namespace juxta::bench
