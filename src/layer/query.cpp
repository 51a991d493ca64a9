// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/query.h"

#include <algorithm>

#include "layer/batch.h"
#include "layer/sink.h"

namespace juxta {
namespace {

using layer_detail::SearchWork;
using layer_detail::view_of;

constexpr std::size_t kBatch = 128;  // bodies handed to a visitor's loop at once

template <int D>
bool asks(const BasicLayer<D>& layer, const Aabb<D>& box, const QueryOptions& options) {
  return !layer_detail::asks_for_nothing(view_of(layer), options.filter) && !layer_detail::holds_nothing(box);
}

template <int D>
QueryResult fill(const BasicLayer<D>& layer, const Aabb<D>& box, const QueryOptions& options,
                 layer_detail::BufferSink<std::uint32_t>& buffer) {
  SearchWork work;
  if (asks(layer, box, options)) {
    layer_detail::bodies_in_box(view_of(layer), layer_detail::finite_sides(box), options, buffer, work);
    buffer.finish();
  }
  return {
      .found = buffer.found(), .written = buffer.written(), .tested = work.tested, .visited = work.visited};
}

}  // namespace

template <int D>
std::uint32_t find_any(const BasicLayer<D>& layer, const BoxOf<D>& box, const QueryOptions& options) {
  SearchWork work;
  return asks<D>(layer, box, options)
             ? layer_detail::any_in_box(view_of(layer), layer_detail::finite_sides(box), options, work)
             : kNoBody;
}

template <int D>
QueryResult find_first(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                       const QueryOptions& options) {
  layer_detail::BufferSink<std::uint32_t> buffer(out, true);
  return out.empty() ? QueryResult{} : fill<D>(layer, box, options, buffer);
}

template <int D>
QueryResult find_all(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                     const QueryOptions& options) {
  layer_detail::BufferSink<std::uint32_t> buffer(out, false);
  return fill<D>(layer, box, options, buffer);
}

template <int D>
std::size_t count(const BasicLayer<D>& layer, const BoxOf<D>& box, const QueryOptions& options) {
  SearchWork work;
  return asks<D>(layer, box, options)
             ? layer_detail::count_in_box(view_of(layer), layer_detail::finite_sides(box), options, work)
             : 0;
}

template <int D>
QueryResult visit(const BasicLayer<D>& layer, const BoxOf<D>& box,
                  FunctionRef<bool(std::uint32_t body)> visitor, const QueryOptions& options) {
  SearchWork work;
  std::size_t found = 0;
  bool going = true;
  const auto each = [&](std::span<const std::uint32_t> bodies) {
    for (std::size_t i = 0; going && i < bodies.size(); ++i) {
      ++found;
      going = visitor(bodies[i]);
    }
    return going;
  };
  if (asks<D>(layer, box, options)) {
    auto batch = layer_detail::batch_sink<std::uint32_t, kBatch>(each);
    layer_detail::bodies_in_box(view_of(layer), layer_detail::finite_sides(box), options, batch, work);
    (void)(going && batch.flush());
  }
  return {.found = found, .written = found, .tested = work.tested, .visited = work.visited};
}

#define JUXTA_INSTANTIATE(D)                                                                                 \
  template JUXTA_API std::uint32_t find_any(const BasicLayer<D>&, const BoxOf<D>&, const QueryOptions&);     \
  template JUXTA_API QueryResult find_first(const BasicLayer<D>&, const BoxOf<D>&, std::span<std::uint32_t>, \
                                            const QueryOptions&);                                            \
  template JUXTA_API QueryResult find_all(const BasicLayer<D>&, const BoxOf<D>&, std::span<std::uint32_t>,   \
                                          const QueryOptions&);                                              \
  template JUXTA_API std::size_t count(const BasicLayer<D>&, const BoxOf<D>&, const QueryOptions&);          \
  template JUXTA_API QueryResult visit(const BasicLayer<D>&, const BoxOf<D>&,                                \
                                       FunctionRef<bool(std::uint32_t)>, const QueryOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
