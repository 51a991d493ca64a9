// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Layer: boxes that move, come and go; what is known of single bodies.
#include <algorithm>
#include <string>
#include <vector>

#include "boxes.h"
#include "call.h"
#include "ids.h"
#include "layer_docs.h"
#include "layer_object.h"
#include "options.h"
#include "outputs.h"

namespace juxta::python {
namespace {

void refit(LayerObject& self, const py::object& input, const py::object& threads,
           const py::object& progress) {
  Call call(threads, progress);
  const Writing writing(self);
  const BoxesIn<float> boxes(input, "boxes", self.dims());
  if (boxes.single()) {
    raise_value("boxes is one box. refit() takes one for each body: (capacity, 2, D)");
  }
  call.run([&](const Context& context) {
    return with_layer(self, [&]<int D>(BasicLayer<D>& layer) { return layer.refit(boxes.as<D>(), context); });
  });
}

py::object insert(LayerObject& self, const py::object& input, const py::object& category,
                  const py::object& mask) {
  const Writing writing(self);
  const BoxesIn<float> boxes(input, "boxes", self.dims());
  const std::vector<Filter> filters = filters_of(category, mask, boxes.count());
  std::vector<Id> ids(boxes.count());
  unwrap(Call::released([&] {
    return with_layer(self,
                      [&]<int D>(BasicLayer<D>& layer) { return layer.insert(boxes.as<D>(), ids, filters); });
  }));
  return boxes.single() ? py::object(py::int_(number_of(ids[0]))) : py::object(id_array(ids));
}

// Every Id must be alive: then the calls below cannot fail half way.
template <int D>
void check_alive(const BasicLayer<D>& layer, const IdsIn& ids) {
  for (std::size_t i = 0; i < ids.count(); ++i) {
    if (!layer.alive(ids[i])) {
      raise(dead_id(ids[i], i, ids.single()));
    }
  }
}

template <int D>
void check_boxes(std::span<const Aabb<D>> boxes, bool single) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const bool finite = is_finite(boxes[i].lo) && is_finite(boxes[i].hi);
    if (finite && !boxes[i].empty()) {
      continue;
    }
    raise({.code = finite ? ErrorCode::kInvalidArgument : ErrorCode::kNotFinite,
           .message = "box " + std::to_string(i) + (finite ? " is inverted" : " is not finite") +
                      "; give finite boxes with lo <= hi",
           .index = single ? Error::kNowhere : i});
  }
}

void move(LayerObject& self, const py::object& names, const py::object& input) {
  const Writing writing(self);
  const IdsIn ids(names, "ids");
  const BoxesIn<float> boxes(input, "boxes", self.dims());
  if (ids.single() != boxes.single() || ids.count() != boxes.count()) {
    raise_value("ids names " + std::to_string(ids.count()) + " bodies, and there are " +
                std::to_string(boxes.count()) + " boxes. Give one box for each");
  }
  with_layer(self, [&]<int D>(BasicLayer<D>& layer) {
    check_alive(layer, ids);
    check_boxes<D>(boxes.as<D>(), boxes.single());
    unwrap(Call::released([&]() -> Result<void> {
      Result<void> done;
      for (std::size_t i = 0; done && i < ids.count(); ++i) {
        done = layer.move(ids[i], boxes.as<D>()[i]);
      }
      return done;
    }));
  });
}

void remove(LayerObject& self, const py::object& names) {
  const Writing writing(self);
  const IdsIn ids(names, "ids");
  ids.check_distinct();
  with_layer(self, [&](auto& layer) {
    check_alive(layer, ids);
    unwrap(Call::released([&]() -> Result<void> {
      Result<void> done;
      for (std::size_t i = 0; done && i < ids.count(); ++i) {
        done = layer.remove(ids[i]);
      }
      return done;
    }));
  });
}

void set_filter(LayerObject& self, const py::object& names, const py::object& category,
                const py::object& mask) {
  const Writing writing(self);
  const IdsIn ids(names, "ids");
  std::vector<Filter> filters = filters_of(category, mask, ids.count());
  filters.resize(ids.count());
  with_layer(self, [&](auto& layer) {
    check_alive(layer, ids);
    for (std::size_t i = 0; i < ids.count(); ++i) {
      unwrap(layer.set_filter(ids[i], filters[i]));
    }
  });
}

py::object alive(const LayerObject& self, const py::object& names) {
  const Reading reading(self);
  const IdsIn ids(names, "ids");
  return with_layer(self,
                    [&](const auto& layer) { return ids.map<bool>([&](Id id) { return layer.alive(id); }); });
}

py::object ids_of(const LayerObject& self, const py::object& numbers) {
  const Reading reading(self);
  const Numbers<std::uint32_t> bodies(numbers, "bodies");
  const auto id_of = [&](std::uint32_t body) {
    return with_layer(self, [&](const auto& layer) { return number_of(layer.id_of(body)); });
  };
  if (bodies.ndim() == 0) {
    return py::int_(id_of(bodies.data()[0]));
  }
  auto out = new_array<std::uint64_t>(bodies.size());
  std::transform(bodies.span().begin(), bodies.span().end(), out.mutable_data(), id_of);
  return out;
}

// Every living body when `numbers` is None, and then also their numbers.
std::vector<std::uint32_t> bodies_of(const LayerObject& self, const py::object& numbers) {
  std::vector<std::uint32_t> bodies;
  if (numbers.is_none()) {
    with_layer(self, [&](const auto& layer) {
      for (std::uint32_t body = 0; body < layer.capacity(); ++body) {
        if (layer.alive(layer.id_of(body))) {
          bodies.push_back(body);
        }
      }
    });
    return bodies;
  }
  const Numbers<std::uint32_t> given(numbers, "bodies");
  bodies.assign(given.span().begin(), given.span().end());
  return bodies;
}

py::object boxes_of(const LayerObject& self, const py::object& numbers) {
  const Reading reading(self);
  const std::vector<std::uint32_t> bodies = bodies_of(self, numbers);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    py::array_t<float> out({static_cast<py::ssize_t>(bodies.size()), py::ssize_t{2}, py::ssize_t{D}});
    auto* const boxes = reinterpret_cast<Aabb<D>*>(out.mutable_data());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      boxes[i] = unwrap(layer.box_of(bodies[i]));
    }
    return out;
  });
}

py::object filters_of_bodies(const LayerObject& self, const py::object& numbers) {
  const Reading reading(self);
  const std::vector<std::uint32_t> bodies = bodies_of(self, numbers);
  auto out = new_array<std::uint32_t>(bodies.size(), 2);
  auto* const filters = reinterpret_cast<Filter*>(out.mutable_data());
  with_layer(self, [&](const auto& layer) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      filters[i] = unwrap(layer.filter_of(bodies[i]));
    }
  });
  return out;
}

py::object living(const LayerObject& self) {
  const Reading reading(self);
  const std::vector<std::uint32_t> all = bodies_of(self, py::none());
  return index_array(all, IndexType::kIntp);
}

}  // namespace

void bind_layer_changes(py::class_<LayerObject>& layer) {
  using py::arg;
  const auto none = py::none();
  layer
      .def("refit", &refit, arg("boxes"), py::kw_only(), arg("threads") = none, arg("progress") = none,
           docs::kLayerRefit)
      .def("insert", &insert, arg("boxes"), py::kw_only(), arg("category") = none, arg("mask") = none,
           docs::kLayerInsert)
      .def("move", &move, arg("ids"), arg("boxes"), docs::kLayerMove)
      .def("remove", &remove, arg("ids"), docs::kLayerRemove)
      .def("set_filter", &set_filter, arg("ids"), py::kw_only(), arg("category") = none, arg("mask") = none,
           docs::kLayerSetFilter)
      .def("alive", &alive, arg("ids"), docs::kLayerAlive)
      .def("ids", &ids_of, arg("bodies"), docs::kLayerIds)
      .def("bodies", &living, docs::kLayerBodies)
      .def("boxes", &boxes_of, arg("bodies") = none, docs::kLayerBoxes)
      .def("filters", &filters_of_bodies, arg("bodies") = none, docs::kLayerFilters);
}

}  // namespace juxta::python
