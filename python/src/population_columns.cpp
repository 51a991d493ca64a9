// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns of juxta.Population: arrays in and out, by name. Always copies: sorting moves agents to other rows,
// and births move the columns, so that a view would show another agent, or no memory at all.
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "agents_docs.h"
#include "agents_object.h"
#include "errors.h"
#include "ids.h"
#include "numbers.h"
#include "outputs.h"

namespace juxta::python {
namespace {

template <class T>
struct Typed {
  using Value = T;
  ColumnKind kind;
  const char* word;
};

/// Calls use(Typed<T>) for the type of a kind of column. False: Python has none for it.
template <class F>
bool with_type(ColumnKind kind, F&& use) {
  switch (kind) {
    case ColumnKind::kFloat:
    case ColumnKind::kResult:
      use(Typed<float>{kind, "float32"});
      return true;
    case ColumnKind::kDouble:
      use(Typed<double>{kind, "float64"});
      return true;
    case ColumnKind::kInt:
      use(Typed<std::int32_t>{kind, "int32"});
      return true;
    case ColumnKind::kUnsigned:
      use(Typed<std::uint32_t>{kind, "uint32"});
      return true;
    case ColumnKind::kByte:
      use(Typed<std::uint8_t>{kind, "uint8"});
      return true;
    case ColumnKind::kReference:
      use(Typed<std::uint64_t>{kind, "uint64"});
      return true;
    case ColumnKind::kOther:
      break;
  }
  return false;
}

[[noreturn]] void refuse_kind(const std::string& name) {
  raise_type("the column '" + name + "' holds bytes of a type that only C++ knows");
}

/// Raises ValueError when a whole number does not fit, TypeError when they are not whole.
template <class T>
void check_integers(const py::array& values, const std::string& name) {
  const char kind = values.dtype().kind();
  if (kind == 'f') {
    raise_type("the column '" + name + "' holds whole numbers, not " + std::string(py::str(values.dtype())));
  }
  if (values.size() == 0) {
    return;
  }
  const py::int_ least(values.attr("min")()), greatest(values.attr("max")());
  if (least < py::int_(std::numeric_limits<T>::min()) || greatest > py::int_(std::numeric_limits<T>::max())) {
    raise_value("the column '" + name + "' holds whole numbers from " +
                std::to_string(std::numeric_limits<T>::min()) + " to " +
                std::to_string(std::numeric_limits<T>::max()));
  }
}

template <class T>
py::array packed_as(const py::array& values, const std::string& name) {
  if constexpr (std::is_integral_v<T>) {
    check_integers<T>(values, name);
  }
  return Packed<T>(values);
}

py::array read(const PopulationObject& self, const std::string& name) {
  const Using<Reading> held(self);
  const Population& population = *self.of;
  const std::uint32_t column = column_of(population, name);
  py::array out;
  const bool known = with_type(population.kind_of(column), [&]<class T>(Typed<T> type) {
    if (type.kind == ColumnKind::kReference) {
      out = id_array(population.read(Column<Id>{column}));
    } else {
      out = array_of(population.read(Column<T>{column}));
    }
  });
  if (!known) {
    refuse_kind(name);
  }
  return out;
}

void write(PopulationObject& self, const std::string& name, const py::object& value) {
  const ColumnValues values(name, value);
  const Using<Writing> held(self);
  const ColumnWriter writer(*self.of, values, self.of->size());
  writer.write(*self.of, 0);
}

void add_column(PopulationObject& self, const std::string& name, const py::object& initial,
                const py::object& dtype) {
  const ColumnValues values(name, initial);
  if (values.values.ndim() != 0) {
    raise_value("initial is an array. Give one number; write the column afterwards");
  }
  const py::dtype type = py::dtype::from_args(dtype);
  const Using<Writing> held(self);
  bool known = false;
  for (const ColumnKind kind : {ColumnKind::kFloat, ColumnKind::kDouble, ColumnKind::kInt,
                                ColumnKind::kUnsigned, ColumnKind::kByte}) {
    with_type(kind, [&]<class T>(Typed<T>) {
      if (type.equal(py::dtype::of<T>())) {
        known = true;
        const py::array packed = packed_as<T>(values.values, name);
        unwrap(self.of->add_column<T>(name, *static_cast<const T*>(packed.data())));
      }
    });
  }
  if (!known) {
    raise_type("dtype is " + std::string(py::str(static_cast<const py::object&>(type))) +
               ". Give float32, float64, int32, uint32 or uint8");
  }
}

void add_result(PopulationObject& self, const std::string& name) {
  const Using<Writing> held(self);
  unwrap(self.of->add_results({name}));
}
void add_references(PopulationObject& self, const std::string& name, const PopulationObject& target) {
  const UsingTwo held(self, target);
  unwrap(self.of->add_references(name, *target.of));
}
void add_extents(PopulationObject& self) {
  const Using<Writing> held(self);
  unwrap(self.of->add_extents());
}

py::dict columns(const PopulationObject& self) {
  const Using<Reading> held(self);
  py::dict all;
  for (std::uint32_t i = 0; i < self.of->column_count(); ++i) {
    py::object type = py::none();
    with_type(self.of->kind_of(i), [&]<class T>(Typed<T>) { type = py::dtype::of<T>(); });
    all[py::str(std::string(self.of->column_name(i)))] = type;
  }
  return all;
}

}  // namespace

std::uint32_t column_of(const Population& population, const std::string& name) {
  for (std::uint32_t i = 0; i < population.column_count(); ++i) {
    if (population.column_name(i) == name) {
      return i;
    }
  }
  raise(Error{.code = ErrorCode::kNotFound, .message = "there is no column '" + name + "'"});
}

ColumnValues::ColumnValues(std::string column, py::handle value)
    : name(std::move(column)), values(array_of_numbers(value, name.c_str())) {}

ColumnWriter::ColumnWriter(const Population& population, const ColumnValues& values, std::size_t count)
    : column_(column_of(population, values.name)), kind_(population.kind_of(column_)), count_(count) {
  const py::array& given = values.values;
  if (given.ndim() > 1 || (given.ndim() == 1 && static_cast<std::size_t>(given.shape(0)) != count)) {
    raise_value("the column '" + values.name + "' gets an array of shape " + shape_text(given) +
                ". Give one number, or one for each of " + std::to_string(count) + " agents");
  }
  const bool known = with_type(kind_, [&]<class T>(Typed<T>) { packed_ = packed_as<T>(given, values.name); });
  if (!known) {
    refuse_kind(values.name);
  }
}

void ColumnWriter::write(Population& population, std::size_t first) const {
  with_type(kind_, [&]<class T>(Typed<T> type) {
    const T* const from = static_cast<const T*>(packed_.data());
    const std::size_t step = packed_.ndim() == 0 ? 0 : 1;
    const auto copy = [&](auto rows, auto&& as) {
      for (std::size_t i = 0; i < count_; ++i) {
        rows[first + i] = as(from[i * step]);
      }
    };
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      copy(population.write(Column<Id>{column_}), id_from);
    } else {
      static_cast<void>(type);
      copy(population.write(Column<T>{column_}), [](T value) { return value; });
    }
  });
}

void bind_population_columns(py::class_<PopulationObject>& population) {
  using py::arg;
  population.def("__getitem__", &read, arg("name"), docs::kPopulationGet)
      .def("__setitem__", &write, arg("name"), arg("values"), docs::kPopulationSet)
      .def("add_column", &add_column, arg("name"), arg("initial") = 0, py::kw_only(),
           arg("dtype") = "float32", docs::kPopulationAddColumn)
      .def("add_result", &add_result, arg("name"), docs::kPopulationAddResult)
      .def("add_references", &add_references, arg("name"), arg("target"), docs::kPopulationAddReferences)
      .def("add_extents", &add_extents, docs::kPopulationAddExtents)
      .def_property_readonly("columns", &columns, docs::kPopulationColumns);
}

}  // namespace juxta::python
