// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: nodes in any order, put into buckets of a few tiles each.
//
//   rows, in the order of the call      | r0 | r1 | r2 | ...
//   pairs (row, place in the call)      | bucket 0 ...  | bucket 1 ... | ...      each in the order of the
//   call
//
// The transforms of a bucket fit the second cache. So each line of a tile comes from memory once, not once
// for each of its rows; and one distribution costs a third of a sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "transform/tile.h"

namespace juxta::transform_detail {

struct RowPair {
  Row row;
  std::uint32_t place;
};

class Buckets {
 public:
  /// Four tiles: 128 KiB of local transforms, 192 KiB of world transforms and the rest of them.
  static constexpr std::uint32_t kRows = 4 * kTileRows;

  /// Of rows below `end`. Memory: 8 bytes a row, and 4 KiB for each of up to 32 tasks.
  Buckets(std::span<const Row> rows, std::size_t end, const Executor* executor, Workspace& workspace);

  [[nodiscard]] std::size_t size() const noexcept { return begins_.size() - 1; }
  [[nodiscard]] std::span<const RowPair> operator[](std::size_t bucket) const noexcept {
    return pairs_.subspan(begins_[bucket], begins_[bucket + 1] - begins_[bucket]);
  }
  /// The first row of a bucket.
  [[nodiscard]] Row first_row(std::size_t bucket) const noexcept {
    return static_cast<Row>(bucket << shift_);
  }
  /// Of one bucket.
  [[nodiscard]] std::uint32_t rows() const noexcept { return std::uint32_t{1} << shift_; }
  /// Each is kRows long. False: there are so many rows that buckets are longer.
  [[nodiscard]] bool small() const noexcept { return rows() == kRows; }

 private:
  std::span<RowPair> pairs_;
  std::span<std::uint32_t> begins_;  // and the end
  unsigned shift_;
};

}  // namespace juxta::transform_detail
