// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/started.h"
#include "juxta/core/try.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace juxta::study_detail {

Result<std::unique_ptr<Started>> Started::begin(const ModelInfo& info, const Parameters& parameters,
                                                std::uint64_t seed, const RunOptions& options) {
  if (!std::ranges::equal(parameters.declared(), info.parameters, {}, &Parameter::name, &Parameter::name)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("these are not the parameters of {}: take parameters_of()", info.name));
  }
  return info.begin(parameters, seed).and_then([&](Simulation&& begun) {
    return open(info, parameters, std::move(begun), options);
  });
}

Result<std::unique_ptr<Started>> Started::open(const ModelInfo& info, const Parameters& parameters,
                                               Simulation simulation, const RunOptions& options) {
  auto started = std::make_unique<Started>(info, parameters, std::move(simulation));
  const auto declare = [&](Owned<Model>&& rules) -> Result<std::unique_ptr<Started>> {
    started->model = std::move(rules);
    started->model->declare(started->collector);
    started->options = options;
    for (std::size_t i = 0; options.agents_every != 0 && i < started->simulation.population_count(); ++i) {
      const Population& population = started->simulation.population(i);
      JUXTA_TRY(started->collector.add_agents(population, {}, options.agents_every));
    }
    JUXTA_TRY(started->set_until(options.until));
    return std::move(started);
  };
  return info.open(started->parameters, started->simulation).and_then(declare);
}

Result<void> Started::reopen() {
  JUXTA_TRY_LET(Owned<Model> rules, info.open(parameters, simulation));
  Collector anew;
  rules->declare(anew);
  for (std::size_t i = 0; options.agents_every != 0 && i < simulation.population_count(); ++i) {
    JUXTA_TRY(anew.add_agents(simulation.population(i), {}, options.agents_every));
  }
  std::vector<Table> earlier = {collector.steps()};
  for (std::size_t i = 0; i < collector.agent_tables(); ++i) {
    earlier.push_back(collector.agents(i));
  }
  JUXTA_TRY(anew.go_on(std::move(earlier)));
  collector = std::move(anew);
  model = std::move(rules);
  return {};
}

Result<void> Started::step(const Context& context) {
  const std::uint32_t before = simulation.step();
  return model->step(context).and_then([&]() -> Result<void> {
    if (simulation.step() != before + 1) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} went from step {} to {}: Model::step() must call end_step() once",
                              info.name, before, simulation.step()));
    }
    return {};
  });
}

Result<void> Started::collect() {
  return collector.collect(simulation.step()).map_error([&](Error error) { return named(std::move(error)); });
}

Result<void> Started::watch() {
  return collector.watch(simulation.step()).map_error([&](Error error) { return named(std::move(error)); });
}

Result<void> Started::set_until(std::optional<Until> until) {
  if (until) {
    JUXTA_TRY_LET(const std::size_t column,
                  until->column_in(collector.steps().names()).map_error([&](Error error) {
                    return named(std::move(error));
                  }));
    if (collector.steps().kind(column) == CellKind::kText ||
        collector.steps().kind(column) == CellKind::kId) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}, until: '{}' is no number; give another report", info.name,
                              collector.steps().names()[column]));
    }
    until_column = column;
  }
  options.until = std::move(until);
  return {};
}

bool Started::until_met() const noexcept {
  const Table& steps = collector.steps();
  return options.until && simulation.step() != 0 && steps.rows() != 0 &&
         steps.column(0).back() == simulation.step() &&
         options.until->met_by(steps.column(until_column).back());
}

double Started::until_value() const {
  return until_column == 0 ? simulation.step() : collector.report(until_column - 1);
}

Error Started::named(Error error) const {
  error.message = fmt::format("{}, {}", info.name, error.message);
  return error;
}

}  // namespace juxta::study_detail
