// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/try.h"

namespace juxta {

/// The population of that name. Errors: kNotFound.
[[nodiscard]] Result<Population*> require_population(Simulation& simulation, std::string_view name);

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

/// The columns that a rule's Found names, as results. Errors: of Population::add_results().
template <class Rules>
[[nodiscard]] Result<void> add_results_of(Population& population) {
  for (const char* name : Rules::template Found<float>::kNames) {
    JUXTA_TRY(population.add_results({name}));
  }
  return {};
}

}  // namespace juxta
