// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All bodies that many shapes overlap: the layer's search for pairs of boxes, then each pair exactly.
#include <algorithm>

#include "core/call_workspace.h"
#include "juxta/core/try.h"
#include "juxta/layer/query.h"
#include "juxta/shape/bodies.h"
#include "shape/bodies_store.h"

namespace juxta {

Result<QueryResult> Bodies::find_all(std::span<const Body> asked, std::span<Pair> out,
                                     const BatchOptions& options, const Context& context) const {
  const CallWorkspace call(context);
  Workspace& workspace = *call;
  const Executor& executor = executor_or_serial(context.executor);
  const Context inner{.executor = context.executor, .workspace = &workspace};
  const std::span<Aabb3> boxes = workspace.take<Aabb3>(asked.size());
  executor.parallel_for(asked.size(), shape_detail::kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      boxes[i] = shape_detail::asked_box(asked[i].shape, asked[i].at);
    }
  });
  BatchOptions sorted = options;
  sorted.sorted = true;
  JUXTA_TRY_LET(QueryResult result, juxta::find_all<3>(store_->layer, boxes, {}, sorted, inner));
  const std::span<Pair> pairs = workspace.take<Pair>(result.found);
  JUXTA_TRY(juxta::find_all<3>(store_->layer, boxes, pairs, sorted, inner));
  const std::span<std::uint8_t> meet = workspace.take<std::uint8_t>(pairs.size());
  executor.parallel_for(pairs.size(), shape_detail::kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Body &one = asked[pairs[i].a], &other = store_->bodies[pairs[i].b];
      meet[i] = juxta::overlaps(one.shape, one.at, other.shape, other.at) ? 1 : 0;
    }
  });
  result.found = result.written = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (meet[i] != 0) {
      if (result.written < out.size()) {
        out[result.written++] = pairs[i];
      }
      ++result.found;
    }
  }
  return result;
}

}  // namespace juxta
