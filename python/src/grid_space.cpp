// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.GridSpace: agents in the cells of a grid.
#include "juxta/grid/grid_space.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "call.h"
#include "choice.h"
#include "grid_space_docs.h"
#include "guard.h"
#include "juxta/core/kept_memory.h"
#include "juxta/core/try.h"
#include "numbers.h"
#include "outputs.h"
#include "world.h"

namespace juxta::python {
namespace {

static_assert(GridSpace::kNoCell == kNoBody && GridSpace::kNoRow == kNoBody);  // -1 in Python

constexpr std::array<Choice<CellHolds>, 2> kHolds{{{"one", CellHolds::kOne}, {"many", CellHolds::kMany}}};
constexpr std::array<Choice<NearShape>, 2> kShapes{
    {{"moore", NearShape::kMoore}, {"von_neumann", NearShape::kVonNeumann}}};

struct SpaceObject : Guarded {
  explicit SpaceObject(GridSpace made) : space(std::move(made)) {}
  GridSpace space;
};

/// A whole number; what is larger than any that makes sense becomes the largest.
std::uint32_t word_from(py::handle value, const char* name) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(size_of(value, name), UINT32_MAX));
}
std::uint32_t cell_from(py::handle value) {
  const Numbers<std::uint32_t> cell(value, "cell");
  if (cell.ndim() != 0) {
    cell.refuse_shape("Give the number of one cell");
  }
  return cell.data()[0];
}

/// One number of a key, below 2^64 or, as step and purpose, 2^32.
std::uint64_t part_of_key(py::handle value, const char* name, std::uint64_t most) {
  const Numbers<std::uint64_t> part(value, name);
  if (part.ndim() != 0 || part.data()[0] > most) {
    raise_value(std::string(name) + " has " + std::string(py::repr(value)) +
                " in it. Give a seed below 2**64, or (seed, step, purpose), the last two below 2**32");
  }
  return part.data()[0];
}
RandomKey key_of(py::handle key, const char* name) {
  if (!is_tuple(key)) {
    return {.seed = part_of_key(key, name, UINT64_MAX)};
  }
  const auto parts = py::reinterpret_borrow<py::tuple>(key);
  if (parts.size() != 3) {
    raise_value(std::string(name) + " is " + std::string(py::repr(key)) +
                ". Give a seed, or (seed, step, purpose)");
  }
  return {.seed = part_of_key(parts[0], name, UINT64_MAX),
          .step = static_cast<std::uint32_t>(part_of_key(parts[1], name, UINT32_MAX)),
          .purpose = static_cast<std::uint32_t>(part_of_key(parts[2], name, UINT32_MAX))};
}

/// One row or cell, or many.
class Several {
 public:
  Several(py::handle value, const char* name) : numbers_(value, name) {
    if (numbers_.ndim() > 1) {
      numbers_.refuse_shape("Give one number, or an array (n,)");
    }
    if (py::isinstance<py::array>(value) && py::reinterpret_borrow<py::array>(value).dtype().kind() == 'b') {
      raise_type(std::string(name) + " holds bool; give numbers, such as np.flatnonzero() of it");
    }
  }
  /// One for all of `rows`, or one for each. Raises ValueError.
  void check_for(const Several& rows) const {
    if (!single() && (rows.single() || count() != rows.count())) {
      numbers_.refuse_shape("Give one number, or one for each of the " + std::to_string(rows.count()) +
                            " rows");
    }
  }
  [[nodiscard]] bool single() const noexcept { return numbers_.ndim() == 0; }
  [[nodiscard]] std::size_t count() const noexcept { return numbers_.size(); }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept {
    return numbers_.data()[single() ? 0 : i];
  }

 private:
  Numbers<std::uint32_t> numbers_;
};

constexpr std::intptr_t number_from(std::uint32_t word) noexcept {
  return word == kNoBody ? -1 : static_cast<std::intptr_t>(word);
}

/// of(number) of each, a Result: without the GIL, in their order, up to the first error.
template <class Of>
py::object map(const Several& numbers, Of&& of) {
  auto out = new_array<std::intptr_t>(numbers.count());
  std::intptr_t* const to = out.mutable_data();
  unwrap(Call::released([&]() -> Result<void> {
    for (std::size_t i = 0; i < numbers.count(); ++i) {
      JUXTA_TRY_LET(const std::uint32_t word, of(numbers[i]));
      to[i] = number_from(word);
    }
    return {};
  }));
  return numbers.single() ? py::object(py::int_(to[0])) : py::object(std::move(out));
}

/// The same, of a function of the space that cannot fail.
template <class Of>
auto reading_each(const char* name, Of of) {
  return [name, of](const SpaceObject& self, const py::object& given) {
    const Several numbers(given, name);
    const Reading reading(self);
    return map(numbers, [&](std::uint32_t n) -> Result<std::uint32_t> { return of(self.space, n); });
  };
}

/// change(i) for each row, in their order, up to the first error.
template <class Change>
void change_each(SpaceObject& self, const Several& rows, Change&& change) {
  const Writing writing(self);
  unwrap(Call::released([&]() -> Result<void> {
    for (std::size_t i = 0; i < rows.count(); ++i) {
      JUXTA_TRY(change(i));
    }
    return {};
  }));
}

Error no_such_kind(std::uint32_t row, std::uint32_t kind) {
  return {.code = ErrorCode::kInvalidArgument,
          .message =
              "row " + std::to_string(row) + " is of kind " + std::to_string(kind) + ", which is not there",
          .index = row};
}

/// kinds= of rebuild(), a byte each, copied.
std::vector<std::uint8_t> kinds_from(const py::object& given) {
  if (py::isinstance<py::array_t<std::uint8_t>>(given)) {
    const Packed<std::uint8_t> bytes(given);
    if (bytes.ndim() == 1) {
      return {bytes.data(), bytes.data() + bytes.size()};
    }
  }
  const Numbers<std::uint32_t> words(given, "kinds");
  if (words.ndim() != 1) {
    words.refuse_shape("Give an array (n,)");
  }
  std::vector<std::uint8_t> kinds(words.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::uint32_t kind = words.data()[i];
    if (kind > UINT8_MAX) {
      raise(no_such_kind(static_cast<std::uint32_t>(i), kind));
    }
    kinds[i] = static_cast<std::uint8_t>(kind);
  }
  return kinds;
}

std::unique_ptr<SpaceObject> build(const py::object& cells, const py::object& edges, const py::object& holds,
                                   const py::object& kinds, const py::object& radius,
                                   const py::object& near) {
  const Numbers<std::uint32_t> counts(cells, "cells");
  if (counts.ndim() != 1 || (counts.size() != 2 && counts.size() != 3)) {
    counts.refuse_shape("Give how many there are along x, y and, in 3D, z");
  }
  GridSpaceOptions options{
      .holds = choice_of(holds, "holds", kHolds),
      .kinds = word_from(kinds, "kinds"),
      .near = {.radius = word_from(radius, "radius"), .shape = choice_of(near, "near", kShapes)}};
  const auto dimensions = static_cast<std::uint32_t>(counts.size());
  const World world = world_of(py::none(), py::none(), edges, dimensions);
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    options.grid.cells[axis] = counts.data()[axis];
    options.grid.edges[axis] = world.edges[axis];
  }
  return std::make_unique<SpaceObject>(unwrap(GridSpace::build(options, kept_memory_resource())));
}

/// Copies the columns: a thread that writes to the arrays meanwhile must not change what was checked.
void rebuild(SpaceObject& self, const py::object& x, const py::object& y, const py::object& z,
             const py::object& kinds) {
  constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};
  const std::array<py::object, 3> given = {x, y, z};
  std::array<std::vector<float>, 3> at;
  for (std::size_t axis = 0; axis < (z.is_none() ? 2U : 3U); ++axis) {
    const Numbers<float> column(given[axis], kNames[axis]);
    if (column.ndim() != 1) {
      column.refuse_shape("Give an array (n,)");
    }
    at[axis].assign(column.data(), column.data() + column.size());
  }
  const std::vector<std::uint8_t> of_kind = kinds.is_none() ? std::vector<std::uint8_t>() : kinds_from(kinds);
  const Writing writing(self);
  unwrap(Call::released([&] { return self.space.rebuild(at[0], at[1], at[2], of_kind); }));
}

void insert(SpaceObject& self, const py::object& given_rows, const py::object& given_cells,
            const py::object& given_kinds) {
  const Several rows(given_rows, "rows"), cells(given_cells, "cells"), kinds(given_kinds, "kinds");
  cells.check_for(rows);
  kinds.check_for(rows);
  change_each(self, rows, [&](std::size_t i) -> Result<void> {
    if (kinds[i] > UINT8_MAX) {
      return tl::unexpected(no_such_kind(rows[i], kinds[i]));
    }
    return self.space.insert(rows[i], cells[i], static_cast<std::uint8_t>(kinds[i]));
  });
}
void remove(SpaceObject& self, const py::object& given_rows) {
  const Several rows(given_rows, "rows");
  change_each(self, rows, [&](std::size_t i) { return self.space.remove(rows[i]); });
}
void move(SpaceObject& self, const py::object& given_rows, const py::object& given_cells) {
  const Several rows(given_rows, "rows"), cells(given_cells, "cells");
  cells.check_for(rows);
  change_each(self, rows, [&](std::size_t i) { return self.space.move(rows[i], cells[i]); });
}
py::object move_to_free(SpaceObject& self, const py::object& given_rows, const py::object& given_key) {
  const Several rows(given_rows, "rows");
  const RandomKey key = key_of(given_key, "key");
  const Writing writing(self);
  return map(rows, [&](std::uint32_t row) { return self.space.move_to_free(row, key); });
}
py::array move_below(SpaceObject& self, const py::object& enough, const py::object& order_key,
                     const py::object& draw_key) {
  const std::uint32_t least = word_from(enough, "enough");
  const RandomKey order = key_of(order_key, "order_key"), draws = key_of(draw_key, "draw_key");
  const Writing writing(self);
  return index_array(unwrap(Call::released([&] { return self.space.move_below(least, order, draws); })),
                     IndexType::kIntp);
}

py::object count_near(const SpaceObject& self, const py::object& given_cells, const py::object& given_kind) {
  const Several cells(given_cells, "cells");
  const std::uint32_t kind = word_from(given_kind, "kind");
  const Reading reading(self);
  return map(cells, [&](std::uint32_t cell) -> Result<std::uint32_t> {
    return kind > UINT8_MAX ? 0 : self.space.count_near(cell, static_cast<std::uint8_t>(kind));
  });
}
py::array agents_in(const SpaceObject& self, const py::object& given_cell) {
  const std::uint32_t cell = cell_from(given_cell);
  std::vector<std::uint32_t> rows;
  const Reading reading(self);
  Call::released([&] { self.space.visit_in(cell, [&](std::uint32_t row) { rows.push_back(row); }); });
  return index_array(rows, IndexType::kIntp);
}
py::array agents_near(const SpaceObject& self, const py::object& given_cell, const py::object& given_radius,
                      const py::object& given_near) {
  const std::uint32_t cell = cell_from(given_cell);
  std::optional<std::uint32_t> radius;
  std::optional<NearShape> shape;
  if (!given_radius.is_none()) {
    radius = word_from(given_radius, "radius");
  }
  if (!given_near.is_none()) {
    shape = choice_of(given_near, "near", kShapes);
  }
  std::vector<std::uint32_t> rows;
  const Reading reading(self);
  const Neighbourhood own = self.space.options().near;
  const Neighbourhood near{.radius = radius.value_or(own.radius), .shape = shape.value_or(own.shape)};
  Call::released([&] { self.space.visit_near(cell, near, [&](std::uint32_t row) { rows.push_back(row); }); });
  return index_array(rows, IndexType::kIntp);
}
py::object free_cell(const SpaceObject& self, const py::object& given_key, const py::object& given_ids) {
  const RandomKey key = key_of(given_key, "key");
  const Several ids(given_ids, "ids");
  const Reading reading(self);
  return map(ids, [&](std::uint32_t id) { return self.space.free_cell(key, id); });
}
py::object nearest_free(const SpaceObject& self, const py::object& given_cells) {
  const Several cells(given_cells, "cells");
  const Reading reading(self);
  return map(cells, [&](std::uint32_t cell) { return self.space.nearest_free(cell); });
}

py::tuple cells_of(const GridSpace& space) {
  py::tuple counts(space.grid().world().dimensions);
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    counts[axis] = py::int_(space.grid().cells[axis]);
  }
  return counts;
}
std::string text(const GridSpace& space) {
  std::string text = "<juxta.GridSpace of ";
  for (std::uint32_t axis = 0; axis < space.grid().world().dimensions; ++axis) {
    text += (axis == 0 ? "" : " x ") + std::to_string(space.grid().cells[axis]);
  }
  return text + " cells, " + std::to_string(space.size()) + (space.size() == 1 ? " agent>" : " agents>");
}

template <class Read>
auto reading(Read read) {
  return [read](const SpaceObject& self) {
    const Reading held(self);
    return read(self.space);
  };
}

void bind_properties(py::class_<SpaceObject>& space) {
  const auto property = [&](const char* name, auto read, const char* doc) {
    space.def_property_readonly(name, reading(read), doc);
  };
  property("cells", &cells_of, docs::kGridSpaceCells);
  property(
      "dimensions", [](const GridSpace& s) { return s.grid().world().dimensions; },
      docs::kGridSpaceDimensions);
  property(
      "edges", [](const GridSpace& s) { return edge_words(s.grid().world()); }, docs::kGridSpaceEdges);
  property(
      "holds", [](const GridSpace& s) { return py::str(word_of(s.options().holds, kHolds)); },
      docs::kGridSpaceHolds);
  property(
      "kinds", [](const GridSpace& s) { return s.options().kinds; }, docs::kGridSpaceKinds);
  property(
      "radius", [](const GridSpace& s) { return s.options().near.radius; }, docs::kGridSpaceRadius);
  property(
      "near", [](const GridSpace& s) { return py::str(word_of(s.options().near.shape, kShapes)); },
      docs::kGridSpaceNear);
  property(
      "free_count", [](const GridSpace& s) { return s.free_count(); }, docs::kGridSpaceFreeCount);
  property(
      "memory_bytes", [](const GridSpace& s) { return s.memory_bytes(); }, docs::kGridSpaceMemoryBytes);
  space.def("__len__", reading([](const GridSpace& s) { return s.size(); })).def("__repr__", reading(&text));
}

void bind_questions(py::class_<SpaceObject>& space) {
  using py::arg;
  const auto each = [&](const char* name, const char* of, auto ask, const char* doc) {
    space.def(name, reading_each(of, ask), arg(of), doc);
  };
  each(
      "cell_of", "rows", [](const GridSpace& s, std::uint32_t row) { return s.cell_of(row); },
      docs::kGridSpaceCellOf);
  each(
      "kind_of", "rows", [](const GridSpace& s, std::uint32_t row) { return s.kind_of(row); },
      docs::kGridSpaceKindOf);
  each(
      "alike", "rows", [](const GridSpace& s, std::uint32_t row) { return s.alike(row); },
      docs::kGridSpaceAlike);
  each(
      "unlike", "rows", [](const GridSpace& s, std::uint32_t row) { return s.unlike(row); },
      docs::kGridSpaceUnlike);
  each(
      "count_in", "cells", [](const GridSpace& s, std::uint32_t cell) { return s.count_in(cell); },
      docs::kGridSpaceCountIn);
  space.def("count_near", &count_near, arg("cells"), arg("kind"), docs::kGridSpaceCountNear)
      .def("agents_in", &agents_in, arg("cell"), docs::kGridSpaceAgentsIn)
      .def("agents_near", &agents_near, arg("cell"), py::kw_only(), arg("radius") = py::none(),
           arg("near") = py::none(), docs::kGridSpaceAgentsNear)
      .def("free_cell", &free_cell, arg("key"), arg("ids") = 0, docs::kGridSpaceFreeCell)
      .def("nearest_free", &nearest_free, arg("cells"), docs::kGridSpaceNearestFree);
}

}  // namespace

void bind_grid_space(py::module_& module) {
  using py::arg;
  py::class_<SpaceObject> space(module, "GridSpace", docs::kGridSpace);
  space
      .def(py::init(&build), arg("cells"), py::kw_only(), arg("edges") = "wall", arg("holds") = "one",
           arg("kinds") = 0, arg("radius") = 1, arg("near") = "moore", docs::kGridSpaceInit)
      .def("rebuild", &rebuild, arg("x"), arg("y"), arg("z") = py::none(), arg("kinds") = py::none(),
           docs::kGridSpaceRebuild)
      .def("insert", &insert, arg("rows"), arg("cells"), arg("kinds") = 0, docs::kGridSpaceInsert)
      .def("remove", &remove, arg("rows"), docs::kGridSpaceRemove)
      .def("move", &move, arg("rows"), arg("cells"), docs::kGridSpaceMove)
      .def("move_to_free", &move_to_free, arg("rows"), arg("key"), docs::kGridSpaceMoveToFree)
      .def("move_below", &move_below, arg("enough"), arg("order_key"), arg("draw_key"),
           docs::kGridSpaceMoveBelow);
  bind_questions(space);
  bind_properties(space);
}

}  // namespace juxta::python
