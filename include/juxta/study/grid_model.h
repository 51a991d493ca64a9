// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The short way to write a model on a grid of cells. models/forest_fire.cpp is the shortest one.
//
//   struct Meadow final : GridModel {
//     using GridModel::GridModel;
//     Result<void> start();                                     // of a new simulation: fills it
//     Result<void> prepare();                                   // of any: makes anew what is no state
//     Result<void> step(const Context& context) override;       // and the rest of Model
//
//     Population* grass = cells("grass");                       // a row for each cell, with a column
//     Column<float> height = column<float>("grass", "height");
//     Population* sheep = agents("sheep");
//     GridSpace flock = space({.holds = CellHolds::kMany});     // the agents of each cell: no state
//   };
//
//   study_main(argc, argv, {model_of<Meadow>({.name = "meadow", .parameters = {{"size", 40, ...}, ...}})});
//
// Members say what the model consists of. In a new simulation they add it, in one that was there they look it
// up. So nothing is named twice, and there is no begin() and open() to write.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/owned.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/grid/cell_grid.h"
#include "juxta/grid/grid_space.h"
#include "juxta/study/cells.h"  // IWYU pragma: export
#include "juxta/study/model.h"
#include "juxta/study/parameters.h"

namespace juxta {

/// A Model that knows its parameters, its simulation and its grid. The world is that of the grid.
class GridModel : public Model {
 public:
  /// What model_of() makes it from.
  struct Setup {
    const Parameters& parameters;
    Simulation& simulation;
    CellGrid grid;
    bool is_new;  ///< The simulation has nothing in it yet.
  };
  explicit GridModel(const Setup& setup);

  /// The grid; a model may have another function of that name instead. Here: a square with walls, of as many
  /// cells along an edge as the parameter "size" says.
  [[nodiscard]] static CellGrid grid_of(const Parameters& parameters) noexcept {
    return square_grid(parameters.count("size"));
  }
  /// A model has functions of these names instead, if it needs them.
  [[nodiscard]] Result<void> start() { return {}; }
  [[nodiscard]] Result<void> prepare() { return {}; }
  /// The first error of what members asked for, below.
  [[nodiscard]] const Result<void>& complete() const noexcept { return complete_; }

 protected:
  /// For the initializers of members. A population comes before its columns. None of these reports an error:
  /// complete() has it, and a model that is not complete is not used.
  /// Errors: of Simulation::add_population(), Population::add_column() and GridSpace::build() if the
  /// simulation is new; else kNotFound (no such population or column; not as many agents as cells) and
  /// kInvalidArgument (another world; an agent outside of the grid, with its row; a column of another type).
  [[nodiscard]] Population* agents(std::string_view name);
  /// A population with an agent for each cell: row i is cell i (add_cells()).
  [[nodiscard]] Population* cells(std::string_view name);
  template <class T>
  [[nodiscard]] Column<T> column(std::string_view population, std::string_view name) {
    Population* const owner = found(population);
    return owner == nullptr ? Column<T>{}
                            : noted(is_new_ ? owner->add_column<T>(name) : owner->find_column<T>(name));
  }
  /// Without agents, on the grid of the model, whatever options.grid is.
  [[nodiscard]] GridSpace space(GridSpaceOptions options);

  [[nodiscard]] Simulation& simulation() const noexcept { return simulation_; }
  [[nodiscard]] const CellGrid& grid() const noexcept { return grid_; }
  [[nodiscard]] RandomKey key(std::uint32_t purpose) const noexcept { return simulation_.key(purpose); }
  /// Parameters::operator[] and Parameters::count(): look them up outside of loops.
  [[nodiscard]] double number(std::string_view name) const noexcept { return parameters_[name]; }
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept { return parameters_.count(name); }
  /// Simulation::end_step(), as the end of step().
  [[nodiscard]] Result<void> end_step() {
    JUXTA_TRY(simulation_.end_step());
    return {};
  }

 private:
  [[nodiscard]] Population* found(std::string_view population);
  /// The value; of an error, which is kept if it is the first, an empty one.
  template <class T>
  [[nodiscard]] T noted(Result<T> result) {
    if (!result && complete_) {
      complete_ = tl::unexpected<Error>(std::move(result).error());
    }
    return result ? *std::move(result) : T{};
  }

  Parameters parameters_;
  Simulation& simulation_;
  CellGrid grid_;
  bool is_new_;
  Result<void> complete_;
};

/// ModelInfo::begin of a GridModel: what its members ask for, and what start() does. Errors: those of
/// Simulation::build(), of members, and of start().
template <std::derived_from<GridModel> M>
[[nodiscard]] Result<Simulation> begin_grid_model(const Parameters& parameters, std::uint64_t seed) {
  const CellGrid grid = M::grid_of(parameters);
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(grid.world(), seed));
  M model({parameters, simulation, grid, true});
  JUXTA_TRY(model.complete());
  JUXTA_TRY(model.start());
  return simulation;
}

/// ModelInfo::open of a GridModel, ready for its next step. Errors: those of members, and of prepare().
template <std::derived_from<GridModel> M>
[[nodiscard]] Result<Owned<Model>> open_grid_model(const Parameters& parameters, Simulation& simulation) {
  auto* const model = new M({parameters, simulation, M::grid_of(parameters), false});
  Owned<Model> owned(model);
  JUXTA_TRY(model->complete());
  JUXTA_TRY(model->prepare());
  return owned;
}

/// What a program must know of a GridModel: `info`, with begin and open.
template <std::derived_from<GridModel> M>
[[nodiscard]] ModelInfo model_of(ModelInfo info) {
  info.begin = begin_grid_model<M>;
  info.open = open_grid_model<M>;
  return info;
}

}  // namespace juxta
