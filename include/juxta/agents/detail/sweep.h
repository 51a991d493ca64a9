// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what the library hands to a compiled interaction or action.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/export.h"
#include "juxta/core/id.h"

namespace juxta::agents_detail {

inline constexpr std::size_t kMostColumns = 16;

/// Seers that stand side by side in memory, and those that they may see, copied side by side too.
///
///   seers        s0 s1 s2 s3 ... s15      in the lanes of registers
///   candidates   c0 c1 c2 c3 c4 ...       one in all lanes: sixteen pairs a step
///
/// Candidates ascend by row, so that each seer adds its neighbours in the order of rows, however seers are
/// grouped and whatever a register holds.
struct SweepGroup {
  std::uint32_t seer;        // row of the first
  std::uint32_t count;       // of seers: 1 to 16
  std::uint32_t begin, end;  // candidates
  /// From candidate `self` on there are seers themselves: those of the lanes `own`, a bit each, ascending, up
  /// to the last candidate. None of them where self == end.
  std::uint32_t self;
  std::uint16_t own;
  std::uint8_t images;  // Images
  bool resume, more;    // the candidates continue an earlier group's; another group continues them
};

/// Where the nearest image of a candidate is.
enum Images : std::uint8_t {
  kOwnImage,      // where the candidate is
  kShiftedImage,  // shifted by as much as the candidate's columns say, for all seers of the group
  kAnyImage,      // another one for each pair
};

/// Candidates that one call holds at most.
inline constexpr std::size_t kMostCandidates = 512;
/// From a column of candidates to the next one: not a power of two, so that columns do not compete for lines
/// of the cache.
inline constexpr std::size_t kCandidateStride = kMostCandidates + 16;
/// Columns: positions, what to add to them for the nearest image, extents, the columns that rules read, and
/// the slots of Ids, which are no floats and are only moved.
inline constexpr std::size_t kShiftColumn = 3, kExtentColumn = 6, kSeenColumn = 9;
inline constexpr std::size_t kSlotColumn = kSeenColumn + kMostColumns;
inline constexpr std::size_t kCandidateColumns = kSlotColumn + 1;
/// Totals of a group that goes on: what they are, and of those with an Id also whose.
inline constexpr std::size_t kPartials = 2 * kMostColumns;

struct SweepTask {
  const SweepGroup* groups;
  std::size_t group_count;
  const float* candidates;  // kCandidateColumns times kCandidateStride
  std::uint32_t dimensions;
  bool box;            // the metric
  float radius;        // for all seers ...
  const float* radii;  // ... unless each has its own
  // Plain arrays: std::array's operators would be functions of one name in the copies for all instruction
  // sets.
  float period[3], half_period[3];  // 0 and +infinity where the world does not wrap
  const float *seer_position[3], *seen_position[3];
  const float *seer_extents[3], *seen_extents[3];  // null: points
  const float *seer_columns[kMostColumns], *seen_columns[kMostColumns];
  std::size_t seen_column_count;
  float* found[kMostColumns];
  Id* found_ids[kMostColumns];            // instead of found[i] where that total is an Id
  const std::uint32_t* seen_slots;        // of the seen, per row; null: no total is an Id
  const std::uint32_t* seen_generations;  // per slot
  float* partial;                         // kPartials times sixteen, aligned to 64
};
using Sweep = void(const void* interaction, const SweepTask& task);

/// Rows [first, last) of an action; columns are padded to whole sixteens.
struct ActTask {
  std::uint32_t first, last;
  const float* reads[kMostColumns];
  float* writes[kMostColumns];
};
using Act = void(const void* action, const ActTask& task);

/// The names of an interaction's columns, and who knows its copy for the instruction set in use.
struct Interaction {
  std::span<const char*const> seer, seen, found;
  Sweep* (*sweep)();
  std::uint32_t found_ids = 0;  // bit i: found[i] is an Id
};
struct Action {
  std::span<const char*const> reads, writes;
  Act* (*act)();
};

/// Defined by JUXTA_INTERACTION(T) and JUXTA_ACTION(T), in a file of juxta_add_interactions(): an undefined
/// reference to one of these means that the file, or the line in it, is missing.
template <class T>
[[nodiscard]] Sweep* sweep_of();
template <class T>
[[nodiscard]] Act* act_of();

}  // namespace juxta::agents_detail
