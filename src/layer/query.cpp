// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/query.h"

#include <algorithm>

#include "layer/batch.h"
#include "layer/body_sinks.h"

namespace juxta {
namespace {

using detail::QueryWork;

template <int D>
bool asks(const BasicLayer<D>& layer, const Aabb<D>& box, Filter filter) {
  return !detail::asks_for_nothing(layer.store().view(), filter) && !detail::holds_nothing(box);
}

template <int D>
QueryResult fill(const BasicLayer<D>& layer, const Aabb<D>& box, Filter filter, detail::BodyBuffer& buffer) {
  QueryWork work;
  if (asks(layer, box, filter)) {
    detail::bodies_in_box(layer.store().view(), detail::finite_sides(box), filter, buffer, work);
    buffer.finish();
  }
  return {buffer.found(), buffer.written(), work.tested, work.visited};
}

}  // namespace

template <int D>
std::uint32_t find_any(const BasicLayer<D>& layer, const BoxOf<D>& box, Filter filter) {
  QueryWork work;
  return asks<D>(layer, box, filter)
             ? detail::any_in_box(layer.store().view(), detail::finite_sides(box), filter, work)
             : kNoBody;
}

template <int D>
QueryResult find_first(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                       Filter filter) {
  detail::BodyBuffer buffer(out, true);
  return out.empty() ? QueryResult{} : fill<D>(layer, box, filter, buffer);
}

template <int D>
QueryResult find_all(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                     Filter filter) {
  detail::BodyBuffer buffer(out, false);
  return fill<D>(layer, box, filter, buffer);
}

template <int D>
std::size_t count(const BasicLayer<D>& layer, const BoxOf<D>& box, Filter filter) {
  QueryWork work;
  return asks<D>(layer, box, filter)
             ? detail::count_in_box(layer.store().view(), detail::finite_sides(box), filter, work)
             : 0;
}

template <int D>
QueryResult visit(const BasicLayer<D>& layer, const BoxOf<D>& box,
                  FunctionRef<bool(std::uint32_t body)> visitor, Filter filter) {
  QueryWork work;
  std::size_t found = 0;
  bool going = true;
  const auto each = [&](std::span<const std::uint32_t> bodies) {
    for (std::size_t i = 0; going && i < bodies.size(); ++i) {
      ++found;
      going = visitor(bodies[i]);
    }
    return going;
  };
  if (asks<D>(layer, box, filter)) {
    detail::BodyBatch batch(each);
    detail::bodies_in_box(layer.store().view(), detail::finite_sides(box), filter, batch, work);
    (void)(going && batch.flush());
  }
  return {found, found, work.tested, work.visited};
}

template <int D>
Result<QueryResult> find_any(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes, Workspace& workspace,
                             std::span<std::uint32_t> out, const BatchOptions& options) {
  if (boxes.size() != out.size()) {
    return detail::unlike_lengths(boxes.size(), out.size());
  }
  std::fill(out.begin(), out.end(), kNoBody);
  const detail::LayerView<D> view = layer.store().view();
  if (detail::asks_for_nothing(view, options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  const auto queries = detail::sort_boxes(boxes, workspace, options.executor);
  const std::span<std::uint32_t> answers = workspace.take<std::uint32_t>(queries.boxes.size());
  detail::SharedWork total;
  executor_or_serial(options.executor)
      .parallel_for(queries.order.size(), detail::kBatchGrain, [&](std::size_t first, std::size_t last) {
        QueryWork work;
        detail::any_in_boxes(view, queries.boxes.data(), queries.order.data() + first, last - first,
                             options.filter, answers.data(), work);
        total.add(work, 0);
      });
  QueryResult result = total.result();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    out[queries.query[i]] = answers[i];
    result.found += answers[i] != kNoBody ? 1 : 0;
  }
  result.written = out.size();
  return result;
}

template <int D>
Result<QueryResult> count(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes, Workspace& workspace,
                          std::span<std::uint32_t> counts, const BatchOptions& options) {
  if (boxes.size() != counts.size()) {
    return detail::unlike_lengths(boxes.size(), counts.size());
  }
  std::fill(counts.begin(), counts.end(), 0U);
  const detail::LayerView<D> view = layer.store().view();
  if (detail::asks_for_nothing(view, options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  const auto queries = detail::sort_boxes(boxes, workspace, options.executor);
  detail::SharedWork total;
  executor_or_serial(options.executor)
      .parallel_for(queries.order.size(), detail::kBatchGrain, [&](std::size_t first, std::size_t last) {
        QueryWork work;
        std::size_t found = 0;
        for (std::size_t i = first; i < last; ++i) {
          const std::uint32_t at = queries.order[i];
          const std::size_t n = detail::count_in_box(view, queries.boxes[at], options.filter, work);
          counts[queries.query[at]] = static_cast<std::uint32_t>(n);
          found += n;
        }
        total.add(work, found);
      });
  QueryResult result = total.result();
  result.written = counts.size();
  return result;
}

#define JUXTA_INSTANTIATE(D)                                                                                 \
  template JUXTA_API std::uint32_t find_any(const BasicLayer<D>&, const BoxOf<D>&, Filter);                  \
  template JUXTA_API QueryResult find_first(const BasicLayer<D>&, const BoxOf<D>&, std::span<std::uint32_t>, \
                                            Filter);                                                         \
  template JUXTA_API QueryResult find_all(const BasicLayer<D>&, const BoxOf<D>&, std::span<std::uint32_t>,   \
                                          Filter);                                                           \
  template JUXTA_API std::size_t count(const BasicLayer<D>&, const BoxOf<D>&, Filter);                       \
  template JUXTA_API QueryResult visit(const BasicLayer<D>&, const BoxOf<D>&,                                \
                                       FunctionRef<bool(std::uint32_t)>, Filter);                            \
  template JUXTA_API Result<QueryResult> find_any(const BasicLayer<D>&, std::span<const Aabb<D>>,            \
                                                  Workspace&, std::span<std::uint32_t>,                      \
                                                  const BatchOptions&);                                      \
  template JUXTA_API Result<QueryResult> count(const BasicLayer<D>&, std::span<const Aabb<D>>, Workspace&,   \
                                               std::span<std::uint32_t>, const BatchOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
