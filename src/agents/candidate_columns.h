// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the columns that candidates bring along.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "juxta/agents/detail/sweep.h"

namespace juxta::agents_detail {

/// From rows of the seen to the buffer of candidates. Positions come first, then whatever else is asked for.
struct CandidateColumns {
  /// `buffer` has kCandidateColumns columns.
  CandidateColumns(const SweepTask& task, float* buffer) noexcept {
    const auto add = [&](const float* column, std::size_t number) {
      in[count] = column;
      out[count++] = buffer + number * kCandidateStride;
    };
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      add(task.seen_position[a], a);
    }
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      if (task.seen_extents[a] != nullptr) {
        add(task.seen_extents[a], kExtentColumn + a);
      } else {  // asked for in a world where images are not known, and where seers alone have a size
        std::fill_n(buffer + (kExtentColumn + a) * kCandidateStride, kCandidateStride, 0.0F);
      }
    }
    for (std::size_t i = 0; i < task.seen_column_count; ++i) {
      add(task.seen_columns[i], kSeenColumn + i);
    }
    if (task.seen_slots != nullptr) {  // moved as floats are: no bit changes
      add(reinterpret_cast<const float*>(task.seen_slots), kSlotColumn);
    }
  }

  /// One row.
  void copy(std::uint32_t row, std::uint32_t to) const noexcept {
    for (std::size_t c = 0; c < count; ++c) {
      out[c][to] = in[c][row];
    }
  }

  std::size_t count = 0;
  std::array<const float*, kCandidateColumns> in;
  std::array<float*, kCandidateColumns> out;
};

}  // namespace juxta::agents_detail
