// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the nearest of blocks of seers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "points/list_memory.h"
#include "points/search.h"

namespace juxta::points_detail {

/// Where the k nearest go: k of each seer, by its number. Limits of the search: how far at most.
template <class Real>
struct NearestTask {
  std::uint32_t k;
  std::uint32_t* index;
  Real* distance2;     // or null
  Real* displacement;  // D each, or null
  ListMemory* memory;  // of what is under consideration
};

/// Of the seers of blocks [first, last): how many were found. Stops when there is no memory.
template <int D, class Real>
std::size_t nearest_blocks(const Search<D>& search, const NearestTask<Real>& task, std::uint32_t first,
                           std::uint32_t last, SearchWork& work) noexcept;
/// Its plain twin: all pairs, sorted.
template <int D, class Real>
std::size_t nearest_blocks_plain(const Search<D>& search, const NearestTask<Real>& task, std::uint32_t first,
                                 std::uint32_t last) noexcept;

}  // namespace juxta::points_detail
