// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "world.h"

#include <array>
#include <string>

#include "choice.h"
#include "numbers.h"
#include "outputs.h"

namespace juxta::python {
namespace {

constexpr std::array<Choice<Edge>, 3> kEdges{
    {{"open", Edge::kOpen}, {"wall", Edge::kWall}, {"periodic", Edge::kPeriodic}}};

std::array<Edge, 3> edges_of(py::handle edges, std::uint32_t dimensions) {
  std::array<Edge, 3> all{};
  if (py::isinstance<py::str>(edges)) {
    all.fill(choice_of(edges, "edges", kEdges));
    return all;
  }
  if (!py::isinstance<py::sequence>(edges) || py::len(edges) != dimensions) {
    raise_value("edges is " + std::string(py::repr(edges)) + ". Give one word, or one for each axis");
  }
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    all[axis] = choice_of(edges[py::int_(axis)], "edges", kEdges);
  }
  return all;
}

/// One number for all axes, or one for each. None: 0.
Vec3 corner_of(py::handle value, const char* name, std::uint32_t dimensions) {
  Vec3 corner;
  if (value.is_none()) {
    return corner;
  }
  const Numbers<float> numbers(value, name);
  if (numbers.ndim() > 1 || (numbers.ndim() == 1 && numbers.shape(0) != dimensions)) {
    numbers.refuse_shape("Give one number, or one for each axis");
  }
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    corner[axis] = numbers.data()[numbers.ndim() == 0 ? 0 : axis];
  }
  return corner;
}

}  // namespace

World world_of(py::handle lo, py::handle hi, py::handle edges, std::uint32_t dimensions) {
  return {.dimensions = dimensions,
          .edges = edges_of(edges, dimensions),
          .lo = corner_of(lo, "lo", dimensions),
          .hi = corner_of(hi, "hi", dimensions)};
}

py::tuple edge_words(const World& world) {
  py::tuple words(world.dimensions);
  for (std::size_t axis = 0; axis < world.dimensions; ++axis) {
    words[axis] = py::str(word_of(world.edges[axis], kEdges));
  }
  return words;
}

py::array corner_array(const Vec3& corner, std::uint32_t dimensions) {
  return array_of(std::span<const float>(corner.begin(), dimensions));
}

}  // namespace juxta::python
