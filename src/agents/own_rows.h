// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a group's seers among those it sees.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "agents/candidates_kernel.h"

namespace juxta::agents_detail {

/// Where the seers of a group are among the seen, so that none sees itself: side by side, or one by one where
/// they are copies of rows.
class OwnRows {
 public:
  static constexpr std::uint32_t kNobody = MarkedRows::kUnmarked;
  struct Own {
    std::uint32_t row = kNobody;
    std::uint8_t lane = 0;
  };

  explicit OwnRows(const Seeing& seeing) noexcept : seeing_(seeing) {}

  /// For the group of seers [seer, seer + count).
  void find(std::uint32_t seer, std::uint32_t count) noexcept {
    const MarkedRows* const marked = seeing_.marked;
    first_ = kNobody;
    next_ = 0;
    rows_[0].row = kNobody;
    if (seeing_.are_seen) {
      const std::uint32_t row = seer + seeing_.first_own;
      lanes_ = marked != nullptr ? marked->lanes(row, count) : (1U << count) - 1;
      first_ = lanes_ == 0 ? kNobody : marked != nullptr ? marked->before(row) : row;
    } else if (seeing_.rows != nullptr) {
      list(seeing_.rows + seer, count);
    }
  }

  /// Of those side by side: the row of the first, which is kNobody where there are none; and who they are.
  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  [[nodiscard]] std::uint16_t lanes() const noexcept { return static_cast<std::uint16_t>(lanes_); }

  /// Of those one by one, ascending by row: the next, and past it. Behind the last is kNobody.
  [[nodiscard]] const Own& next() const noexcept { return rows_[next_]; }
  void pass() noexcept { ++next_; }

 private:
  void list(const std::uint32_t* rows, std::uint32_t count) noexcept {
    std::uint32_t listed = 0;
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const std::uint32_t own = rows[lane] + seeing_.first_own;
      const std::uint32_t row = seeing_.marked != nullptr ? seeing_.marked->number(own) : own;
      if (row != kNobody) {
        rows_[listed++] = {row, static_cast<std::uint8_t>(lane)};
      }
    }
    std::sort(rows_.begin(), rows_.begin() + listed,
              [](const Own& a, const Own& b) { return a.row < b.row; });
    rows_[listed].row = kNobody;
  }

  const Seeing& seeing_;
  std::uint32_t first_ = kNobody, lanes_ = 0;
  std::array<Own, kMostSeers + 1> rows_;
  std::uint32_t next_ = 0;
};

}  // namespace juxta::agents_detail
