// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "juxta/layer/pair.h"

namespace juxta {

/// Where a ray enters a box: t = 0 when it starts inside.
struct RayHit {
  std::uint32_t body = kNoBody;
  float t = std::numeric_limits<float>::infinity();  ///< In lengths of the ray's direction.

  [[nodiscard]] explicit operator bool() const noexcept { return body != kNoBody; }
  friend bool operator==(const RayHit&, const RayHit&) = default;
};

}  // namespace juxta
