// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Numbers, places and shapes out of a fuzzer's bytes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fuzz/draw.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/shape.h"

namespace juxta::fuzz {

class ShapeDraw {
 public:
  ShapeDraw(const std::uint8_t* data, std::size_t size) : draw_(data, size) { wild_ = below(8) == 0; }

  /// Numbers may be anything: huge, tiny, infinite, NaN.
  [[nodiscard]] bool wild() const { return wild_; }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(draw_.below(bound)); }

  /// Mostly on a coarse grid, so that things line up exactly; else in (-4, 4), some of it tiny.
  float number() {
    const std::uint32_t kind = below(8);
    if (wild_ && kind == 0) {
      return std::bit_cast<float>((below(1U << 16) << 16) | below(1U << 16));
    }
    if (kind < 5) {
      return static_cast<float>(static_cast<int>(below(17)) - 8) * 0.25F;
    }
    const float fine = static_cast<float>(static_cast<int>(below(1U << 24)) - (1 << 23)) * 0x1p-21F;
    return kind == 5 ? fine * 1e-6F : fine;
  }
  float positive() { return std::abs(number()); }
  Vec3 vector() {
    const float x = number(), y = number(), z = number();
    return {x, y, z};
  }
  Quat rotation() {
    const float x = number(), y = number(), z = number(), w = number();
    const Quat q{x, y, z, w};
    const float l = length_squared(q);
    return l > 1e-3F && l < 1e6F ? normalized(q) : Quat{};
  }
  Qvvs place(bool stretched) {
    Qvvs at;
    at.rotation = below(2) == 0 ? Quat{} : rotation();
    at.position = vector();
    at.scale = below(2) == 0 ? 1 : positive() + 0.125F;
    if (stretched && below(4) == 0) {
      at.stretch = {positive() + 0.25F, positive() + 0.25F, positive() + 0.25F};
    }
    return at;
  }
  std::vector<Vec3> points(std::uint32_t most) {
    std::vector<Vec3> out(below(most + 1));
    for (Vec3& p : out) {
      p = vector();
    }
    return out;
  }

 private:
  Draw draw_;
  bool wild_ = false;
};

}  // namespace juxta::fuzz
