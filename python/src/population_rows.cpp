// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents of juxta.Population: who is there, births and deaths.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "agents_docs.h"
#include "agents_object.h"
#include "bind.h"
#include "call.h"
#include "errors.h"
#include "ids.h"
#include "numbers.h"
#include "outputs.h"

namespace juxta::python {
namespace {

py::array ids_from(const Population& population, std::size_t first) {
  auto out = new_array<std::uint64_t>(population.size() - first);
  std::uint64_t* to = out.mutable_data();
  for (std::size_t row = first; row < population.size(); ++row) {
    *to++ = number_of(population.id_of(static_cast<std::uint32_t>(row)));
  }
  return out;
}

py::object rows_of(const PopulationObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Using<Reading> held(self);
  return ids.map<py::ssize_t>([&](Id id) {
    return static_cast<py::ssize_t>(self.of->row_of(id)
                                        .map([](std::uint32_t row) { return static_cast<std::int64_t>(row); })
                                        .value_or(-1));
  });
}

py::object alive(const PopulationObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Using<Reading> held(self);
  return ids.map<bool>([&](Id id) { return self.of->alive(id); });
}

/// How many agents the arrays are for: `count`, or the length of the first array.
std::size_t count_of(const py::object& count, const std::vector<ColumnValues>& columns) {
  if (!count.is_none()) {
    return size_of(count, "count");
  }
  const auto array =
      std::ranges::find_if(columns, [](const ColumnValues& one) { return one.values.ndim() == 1; });
  return array == columns.end() ? 1 : static_cast<std::size_t>(array->values.shape(0));
}

py::array insert(PopulationObject& self, const py::object& count, const py::kwargs& values) {
  std::vector<ColumnValues> columns;
  for (const auto& [name, value] : values) {
    columns.emplace_back(py::cast<std::string>(name), value);
  }
  const std::size_t agents = count_of(count, columns);
  const Using<Writing> held(self);
  std::vector<ColumnWriter> writers;
  for (const ColumnValues& column : columns) {
    writers.emplace_back(*self.of, column, agents);
  }
  const std::uint32_t first = unwrap(Call::released([&] { return self.of->insert(agents); }));
  for (const ColumnWriter& writer : writers) {
    writer.write(*self.of, first);
  }
  return ids_from(*self.of, first);
}

/// Rows as a caller names them: one, several, or a mask of all.
class RowsIn {
 public:
  explicit RowsIn(py::handle value) {
    const py::array array = array_of_numbers(value, "rows");
    if (array.ndim() > 1) {
      raise_value("rows has shape " + shape_text(array) + ". Give a row, some rows, or a mask (n,) of bool");
    }
    if (array.ndim() == 1 && array.dtype().kind() == 'b') {
      mask_ = py::array_t<bool, py::array::c_style | py::array::forcecast>(array);
    } else if (array.size() > 0 || array.dtype().kind() != 'f') {  // NumPy makes [] an array of float64
      rows_.emplace(value, "rows");
    }
  }
  RowsIn(const RowsIn&) = delete;
  RowsIn& operator=(const RowsIn&) = delete;

  /// The rows; all of them are there. Raises ValueError.
  [[nodiscard]] std::vector<std::uint32_t> of(const Population& population) const {
    std::vector<std::uint32_t> rows;
    if (mask_) {
      if (static_cast<std::size_t>(mask_->size()) != population.size()) {
        raise_value("the mask is " + std::to_string(mask_->size()) + " long, and the population " +
                    std::to_string(population.size()));
      }
      for (std::uint32_t row = 0; row < population.size(); ++row) {
        if (mask_->data()[row]) {
          rows.push_back(row);
        }
      }
    } else if (rows_) {
      rows.assign(rows_->span().begin(), rows_->span().end());
      const auto wrong =
          std::ranges::find_if(rows, [&](std::uint32_t row) { return row >= population.size(); });
      if (wrong != rows.end()) {
        raise(Error{.code = ErrorCode::kInvalidArgument,
                    .message = "no agent stands in row " + std::to_string(*wrong),
                    .index = static_cast<std::uint64_t>(wrong - rows.begin())});
      }
    }
    return rows;
  }

 private:
  std::optional<py::array_t<bool>> mask_;
  std::optional<Numbers<std::uint32_t>> rows_;
};

void spawn(PopulationObject& self, const py::object& count) {
  const std::size_t agents = size_of(count, "count");
  const Using<Writing> held(self);
  if (agents > Population::kNoRow) {
    raise(Error{.code = ErrorCode::kTooLarge, .message = "a population has at most 2^32 - 2 agents"});
  }
  for (std::size_t i = 0; i < agents; ++i) {
    self.of->changes().spawn();
  }
}
void spawn_like(PopulationObject& self, const py::object& parents) {
  const RowsIn rows(parents);
  const Using<Writing> held(self);
  for (const std::uint32_t row : rows.of(*self.of)) {
    self.of->changes().spawn_like(row);
  }
}
void kill(PopulationObject& self, const py::object& doomed) {
  const RowsIn rows(doomed);
  const Using<Writing> held(self);
  for (const std::uint32_t row : rows.of(*self.of)) {
    self.of->changes().kill(row);
  }
}

template <class Read>
auto reading(Read&& read) {
  return [read](const PopulationObject& self) {
    const Using<Reading> held(self);
    return read(*self.of);
  };
}

}  // namespace

void bind_population_rows(py::class_<PopulationObject>& population) {
  using py::arg;
  population.def("insert", &insert, arg("count") = py::none(), docs::kPopulationInsert)
      .def("spawn", &spawn, arg("count") = 1, docs::kPopulationSpawn)
      .def("spawn_like", &spawn_like, arg("rows"), docs::kPopulationSpawnLike)
      .def("kill", &kill, arg("rows"), docs::kPopulationKill)
      .def("rows", &rows_of, arg("ids"), docs::kPopulationRows)
      .def("alive", &alive, arg("ids"), docs::kPopulationAlive)
      .def_property_readonly("ids", reading([](const Population& of) { return ids_from(of, 0); }),
                             docs::kPopulationIds)
      .def_property_readonly("name", reading([](const Population& of) { return std::string(of.name()); }),
                             docs::kPopulationName)
      .def_property_readonly("memory_bytes", reading([](const Population& of) { return of.memory_bytes(); }),
                             docs::kPopulationMemoryBytes)
      .def("__len__", reading([](const Population& of) { return of.size(); }))
      .def("__repr__", reading([](const Population& of) {
             return "<juxta.Population '" + std::string(of.name()) + "' of " + std::to_string(of.size()) +
                    " agents>";
           }));
}

}  // namespace juxta::python
