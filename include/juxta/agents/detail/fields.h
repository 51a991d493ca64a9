// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the fields of a plain struct, one after the other.
#pragma once

#include <cstddef>

#include "juxta/agents/lanes.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

/// Calls visit(index, field) for each of the fields of a struct, as many as its kNames has names: a struct
/// with more or fewer fields than names does not compile.
template <class Struct, class Visit>
JUXTA_LANES_INLINE void for_each_field(Struct& s, Visit&& visit) noexcept {
  constexpr std::size_t kCount = Struct::kNames.size();
  const auto all = [&](auto&... fields) __attribute__((always_inline)) {
    std::size_t index = 0;
    (visit(index++, fields), ...);
  };
  static_assert(kCount <= 16, "an interaction has at most 16 columns of a kind");
#define JUXTA_FIELDS(n, ...)     \
  if constexpr (kCount == (n)) { \
    auto& [__VA_ARGS__] = s;     \
    all(__VA_ARGS__);            \
  }
  JUXTA_FIELDS(1, a)
  JUXTA_FIELDS(2, a, b)
  JUXTA_FIELDS(3, a, b, c)
  JUXTA_FIELDS(4, a, b, c, d)
  JUXTA_FIELDS(5, a, b, c, d, e)
  JUXTA_FIELDS(6, a, b, c, d, e, f)
  JUXTA_FIELDS(7, a, b, c, d, e, f, g)
  JUXTA_FIELDS(8, a, b, c, d, e, f, g, h)
  JUXTA_FIELDS(9, a, b, c, d, e, f, g, h, i)
  JUXTA_FIELDS(10, a, b, c, d, e, f, g, h, i, j)
  JUXTA_FIELDS(11, a, b, c, d, e, f, g, h, i, j, k)
  JUXTA_FIELDS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  JUXTA_FIELDS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  JUXTA_FIELDS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  JUXTA_FIELDS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  JUXTA_FIELDS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
#undef JUXTA_FIELDS
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::agents_detail
