// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the kernels behind RankedPoints::top and count, chosen for the running CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/query_result.h"
#include "juxta/math/rect.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

/// Writes the input indices of the k lowest positions inside `rect`, ascending. `out` has k places.
QueryResult top_points(const RankedView& view, const RectD& rect, std::size_t k, std::uint32_t* out) noexcept;

/// The same of points behind that with input index `own`, from a list. False: no list has the answer, and
/// `out` may hold anything.
bool top_points_behind(const RankedView& view, const RectD& rect, std::uint32_t own, std::size_t k,
                       std::uint32_t* out, QueryResult& result) noexcept;

/// top_points() of positions from `first` on, for any k.
QueryResult top_points_from(const RankedView& view, const RectD& rect, std::uint32_t first, std::size_t k,
                            std::uint32_t* out) noexcept;

/// top_points() for many rectangles by turns, so that the misses of one are hidden behind the others. Takes
/// about 80 KiB of stack.
void top_points_batch(const RankedView& view, std::span<const RectD> rects, std::size_t k, std::uint32_t* out,
                      std::uint32_t* counts) noexcept;

/// The lowest positions (not indices) of points whose quanta are in `box`: how the lists of sparse cells are
/// built.
std::size_t top_positions(const RankedView& view, const QuantumBox& box, std::size_t k,
                          std::uint32_t* out) noexcept;

/// How many points are inside `rect`.
QueryResult count_points(const RankedView& view, const RectD& rect) noexcept;

/// The same contracts in plain C++, by looking at every point: the oracles of the tests.
QueryResult top_points_reference(const RankedView& view, const RectD& rect, std::size_t k,
                                 std::uint32_t* out);
QueryResult count_points_reference(const RankedView& view, const RectD& rect) noexcept;

}  // namespace juxta::ranked_detail
