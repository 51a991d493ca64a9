// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/query.h"

#include <algorithm>

#include "layer/batch.h"
#include "layer/sink.h"

namespace juxta {
namespace {

using layer_detail::SearchWork;

constexpr std::size_t kBatch = 128;  // bodies handed to a visitor's loop at once

template <int D>
bool asks(const BasicLayer<D>& layer, const Aabb<D>& box, Filter filter) {
  return !layer_detail::asks_for_nothing(layer.store().view(), filter) && !layer_detail::holds_nothing(box);
}

template <int D>
QueryResult fill(const BasicLayer<D>& layer, const Aabb<D>& box, Filter filter,
                 layer_detail::BufferSink<std::uint32_t>& buffer) {
  SearchWork work;
  if (asks(layer, box, filter)) {
    layer_detail::bodies_in_box(layer.store().view(), layer_detail::finite_sides(box), filter, buffer, work);
    buffer.finish();
  }
  return {buffer.found(), buffer.written(), work.tested, work.visited};
}

}  // namespace

template <int D>
std::uint32_t find_any(const BasicLayer<D>& layer, const BoxOf<D>& box, Filter filter) {
  SearchWork work;
  return asks<D>(layer, box, filter)
             ? layer_detail::any_in_box(layer.store().view(), layer_detail::finite_sides(box), filter, work)
             : kNoBody;
}

template <int D>
QueryResult find_first(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                       Filter filter) {
  layer_detail::BufferSink<std::uint32_t> buffer(out, true);
  return out.empty() ? QueryResult{} : fill<D>(layer, box, filter, buffer);
}

template <int D>
QueryResult find_all(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                     Filter filter) {
  layer_detail::BufferSink<std::uint32_t> buffer(out, false);
  return fill<D>(layer, box, filter, buffer);
}

template <int D>
std::size_t count(const BasicLayer<D>& layer, const BoxOf<D>& box, Filter filter) {
  SearchWork work;
  return asks<D>(layer, box, filter)
             ? layer_detail::count_in_box(layer.store().view(), layer_detail::finite_sides(box), filter, work)
             : 0;
}

template <int D>
QueryResult visit(const BasicLayer<D>& layer, const BoxOf<D>& box,
                  FunctionRef<bool(std::uint32_t body)> visitor, Filter filter) {
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
  if (asks<D>(layer, box, filter)) {
    auto batch = layer_detail::batch_sink<std::uint32_t, kBatch>(each);
    layer_detail::bodies_in_box(layer.store().view(), layer_detail::finite_sides(box), filter, batch, work);
    (void)(going && batch.flush());
  }
  return {found, found, work.tested, work.visited};
}

#define JUXTA_INSTANTIATE(D)                                                                                 \
  template JUXTA_API std::uint32_t find_any(const BasicLayer<D>&, const BoxOf<D>&, Filter);                  \
  template JUXTA_API QueryResult find_first(const BasicLayer<D>&, const BoxOf<D>&, std::span<std::uint32_t>, \
                                            Filter);                                                         \
  template JUXTA_API QueryResult find_all(const BasicLayer<D>&, const BoxOf<D>&, std::span<std::uint32_t>,   \
                                          Filter);                                                           \
  template JUXTA_API std::size_t count(const BasicLayer<D>&, const BoxOf<D>&, Filter);                       \
  template JUXTA_API QueryResult visit(const BasicLayer<D>&, const BoxOf<D>&,                                \
                                       FunctionRef<bool(std::uint32_t)>, Filter);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
