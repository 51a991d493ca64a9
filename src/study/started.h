// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a model that is ready to step, with everything that it borrows from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "juxta/agents/simulation.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/parameters.h"
#include "juxta/study/run.h"
#include "juxta/study/until.h"

namespace juxta::study_detail {

/// Each member borrows from those before it, so this stays where it is.
struct Started {
  /// Errors: kInvalidArgument (parameters of another model), of the model.
  [[nodiscard]] static Result<std::unique_ptr<Started>> begin(const ModelInfo& info,
                                                              const Parameters& parameters,
                                                              std::uint64_t seed,
                                                              const RunOptions& options = {});
  /// The rules over a simulation that was loaded. Nothing is collected yet. Errors: of the model.
  [[nodiscard]] static Result<std::unique_ptr<Started>> open(const ModelInfo& info,
                                                             const Parameters& parameters,
                                                             Simulation simulation,
                                                             const RunOptions& options = {});
  Started(const ModelInfo& model_info, Parameters values, Simulation state)
      : info(model_info), parameters(std::move(values)), simulation(std::move(state)) {}

  /// The rules anew, with the parameters as they are now; what was collected stays. Errors: of the model; the
  /// old rules go on then.
  [[nodiscard]] Result<void> reopen();
  /// Errors: of the model; kInvalidArgument (it did not end exactly one step).
  [[nodiscard]] Result<void> step(const Context& context);
  /// Errors: kInvalidArgument, with the model's name.
  [[nodiscard]] Result<void> collect();
  /// Of a step that is not noted. Errors: as collect().
  [[nodiscard]] Result<void> watch();

  /// Another stop condition, or none. Errors: kNotFound (a report that is not made); the old one stays then.
  [[nodiscard]] Result<void> set_until(std::optional<Until> until);
  /// What was collected of the step that it is at meets the stop condition. The start does not count.
  [[nodiscard]] bool until_met() const noexcept;
  /// What the stop condition looks at, asked for now: for steps that are not noted. NaN: there is none.
  [[nodiscard]] double until_value() const;

  /// With the model's name in front.
  [[nodiscard]] Error named(Error error) const;

  ModelInfo info;
  Parameters parameters;
  Simulation simulation;
  Owned<Model> model;
  Collector collector;
  RunOptions options;
  std::size_t until_column = 0;  // of collector.steps(), where options.until is set
};

}  // namespace juxta::study_detail
