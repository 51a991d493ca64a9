// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "juxta/math/rect.h"

namespace juxta::classics {

/// A point as the contest stores it: 13 bytes, no gaps.
#pragma pack(push, 1)
struct Record {
  std::int8_t id;
  std::int32_t rank;
  float x, y;
};
#pragma pack(pop)
static_assert(sizeof(Record) == 13);

/// Points in input order, columns of equal length. Lower rank is more important, equal ranks go by input
/// order.
struct RankedColumns {
  std::span<const float> x, y;
  std::span<const std::int32_t> rank;
  std::span<const std::int8_t> id;  ///< May be empty: then records carry id 0.
};

}  // namespace juxta::classics
