// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "juxta/core/function_ref.h"
#include "juxta/math/rect.h"

namespace juxta {

/// A box as the picture shows it: from above, and of which kind.
struct FlatBox {
  RectD rect;              ///< lx <= hx, ly <= hy.
  std::uint32_t kind = 0;  ///< Place in SvgBoxesOptions::kinds.
};
using FlatBoxAt = FunctionRef<FlatBox(std::size_t)>;

/// A kind of boxes: its name in the legend, and its colour ("#c8553d").
struct BoxKind {
  std::string name, colour;
};

struct SvgBoxesOptions {
  std::string title = {}, note = {};    ///< Above and below the picture; empty: none.
  std::span<const BoxKind> kinds = {};  ///< Later kinds are drawn above earlier ones. At least one.
  int width = 1200;                     ///< Pixels, from 200 to 10000.
  std::size_t max_shapes = 30'000;      ///< Bounds the size of the picture: about 50 bytes per shape.
};

/// Draws boxes, see-through, with a legend that counts each kind. Of more than `max_shapes` boxes every
/// second, third, ... of each kind is drawn, and a line below the picture says so. The frame holds the middle
/// 99 % of the corners on each axis (as svg_map() does); boxes are cut at the frame, and those outside of it
/// are counted in the same line. Boxes smaller than a pixel are drawn as one. Axes keep one scale unless the
/// world is flatter than 1 : 4. Cost: two passes over the boxes. Boxes of an unknown kind, with NaN or beyond
/// 1e300 are left out.
[[nodiscard]] std::string svg_boxes(std::size_t count, FlatBoxAt box, const SvgBoxesOptions& options);

}  // namespace juxta
