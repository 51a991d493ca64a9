// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"

namespace juxta::transform_detail {

/// What the library and its tests see of public classes.
struct Access {
  [[nodiscard]] static const HierarchyStore& store(const Hierarchy& hierarchy) noexcept {
    return *hierarchy.store_;
  }
  /// The r-th node breadth first.
  [[nodiscard]] static std::span<const std::uint32_t> order(const Prefab& prefab) noexcept {
    return prefab.order_.span();
  }
  /// Where each level begins in order(), and its end.
  [[nodiscard]] static std::span<const std::uint32_t> levels(const Prefab& prefab) noexcept {
    return prefab.levels_.span();
  }
  /// The children of order()[r] are order()[first_child()[r]] up to order()[first_child()[r + 1]].
  [[nodiscard]] static std::span<const std::uint32_t> first_child(const Prefab& prefab) noexcept {
    return prefab.first_child_.span();
  }
};

}  // namespace juxta::transform_detail
