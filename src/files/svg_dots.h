// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where points stand on the picture, and the dots they make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/files/svg_map.h"

namespace juxta::detail {

/// A part of the picture, and the part of the world that it shows. y grows upwards in the world.
struct SvgFrame {
  double left, top, width, height;  // pixels
  RectD world;

  [[nodiscard]] double px(double x) const noexcept {
    return left + (x - world.lx) / (world.hx - world.lx) * width;
  }
  [[nodiscard]] double py(double y) const noexcept {
    return top + (world.hy - y) / (world.hy - world.ly) * height;
  }
  /// A rectangle of the world cut at the frame.
  [[nodiscard]] RectD clipped(const RectD& r) const noexcept;
};

/// The world's rectangle that holds the middle 99 % of the points on each axis, grown a little. Never empty.
RectD middle_of(std::size_t count, PointAt point);

/// Dots of a frame as SVG paths, one per shade; at most `max_dots` of them.
std::string draw_dots(const SvgFrame& frame, std::size_t count, PointAt point, std::size_t max_dots);

/// A number with at most one decimal, without trailing zeros.
std::string coordinate(double value);

}  // namespace juxta::detail
