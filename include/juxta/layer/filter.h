// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace juxta {

/// What a body is and what it meets, in bits that the user names. Two bodies (or a query and a body) meet
/// when each one's category has a bit in the other one's mask. The default meets every default.
struct Filter {
  std::uint32_t category = ~std::uint32_t{0};  ///< What it is.
  std::uint32_t mask = ~std::uint32_t{0};      ///< What it meets; 0: nothing.

  [[nodiscard]] constexpr bool meets(Filter other) const noexcept {
    return (category & other.mask) != 0 && (other.category & mask) != 0;
  }
  friend bool operator==(const Filter&, const Filter&) = default;
};

}  // namespace juxta
