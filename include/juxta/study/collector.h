// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "juxta/agents/population.h"
#include "juxta/core/error.h"
#include "juxta/study/table.h"

namespace juxta {

/// What a number of the whole model must stay, so that a run whose integration blew up ends and says so.
struct ReporterOptions {
  /// NaN is no number of this step (not measured, the mean over no agents): an empty cell. Otherwise NaN ends
  /// the run, as an infinity always does.
  bool gaps = false;
  /// Above 0: the number is conserved. It ends the run when it is further from its first value than this part
  /// of the first value, or of `scale` where that is larger (a sum that is near 0 at the start).
  double tolerance = 0;
  double scale = 0;
  /// The first value is that of the first step from here on with a number.
  std::uint32_t from_step = 0;
  /// What to do then, as the end of a sentence: "give a smaller dt". Empty: what helps most models.
  std::string advice = {};
};

/// What a Collector notes of what a reporter returns: whole numbers and words as such.
template <class T>
[[nodiscard]] constexpr CellKind cell_kind() noexcept {
  using Value = std::remove_cvref_t<T>;
  return std::is_integral_v<Value> && !std::is_same_v<Value, bool> ? CellKind::kWhole
         : std::is_convertible_v<Value, std::string_view>          ? CellKind::kText
         : std::is_same_v<Value, Id>                               ? CellKind::kId
                                                                   : CellKind::kNumber;
}

/// What is noted at every step: numbers of the whole model, and columns of its agents.
///
///   steps    | step | happy | moves |        one row a step
///   agents   | step | id | x | y | energy |  one row an agent and step, of a population that was asked for
class Collector {
 public:
  Collector();

  /// A reporter: a function of the state alone, called for each step that is noted. Declare all before the
  /// first collect().
  void add(std::string_view name, std::function<double()> reporter, ReporterOptions options = {});
  /// The same for a function that returns a whole number (at most 2^63 - 1), a text or an Id, which are noted
  /// as such. Tolerances are for numbers and whole numbers.
  template <class Reporter>
  requires(!std::is_same_v<Reporter, std::function<double()>>)  //
      void add(std::string_view name, Reporter reporter, ReporterOptions options = {}) {
    using Value = std::invoke_result_t<Reporter&>;
    constexpr CellKind kKind = cell_kind<Value>();
    add_cells(
        name, kKind,
        [reporter = std::move(reporter)]() mutable -> Cell {
          if constexpr (kKind == CellKind::kWhole) {
            return static_cast<std::int64_t>(reporter());
          } else if constexpr (kKind == CellKind::kText) {
            return std::string(std::string_view(reporter()));
          } else if constexpr (kKind == CellKind::kId) {
            return reporter();
          } else {
            return static_cast<double>(reporter());
          }
        },
        std::move(options));
  }
  /// Columns of a population, every so many steps: those named, of numbers or references; all of numbers when
  /// none is named. Floats and doubles are numbers, integers whole numbers, references and "id" Ids.
  /// Errors: kNotFound, kInvalidArgument (a column of other things).
  [[nodiscard]] Result<void> add_agents(const Population& population, std::vector<std::string> columns = {},
                                        std::uint32_t every = 1);

  /// Notes the state as it is now. Errors: kInvalidArgument (a reporter left finite numbers, or a conserved
  /// one its tolerance; the message names step, reporter, value and what to do); the row was noted all the
  /// same.
  Result<void> collect(std::uint32_t step);
  /// The last collect() or watch() ended with such an error.
  [[nodiscard]] bool diverged() const noexcept { return diverged_; }
  /// Holds the conserved numbers alone against their tolerances, for steps that are not noted. Errors: as
  /// collect().
  [[nodiscard]] Result<void> watch(std::uint32_t step);

  /// What a reporter says now, by the order of add(), as a number; NaN for text. Nothing is noted, nothing
  /// checked.
  [[nodiscard]] double report(std::size_t reporter) const;

  [[nodiscard]] const Table& steps() const noexcept { return steps_; }
  /// Of the populations asked for, in the order of add_agents().
  [[nodiscard]] std::size_t agent_tables() const noexcept { return agents_.size(); }
  [[nodiscard]] const Table& agents(std::size_t index) const noexcept { return agents_[index].table; }
  [[nodiscard]] const Population& population(std::size_t index) const noexcept {
    return *agents_[index].population;
  }

  /// Goes on behind what an earlier run noted. Errors: kCorruptFile (other columns).
  [[nodiscard]] Result<void> go_on(std::vector<Table> earlier);

 private:
  struct Agents {
    const Population* population;
    std::vector<std::uint32_t> columns;  // by number
    std::uint32_t every;
    Table table;
  };
  struct Reporter {
    std::function<Cell()> value;
    ReporterOptions options;
    double first;  // of a conserved number; NaN: not known yet
  };
  void add_cells(std::string_view name, CellKind kind, std::function<Cell()> reporter,
                 ReporterOptions options);
  [[nodiscard]] Result<void> check(std::uint32_t step, std::size_t reporter, double value);

  std::vector<TableColumn> columns_;
  std::vector<Reporter> reporters_;
  Table steps_;
  std::vector<Agents> agents_;
  std::vector<Cell> row_;
  bool diverged_ = false;
};

}  // namespace juxta
