// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Nodes of a hierarchy as a caller describes them.
#include <limits>
#include <string>

#include "errors.h"
#include "hierarchy_object.h"

namespace juxta::python {
namespace {

// None stands for a stretch of 1.
py::object stretch_or_one(py::handle stretch) {
  return stretch.is_none() ? py::object(py::make_tuple(1.0, 1.0, 1.0))
                           : py::reinterpret_borrow<py::object>(stretch);
}

}  // namespace

void check_of_nodes(const Numbers<float>& numbers, std::size_t width, std::size_t count) {
  const int axes = width == 0 ? 0 : 1;
  const bool one = numbers.ndim() == axes;
  const bool many = numbers.ndim() == axes + 1 && numbers.shape(0) == count;
  if ((!one && !many) || (width != 0 && numbers.shape(-1) != width)) {
    numbers.refuse_shape("Give " +
                         (width == 0 ? std::string("one number") : std::to_string(width) + " numbers") +
                         " for all, or for each of the " + std::to_string(count) + " nodes");
  }
}

py::array_t<std::int32_t> contexts_of(py::handle value, std::size_t count) {
  const py::array array = array_of_numbers(value, "context");
  const char kind = array.dtype().kind();
  if (kind == 'f') {
    raise_type("context holds " + std::string(py::str(py::handle(array.dtype()))) + "; give whole numbers");
  }
  if (array.ndim() > 1 || (array.ndim() == 1 && static_cast<std::size_t>(array.shape(0)) != count)) {
    raise_value("context has shape " + shape_text(array) + ". Give one number, or one for each of the " +
                std::to_string(count) + " nodes");
  }
  using Limits = std::numeric_limits<std::int32_t>;
  if (array.size() != 0 && array.itemsize() > 4 &&
      (array.attr("min")().attr("__lt__")(Limits::min()).cast<bool>() ||
       array.attr("max")().attr("__gt__")(Limits::max()).cast<bool>())) {
    raise_value("context holds numbers that do not fit into 32 bits");
  }
  return Packed<std::int32_t>(array);
}

Inherit inherit_of(std::uint32_t flags) {
  constexpr std::uint32_t kAll = (1U << 9) - 1;
  if ((flags & ~kAll) != 0) {
    raise_value("inherit is " + std::to_string(flags) + ". Combine flags of juxta.Inherit");
  }
  return static_cast<Inherit>(flags);
}

NodeOptionsIn::NodeOptionsIn(py::handle stretch, py::handle context, py::handle inherit, std::size_t count)
    : stretch_(stretch_or_one(stretch), "stretch"),
      context_(contexts_of(context, count)),
      inherit_(inherit, "inherit") {
  check_of_nodes(stretch_, 3, count);
  if (inherit_.ndim() > 1 || (inherit_.ndim() == 1 && inherit_.shape(0) != count)) {
    inherit_.refuse_shape("Give one, or one for each of the " + std::to_string(count) + " nodes");
  }
  for (const std::uint32_t flags : inherit_.span()) {
    (void)inherit_of(flags);
  }
}

NodeOptions NodeOptionsIn::of(std::size_t i) const {
  const float* const stretch = stretch_.data() + (stretch_.ndim() == 1 ? 0 : 3 * i);
  return {.stretch = {stretch[0], stretch[1], stretch[2]},
          .context = context_.data()[context_.ndim() == 0 ? 0 : i],
          .inherit = static_cast<Inherit>(inherit_.data()[inherit_.ndim() == 0 ? 0 : i])};
}

std::vector<NodeDescription> nodes_of(py::handle local_in, py::handle parents_in, py::handle stretch,
                                      py::handle context, py::handle inherit) {
  const TransformsIn<LocalTransform> local(local_in, "local");
  const Numbers<std::uint32_t> parents(parents_in, "parents");
  if (parents.ndim() != 1) {
    parents.refuse_shape(
        "Give one number for each node, (n,): the place of its parent in the list; -1: none");
  }
  const std::size_t count = parents.shape(0);
  local.check_count(count, "nodes");
  const NodeOptionsIn options(stretch, context, inherit, count);
  std::vector<NodeDescription> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const NodeOptions one = options.of(i);
    nodes[i] = {.local = local.of(i),
                .parent = parents.data()[i],
                .stretch = one.stretch,
                .context = one.context,
                .inherit = one.inherit};
  }
  return nodes;
}

}  // namespace juxta::python
