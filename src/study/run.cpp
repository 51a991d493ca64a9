// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "agents/simulation_file.h"
#include "core/os.h"
#include "core/path.h"
#include "juxta/agents/ranks.h"
#include "juxta/core/try.h"
#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "study/run_file.h"
#include "study/started.h"

namespace juxta {

struct Run::State {
  std::unique_ptr<study_detail::Started> started;
  /// Over ranks: this rank's agents. `started` then has all of them on rank 0, and none on the others.
  std::unique_ptr<study_detail::Started> part = nullptr;
  bool collected = true;  // the step that it is at
};

namespace {

using study_detail::RunFile;
using study_detail::Started;

/// What the file says of each parameter that the model declares, and of no other.
Result<Parameters> parameters_in(const RunFile& file, const ModelInfo& model) {
  Parameters parameters(model.parameters);
  bool same = file.parameters.size() == model.parameters.size();
  for (std::size_t i = 0; same && i < file.parameters.size(); ++i) {
    const auto& [name, value] = file.parameters[i];
    same = name == model.parameters[i].name;
    if (auto set = parameters.set(name, value); same && !set) {
      return study_detail::kRunFormat.corrupt(set.error().message, core_detail::kHeaderBytes);
    }
  }
  if (!same) {
    return study_detail::kRunFormat.corrupt("the parameters are not those of the model " + model.name,
                                            core_detail::kHeaderBytes);
  }
  return parameters;
}

Result<Simulation> simulation_in(const RunFile& file) {
  return agents_detail::SimulationImage::load(file.simulation, huge_page_resource())
      .map_error([&](Error error) {
        if (error.byte != Error::kNowhere) {
          error.byte += file.simulation_at;
        }
        return error;
      });
}

Result<std::unique_ptr<Started>> started_from(RunFile file, std::span<const ModelInfo> models) {
  JUXTA_TRY_LET(const auto model, find_model(models, file.model));
  JUXTA_TRY_LET(const auto parameters, parameters_in(file, *model));
  auto started = simulation_in(file).and_then([&](Simulation&& simulation) {
    return Started::open(*model, parameters, std::move(simulation), {file.agents_every, file.steps});
  });
  if (!started) {
    return started;
  }
  if (auto goes_on = (*started)->collector.go_on(std::move(file.tables)); !goes_on) {
    return study_detail::kRunFormat.corrupt(goes_on.error().message, core_detail::kHeaderBytes);
  }
  return started;
}

}  // namespace

Run::Run(Owned<State> state) noexcept : state_(std::move(state)) {}
Result<Run> Run::begin(const ModelInfo& model, const Parameters& parameters, std::uint64_t seed,
                       const RunOptions& options) {
  return Started::begin(model, parameters, seed, options).and_then([](std::unique_ptr<Started>&& started) {
    return started->collect().map([&] { return Run(make_owned<State>(State{std::move(started)})); });
  });
}

Result<Run> Run::begin(Ranks& ranks, const ModelInfo& model, const Parameters& parameters, std::uint64_t seed,
                       const RunOptions& options) {
  if (!model.one_machine.empty()) {
    return fail(ErrorCode::kInvalidArgument, model.name + " runs on one machine: " + model.one_machine);
  }
  Result<Simulation> begun = ranks.rank() == 0 ? model.begin(parameters, seed) : Simulation::build({});
  JUXTA_TRY(agree(ranks, begun.map([](const Simulation&) {})));
  JUXTA_TRY(begun->distribute(ranks));
  auto part = Started::open(model, parameters, std::move(*begun), options);
  JUXTA_TRY(agree(ranks, part.map([](const auto&) {})));
  JUXTA_TRY_LET(Simulation whole, (*part)->simulation.gather());
  auto started = Started::open(model, parameters, std::move(whole), options);
  JUXTA_TRY(agree(ranks, started.and_then([&](auto& all) {
    return ranks.rank() == 0 ? all->collect() : Result<void>();
  })));
  return Run(make_owned<State>(State{std::move(*started), std::move(*part)}));
}

Result<Run> Run::resume(std::string_view path, std::span<const ModelInfo> models) {
  return core_detail::MappedFile::open(path_of(path))
      .and_then([&](const core_detail::MappedFile& mapped) {
        return RunFile::read(mapped.bytes()).and_then([&](RunFile&& file) {
          return started_from(std::move(file), models);
        });
      })
      .map([](std::unique_ptr<Started>&& started) {
        return Run(make_owned<State>(State{std::move(started)}));
      })
      .map_error([&](Error error) {
        if (error.code != ErrorCode::kIo) {  // whose message names the file already
          error.message = std::string(path) + ": " + error.message;
        }
        return error;
      });
}

Result<Run> Run::resume(Ranks& ranks, std::string_view path, std::span<const ModelInfo> models) {
  Result<Run> all = resume(path, models);  // every rank reads the file; rank 0 keeps its agents
  JUXTA_TRY(agree(ranks, all.map([](const Run&) {})));
  Started& whole = *all->state_->started;
  if (!whole.info.one_machine.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                whole.info.name + " runs on one machine: " + whole.info.one_machine);
  }
  Result<Simulation> mine = Simulation::build({});
  if (ranks.rank() == 0) {
    mine = resume(path, models).map([](Run&& again) { return std::move(again.state_->started->simulation); });
  }
  JUXTA_TRY(agree(ranks, mine.map([](const Simulation&) {})));
  JUXTA_TRY(mine->distribute(ranks));
  auto part = Started::open(whole.info, whole.parameters, std::move(*mine), whole.options);
  JUXTA_TRY(agree(ranks, part.map([](const auto&) {})));
  all->state_->part = std::move(*part);
  return all;
}

Result<void> Run::step(const Context& context) {
  JUXTA_TRY(step_only(context));
  return collect();
}

Result<void> Run::step_only(const Context& context) {
  JUXTA_TRY((state_->part ? state_->part : state_->started)->step(context));
  state_->collected = false;
  return {};
}

Result<void> Run::collect() {
  if (state_->collected) {
    return {};
  }
  state_->collected = true;
  if (!state_->part) {
    return state_->started->collect();
  }
  const Simulation& part = state_->part->simulation;
  JUXTA_TRY(part.gather_into(state_->started->simulation));
  return agree(*part.ranks(), part.ranks()->rank() == 0 ? state_->started->collect() : Result<void>());
}

std::uint32_t Run::steps_done() const noexcept {
  return (state_->part ? state_->part : state_->started)->simulation.step();
}

Result<void> Run::save(std::string_view path) const {
  return study_detail::save_run(path_of(path), *state_->started);
}

const ModelInfo& Run::info() const noexcept {
  return state_->started->info;
}
const Parameters& Run::parameters() const noexcept {
  return state_->started->parameters;
}
std::uint32_t Run::planned_steps() const noexcept {
  const Started& started = *state_->started;
  return started.options.steps != 0 ? started.options.steps : started.info.steps;
}
const Simulation& Run::simulation() const noexcept {
  return state_->started->simulation;
}
const Model& Run::model() const noexcept {
  return *state_->started->model;
}
const Collector& Run::collected() const noexcept {
  return state_->started->collector;
}

std::uint64_t Run::state_hash() const {
  return agents_detail::SimulationImage(state_->started->simulation).checksum();
}

}  // namespace juxta
