// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/files/skipped_rows.h"
#include "juxta/math/aabb.h"

namespace juxta {

/// Boxes with (optionally) a name each.
struct BoxTable {
  int dimensions = 3;        ///< 2: the file has no z, and every box has z from 0 to 0.
  std::vector<Aabb3> boxes;  ///< Finite, no side inverted.
  std::vector<std::uint64_t>
      name_end;            ///< Name i is name_bytes[name_end[i - 1], name_end[i]); empty: no names.
  std::string name_bytes;  ///< All names one after the other, UTF-8 as in the file.
  SkippedRows skipped;     ///< Of a reader with BoxReading::skip_bad.

  [[nodiscard]] std::size_t size() const noexcept { return boxes.size(); }
  [[nodiscard]] bool has_names() const noexcept { return !name_end.empty(); }
  /// The name of box i < size(), or "" when there are no names. Valid while the table is unchanged.
  [[nodiscard]] std::string_view name(std::size_t i) const noexcept {
    if (name_end.empty()) {
      return {};
    }
    const std::uint64_t first = i == 0 ? 0 : name_end[i - 1];
    return std::string_view(name_bytes).substr(first, name_end[i] - first);
  }
};

/// What the rows of a file ask.
enum class QueryKind : std::uint8_t {
  kBox,  ///< Low side and high side; infinite sides are allowed, and inverted boxes, which touch nothing.
  kRay,  ///< Origin, direction, and how far in lengths of the direction (infinite where the file is silent).
  kSegment,  ///< From, to.
  kPoint,    ///< A point whose nearest box is wanted.
};

/// Queries, all of one kind: plain numbers, for whoever has the library's types.
struct QueryTable {
  QueryKind kind = QueryKind::kBox;
  int dimensions = 3;
  std::vector<float> numbers;  ///< Row by row, stride() each. No NaN.

  /// Numbers of one query: 2 D, a ray's 2 D + 1, a point's D.
  [[nodiscard]] std::size_t stride() const noexcept {
    const auto d = static_cast<std::size_t>(dimensions);
    return kind == QueryKind::kRay ? 2 * d + 1 : kind == QueryKind::kPoint ? d : 2 * d;
  }
  [[nodiscard]] std::size_t size() const noexcept { return numbers.size() / stride(); }
};

}  // namespace juxta
