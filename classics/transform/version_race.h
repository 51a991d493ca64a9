// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "classics/transform/chunk_world.h"

namespace juxta::classics {

/// The slip of the first form of depth levels: one job per chunk and depth that checks and, when dirty,
/// updates and bumps the chunk's version at once. A chunk that holds several depths is read by the checks of
/// other chunks of the same depth (it holds a parent of theirs, one depth up) while its own job may bump it:
///
///   chunk B holds p (depth 0, unchanged) and q (depth 1, dirty)       job B: own | parent of q | BUMP
///   chunk A holds a child of p (depth 1)                              job A: own | ... | READ version of B
///
/// A job's steps are: its own versions; then, one step a row, the version of the chunk of the row's parent,
/// until one has changed; then, when dirty, compute and bump. `schedule` says step by step which of `chunks`
/// goes next (its place in the list); a job that is done idles, and those that are not done when the schedule
/// ends run to their end in the order of the list. Transforms come out the same for any schedule; versions do
/// not, and whatever is decided by them later.
void update_depth_fused(ChunkWorld& world, std::uint8_t depth, std::uint32_t last_run,
                        std::span<const std::uint32_t> chunks, std::span<const std::uint8_t> schedule);

/// The published remedy: all checks first, in steps by one schedule, then all updates, a step each, by
/// another. No check reads a version that a check may write: one outcome.
void update_depth_split(ChunkWorld& world, std::uint8_t depth, std::uint32_t last_run,
                        std::span<const std::uint32_t> chunks, std::span<const std::uint8_t> check_schedule,
                        std::span<const std::uint8_t> update_schedule);

}  // namespace juxta::classics
