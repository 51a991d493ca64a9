// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/ranked/rank_order.h"
#include "classics/ranked/record.h"

namespace juxta::classics {

/// The contest article's first loop: the records themselves in rank order, read one by one until k of them
/// were inside. Of 13 bytes it looks at 8, and every point is a branch; `Scan` is what the article makes of
/// it.
///
/// As printed, but for two slips: the loop compares with the number of points where it means the number
/// wanted, and it has no `break` (tests/classics/ranked_slips_test.cpp).
class RecordScan {
 public:
  explicit RecordScan(const RankedColumns& points) {
    records_.reserve(points.x.size());
    for (const std::uint32_t i : rank_order(points.rank)) {
      records_.push_back(
          {points.id.empty() ? std::int8_t{0} : points.id[i], points.rank[i], points.x[i], points.y[i]});
    }
  }

  /// Writes the min(k, hits) lowest-ranked points inside `rect`, in ascending rank; returns how many.
  std::size_t top(const RectF& rect, std::size_t k, Record* out) const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < records_.size() && n < k; ++i) {
      if (rect.contains(records_[i].x, records_[i].y)) {
        out[n++] = records_[i];
      }
    }
    return n;
  }

  [[nodiscard]] std::size_t memory_bytes() const noexcept { return records_.size() * sizeof(Record); }

 private:
  std::vector<Record> records_;  // in rank order
};

}  // namespace juxta::classics
