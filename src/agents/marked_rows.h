// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a pass that sees only some of a population.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "agents/halo.h"
#include "agents/store.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/see_options.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Rows with a mark, numbered in their order: the k-th of them is `rows()[k]`.
class MarkedRows {
 public:
  static constexpr std::uint32_t kUnmarked = ~std::uint32_t{0};

  /// Those whose mark is not 0. All memory is the workspace's.
  MarkedRows(std::span<const std::uint8_t> marks, Workspace& scratch);

  [[nodiscard]] std::span<const std::uint32_t> rows() const noexcept { return rows_; }
  /// How many there are before a row, or before the end of all.
  [[nodiscard]] std::uint32_t before(std::uint32_t row) const noexcept {
    const std::uint64_t bits = bits_[row / 64] & ((std::uint64_t{1} << row % 64) - 1);
    return before_[row / 64] + static_cast<std::uint32_t>(std::popcount(bits));
  }
  /// Which of the rows [row, row + count) have a mark, count <= 32: a bit each.
  [[nodiscard]] std::uint32_t lanes(std::uint32_t row, std::uint32_t count) const noexcept {
    const std::uint32_t shift = row % 64;
    std::uint64_t bits = bits_[row / 64] >> shift;
    if (shift + count > 64) {
      bits |= bits_[row / 64 + 1] << (64 - shift);
    }
    return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << count) - 1));
  }
  /// The number of a row; kUnmarked if it has no mark.
  [[nodiscard]] std::uint32_t number(std::uint32_t row) const noexcept {
    return (bits_[row / 64] >> row % 64 & 1) != 0 ? before(row) : kUnmarked;
  }

  /// The task sees copies of the marked rows instead of all.
  void copy_seen(SweepTask& task, Workspace& scratch) const;

 private:
  std::span<std::uint64_t> bits_;    // the marks, and a word of zeros or a part of one behind
  std::span<std::uint32_t> before_;  // as many as there are marks before the 64 rows of a word
  std::span<std::uint32_t> rows_;
};

/// Whom a pass sees: all of a population, or those that SeeOptions::among marks, of which the task then gets
/// copies.
class SeenRows {
 public:
  /// `halo`: of a population on several ranks, which the task reads; else null.
  SeenRows(const PopulationStore& seen, Halo* halo, const SeeOptions& options, SweepTask& task,
           Workspace& scratch);

  [[nodiscard]] const PopulationStore& population() const noexcept { return seen_; }
  [[nodiscard]] const Directory& directory() const noexcept {
    return halo_ != nullptr ? halo_->directory() : seen_.directory;
  }
  /// The row of the population's first agent.
  [[nodiscard]] std::uint32_t first_own() const noexcept { return halo_ != nullptr ? halo_->first_own() : 0; }
  [[nodiscard]] bool has_ghosts() const noexcept { return halo_ != nullptr; }
  /// Null: all agents are here.
  [[nodiscard]] Halo* halo() const noexcept { return halo_; }
  [[nodiscard]] std::size_t size() const noexcept { return marked_ ? marked_->rows().size() : seen_.size(); }
  /// Null: all.
  [[nodiscard]] const MarkedRows* marked() const noexcept { return marked_ ? &*marked_ : nullptr; }

 private:
  const PopulationStore& seen_;
  Halo* halo_;
  std::optional<MarkedRows> marked_;
};

}  // namespace juxta::agents_detail
