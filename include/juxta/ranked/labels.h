// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/query_result.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/column.h"

namespace juxta {
namespace ranked_detail {
struct LabelsStore;
}  // namespace ranked_detail

/// How large the labels are, and for which zooms they are chosen. Every field can change the result.
struct RankedLabelsOptions {
  /// The size of each label in pixels; empty: all have `width`, or `height`. From 1/64 to 4,096.
  std::span<const float> widths = {}, heights = {};
  float width = 80, height = 20;
  /// Units of the coordinates for each pixel at zoom 0, from 1e-150 to 1e150. Each zoom has half of it.
  double units_per_pixel = 1;
  unsigned first_zoom = 0, last_zoom = 20;  ///< At most 30.
};

/// Answers "which labels does this view show", so that none overlap and panning changes none.
///
/// A label is a box around its point. Zooms are decided from the first to the last. At each one, all labels
/// of the zooms before stay. Then the other points follow in rank order (lower is more important, equal ranks
/// go by input order), and a label is shown when it overlaps no shown label. Two labels overlap when
/// |dx| < (width_a + width_b) / 2 * units and |dy| < (height_a + height_b) / 2 * units, computed in double;
/// boxes that touch do not. `units` is units_per_pixel / 2^zoom.
///
/// So the zoom alone decides whether a label is shown. It stays while you pan, and at all closer zooms.
/// Coordinates are those of the map as drawn: project longitude and latitude first, to Web Mercator for
/// example. Answers are exact for float and for double coordinates, on any executor.
///
/// Idea: a hidden point cannot appear before it is free of the label that hides it, and the two sizes tell
/// the zoom at which it is. The point is not looked at before. docs/ranked.md draws it.
///
/// Memory: 1 byte for each point, and for each point that is shown at some zoom 24, with 16 more for each row
/// of labels (256 pixels of a zoom), at most one a label. Building takes about 200 bytes for each point, at
/// worst 500.
/// Threads: all const members may be called from any number of threads at once.
/// A moved-from object may only be assigned to or destroyed.
class JUXTA_API RankedLabels {
 public:
  /// What appears_at_zoom() says of a point that no zoom shows.
  static constexpr std::uint8_t kNever = 255;

  /// An empty set: every query finds nothing.
  explicit RankedLabels(std::pmr::memory_resource* resource = huge_page_resource());
  RankedLabels(RankedLabels&&) noexcept;
  RankedLabels& operator=(RankedLabels&&) noexcept;
  ~RankedLabels();

  /// Builds from columns of equal length: `xs` and `ys` of one type (float or double), `ranks` int32, int64,
  /// float or double. Cost: about 2 s for 1M points and 26 s for 10M. The executor sorts the points; one
  /// thread decides the zooms. A point is looked at once for each label that hides it in turn, at most once a
  /// zoom. A look reads the cells around it, a few for labels of like sizes. Where one is r times as wide and
  /// high as another, a look at the small ones reads r * r / 4 cells, or all of them if they are fewer.
  /// Errors: kInvalidArgument (lengths or types differ; a size, with the index; units or zooms), kNotFinite
  /// (NaN or infinite coordinate, NaN rank; with the index), kTooLarge (more than 2^32 - 2 points),
  /// kUnsupportedCpu, kCancelled.
  [[nodiscard]] static Result<RankedLabels> build(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                                                  const RankedLabelsOptions& options = {},
                                                  const Context& context = {},
                                                  std::pmr::memory_resource* resource = huge_page_resource());

  /// Writes the input indices of the labels that `zoom`, rounded down, shows and whose point is inside
  /// `view`, in ascending rank. `found` counts them all. When `out` is shorter, it gets the most important
  /// ones. The view is a closed rectangle in the units of the coordinates; inverted or NaN: empty; infinite
  /// sides are allowed. Widen it by half a label to get those that reach into it. A zoom below the first one
  /// or NaN finds nothing, one above the last counts as the last. Cost: 5 to 12 us for a view of 1024 x 768
  /// pixels of 1M to 10M points; it tests the labels of whole rows, 256 pixels high. Allocates nothing.
  [[nodiscard]] QueryResult top(const RectD& view, double zoom, std::span<std::uint32_t> out) const noexcept;

  /// The first zoom that shows point `index`, or kNever; also when there is no such point. O(1).
  [[nodiscard]] std::uint8_t appears_at_zoom(std::size_t index) const noexcept;
  /// The same for all points, by input index. Valid until this object is assigned to or destroyed.
  [[nodiscard]] std::span<const std::uint8_t> appears_at_zoom() const noexcept;

  [[nodiscard]] std::size_t size() const noexcept;          ///< Points.
  [[nodiscard]] std::size_t shown() const noexcept;         ///< Points that the last zoom shows.
  [[nodiscard]] unsigned first_zoom() const noexcept;       ///< As given when building.
  [[nodiscard]] unsigned last_zoom() const noexcept;        ///< As given when building.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;  ///< Bytes that this object holds.

 private:
  Owned<ranked_detail::LabelsStore> store_;
};

}  // namespace juxta
