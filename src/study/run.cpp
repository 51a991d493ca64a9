// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/simulation_file.h"
#include "agents/simulation_parts.h"
#include "core/os.h"
#include "core/path.h"
#include "juxta/core/ranks.h"
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
  bool collected = true;   // the step that it is at
  bool until_met = false;  // by what was collected there

  /// Looks at the stop condition, on rank 0 for all. Collective.
  [[nodiscard]] Result<void> judge() {
    until_met = started->until_met();
    if (!part || !started->options.until) {
      return {};
    }
    Ranks& ranks = *part->simulation.ranks();
    const std::byte mine{until_met};
    std::vector<std::byte> all(ranks.size());
    JUXTA_TRY(ranks.all_gather({&mine, 1}, all));
    until_met = all.front() != std::byte{0};
    return {};
  }
};

namespace {

using agents_detail::SimulationParts;
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

/// Errors of what is embedded in the file, by the file's own bytes.
Error in_file(Error error, const RunFile& file) {
  if (error.byte != Error::kNowhere) {
    error.byte += file.simulation_at;
  }
  return error;
}

/// The only rank: for parts that are read on one machine.
class OneRank final : public Ranks {
 public:
  [[nodiscard]] std::uint32_t rank() const noexcept override { return 0; }
  [[nodiscard]] std::uint32_t size() const noexcept override { return 1; }
  [[nodiscard]] Result<void> all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    std::ranges::copy(mine, all.begin());
    return {};
  }
  [[nodiscard]] Result<void> swap(std::span<const std::uint64_t> to, std::span<std::uint64_t> from) override {
    std::ranges::copy(to, from.begin());
    return {};
  }
  [[nodiscard]] Result<void> start(std::span<const RankSend>, std::span<const RankReceive>) override {
    return {};
  }
  [[nodiscard]] Result<void> finish() override { return {}; }
};

Result<Simulation> simulation_in(const RunFile& file, std::string_view path) {
  if (!SimulationParts::is_manifest(file.simulation)) {
    return agents_detail::SimulationImage::load(file.simulation, huge_page_resource());
  }
  OneRank here;
  return SimulationParts::load(here, file.simulation, std::string(path), huge_page_resource())
      .and_then([](Simulation&& parts) { return parts.gather(); });
}

/// The simulation over ranks, from a file of one machine or of ranks.
Result<Simulation> simulation_over(Ranks& ranks, const RunFile& file, std::string_view path) {
  if (SimulationParts::is_manifest(file.simulation)) {
    return SimulationParts::load(ranks, file.simulation, std::string(path), huge_page_resource());
  }
  auto mine = ranks.rank() == 0 ? simulation_in(file, path) : Simulation::build({});
  JUXTA_TRY(agree(ranks, mine.map([](const Simulation&) {})));
  JUXTA_TRY(mine->distribute(ranks));
  return mine;
}

/// With the tables of the file. Errors: kCorruptFile, of the model.
Result<std::unique_ptr<Started>> started_from(const RunFile& file, const ModelInfo& model,
                                              Simulation simulation) {
  JUXTA_TRY_LET(const auto parameters, parameters_in(file, model));
  JUXTA_TRY_LET(auto started, Started::open(model, parameters, std::move(simulation), file.options));
  if (auto goes_on = started->collector.go_on(file.tables); !goes_on) {
    return study_detail::kRunFormat.corrupt(goes_on.error().message, core_detail::kHeaderBytes);
  }
  return started;
}

Result<void> may_be_over_ranks(const ModelInfo& model) {
  return model.one_machine.empty()
             ? Result<void>()
             : fail(ErrorCode::kInvalidArgument, model.name + " runs on one machine: " + model.one_machine);
}

/// Calls body(file), and names the file in its errors.
template <class Body>
Result<Run> with_file(std::string_view path, Body&& body) {
  return core_detail::MappedFile::open(path_of(path))
      .and_then([&](const core_detail::MappedFile& mapped) {
        return RunFile::read(mapped.bytes()).and_then([&](const RunFile& file) { return body(file); });
      })
      .map_error([&](Error error) {
        if (error.code != ErrorCode::kIo) {  // whose message names the file already
          error.message = std::string(path) + ": " + error.message;
        }
        return error;
      });
}

}  // namespace

Run::Run(Owned<State> state) noexcept : state_(std::move(state)) {}

Result<Run> Run::judged(State state) {
  JUXTA_TRY(state.judge());
  return Run(make_owned<State>(std::move(state)));
}

Result<Run> Run::begin(const ModelInfo& model, const Parameters& parameters, std::uint64_t seed,
                       const RunOptions& options) {
  return Started::begin(model, parameters, seed, options).and_then([](std::unique_ptr<Started>&& started) {
    return started->collect().and_then([&] { return judged(State{std::move(started)}); });
  });
}

Result<Run> Run::begin(Ranks& ranks, const ModelInfo& model, const Parameters& parameters, std::uint64_t seed,
                       const RunOptions& options) {
  JUXTA_TRY(may_be_over_ranks(model));
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
  return judged(State{std::move(*started), std::move(*part)});
}

Result<Run> Run::resume(std::string_view path, std::span<const ModelInfo> models) {
  return with_file(path, [&](const RunFile& file) -> Result<Run> {
    JUXTA_TRY_LET(const auto model, find_model(models, file.model));
    JUXTA_TRY(parameters_in(file, *model));
    JUXTA_TRY_LET(Simulation simulation, simulation_in(file, path).map_error([&](Error error) {
      return in_file(std::move(error), file);
    }));
    JUXTA_TRY_LET(auto started, started_from(file, *model, std::move(simulation)));
    return judged(State{std::move(started)});
  });
}

Result<Run> Run::resume(Ranks& ranks, std::string_view path, std::span<const ModelInfo> models) {
  // Every rank reads the manifest; a rank that cannot must not leave the others waiting.
  const auto seen = with_file(path, [&](const RunFile& file) -> Result<Run> {
    JUXTA_TRY_LET(const auto model, find_model(models, file.model));
    JUXTA_TRY(may_be_over_ranks(*model));
    JUXTA_TRY(parameters_in(file, *model));
    return Run(make_owned<State>());
  });
  JUXTA_TRY(agree(ranks, seen.map([](const Run&) {})));
  return with_file(path, [&](const RunFile& file) -> Result<Run> {
    const ModelInfo& model = **find_model(models, file.model);
    JUXTA_TRY_LET(Simulation mine, simulation_over(ranks, file, path));
    auto part = started_from(file, model, std::move(mine));
    JUXTA_TRY(agree(ranks, part.map([](const auto&) {})));
    JUXTA_TRY_LET(Simulation whole, (*part)->simulation.gather());
    JUXTA_TRY_LET(auto started, started_from(file, model, std::move(whole)));
    return judged(State{std::move(started), std::move(*part)});
  });
}

Result<void> Run::step(const Context& context) {
  JUXTA_TRY(step_only(context));
  return collect();
}

Result<void> Run::step_only(const Context& context) {
  JUXTA_TRY((state_->part ? state_->part : state_->started)->step(context));
  state_->collected = state_->until_met = false;
  return {};
}

Result<void> Run::collect() {
  if (state_->collected) {
    return {};
  }
  state_->collected = true;
  if (!state_->part) {
    return state_->started->collect().and_then([&] { return state_->judge(); });
  }
  const Simulation& part = state_->part->simulation;
  JUXTA_TRY(part.gather_into(state_->started->simulation));
  JUXTA_TRY(agree(*part.ranks(), part.ranks()->rank() == 0 ? state_->started->collect() : Result<void>()));
  return state_->judge();
}

std::uint32_t Run::steps_done() const noexcept {
  return (state_->part ? state_->part : state_->started)->simulation.step();
}

Result<void> Run::save(std::string_view path) const {
  const std::filesystem::path file = path_of(path);
  if (!state_->part) {
    return study_detail::save_run(file, *state_->started).map([&] {
      SimulationParts::remove_others({}, std::string(path));  // of the save over ranks that stood there
    });
  }
  Ranks& ranks = *state_->part->simulation.ranks();
  JUXTA_TRY_LET(const auto manifest, SimulationParts::save(state_->part->simulation, std::string(path)));
  const auto mine =
      ranks.rank() == 0 ? study_detail::save_run(file, *state_->started, manifest) : Result<void>();
  auto saved = agree(ranks, mine);
  if (!saved) {
    SimulationParts::discard(manifest, std::string(path), ranks.rank());
  } else if (ranks.rank() == 0) {
    SimulationParts::remove_others(manifest, std::string(path));
  }
  return saved;
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
const std::optional<Until>& Run::until() const noexcept {
  return state_->started->options.until;
}
bool Run::until_met() const noexcept {
  return state_->until_met;
}
Result<void> Run::set_until(std::optional<Until> until) {
  JUXTA_TRY(state_->started->set_until(std::move(until)));
  return state_->judge();
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

Result<void> Run::set(std::string_view name, double value) {
  Started& started = *state_->started;
  if (state_->part) {
    return fail(ErrorCode::kInvalidArgument, "a run over ranks keeps its parameters");
  }
  const auto declared = started.parameters.declared();
  const auto found = std::ranges::find(declared, name, &Parameter::name);
  if (found != declared.end() && !found->live) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is not live: it counts when a run begins", name));
  }
  const Parameters before = started.parameters;
  JUXTA_TRY(started.parameters.set(name, value));
  // What rules keep beside the simulation they can make anew from it: so new rules go on where the old were.
  auto opened = started.reopen();
  if (!opened) {
    started.parameters = before;
  }
  return opened;
}
std::uint64_t Run::state_hash() const {
  return agents_detail::SimulationImage(state_->started->simulation).checksum();
}

}  // namespace juxta
