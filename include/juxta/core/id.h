// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace juxta {

/// Names a thing in a dynamic owner for as long as it lives. A slot is used again with the next generation,
/// so a stale Id is recognised. Ids keep their meaning when the owner reorders its rows.
struct Id {
  std::uint32_t slot = ~std::uint32_t{0};
  std::uint32_t generation = 0;
  friend bool operator==(const Id&, const Id&) = default;
};

}  // namespace juxta
