// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where things of the world stand on a picture, and the paper around them.
#pragma once

#include <string>

#include "juxta/math/rect.h"

namespace juxta::files_detail {

/// Pixels around and between the parts of a picture.
inline constexpr double kSvgMargin = 16, kSvgTitle = 34, kSvgNote = 26;

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

/// Height of a panel of this width with one scale for both axes, or a stretched one beyond 1 : 4.
double panel_height(const RectD& world, double width, double least, double most);

/// Grows the world's shorter side until the frame has one scale, unless its shape is too flat for that.
RectD fitted(RectD world, double width, double height);

/// A number with at most one decimal, without trailing zeros.
std::string coordinate(double value);

/// The whole picture: white paper, a title above, a note below (either may be empty), and the body.
std::string svg_paper(double width, double height, const std::string& title, const std::string& note,
                      const std::string& body);

}  // namespace juxta::files_detail
