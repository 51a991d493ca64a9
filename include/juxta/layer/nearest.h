// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/query_result.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"
#include "juxta/layer/query_options.h"
#include "juxta/math/vec.h"

namespace juxta {

/// The body nearest to a point.
struct NearestHit {
  std::uint32_t body = kNoBody;
  /// Squared; 0 inside the box. Infinite where the square is beyond float (about 1.8e19 away).
  float distance2 = std::numeric_limits<float>::infinity();

  [[nodiscard]] explicit operator bool() const noexcept { return body != kNoBody; }
  friend bool operator==(const NearestHit&, const NearestHit&) = default;
};

template <int D>
using PointOf = std::type_identity_t<Vec<D>>;

/// The box nearest to a point, with distance <= max_distance (squared in float, as d2 = dx*dx + dy*dy + dz*dz
/// from left to right); of several equally near the lowest number. Where the squares of all are beyond float,
/// the coordinates are scaled by 2^-66 first: the body is the nearest, and distance2 is infinite. A NaN or
/// infinite point and a negative or NaN distance find nothing. Allocates nothing; any number may run at once.
template <int D>
[[nodiscard]] NearestHit nearest(const BasicLayer<D>& layer, const PointOf<D>& point,
                                 float max_distance = std::numeric_limits<float>::infinity(),
                                 const QueryOptions& options = {});

/// out[i] = the answer to points[i]; in layers of more than about 80,000 bodies they are asked in the order
/// of space. Errors: kInvalidArgument (lengths differ; `ignore` is not as long as points).
template <int D>
[[nodiscard]] Result<QueryResult> nearest(const BasicLayer<D>& layer, std::span<const PointOf<D>> points,
                                          float max_distance, std::span<NearestHit> out,
                                          const BatchOptions& options = {}, const Context& context = {});

}  // namespace juxta
