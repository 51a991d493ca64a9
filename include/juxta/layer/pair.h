// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bodies by number: what queries answer with.
#pragma once

#include <compare>
#include <cstdint>

namespace juxta {

/// "No body": the answer of a query that finds nothing.
inline constexpr std::uint32_t kNoBody = ~std::uint32_t{0};

/// Two bodies that overlap, by number. Of one layer: a < b. Of two layers: a of the first, b of the second.
/// In a batch: a is the query, b the body.
struct Pair {
  std::uint32_t a, b;
  friend bool operator==(const Pair&, const Pair&) = default;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

}  // namespace juxta
