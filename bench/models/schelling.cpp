// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Schelling's model: the published run of 20 steps.
#include "tests/models/scalar/schelling.h"
#include "bench/models/rows.h"
#include "bench/models/steps_row.h"
#include "models/models.h"
#include "tests/models/scalar/schelling_counts.h"
#include "tests/models/scalar/schelling_turns.h"

namespace juxta::bench {
namespace {

std::uint64_t run_juxta(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  Simulation simulation = *info.begin(parameters, bench_seed());
  auto model = *info.open(parameters, simulation);
  timed_steps(state, info.steps, [&] { static_cast<void>(model->step({})); });
  Checksum checksum;
  const Population& agents = *simulation.find_population("agents");
  const auto x = agents.read(agents.position(0)), y = agents.read(agents.position(1));
  for (std::size_t row = 0; row < x.size(); ++row) {
    checksum.add_cell(x[row], y[row]);
  }
  return checksum.sum();
}

template <scalar::SchellingOrder order>
std::uint64_t run_scalar(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, bench_seed());
  const auto whole = [&](const char* name) { return static_cast<std::int32_t>(parameters.count(name)); };
  scalar::Schelling model(start, whole("size"), whole("radius"), whole("happy"), order);
  timed_steps(state, info.steps, [&] { model.step(); });
  Checksum checksum;
  for (const scalar::Schelling::Agent& agent : model.agents()) {
    checksum.add_cell(static_cast<float>(agent.x), static_cast<float>(agent.y));
  }
  return checksum.sum();
}

/// Plain C++ with count tables.
std::uint64_t run_counts(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, bench_seed());
  const auto whole = [&](const char* name) { return static_cast<std::uint32_t>(parameters.count(name)); };
  scalar::SchellingCounts model(start, whole("size"), whole("radius"), whole("happy"),
                                scalar::SchellingOrder::kShuffled);
  timed_steps(state, info.steps, [&] { model.step(); });
  Checksum checksum;
  for (const auto& [x, y] : model.cells()) {
    checksum.add_cell(static_cast<float>(x), static_cast<float>(y));
  }
  return checksum.sum();
}

/// The same, in the order that Juxta has and by the same idea.
std::uint64_t run_turns(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, bench_seed());
  const auto whole = [&](const char* name) { return static_cast<std::uint32_t>(parameters.count(name)); };
  scalar::SchellingTurns model(start, whole("size"), whole("radius"), whole("happy"));
  timed_steps(state, info.steps, [&] { model.step(); });
  Checksum checksum;
  for (const auto& [x, y] : model.cells()) {
    checksum.add_cell(static_cast<float>(x), static_cast<float>(y));
  }
  return checksum.sum();
}

/// Beside the published sizes: nearly all cells are taken, and a wide look.
ModelInfo with_presets() {
  ModelInfo info = models::schelling();
  info.presets.push_back(preset_of("full", "size=100 agents=9900 radius=2 happy=8"));
  info.presets.push_back(preset_of("wide", "size=100 agents=8000 radius=5 happy=40"));
  return info;
}

}  // namespace

void add_schelling_rows() {
  // Two orders, two states: by a random word of each agent, and by a shuffle, which plain C++ takes for
  // speed.
  constexpr Contender by_words = run_scalar<scalar::SchellingOrder::kByWords>;
  const std::vector<NamedContender> contenders = {{"juxta", run_juxta, by_words},
                                                  {"turns", run_turns, by_words},
                                                  {"counts", run_counts},
                                                  {"scalar", run_scalar<scalar::SchellingOrder::kShuffled>}};
  add_sizes("schelling", models::schelling, contenders);
  add_preset("schelling_full/", "full", with_presets, contenders);
  add_preset("schelling_wide/", "wide", with_presets, contenders);
}

}  // namespace juxta::bench
