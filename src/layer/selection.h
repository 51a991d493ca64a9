// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a search for pairs reads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "layer/store.h"

namespace juxta::layer_detail {

/// Errors: kInvalidArgument (`only` is neither empty nor one byte for each body).
template <int D>
[[nodiscard]] Result<void> check_only(const BasicLayer<D>& layer, std::span<const std::uint8_t> only,
                                      std::string_view name) {
  if (!only.empty() && only.size() != layer.capacity()) {
    return fail(ErrorCode::kInvalidArgument, std::string(name) + " has " + std::to_string(only.size()) +
                                                 " bytes, but the layer's capacity is " +
                                                 std::to_string(layer.capacity()) +
                                                 ": give one byte for each body number");
  }
  return {};
}

/// The layer, or (with `only`, one byte a body) the chosen bodies in the same order in a tree of their own,
/// from the workspace. `filtered`: the view has filters even if the layer has none.
template <int D>
[[nodiscard]] LayerView<D> select_bodies(const LayerStore<D>& store, std::span<const std::uint8_t> only,
                                         bool filtered, Workspace& workspace, const Executor& executor);

}  // namespace juxta::layer_detail
