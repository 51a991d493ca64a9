// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a camera may see.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/query_result.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"
#include "juxta/layer/query_options.h"
#include "juxta/math/plane.h"

namespace juxta {

template <int D>
using PlaneOf = std::type_identity_t<Plane<D>>;

/// All bodies that no plane has wholly on its outer side; the usual test of a view frustum: a box beside an
/// edge of it may be reported although it is outside. Per plane, the corner farthest along the normal is
/// tested: n.x*c.x + n.y*c.y (+ n.z*c.z) + offset >= 0, from left to right in float. Any number of planes;
/// none: everything. A NaN in a plane finds nothing. Order, short `out`, threads as find_all() of a box.
template <int D>
QueryResult find_in_frustum(const BasicLayer<D>& layer, std::span<const PlaneOf<D>> planes,
                            std::span<std::uint32_t> out, const QueryOptions& options = {});

/// The same for several frustums (cameras, lights) at once: {a: frustum, b: body}, frustum by frustum. Takes
/// up to 4 bytes of workspace for each body and frustum. Errors: kInvalidArgument (`ignore` is not as long as
/// frustums).
template <int D>
[[nodiscard]] Result<QueryResult> find_in_frustum(const BasicLayer<D>& layer,
                                                  std::span<const std::span<const PlaneOf<D>>> frustums,
                                                  std::span<Pair> out, const BatchOptions& options = {},
                                                  const Context& context = {});

}  // namespace juxta
