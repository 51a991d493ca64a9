// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where a node with inheritance flags stands, and what becomes of its local transform.
#pragma once

#include "juxta/math/qvvs.h"
#include "juxta/transform/inherit.h"

namespace juxta::transform_detail {

struct Followed {
  Qvvs world;
  LocalTransform local;
};

/// `before` is the node's world transform until now (stretch and context are its own). `written`: the local
/// transform decides this once.
[[nodiscard]] Followed follow(const Qvvs& parent, const LocalTransform& local, const Qvvs& before,
                              Inherit flags, bool written) noexcept;

}  // namespace juxta::transform_detail
