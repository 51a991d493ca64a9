// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A model: a Simulation, which holds all of its state, and rules. docs/models.md writes one from an empty
// file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/owned.h"
#include "juxta/files/raster.h"
#include "juxta/study/collector.h"
#include "juxta/study/parameters.h"

namespace juxta {

/// Rules over a Simulation. Whatever the next step depends on is in its columns and fields: what a model
/// keeps beside them it can make anew from them, so that a saved simulation is a saved model.
class Model {
 public:
  virtual ~Model();

  /// One step, from Simulation::step() to the next: end_step() is called in it. The same bits for any
  /// context.
  [[nodiscard]] virtual Result<void> step(const Context& context) = 0;
  /// What to note at every step. The reporters borrow from the model.
  virtual void declare(Collector& collector) const = 0;
  /// A picture of the state, onto an image of any size.
  virtual void draw(Raster& image) const = 0;
};

/// A name for some parameters, as a publication has them.
struct Preset {
  std::string name;
  std::vector<std::pair<std::string, double>> values;
  std::uint32_t steps = 0;  ///< As that publication runs it; 0: the model's.
};

/// A preset from text: preset_of("large", "size=100 agents=8000"). What is not NAME=NUMBER is left out.
/// Parameters that are not in the text are as declared.
[[nodiscard]] Preset preset_of(std::string name, std::string_view values = {}, std::uint32_t steps = 0);

/// A kind of model: what a program, a sweep or the tool must know to run one.
struct ModelInfo {
  std::string name, what = {};  ///< "schelling", "who has too few of its own kind near moves away"
  std::vector<Parameter> parameters = {};
  std::vector<Preset> presets = {};
  std::uint32_t steps = 100;  ///< Unless told otherwise.
  /// An empty world, filled. Errors: of what it calls; parameters that contradict each other.
  Result<Simulation> (*begin)(const Parameters& parameters, std::uint64_t seed) = nullptr;
  /// The rules over a simulation that begin() made, or that was loaded; it outlives them. Errors: kNotFound
  /// (a population or a column that is not there).
  Result<Owned<Model>> (*open)(const Parameters& parameters, Simulation& simulation) = nullptr;
  /// Why its agents cannot be on several ranks (Run::begin() over ranks); "": they can. Such a model sees
  /// agents through passes alone, draws by Id, and adds nothing up in step().
  std::string one_machine = "it does not say that it may";
};

/// The one of that name. Errors: kNotFound; the message names those that there are.
[[nodiscard]] Result<const ModelInfo*> find_model(std::span<const ModelInfo> models, std::string_view name);
/// Its parameters as they are declared, or as a preset has them (an empty name: as declared). Errors:
/// kNotFound.
[[nodiscard]] Result<Parameters> parameters_of(const ModelInfo& model, std::string_view preset = {});
/// How many steps a run has unless told otherwise: the preset's, or the model's when there is none of that
/// name.
[[nodiscard]] std::uint32_t steps_of(const ModelInfo& model, std::string_view preset = {}) noexcept;

}  // namespace juxta
