// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A rectangle of the command line, which may lie across the antimeridian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/math/rect.h"
#include "tool/points_input.h"

namespace juxta::tool {

/// One rectangle, or the two parts of one from 170 to -170 degrees: 170..180 and -180..-170. Edges belong to
/// both, so no point is in two parts.
struct Area {
  std::vector<RectD> parts;

  [[nodiscard]] bool across() const { return parts.size() == 2; }
  /// In one piece: x up to the second part's high side is x + 360 there, see continued().
  [[nodiscard]] RectD whole() const;
  /// The x of a point in that piece.
  [[nodiscard]] double continued(double x) const;
};

/// The area of a rectangle whose lx may be right of its hx when the points are geographic: said so by the
/// user
/// (--geographic), or of columns named lon and lat (GeoJSON always), and within 180 and 90 degrees. Errors:
/// kInvalidArgument (any other inverted rectangle).
[[nodiscard]] Result<Area> area_of(const RectD& rect, const Points& points, bool geographic);

/// The k most important points of the area in rank order, equal ranks in input order, as top() has them.
/// Errors: kInvalidArgument (across the antimeridian, an index without its table: nothing tells the ranks).
[[nodiscard]] Result<std::vector<std::uint32_t>> top_of(const Points& points, const Area& area, std::size_t k,
                                                        QueryResult& counters);
/// How many points are in the area, exactly.
[[nodiscard]] std::size_t count_of(const Points& points, const Area& area);

}  // namespace juxta::tool
