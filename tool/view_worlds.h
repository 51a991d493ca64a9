// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The worlds that 'juxta view' shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/view/viewed_world.h"

namespace juxta::tool {

struct FlockView {
  std::size_t agents = 20'000;
  bool solid = false, periodic = true;
  std::uint64_t seed = 1;
  std::size_t most = 10'000'000;  ///< Boids that a restart may ask for.
};
/// Errors: of Flock.
[[nodiscard]] Result<std::unique_ptr<ViewedWorld>> view_flock(const FlockView& settings,
                                                              const Executor* executor);

/// A published model, at its beginning. Errors: kNotFound (no such model or preset), kInvalidArgument, of the
/// model.
[[nodiscard]] Result<std::unique_ptr<ViewedWorld>> view_model(const std::string& name,
                                                              const std::string& preset,
                                                              const std::vector<std::string>& set,
                                                              std::uint64_t seed, const Executor* executor);

/// A battle, at its beginning. Errors: of read_scenario() and begin_world().
[[nodiscard]] Result<std::unique_ptr<ViewedWorld>> view_sector(const std::string& scenario,
                                                               std::optional<std::uint64_t> seed,
                                                               const Executor* executor);

/// A recording: a folder of indexes and snapshots, or one index. Errors: kIo, kNotFound (a folder without
/// them), kParse, kCorruptFile.
[[nodiscard]] Result<std::unique_ptr<ViewedWorld>> view_recording(const std::string& name);

}  // namespace juxta::tool
