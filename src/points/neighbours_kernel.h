// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the neighbours of blocks of seers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "points/list_memory.h"
#include "points/search.h"

namespace juxta::points_detail {

/// counts[number of the seer] = how many are near, for the seers of blocks [first, last).
template <int D>
void count_blocks(const Search<D>& search, bool half, std::uint32_t first, std::uint32_t last,
                  std::uint32_t* counts, SearchWork& work) noexcept;
/// Its plain twin: all pairs.
template <int D>
void count_blocks_plain(const Search<D>& search, bool half, std::uint32_t first, std::uint32_t last,
                        std::uint32_t* counts) noexcept;

/// Lists up to this length are sorted when they are written, by ranks; longer ones when they are found.
inline constexpr std::uint32_t kShortList = 256;
/// Entries behind a list that may be read: four registers.
inline constexpr std::size_t kBehindList = 64;

/// How lists are found.
struct FindTask {
  bool half;
  bool sorted;
  bool lanes;               // a list holds lanes of the tree, else numbers of its points
  std::uint64_t* counts;    // by number of the seer: lengths
  std::uint32_t** list_of;  // by lane of the seer: its list, in the memory
  ListMemory* memory;
};
/// The lists of the seers of blocks [first, last), in the order of the tree; long ones sorted by number if
/// they are wanted so. Stops when there is no memory.
template <int D>
void find_blocks(const Search<D>& search, const FindTask& task, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) noexcept;
/// Its plain twin: all pairs.
template <int D>
void find_blocks_plain(const Search<D>& search, const FindTask& task, std::uint32_t first,
                       std::uint32_t last) noexcept;

/// How lists are written.
template <class Real>
struct WriteTask {
  bool sorted;
  bool lanes;                      // as they were found
  const std::uint64_t* offsets;    // by number of the seer
  std::uint32_t* const* list_of;   // by lane of the seer
  std::uint32_t* index = nullptr;  // null: not wanted
  std::int64_t* index64 = nullptr;
  std::uint32_t* pairs = nullptr;
  std::int64_t* pairs64 = nullptr;
  Real* distance = nullptr;
  Real* displacement = nullptr;
};
/// Writes the lists of the seers of blocks [first, last).
template <int D, class Real>
void write_blocks(const Search<D>& search, const WriteTask<Real>& task, std::uint32_t first,
                  std::uint32_t last) noexcept;
/// Its plain twin.
template <int D, class Real>
void write_blocks_plain(const Search<D>& search, const WriteTask<Real>& task, std::uint32_t first,
                        std::uint32_t last) noexcept;

}  // namespace juxta::points_detail
