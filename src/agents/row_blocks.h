// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: runs of rows, cut into blocks of sixteen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace juxta::agents_detail {

/// A list of blocks, filled without branches. Lengths of runs vary, so a loop over each run would be
/// mispredicted once a run.
class RowBlocks {
 public:
  static constexpr std::uint32_t kRows = 16;
  struct Block {
    std::uint32_t row, count;  // of rows up to the end of the run: sixteen or more if it goes on
  };
  /// Rows of a run at most.
  static constexpr std::uint32_t kLongest = 4 * kRows;

  /// The list must not be full.
  void add(std::uint32_t first, std::uint32_t last) noexcept {
    const std::uint32_t count = last - first;
    for (std::uint32_t k = 0; k < kLongest / kRows; ++k) {  // also those behind the run's end
      blocks_[size_ + k] = {first + k * kRows, count - k * kRows};
    }
    size_ += (count + kRows - 1) / kRows;
  }
  [[nodiscard]] bool is_full() const noexcept { return size_ + kLongest / kRows > blocks_.size(); }
  void clear() noexcept { size_ = 0; }

  [[nodiscard]] const Block* begin() const noexcept { return blocks_.data(); }
  [[nodiscard]] const Block* end() const noexcept { return blocks_.data() + size_; }

 private:
  std::array<Block, 64> blocks_;
  std::size_t size_ = 0;
};

}  // namespace juxta::agents_detail
