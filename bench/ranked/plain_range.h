// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain other sides of a range of numbers: all points in rank order, looked at until k pass; and all
// points in the order of their numbers, of which the range is one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/math/rect.h"

namespace juxta::bench {

class PlainRange {
 public:
  PlainRange(std::span<const float> xs, std::span<const float> ys, std::span<const std::int32_t> ranks,
             std::span<const float> numbers);

  std::size_t top_by_rank(const RectF& rect, float least, float most, std::size_t k,
                          std::uint32_t* out) const;
  std::size_t top_by_number(const RectF& rect, float least, float most, std::size_t k,
                            std::uint32_t* out) const;
  [[nodiscard]] std::size_t count(const RectF& rect, float least, float most) const;

 private:
  struct Columns {
    std::vector<float> x, y, number;
    std::vector<std::uint32_t> name;  // by rank: the input index; by number: the place in rank order
    void add(float px, float py, float value, std::uint32_t who);
  };
  /// Calls visit(place, whether it is in the rectangle) for the points of `by_number_` in the range.
  template <class Visit>
  void visit_run(const RectF& rect, float least, float most, Visit visit) const;
  Columns by_rank_, by_number_;
};

}  // namespace juxta::bench
