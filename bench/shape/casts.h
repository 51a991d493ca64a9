// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One shape cast against one, and who is asked where it stops.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "juxta/shape/query.h"

namespace juxta::bench {

/// `moving` goes from `from` by `way`, and turns by `turn` about its origin; `still` stands at `at`.
struct CastPair {
  Shape moving, still;
  Qvvs from{}, at{};
  Vec3 way{}, turn{};
};

class CastAsker {
 public:
  virtual ~CastAsker() = default;
  /// Part of the way until they touch; above 1: they do not.
  virtual float ask(std::size_t pair) = 0;
};

enum class BulletCast { kSubsimplex, kContinuous };
/// Both outlive the result. Bullet's shapes and transforms are made beforehand.
[[nodiscard]] std::unique_ptr<CastAsker> make_bullet_casts(const std::vector<CastPair>& pairs,
                                                           BulletCast way);

}  // namespace juxta::bench
