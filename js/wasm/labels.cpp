// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/ranked for JavaScript: RankedLabels.
#include <cstddef>
#include <cstdint>

#include "common.h"
#include "juxta/ranked/labels.h"
#include "ranked_columns.h"

using namespace juxta;
using namespace juxta::wasm;

namespace {

struct PlainLabels {
  std::uint32_t xs, ys, size, coordinate_type, ranks, rank_type;
  std::uint32_t widths, heights;  ///< 0: all have the one below.
  double width, height, units_per_pixel;
  std::uint32_t first_zoom, last_zoom;
};

}  // namespace

JUXTA_JS(RankedLabels*, labels_build)() {
  const PlainLabels& in = *scratch_as<PlainLabels>();
  const auto at = [](std::uint32_t address) { return reinterpret_cast<const void*>(address); };
  RankedLabelsOptions options{.width = static_cast<float>(in.width),
                              .height = static_cast<float>(in.height),
                              .units_per_pixel = in.units_per_pixel,
                              .first_zoom = in.first_zoom,
                              .last_zoom = in.last_zoom};
  if (in.widths != 0) {
    options.widths = {static_cast<const float*>(at(in.widths)), in.size};
  }
  if (in.heights != 0) {
    options.heights = {static_cast<const float*>(at(in.heights)), in.size};
  }
  const auto type = static_cast<Number>(in.coordinate_type);
  return to_heap(
      RankedLabels::build(coordinates(at(in.xs), in.size, type), coordinates(at(in.ys), in.size, type),
                          ranks(at(in.ranks), in.size, static_cast<Number>(in.rank_type)), options));
}
JUXTA_JS(void, labels_free)(RankedLabels* labels) {
  delete labels;
}
// How many there are; `out` gets the first `size`.
JUXTA_JS(std::size_t, labels_top)
(const RankedLabels* labels, double lx, double ly, double hx, double hy, double zoom, std::uint32_t* out,
 std::size_t size) {
  return labels->top({lx, ly, hx, hy}, zoom, {out, size}).found;
}
JUXTA_JS(const std::uint8_t*, labels_zooms)(const RankedLabels* labels) {
  return labels->appears_at_zoom().data();
}
JUXTA_JS(std::size_t, labels_size)(const RankedLabels* labels) {
  return labels->size();
}
JUXTA_JS(std::size_t, labels_shown)(const RankedLabels* labels) {
  return labels->shown();
}
JUXTA_JS(std::size_t, labels_memory_bytes)(const RankedLabels* labels) {
  return labels->memory_bytes();
}
