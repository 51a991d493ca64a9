// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/try.h"

namespace juxta {

/// The population of that name. Errors: kNotFound.
[[nodiscard]] Result<Population*> require_population(Simulation& simulation, std::string_view name);

/// Positions along x and y of all agents: `const auto [x, y] = write_xy(agents);`
struct PositionsToWrite {
  std::span<float> x, y;
};
struct Positions {
  std::span<const float> x, y;
};
[[nodiscard]] inline PositionsToWrite write_xy(Population& population) noexcept {
  return {population.write(population.position(0)), population.write(population.position(1))};
}
[[nodiscard]] inline Positions read_xy(const Population& population) noexcept {
  return {population.read(population.position(0)), population.read(population.position(1))};
}

/// Columns of one type, in the order of the names. Errors: of Population::find_column(), for the first that
/// is not there.
template <class T, std::size_t N>
[[nodiscard]] Result<std::array<Column<T>, N>> find_columns(const Population& population,
                                                            const char* const (&names)[N]) {
  std::array<Column<T>, N> columns;
  for (std::size_t i = 0; i < N; ++i) {
    JUXTA_TRY_LET(columns[i], population.find_column<T>(names[i]));
  }
  return columns;
}

/// New columns of one type. Errors: of Population::add_column(); those before it are there then.
template <class T, std::size_t N>
[[nodiscard]] Result<std::array<Column<T>, N>> add_columns(Population& population,
                                                           const char* const (&names)[N]) {
  std::array<Column<T>, N> columns;
  for (std::size_t i = 0; i < N; ++i) {
    JUXTA_TRY_LET(columns[i], population.add_column<T>(names[i]));
  }
  return columns;
}

/// Each agent gets value_of(row), converted to the type of the column, in the order of rows.
template <class T, class ValueOf>
void fill_column(Population& population, Column<T> column, const ValueOf& value_of) {
  const auto values = population.write(column);
  for (std::uint32_t row = 0; row < values.size(); ++row) {
    values[row] = static_cast<T>(value_of(row));
  }
}

/// The sum of a column, in doubles, row by row.
template <class T>
[[nodiscard]] double sum_of(const Population& population, Column<T> column) {
  double sum = 0;
  for (const T& value : population.read(column)) {
    sum += static_cast<double>(value);
  }
  return sum;
}

/// The part of the rows for which is(row) holds; 0 without rows.
template <class Is>
[[nodiscard]] double share_of(const Population& population, const Is& is) {
  double sum = 0;
  for (std::uint32_t row = 0; row < population.size(); ++row) {
    sum += is(row) ? 1 : 0;
  }
  return population.size() == 0 ? 0 : sum / static_cast<double>(population.size());
}

/// The rows that have a value in a column, ascending.
template <class T>
[[nodiscard]] std::vector<std::uint32_t> rows_with(const Population& population, Column<T> column,
                                                   const T& value) {
  std::vector<std::uint32_t> rows;
  const auto values = population.read(column);
  for (std::uint32_t row = 0; row < values.size(); ++row) {
    if (values[row] == value) {
      rows.push_back(row);
    }
  }
  return rows;
}
template <class T>
[[nodiscard]] double count_with(const Population& population, Column<T> column, const T& value) {
  std::size_t count = 0;
  for (const T& each : population.read(column)) {
    count += each == value ? 1 : 0;
  }
  return static_cast<double>(count);
}

/// How many agents there are for whose value in a column is(value) holds.
template <class T, class Is>
[[nodiscard]] double count_if(const Population& population, Column<T> column, const Is& is) {
  std::size_t count = 0;
  for (const T& each : population.read(column)) {
    count += is(each) ? 1 : 0;
  }
  return static_cast<double>(count);
}

/// A new agent for each of `parents`, which are rows: in its place, and with its values in the columns given.
/// Unlike births noted in Population::changes() they are there at once, in the last rows. Errors: kTooLarge.
template <class... T>
[[nodiscard]] Result<void> insert_like(Population& population, std::span<const std::uint32_t> parents,
                                       Column<T>... columns) {
  JUXTA_TRY_LET(const std::uint32_t first, population.insert(parents.size()));
  const auto copy = [&](auto values) {
    for (std::size_t i = 0; i < parents.size(); ++i) {
      values[first + i] = values[parents[i]];
    }
  };
  for (std::uint32_t axis = 0; axis < population.world().dimensions; ++axis) {
    copy(population.write(population.position(axis)));
  }
  (copy(population.write(columns)), ...);
  return {};
}

/// Those whose mark is not 0 die at the end of the step; `marks` by row.
inline void kill_marked(Population& population, std::span<const std::uint8_t> marks) {
  for (std::uint32_t row = 0; row < marks.size(); ++row) {
    if (marks[row] != 0) {
      population.changes().kill(row);
    }
  }
}

/// The columns that a rule's Found names, as results. Errors: of Population::add_results().
template <class Rules>
[[nodiscard]] Result<void> add_results_of(Population& population) {
  for (const char* name : Rules::template Found<float>::kNames) {
    JUXTA_TRY(population.add_results({name}));
  }
  return {};
}

}  // namespace juxta
