// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where the pictures of a model look: at a place, or at agents wherever they go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/id.h"
#include "juxta/files/raster.h"

namespace juxta::program_detail {

struct CameraSettings {
  std::string centre;  ///< "X,Y", "POPULATION" or "POPULATION:ID"; empty: the middle of the picture.
  double zoom = 1;

  [[nodiscard]] bool asked_for() const { return !centre.empty() || zoom != 1; }
};

/// What is wrong with the settings, whatever the model; empty: nothing.
[[nodiscard]] std::string camera_mistake(const CameraSettings& settings);

/// Follows what it was told to.
class ModelCamera {
 public:
  /// After camera_mistake(). Errors: kNotFound (no such population, or agent).
  [[nodiscard]] static Result<ModelCamera> open(const CameraSettings& settings, const Simulation& simulation);

  /// Where it looks at the step that the simulation is at. Agents that are gone leave it where it was.
  [[nodiscard]] const Camera& at(const Simulation& simulation);

 private:
  std::string population_;  // empty: it stays where it is
  std::optional<Id> agent_;
  Camera camera_;
};

}  // namespace juxta::program_detail
