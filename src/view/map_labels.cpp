// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/map_labels.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace juxta::view_detail {
namespace {

/// Pixels, for 12 px letters; the page writes a name to the right of its dot.
constexpr double kLetter = 7, kDot = 12, kHeight = 18;
constexpr double kCell = 64;

struct Box {
  double x0, y0, x1, y1;
};

bool overlap(const Box& a, const Box& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/// Letters, not bytes, of UTF-8.
std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Boxes by the cells that they touch.
class Taken {
 public:
  Taken(double width, double height)
      : columns_(static_cast<std::size_t>(width / kCell) + 1),
        rows_(static_cast<std::size_t>(height / kCell) + 1),
        cells_(columns_ * rows_) {}

  /// Takes its place if it is free.
  bool take(const Box& box) {
    const std::size_t c0 = cell(box.x0, columns_), c1 = cell(box.x1, columns_), r0 = cell(box.y0, rows_),
                      r1 = cell(box.y1, rows_);
    for (std::size_t r = r0; r <= r1; ++r) {
      for (std::size_t c = c0; c <= c1; ++c) {
        for (const Box& other : cells_[r * columns_ + c]) {
          if (overlap(box, other)) {
            return false;
          }
        }
      }
    }
    for (std::size_t r = r0; r <= r1; ++r) {
      for (std::size_t c = c0; c <= c1; ++c) {
        cells_[r * columns_ + c].push_back(box);
      }
    }
    return true;
  }

 private:
  static std::size_t cell(double at, std::size_t count) {
    return static_cast<std::size_t>(std::clamp(at / kCell, 0.0, static_cast<double>(count - 1)));
  }

  std::size_t columns_, rows_;
  std::vector<std::vector<Box>> cells_;
};

}  // namespace

std::vector<std::uint32_t> labels_that_fit(const PointTableView& table, std::span<const std::uint32_t> points,
                                           const RectD& rect, double width, double height, std::size_t k) {
  std::vector<std::uint32_t> labels;
  const double sx = width / (rect.hx - rect.lx), sy = height / (rect.hy - rect.ly);
  if (!(sx > 0) || !(sy > 0) || !std::isfinite(sx) || !std::isfinite(sy)) {
    return labels;
  }
  Taken taken(width, height);
  for (const std::uint32_t i : points) {
    if (labels.size() == k) {
      break;
    }
    const std::string_view name = table.name(i);
    const double x = (table.x[i] - rect.lx) * sx, y = (table.y[i] - rect.ly) * sy;
    const double length = kDot + kLetter * static_cast<double>(std::min<std::size_t>(letters_of(name), 60));
    // Of a damaged table, which is found when all is drawn, a point can be anywhere, and nowhere.
    if (!name.empty() && std::isfinite(x) && std::isfinite(y) &&
        taken.take({x - kDot / 2, y - kHeight / 2, x + length, y + kHeight / 2})) {
      labels.push_back(i);
    }
  }
  return labels;
}

}  // namespace juxta::view_detail
