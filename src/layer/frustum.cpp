// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/frustum.h"

#include <algorithm>

#include "layer/batch.h"
#include "layer/query_kernel.h"
#include "layer/sink.h"

namespace juxta {

template <int D>
QueryResult find_in_frustum(const BasicLayer<D>& layer, std::span<const PlaneOf<D>> planes,
                            std::span<std::uint32_t> out, const QueryOptions& options) {
  const layer_detail::LayerView<D> view = layer_detail::view_of(layer);
  if (layer_detail::asks_for_nothing(view, options.filter)) {
    return {};
  }
  layer_detail::BufferSink<std::uint32_t> buffer(out, false);
  layer_detail::SearchWork work;
  layer_detail::bodies_in_frustum<D>(view, planes, options, buffer, work);
  buffer.finish();
  return {
      .found = buffer.found(), .written = buffer.written(), .tested = work.tested, .visited = work.visited};
}

// Each frustum into a column of its own, since none knows how many the others see.
template <int D>
Result<QueryResult> find_in_frustum(const BasicLayer<D>& layer,
                                    std::span<const std::span<const PlaneOf<D>>> frustums,
                                    std::span<Pair> out, const BatchOptions& options,
                                    const Context& context) {
  JUXTA_TRY(layer_detail::check_batch(frustums.size(), frustums.size(), options));
  const CallWorkspace workspace(context);
  const std::span<QueryResult> results = (*workspace).take<QueryResult>(frustums.size());
  const std::span<std::uint32_t> bodies = (*workspace).take<std::uint32_t>(layer.size() * frustums.size());
  executor_or_serial(context.executor).parallel_for(frustums.size(), 1, [&](std::size_t i, std::size_t last) {
    layer_detail::OptionsOfQuery of_query(options);
    for (; i < last; ++i) {
      const auto own = bodies.subspan(i * layer.size(), layer.size());
      results[i] = find_in_frustum(layer, frustums[i], own, of_query.of(static_cast<std::uint32_t>(i)));
      if (options.sorted) {
        std::sort(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(results[i].written));
      }
    }
  });
  QueryResult total;
  for (std::size_t i = 0; i < frustums.size(); ++i) {
    for (std::size_t k = 0; k < results[i].written && total.written < out.size(); ++k) {
      out[total.written++] = {static_cast<std::uint32_t>(i), bodies[i * layer.size() + k]};
    }
    total.found += results[i].found;
    total.tested += results[i].tested;
    total.visited += results[i].visited;
  }
  return total;
}

#define JUXTA_INSTANTIATE(D)                                                                        \
  template JUXTA_API QueryResult find_in_frustum(const BasicLayer<D>&, std::span<const PlaneOf<D>>, \
                                                 std::span<std::uint32_t>, const QueryOptions&);    \
  template JUXTA_API Result<QueryResult> find_in_frustum(                                           \
      const BasicLayer<D>&, std::span<const std::span<const PlaneOf<D>>>, std::span<Pair>,          \
      const BatchOptions&, const Context&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
