// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Layer: what boxes touch, what frustums see.
#include "juxta/layer/query.h"

#include <algorithm>
#include <string>
#include <vector>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "juxta/layer/frustum.h"
#include "layer_object.h"
#include "layer_query_docs.h"
#include "options.h"
#include "outputs.h"
#include "scratch.h"

namespace juxta::python {
namespace {

std::size_t capacity_of(const LayerObject& self) {
  return with_layer(self, [](const auto& layer) { return layer.capacity(); });
}

py::object query(const LayerObject& self, const py::object& input, const py::object& skip,
                 const py::object& only, const py::object& category, const py::object& mask, bool sorted,
                 const py::object& dtype, const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const BoxesIn<float> boxes(input, "boxes", self.dims());
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  const IndexType type = index_type_of(dtype);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    if (boxes.single()) {
      const QueryOptions options = narrowing.one();
      return scratch_indices(type, sorted, [&](std::span<std::uint32_t> out) {
        return find_all(layer, boxes.as<D>()[0], out, options);
      });
    }
    Call call(threads, progress);
    const BatchOptions options = narrowing.many(boxes.count(), sorted);
    const QueryOptions filter{.filter = options.filter};
    return pair_batches(
        call, boxes.count(), "query", type,
        [&](std::size_t first, std::size_t last, std::span<Pair> out, const Context& context) {
          return find_all(layer, boxes.as<D>().subspan(first, last - first), out,
                          Narrowing::part(options, first, last), context);
        },
        [&](std::size_t i) { return juxta::count(layer, boxes.as<D>()[i], filter); });
  });
}

py::object find_any(const LayerObject& self, const py::object& input, const py::object& skip,
                    const py::object& only, const py::object& category, const py::object& mask,
                    const py::object& dtype, const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const BoxesIn<float> boxes(input, "boxes", self.dims());
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  const IndexType type = index_type_of(dtype);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    if (boxes.single()) {
      const QueryOptions options = narrowing.one();
      return index_of(Call::released([&] { return juxta::find_any(layer, boxes.as<D>()[0], options); }));
    }
    Call call(threads, progress);
    const BatchOptions options = narrowing.many(boxes.count());
    Buffer<std::uint32_t> out;
    out.resize(boxes.count());
    call.run_ranges(boxes.count(), "find_any",
                    [&](const Context& context, std::size_t first, std::size_t last) {
                      return juxta::find_any(layer, boxes.as<D>().subspan(first, last - first),
                                             out.span().subspan(first, last - first),
                                             Narrowing::part(options, first, last), context);
                    });
    return index_row(std::move(out), type, call.executor());
  });
}

template <int D>
py::object first_of_many(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes, std::size_t most,
                         const BatchOptions& options, IndexType type, Call& call) {
  Buffer<std::uint32_t> out, counts;
  if (most != 0 && boxes.size() > static_cast<std::size_t>(-1) / 16 / most) {
    throw std::bad_alloc();
  }
  out.resize(boxes.size() * most);
  counts.resize(boxes.size());
  call.run_ranges(
      boxes.size(), "find_first", [&](const Context& context, std::size_t first, std::size_t last) {
        const std::size_t count = last - first;
        auto found = juxta::find_first(
            layer, boxes.subspan(first, count), most, out.span().subspan(first * most, count * most),
            counts.span().subspan(first, count), Narrowing::part(options, first, last), context);
        for (std::size_t i = first; found && i < last; ++i) {
          std::ranges::fill(out.span().subspan(i * most, most).subspan(counts.span()[i]), kNoBody);
        }
        return found;
      });
  return index_array(std::move(out), boxes.size(), type, call.executor());
}

py::object find_first(const LayerObject& self, const py::object& input, const py::object& limit,
                      const py::object& skip, const py::object& only, const py::object& category,
                      const py::object& mask, const py::object& dtype, const py::object& threads,
                      const py::object& progress) {
  const Reading reading(self);
  const BoxesIn<float> boxes(input, "boxes", self.dims());
  const std::size_t most = std::min(size_of(limit, "most"), capacity_of(self));
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  const IndexType type = index_type_of(dtype);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    if (boxes.single()) {
      const QueryOptions options = narrowing.one();
      Buffer<std::uint32_t> out(most);
      const QueryResult found =
          Call::released([&] { return juxta::find_first(layer, boxes.as<D>()[0], out.rest(), options); });
      out.resize(found.written);
      return index_array(out.span(), type);
    }
    Call call(threads, progress);
    return first_of_many<D>(layer, boxes.as<D>(), most, narrowing.many(boxes.count()), type, call);
  });
}

py::object count(const LayerObject& self, const py::object& input, const py::object& skip,
                 const py::object& only, const py::object& category, const py::object& mask,
                 const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const BoxesIn<float> boxes(input, "boxes", self.dims());
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    if (boxes.single()) {
      const QueryOptions options = narrowing.one();
      return py::int_(Call::released([&] { return juxta::count(layer, boxes.as<D>()[0], options); }));
    }
    Call call(threads, progress);
    const BatchOptions options = narrowing.many(boxes.count());
    Buffer<std::uint32_t> out;
    out.resize(boxes.count());
    call.run_ranges(boxes.count(), "count", [&](const Context& context, std::size_t first, std::size_t last) {
      return juxta::count(layer, boxes.as<D>().subspan(first, last - first),
                          out.span().subspan(first, last - first), Narrowing::part(options, first, last),
                          context);
    });
    return index_array(std::span<const std::uint32_t>(out.span()), IndexType::kIntp);
  });
}

// Planes: (p, D + 1), or (f, p, D + 1) for several frustums.
py::object in_frustum(const LayerObject& self, const py::object& input, const py::object& skip,
                      const py::object& only, const py::object& category, const py::object& mask, bool sorted,
                      const py::object& dtype, const py::object& threads) {
  const Reading reading(self);
  const Numbers<float> planes(input, "planes");
  const auto width = static_cast<std::size_t>(self.dims() + 1);
  if (planes.ndim() < 2 || planes.ndim() > 3 || planes.shape(-1) != width) {
    planes.refuse_shape(
        "Planes are (p, D + 1) for one frustum or (f, p, D + 1) for several: a normal and an "
        "offset each; with D = " +
        std::to_string(self.dims()));
  }
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  const IndexType type = index_type_of(dtype);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    const std::span<const Plane<D>> all{reinterpret_cast<const Plane<D>*>(planes.data()),
                                        planes.size() / width};
    if (planes.ndim() == 2) {
      const QueryOptions options = narrowing.one();
      return scratch_indices(type, sorted, [&](std::span<std::uint32_t> out) {
        return find_in_frustum(layer, all, out, options);
      });
    }
    Call call(threads, py::none());
    const std::size_t count = planes.shape(0), of_each = planes.shape(1);
    std::vector<std::span<const Plane<D>>> frustums(count);
    for (std::size_t i = 0; i < count; ++i) {
      frustums[i] = all.subspan(i * of_each, of_each);
    }
    const BatchOptions options = narrowing.many(count, sorted);
    const QueryOptions filter{.filter = options.filter};
    return pair_batches(
        call, count, "in_frustum", type,
        [&](std::size_t first, std::size_t last, std::span<Pair> out, const Context& context) {
          return find_in_frustum(
              layer, std::span<const std::span<const Plane<D>>>(frustums).subspan(first, last - first), out,
              Narrowing::part(options, first, last), context);
        },
        [&](std::size_t i) { return find_in_frustum(layer, frustums[i], {}, filter).found; });
  });
}

}  // namespace

void bind_layer_queries(py::class_<LayerObject>& layer) {
  using py::arg;
  const auto none = py::none();
  layer
      .def("query", &query, arg("boxes"), py::kw_only(), arg("skip") = none, arg("only") = none,
           arg("category") = none, arg("mask") = none, arg("sorted") = false, arg("dtype") = none,
           arg("threads") = none, arg("progress") = none, docs::kLayerQuery)
      .def("find_any", &find_any, arg("boxes"), py::kw_only(), arg("skip") = none, arg("only") = none,
           arg("category") = none, arg("mask") = none, arg("dtype") = none, arg("threads") = none,
           arg("progress") = none, docs::kLayerFindAny)
      .def("find_first", &find_first, arg("boxes"), arg("most"), py::kw_only(), arg("skip") = none,
           arg("only") = none, arg("category") = none, arg("mask") = none, arg("dtype") = none,
           arg("threads") = none, arg("progress") = none, docs::kLayerFindFirst)
      .def("count", &count, arg("boxes"), py::kw_only(), arg("skip") = none, arg("only") = none,
           arg("category") = none, arg("mask") = none, arg("threads") = none, arg("progress") = none,
           docs::kLayerCount)
      .def("in_frustum", &in_frustum, arg("planes"), py::kw_only(), arg("skip") = none, arg("only") = none,
           arg("category") = none, arg("mask") = none, arg("sorted") = false, arg("dtype") = none,
           arg("threads") = none, docs::kLayerInFrustum);
}

}  // namespace juxta::python
