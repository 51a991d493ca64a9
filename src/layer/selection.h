// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a search for pairs reads.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "layer/store.h"

namespace juxta::layer_detail {

/// Whether `only` is empty or has one byte for each body.
template <int D>
[[nodiscard]] bool fits(const BasicLayer<D>& layer, std::span<const std::uint8_t> only) noexcept {
  return only.empty() || only.size() == layer.capacity();
}

/// The layer, or (with `only`, one byte a body) the chosen bodies in the same order in a tree of their own,
/// from the workspace. `filtered`: the view has filters even if the layer has none.
template <int D>
[[nodiscard]] LayerView<D> select_bodies(const LayerStore<D>& store, std::span<const std::uint8_t> only,
                                         bool filtered, Workspace& workspace, const Executor& executor);

}  // namespace juxta::layer_detail
