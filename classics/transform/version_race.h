// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "classics/transform/chunk_world.h"

namespace juxta::classics {

// Two races of "Transform Hierarchy 1" (Dreaming381). Both decide by a version that their own job writes.

/// What the job that the article begins with does for a child of which it computes nothing.
enum class ElseBranch : std::uint8_t {
  kAsPrinted,  ///< Asks whether the child's chunk was written, and if so computes all below the child.
  kMended,     ///< Goes on with what it knew.
};

/// The article's opening example: Unity's depth-first job (Entities 1.0.0-pre.65), one task for each chunk of
/// roots. Every child is visited; a child is computed when its parent was, or when the local transforms of
/// its chunk were written. A child that was not computed asks for its own chunk's version, which another task
/// bumps when it computes a neighbour:
///
///   A  root 1, moved      C  3 below 1      D  5 below 3          tasks A, B: A, C, D and E are written
///   B  root 2, at rest       4 below 2      E  6 below 4          tasks B, A: A, C and D are written
///
/// `chunks`: the tasks, one after the other, in this order. As printed: all but types, PostTransformMatrix
/// and write groups, which no entity here has. The mended branch is the article's: it asks only where a write
/// group keeps the job from writing the child, so here never.
void update_below_roots(ChunkWorld& world, std::uint32_t last_run, std::span<const std::uint32_t> chunks,
                        ElseBranch otherwise);

/// The form of depth levels that the article warns of: one job per chunk and depth that checks and, when
/// dirty, updates and bumps the chunk's version at once. A chunk that holds several depths is read by the
/// checks of other chunks of the same depth (it holds a parent of theirs, one depth up) while its own job may
/// bump it:
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

/// The published form: all checks first, in steps by one schedule, then all updates, a step each, by
/// another. No check reads a version that a check may write: one outcome.
void update_depth_split(ChunkWorld& world, std::uint8_t depth, std::uint32_t last_run,
                        std::span<const std::uint32_t> chunks, std::span<const std::uint8_t> check_schedule,
                        std::span<const std::uint8_t> update_schedule);

}  // namespace juxta::classics
