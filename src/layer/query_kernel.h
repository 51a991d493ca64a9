// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a box or a frustum touches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/layer/query_options.h"
#include "juxta/math/plane.h"
#include "layer/sink.h"
#include "layer/store.h"

namespace juxta::layer_detail {

/// Whether a query with this filter can find anything, and whether bodies have to be asked one by one.
template <int D>
[[nodiscard]] bool asks_for_nothing(const LayerView<D>& view, Filter filter) noexcept {
  const bool nothing = filter.category == 0 || filter.mask == 0;  // an unfiltered body has all bits
  return nothing || view.tree->levels == 0;
}

// Boxes of a query here are finite: infinite sides have become the largest floats.
template <int D>
[[nodiscard]] std::uint32_t any_in_box(const LayerView<D>& view, const Aabb<D>& box,
                                       const QueryOptions& options, SearchWork& work) noexcept;
template <int D>
void bodies_in_box(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options,
                   Sink<std::uint32_t>& sink, SearchWork& work) noexcept;
template <int D>
[[nodiscard]] std::size_t count_in_box(const LayerView<D>& view, const Aabb<D>& box,
                                       const QueryOptions& options, SearchWork& work) noexcept;
template <int D>
void bodies_in_frustum(const LayerView<D>& view, std::span<const Plane<D>> planes,
                       const QueryOptions& options, Sink<std::uint32_t>& sink, SearchWork& work) noexcept;

}  // namespace juxta::layer_detail
