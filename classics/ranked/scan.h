// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "classics/ranked/record.h"
#include "juxta/core/array.h"

namespace juxta::classics {

/// The plainest answer: all points in rank order, read until k of them were inside. Nothing to get wrong, so
/// it is the oracle; and the memory's bandwidth is its speed, so it is the floor that an index must beat.
///
/// The second loop of the contest entry's article (docs/articles.md). As printed: coordinates in two columns,
/// a register of points a test, one branch where none is inside. Not as printed: registers of this machine's
/// width, four of them a branch; all points, where the entry scans its 2048 best; count(). NaN bounds are
/// empty; any coordinates. Const members may be called from many threads.
class Scan {
 public:
  explicit Scan(const RankedColumns& points);

  /// Writes the min(k, hits) lowest-ranked points inside `rect`, in ascending rank; returns how many.
  std::size_t top(const RectF& rect, std::size_t k, Record* out) const;
  /// The same, as input indices.
  std::size_t top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) const;
  /// How many are inside.
  [[nodiscard]] std::size_t count(const RectF& rect) const;

  /// Bytes that count() reads: 8 per point.
  [[nodiscard]] std::size_t bytes_scanned() const noexcept { return x_.size() * 2 * sizeof(float); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  template <class Write>
  std::size_t answer(const RectF& rect, std::size_t k, const Write& write) const;

  Array<float> x_, y_;          // in rank order
  Array<Record> records_;       // in rank order
  Array<std::uint32_t> input_;  // rank order -> input index
};

}  // namespace juxta::classics
