// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a pass in which a few agents see much further than the others.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/agents/detail/sweep.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Who they are, if it is worth while to let them look by themselves.
struct FarSeers {
  std::span<std::uint32_t> rows;  // in an order in which sixteen are near each other
  float furthest = 0;             // the largest radius of all others
};
[[nodiscard]] FarSeers find_far_seers(const SweepTask& task, std::size_t seers, Workspace& scratch);

/// Copies of their columns, side by side, in `task`: the sweep fills copies of what it finds too.
void copy_far_seers(const FarSeers& far, SweepTask& task, Workspace& scratch);
/// What was found, to where it belongs.
void keep_what_far_seers_found(const FarSeers& far, const SweepTask& task, const SweepTask& pass);

}  // namespace juxta::agents_detail
