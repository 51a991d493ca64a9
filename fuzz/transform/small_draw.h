// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Fuzz bytes as the draws that the histories of tests/transform take.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fuzz/draw.h"

namespace juxta::fuzz {

class SmallDraw {
 public:
  SmallDraw(const std::uint8_t* data, std::size_t size) : draw_(data, size) {}

  std::uint32_t below(std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::uint32_t>(draw_.below(bound));
  }

 private:
  Draw draw_;
};

}  // namespace juxta::fuzz
