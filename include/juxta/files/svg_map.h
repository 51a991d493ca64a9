// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "juxta/core/function_ref.h"
#include "juxta/math/rect.h"

namespace juxta {

/// A point to mark and name on a map, most important first.
struct MapLabel {
  double x, y;
  std::string text;  ///< UTF-8; escaped by the writer. Longer than 40 characters: shortened.
};

struct SvgMapOptions {
  std::string title, note;        ///< Above and below the map; empty: none.
  RectD rect = {1, 1, 0, 0};      ///< Drawn when not empty. Infinite sides end at the frame.
  int width = 1200;               ///< Pixels, from 200 to 10000.
  std::size_t max_dots = 40'000;  ///< Bounds the size of the picture: about 8 bytes per dot.
};

/// Point i of those to draw.
struct MapPoint {
  double x, y;
};
using PointAt = FunctionRef<MapPoint(std::size_t)>;

/// Draws all `count` points faintly, the rectangle, and the labels as far as they fit without touching.
///
/// At most one dot per pixel and at most `max_dots` in all (the pixel grows until they fit): where many
/// points fall on one dot it is darker, so ten million points make a picture of some 100 kB. The frame holds
/// the middle 99 % of the points on each axis and the rectangle's inner part, so that a few stray points do
/// not shrink the map to a dot; stray points are not drawn. A rectangle that covers little of the map is
/// shown again enlarged, with the labels. Axes keep one scale unless the map is flatter than 1 : 4. Cost: two
/// passes over the points. Points that are not finite, or beyond 1e300, are left out.
[[nodiscard]] std::string svg_map(std::size_t count, PointAt point, std::span<const MapLabel> labels,
                                  const SvgMapOptions& options = {});

/// Text fit for SVG and XML: & < > " escaped, control characters and broken UTF-8 replaced.
[[nodiscard]] std::string xml_escape(std::string_view text);

}  // namespace juxta
