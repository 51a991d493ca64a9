// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/started.h"

#include <fmt/format.h>

#include <algorithm>

namespace juxta::detail {

Result<std::unique_ptr<Started>> Started::begin(const ModelInfo& info, const Parameters& parameters,
                                                std::uint64_t seed) {
  if (!std::ranges::equal(parameters.declared(), info.parameters, {}, &Parameter::name, &Parameter::name)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("these are not the parameters of {}: take parameters_of()", info.name));
  }
  return info.begin(parameters, seed).and_then([&](Simulation&& simulation) {
    return open(info, parameters, std::move(simulation));
  });
}

Result<std::unique_ptr<Started>> Started::open(const ModelInfo& info, const Parameters& parameters,
                                               Simulation simulation) {
  auto started = std::make_unique<Started>(info, parameters, std::move(simulation));
  return info.open(started->parameters, started->simulation).map([&](std::unique_ptr<Model>&& model) {
    started->model = std::move(model);
    started->model->declare(started->collector);
    return std::move(started);
  });
}

Result<void> Started::step(const Executor* executor) {
  const std::uint32_t before = simulation.step();
  return model->step(executor).and_then([&]() -> Result<void> {
    if (simulation.step() != before + 1) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} went from step {} to {}: Model::step() must call end_step() once",
                              info.name, before, simulation.step()));
    }
    return {};
  });
}

}  // namespace juxta::detail
