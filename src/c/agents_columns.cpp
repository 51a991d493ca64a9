// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns of populations, by number, kind and name.
#include <string>

#include "c/agents.h"
#include "juxta/core/try.h"

using namespace juxta::c_detail;
using juxta::Column;
using juxta::ColumnKind;
using juxta::Population;
using juxta::Result;

namespace {

static_assert(static_cast<int>(ColumnKind::kFloat) == JUXTA_COLUMN_FLOAT &&
              static_cast<int>(ColumnKind::kDouble) == JUXTA_COLUMN_DOUBLE &&
              static_cast<int>(ColumnKind::kInt) == JUXTA_COLUMN_INT32 &&
              static_cast<int>(ColumnKind::kUnsigned) == JUXTA_COLUMN_UINT32 &&
              static_cast<int>(ColumnKind::kByte) == JUXTA_COLUMN_UINT8 &&
              static_cast<int>(ColumnKind::kReference) == JUXTA_COLUMN_REFERENCE &&
              static_cast<int>(ColumnKind::kOther) == JUXTA_COLUMN_OTHER &&
              static_cast<int>(ColumnKind::kResult) == JUXTA_COLUMN_RESULT);

/// Calls use(T{}) with the type of a kind. False for kOther and for what is no kind.
template <class F>
bool with_type(juxta_column_kind kind, F&& use) {
  switch (kind) {
    case JUXTA_COLUMN_FLOAT:
    case JUXTA_COLUMN_RESULT:
      use(float{});
      return true;
    case JUXTA_COLUMN_DOUBLE:
      use(double{});
      return true;
    case JUXTA_COLUMN_INT32:
      use(std::int32_t{});
      return true;
    case JUXTA_COLUMN_UINT32:
      use(std::uint32_t{});
      return true;
    case JUXTA_COLUMN_UINT8:
      use(std::uint8_t{});
      return true;
    case JUXTA_COLUMN_REFERENCE:
      use(juxta::Id{});
      return true;
    case JUXTA_COLUMN_OTHER:
      break;
  }
  return false;
}

/// The column is there and may be read as that kind: results are floats too.
bool has(const Population& population, std::uint32_t column, juxta_column_kind kind) {
  if (column >= population.column_count()) {
    return false;
  }
  const auto real = static_cast<juxta_column_kind>(population.kind_of(column));
  return real == kind || (real == JUXTA_COLUMN_RESULT && kind == JUXTA_COLUMN_FLOAT);
}

Result<void> add_column(Population& population, std::string_view name, juxta_column_kind kind,
                        const void* initial) {
  if (kind == JUXTA_COLUMN_RESULT) {
    if (initial != nullptr) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument,
                         "a result has no initial value: a pass fills it");
    }
    return population.add_results({name});
  }
  if (kind == JUXTA_COLUMN_REFERENCE) {
    return juxta::fail(juxta::ErrorCode::kInvalidArgument,
                       "add references with juxta_population_add_references()");
  }
  Result<void> done;
  const bool known = with_type(kind, [&](auto zero) {
    using T = decltype(zero);
    const Result<Column<T>> made =
        population.add_column<T>(name, initial != nullptr ? read_one<T>(initial) : zero);
    if (!made) {
      done = tl::unexpected(made.error());
    }
  });
  return known ? done : juxta::fail(juxta::ErrorCode::kInvalidArgument, "C cannot make columns of this kind");
}

void store_last(const Population& population, std::uint32_t* out) {
  if (out != nullptr) {
    *out = static_cast<std::uint32_t>(population.column_count() - 1);
  }
}

}  // namespace

const char* juxta_population_name(const juxta_population* population) {
  return cpp(population).name().data();
}
size_t juxta_population_size(const juxta_population* population) {
  return cpp(population).size();
}
size_t juxta_population_memory_bytes(const juxta_population* population) {
  return cpp(population).memory_bytes();
}

juxta_status juxta_population_add_column(juxta_population* population, const char* name,
                                         juxta_column_kind kind, const void* initial, uint32_t* out,
                                         juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(add_column(cpp(population), name_or_none(name), kind, initial));
    store_last(cpp(population), out);
    return {};
  });
}
juxta_status juxta_population_add_references(juxta_population* population, const char* name,
                                             const juxta_population* target, uint32_t* out,
                                             juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(cpp(population).add_references(name_or_none(name), cpp(target)));
    store_last(cpp(population), out);
    return {};
  });
}
juxta_status juxta_population_add_extents(juxta_population* population, juxta_error* error) {
  return guarded(error, [&] { return cpp(population).add_extents(); });
}
juxta_status juxta_population_find_column(const juxta_population* population, const char* name, uint32_t* out,
                                          juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const Population& of = cpp(population);
    const std::string_view wanted = name_or_none(name);
    for (std::uint32_t i = 0; i < of.column_count(); ++i) {
      if (of.column_name(i) == wanted) {
        *out = i;
        return {};
      }
    }
    return juxta::fail(juxta::ErrorCode::kNotFound, "no column is named '" + std::string(wanted) + "'");
  });
}
uint32_t juxta_population_column_count(const juxta_population* population) {
  return static_cast<std::uint32_t>(cpp(population).column_count());
}
const char* juxta_population_column_name(const juxta_population* population, uint32_t column) {
  const Population& of = cpp(population);
  return column < of.column_count() ? of.column_name(column).data() : nullptr;
}
juxta_column_kind juxta_population_column_kind(const juxta_population* population, uint32_t column) {
  const Population& of = cpp(population);
  return column < of.column_count() ? static_cast<juxta_column_kind>(of.kind_of(column)) : JUXTA_COLUMN_OTHER;
}

const void* juxta_population_read(const juxta_population* population, uint32_t column,
                                  juxta_column_kind kind) {
  const void* values = nullptr;
  if (has(cpp(population), column, kind)) {
    with_type(kind, [&]<class T>(T) { values = cpp(population).read(Column<T>{column}).data(); });
  }
  return values;
}
void* juxta_population_write(juxta_population* population, uint32_t column, juxta_column_kind kind) {
  void* values = nullptr;
  if (has(cpp(population), column, kind)) {
    with_type(kind, [&]<class T>(T) { values = cpp(population).write(Column<T>{column}).data(); });
  }
  return values;
}
