// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/c/ranked_labels.h"

#include <utility>

#include "c/call.h"
#include "c/ranked_columns.h"
#include "juxta/core/try.h"
#include "juxta/ranked/labels.h"

struct juxta_ranked_labels {
  juxta::RankedLabels of;
};

namespace juxta::c_detail {
namespace {

Result<RankedLabels> build_labels(const juxta_column& x, const juxta_column& y, const juxta_column& rank,
                                  std::size_t count, const juxta_ranked_labels_options* options,
                                  const juxta_context* context) {
  const CallContext call(context);
  JUXTA_TRY(call.check());
  JUXTA_TRY(check_cookie(options, Cookie::kRankedLabelsOptions, "juxta_ranked_labels_options"));
  JUXTA_TRY_LET(const CoordinateColumn xs, coordinates(x, count, "x"));
  JUXTA_TRY_LET(const CoordinateColumn ys, coordinates(y, count, "y"));
  JUXTA_TRY_LET(const RankColumn by, ranks(rank, count));
  RankedLabelsOptions how;
  if (options != nullptr) {
    how = {.widths = {options->widths, options->widths == nullptr ? 0 : count},
           .heights = {options->heights, options->heights == nullptr ? 0 : count},
           .width = options->width,
           .height = options->height,
           .units_per_pixel = options->units_per_pixel,
           .first_zoom = options->first_zoom,
           .last_zoom = options->last_zoom};
  }
  return RankedLabels::build(xs, ys, by, how, *call);
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::Result;

static_assert(JUXTA_NEVER_SHOWN == juxta::RankedLabels::kNever);

juxta_ranked_labels_options juxta_default_ranked_labels_options(void) {
  const juxta::RankedLabelsOptions how;
  return {static_cast<std::uint32_t>(Cookie::kRankedLabelsOptions),
          nullptr,
          nullptr,
          how.width,
          how.height,
          how.units_per_pixel,
          how.first_zoom,
          how.last_zoom};
}

juxta_status juxta_ranked_labels_build(juxta_column x, juxta_column y, juxta_column rank, size_t count,
                                       const juxta_ranked_labels_options* options,
                                       const juxta_context* context, juxta_ranked_labels** out,
                                       juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(juxta::RankedLabels made, build_labels(x, y, rank, count, options, context));
    *out = new juxta_ranked_labels{std::move(made)};
    return {};
  });
}
void juxta_ranked_labels_free(juxta_ranked_labels* labels) {
  delete labels;
}

juxta_query_result juxta_ranked_labels_top(const juxta_ranked_labels* labels, const juxta_rect* view,
                                           double zoom, size_t k, uint32_t* out) {
  return result_in_place(
      [&] { return labels->of.top(cpp_rect(*view), zoom, answers_or_none<std::uint32_t>(out, k)); });
}
uint8_t juxta_ranked_labels_appears_at_zoom(const juxta_ranked_labels* labels, size_t index) {
  return labels->of.appears_at_zoom(index);
}

size_t juxta_ranked_labels_size(const juxta_ranked_labels* labels) {
  return labels->of.size();
}
size_t juxta_ranked_labels_shown(const juxta_ranked_labels* labels) {
  return labels->of.shown();
}
size_t juxta_ranked_labels_memory_bytes(const juxta_ranked_labels* labels) {
  return labels->of.memory_bytes();
}
