// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what the library hands to a compiled interaction or action.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/export.h"

namespace juxta::agents_detail {

inline constexpr std::size_t kMostColumns = 16;

/// Four rows of seers, and the rows of whom they may see.
///
///   seers      s0 s1 s2 s3            the first is a multiple of four
///   list       41 45 132 136 ...      first rows of fours of the seen; no row is in two of them
///
///   one step   s0 s0 s0 s0  s1 s1 s1 s1  s2 s2 s2 s2  s3 s3 s3 s3      x sixteen pairs
///              40 41 42 43  40 41 42 43  40 41 42 43  40 41 42 43
struct SweepGroup {
  std::uint32_t seer;        // the first of four rows
  std::uint32_t begin, end;  // in SweepTask::list
  std::uint8_t first, last;  // the seers of the four that this is about
  bool wrapped;              // by nearest image: some of the seen stand across an edge
  std::uint8_t self;         // so many entries at the front of the list may hold seers themselves
  bool resume, more;         // the list continues an earlier one; another one continues it
};

struct SweepTask {
  const SweepGroup* groups;
  std::size_t group_count;
  const std::uint32_t* list;
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
  float* found[kMostColumns];
  float* partial;  // totals of a group whose list goes on: kMostColumns times sixteen, aligned to 64
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
