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

/// A rectangle. With lx right of hx it goes east over the antimeridian: from 170 to -170 degrees, x is at
/// least 170 or at most -170.
struct Area {
  RectD rect;

  [[nodiscard]] bool across() const { return rect.lx > rect.hx; }
  [[nodiscard]] RankedRegion region() const { return RankedRegion::across(rect); }
  /// In one piece: x up to hx is x + 360 there, see continued().
  [[nodiscard]] RectD whole() const;
  /// The x of a point in that piece.
  [[nodiscard]] double continued(double x) const;
};

/// The area of a rectangle whose lx may be right of its hx when the points are geographic: said so by the
/// user
/// (--geographic), or of columns named lon and lat (GeoJSON always), and within 180 and 90 degrees. Errors:
/// kInvalidArgument (any other inverted rectangle).
[[nodiscard]] Result<Area> area_of(const RectD& rect, const Points& points, bool geographic);

/// The k most important points of the area that pass, in rank order, equal ranks in input order.
[[nodiscard]] std::vector<std::uint32_t> top_of(const Points& points, const Area& area, std::size_t k,
                                                const RankedFilter& filter, QueryResult& counters);
/// How many points in the area pass, exactly.
[[nodiscard]] std::size_t count_of(const Points& points, const Area& area, const RankedFilter& filter);

}  // namespace juxta::tool
