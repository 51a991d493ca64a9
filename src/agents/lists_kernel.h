// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: sweeps that write down who is near whom (neighbour_lists.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/neighbour_lists.h"
#include "juxta/core/array.h"
#include "juxta/core/function_ref.h"

namespace juxta::agents_detail {

/// Candidates in columns, which can be read up to a register past the last one.
struct CandidateView {
  const float* position[3];
  const float* shift[3];    // looked at where the group's images are kShiftedImage
  const float* extents[3];  // looked at where agents have a size
  const std::uint32_t* rows;
  std::size_t count;
};

/// The candidates of a group that comes in parts. A list must be complete before the next one begins, so the
/// group waits for its last part.
class KeptCandidates {
 public:
  /// False if there is no memory.
  [[nodiscard]] bool add(const CandidateView& part) noexcept;
  [[nodiscard]] CandidateView view() const noexcept;
  void clear() noexcept;

 private:
  std::array<Array<float>, 9> columns_;  // position, shift, extents
  Array<std::uint32_t> rows_;
};

/// Arrays of entries; null: not wanted.
struct ListPlaces {
  std::uint32_t* rows = nullptr;
  RowPair* pairs = nullptr;
  float* distance2 = nullptr;
  float* distance = nullptr;
  float* displacement = nullptr;
};

/// Where pairs go, as long as there is room; then they are only counted. A register may be written past the
/// last entry, but never past the room.
struct ListSink : ListPlaces {
  std::size_t room = 0;           // entries
  std::size_t at = 0;             // entries so far, stored or not
  bool half = false;              // of one population: only higher rows
  bool same = false;              // one population
  std::uint64_t* ends = nullptr;  // [row of the seer] = `at` when its list is complete; null: not wanted
  /// Takes away what is stored, so that `at` begins again at 0. Empty: there is no more room. If not, `room`
  /// is at least 16.
  FunctionRef<void(std::size_t count)> flush = {};
  bool failed = false;  // there was no memory
  KeptCandidates kept;
};
/// What a sweep gets as its rules.
struct ListRules {
  ListSink* sink;
};

/// Copies the first `count` entries of `from` to `to`, from its entry `at` on.
void copy_entries(const ListPlaces& from, std::size_t count, std::size_t dimensions, const ListPlaces& to,
                  std::size_t at) noexcept;

/// Sweeps for tasks whose first seen column holds the rows of the seen, as bits.
void sweep_list_rows(const void* list_rules, const SweepTask& task);      // rows and ends alone
void sweep_list_measured(const void* list_rules, const SweepTask& task);  // all of the sink

}  // namespace juxta::agents_detail
