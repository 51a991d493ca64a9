// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "juxta/core/try.h"
#include "juxta/study/columns.h"

namespace juxta {
namespace {

template <class List>
std::string names_of(const List& list) {
  std::string names;
  for (const auto& each : list) {
    names += (names.empty() ? "" : ", ") + each.name;
  }
  return names;
}

}  // namespace

Model::~Model() = default;

Preset preset_of(std::string name, std::string_view values, std::uint32_t steps) {
  Preset preset{std::move(name), {}, steps};
  while (!values.empty()) {
    const std::string_view one = values.substr(0, values.find(' '));
    values.remove_prefix(std::min(values.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    double value = 0;
    if (equals != std::string_view::npos &&
        std::from_chars(one.data() + equals + 1, one.data() + one.size(), value).ptr ==
            one.data() + one.size()) {
      preset.values.emplace_back(one.substr(0, equals), value);
    }
  }
  return preset;
}

Result<Population*> require_population(Simulation& simulation, std::string_view name) {
  Population* const found = simulation.find_population(name);
  if (found == nullptr) {
    return fail(ErrorCode::kNotFound, fmt::format("there is no population '{}' in this simulation", name));
  }
  return found;
}

Result<const ModelInfo*> find_model(std::span<const ModelInfo> models, std::string_view name) {
  const auto found = std::ranges::find(models, name, &ModelInfo::name);
  if (found == models.end()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no model '{}': give one of {}", name, names_of(models)));
  }
  return &*found;
}

std::uint32_t steps_of(const ModelInfo& model, std::string_view preset) noexcept {
  const auto found = std::ranges::find(model.presets, preset, &Preset::name);
  return found == model.presets.end() || found->steps == 0 ? model.steps : found->steps;
}

Result<Parameters> parameters_of(const ModelInfo& model, std::string_view preset) {
  Parameters parameters(model.parameters);
  if (preset.empty()) {
    return parameters;
  }
  const auto found = std::ranges::find(model.presets, preset, &Preset::name);
  if (found == model.presets.end()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{} has no preset '{}'{}{}", model.name, preset,
                            model.presets.empty() ? "" : ": give one of ", names_of(model.presets)));
  }
  for (const auto& [name, value] : found->values) {
    JUXTA_TRY(parameters.set(name, value));
  }
  return parameters;
}

}  // namespace juxta
