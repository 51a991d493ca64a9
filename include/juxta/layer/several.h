// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One question to several layers (static world, dynamic bodies, triggers): layers in the order given, each
// answering as it would alone. Cost: the sum, except that a nearest hit so far shortens the search in the
// next.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/function_ref.h"
#include "juxta/core/query_result.h"
#include "juxta/layer/filter.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/pair.h"
#include "juxta/layer/raycast.h"

namespace juxta {

/// A body of one of several layers.
struct LayerBody {
  std::uint32_t layer = kNoBody;  ///< Index into the span of layers.
  std::uint32_t body = kNoBody;

  [[nodiscard]] explicit operator bool() const noexcept { return body != kNoBody; }
  friend bool operator==(const LayerBody&, const LayerBody&) = default;
};

template <int D>
using LayerSpan = std::span<const BasicLayer<D>* const>;

/// As QueryOptions, for bodies of several layers.
struct SeveralOptions {
  Filter filter = {};
  std::span<const LayerBody> ignore = {};    ///< Bodies to leave out; a few.
  FunctionRef<bool(LayerBody)> accept = {};  ///< Whether a body may be an answer. Empty: every body may.
};

/// The first layer's any hit, else the next one's.
template <int D>
[[nodiscard]] LayerBody find_any(LayerSpan<D> layers, const BoxOf<D>& box,
                                 const SeveralOptions& options = {});
/// All bodies, layer by layer. A short `out` gets the first, and `found` the exact need.
template <int D>
QueryResult find_all(LayerSpan<D> layers, const BoxOf<D>& box, std::span<LayerBody> out,
                     const SeveralOptions& options = {});

/// The closest hit of all layers; of several at the same t that of the first layer.
struct LayerRayHit {
  LayerBody where;
  float t = std::numeric_limits<float>::infinity();
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(where); }
};
template <int D>
[[nodiscard]] LayerRayHit raycast_closest(LayerSpan<D> layers, const RayOf<D>& ray,
                                          const SeveralOptions& options = {});

/// The nearest body of all layers; of several equally near that of the first layer.
struct LayerNearestHit {
  LayerBody where;
  float distance2 = std::numeric_limits<float>::infinity();
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(where); }
};
template <int D>
[[nodiscard]] LayerNearestHit nearest(LayerSpan<D> layers, const PointOf<D>& point,
                                      float max_distance = std::numeric_limits<float>::infinity(),
                                      const SeveralOptions& options = {});

}  // namespace juxta
