// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The short way to write a model of one population. docs/models.md writes one.
//
//   class Walk final : public AgentModel {
//    public:
//     static constexpr auto kAgents = "people";
//     static constexpr auto kColumns = names("heat");          // floats that belong to the agents
//     static constexpr auto kResults = names("east", "north");  // floats that each step fills anew
//     static World world(const Parameters&) { return walled_plane(100, 100); }
//
//     using AgentModel::AgentModel;
//     Result<void> start();                                     // inserts the agents and fills their columns
//     Result<void> step(const Context& context) override;       // and the rest of Model
//   };
//
//   study_main(argc, argv, {model_of<Walk>({.name = "walk", .parameters = {...}})});
//
// A model on a grid of cells derives from GridModel (juxta/study/grid_model.h), any other one that has
// several populations, or a cache of its own, from Model.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "juxta/agents/interaction_types.h"  // IWYU pragma: export
#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/owned.h"
#include "juxta/core/try.h"
#include "juxta/math/world.h"
#include "juxta/study/columns.h"
#include "juxta/study/model.h"
#include "juxta/study/parameters.h"

namespace juxta {

/// A Model that knows its parameters, its simulation and its one population.
class AgentModel : public Model {
 public:
  AgentModel(Parameters parameters, Simulation& simulation, Population& agents)
      : parameters_(std::move(parameters)), simulation_(simulation), agents_(agents) {}

 protected:
  [[nodiscard]] Simulation& simulation() const noexcept { return simulation_; }
  [[nodiscard]] Population& agents() const noexcept { return agents_; }
  /// Simulation::end_step(), as the end of step().
  [[nodiscard]] Result<void> end_step() {
    JUXTA_TRY(simulation_.end_step());
    return {};
  }
  /// Parameters::real() and Parameters::count().
  [[nodiscard]] float real(std::string_view name) const noexcept { return parameters_.real(name); }
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept { return parameters_.count(name); }
  /// The handle of a column of floats that kColumns or kResults names. Another name: a handle of none.
  [[nodiscard]] Column<float> column(std::string_view name) const {
    return agents_.find_column<float>(name).value_or(Column<float>{});
  }

 private:
  Parameters parameters_;
  Simulation& simulation_;
  Population& agents_;
};

/// ModelInfo::begin of an AgentModel: its world, its population with its columns, and what start() does.
/// Errors: of Simulation::build(), Population::add_columns() and start().
template <class M>
[[nodiscard]] Result<Simulation> begin_model(const Parameters& parameters, std::uint64_t seed) {
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(M::world(parameters), seed));
  JUXTA_TRY_LET(Population* const agents, simulation.add_population(M::kAgents));
  for (const char* name : M::kColumns) {
    JUXTA_TRY(agents->add_columns({name}));
  }
  for (const char* name : M::kResults) {
    JUXTA_TRY(agents->add_results({name}));
  }
  JUXTA_TRY(M(parameters, simulation, *agents).start());
  return simulation;
}

/// ModelInfo::open of an AgentModel. Errors: kNotFound (its population, or a column), kInvalidArgument (a
/// column of another type).
template <class M>
[[nodiscard]] Result<Owned<Model>> open_model(const Parameters& parameters, Simulation& simulation) {
  JUXTA_TRY_LET(Population* const agents, require_population(simulation, M::kAgents));
  for (const char* name : M::kColumns) {
    JUXTA_TRY(agents->find_column<float>(name));
  }
  for (const char* name : M::kResults) {
    JUXTA_TRY(agents->find_column<float>(name));
  }
  return Owned<Model>(new M(parameters, simulation, *agents));
}

/// What a program must know of an AgentModel: `info`, with begin and open.
template <std::derived_from<AgentModel> M>
[[nodiscard]] ModelInfo model_of(ModelInfo info) {
  info.begin = begin_model<M>;
  info.open = open_model<M>;
  return info;
}

}  // namespace juxta
