// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The tutorial's epidemic (examples/study_epidemic.cpp) beside plain C++ of the same rules: 60 days of 4,000
// and 20,000 people. With the tutorial's parameters everybody falls ill within weeks; "few" and "many" keep a
// part of them ill all the time.
#include <bit>
#include <string>
#include <vector>

#include "bench/models/epidemic_plain.h"
#include "bench/models/rows.h"
#include "bench/models/steps_row.h"
#include "juxta/study/model.h"

juxta::ModelInfo epidemic();  // examples/study_epidemic.cpp

namespace juxta::bench {
namespace {

constexpr std::uint32_t kSteps = 60, kDay = 1;  // kDay: what the model's random numbers are for

/// People by Id, as they are when nobody was born.
PlainEpidemic people_of(const Simulation& simulation, const Parameters& p) {
  const Population& people = simulation.population(0);
  const auto x = people.read(people.position(0)), y = people.read(people.position(1));
  const auto days = people.read(*people.find_column<float>("days"));
  PlainEpidemic out{};
  out.radius = p.real("radius");
  out.infect = p.real("infect");
  out.illness = p.real("days");
  out.stride = p.real("stride");
  for (auto* column : {&out.x, &out.y, &out.days}) {
    column->resize(people.size());
  }
  for (std::uint32_t row = 0; row < people.size(); ++row) {
    const std::uint32_t id = people.id_of(row).slot;
    out.first_id = random_id(people.id_of(row)) - id;
    out.x[id] = x[row];
    out.y[id] = y[row];
    out.days[id] = days[row];
  }
  return out;
}

std::uint64_t checksum_of(const PlainEpidemic& people) {
  Checksum checksum;
  for (std::size_t i = 0; i < people.x.size(); ++i) {
    for (const float value : {people.x[i], people.y[i], people.days[i]}) {
      checksum.add(std::bit_cast<std::uint32_t>(value));
    }
  }
  return checksum.sum();
}

template <std::uint64_t seed>
std::uint64_t run_juxta(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  Simulation simulation = *info.begin(parameters, seed);
  auto model = *info.open(parameters, simulation);
  timed_steps(state, kSteps, [&] { static_cast<void>(model->step({})); });
  return checksum_of(people_of(simulation, parameters));
}

template <std::uint64_t seed, void (PlainEpidemic::*step)(const RandomKey&)>
std::uint64_t run_plain(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  PlainEpidemic people = people_of(*info.begin(parameters, seed), parameters);
  std::uint32_t day = 0;
  timed_steps(state, kSteps, [&] { (people.*step)({seed, day++, kDay}); });
  return checksum_of(people);
}

ModelInfo with_presets() {
  ModelInfo info = epidemic();
  for (const auto& [size, count] : {std::pair{"4k", 4000.0}, std::pair{"20k", 20000.0}}) {
    const std::string name = size;
    info.presets.push_back({name + "_tutorial", {{"people", count}}});
    info.presets.push_back(
        {name + "_few", {{"people", count}, {"first", count / 100}, {"days", 1000}, {"infect", 1e-4}}});
    info.presets.push_back(
        {name + "_many", {{"people", count}, {"first", count / 2}, {"days", 1000}, {"infect", 1e-4}}});
  }
  return info;
}

template <std::uint64_t seed>
void add_rows(const std::string& suffix) {
  const std::vector<NamedContender> contenders = {{"juxta", run_juxta<seed>},
                                                  {"plain_ill", run_plain<seed, &PlainEpidemic::step_ill>},
                                                  {"plain_all", run_plain<seed, &PlainEpidemic::step_all>}};
  for (const Preset& preset : with_presets().presets) {
    add_preset("epidemic_" + preset.name + suffix + "/", preset.name, with_presets, contenders);
  }
}

}  // namespace

void add_epidemic_rows() {
  add_rows<1>("");
  add_rows<2>("_seed2");
}

}  // namespace juxta::bench
