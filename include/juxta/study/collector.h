// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/agents/population.h"
#include "juxta/core/error.h"
#include "juxta/study/table.h"

namespace juxta {

/// What is noted at every step: numbers of the whole model, and columns of its agents.
///
///   steps    | step | happy | moves |        one row a step
///   agents   | step | id | x | y | energy |  one row an agent and step, of a population that was asked for
class Collector {
 public:
  Collector();

  /// A reporter: called once a step. Declare all before the first collect().
  void add(std::string_view name, std::function<double()> reporter);
  /// Columns of a population (any of numbers; all of them when none is named), every so many steps. "id" is
  /// generation * 2^32 + slot. Errors: kNotFound, kInvalidArgument (a column of other things than numbers).
  [[nodiscard]] Result<void> add_agents(const Population& population, std::vector<std::string> columns = {},
                                        std::uint32_t every = 1);

  /// Notes the state as it is now.
  void collect(std::uint32_t step);

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
  std::vector<std::string> names_;
  std::vector<std::function<double()>> reporters_;
  Table steps_;
  std::vector<Agents> agents_;
  std::vector<double> row_;
};

}  // namespace juxta
