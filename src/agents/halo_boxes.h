// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: boxes around agents that follow each other in the order of space.
#pragma once

#include <cstddef>
#include <vector>

#include "agents/directory.h"
#include "juxta/agents/world.h"

namespace juxta::agents_detail {

struct PopulationStore;

/// Around each so many rows, with their extents.
[[nodiscard]] std::vector<Bounds> boxes_of(const PopulationStore& store, std::size_t rows_of_box);
/// Around each so many boxes.
[[nodiscard]] std::vector<Bounds> joined(const std::vector<Bounds>& boxes, std::size_t together);
/// Around all; of no boxes, none.
[[nodiscard]] Bounds around(const std::vector<Bounds>& boxes);
/// Two boxes, or their images, are at most `reach` apart on every axis.
[[nodiscard]] bool are_near(const Bounds& a, const Bounds& b, const World& world, double reach) noexcept;

}  // namespace juxta::agents_detail
