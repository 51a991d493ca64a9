// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/files/point_table.h"
#include "juxta/math/rect.h"

namespace juxta::view_detail {

/// Of points in order of importance those whose names fit onto a picture of this size: each takes its place
/// unless one before it is there. At most k.
[[nodiscard]] std::vector<std::uint32_t> labels_that_fit(const PointTableView& table,
                                                         std::span<const std::uint32_t> points,
                                                         const RectD& rect, double width, double height,
                                                         std::size_t k);

}  // namespace juxta::view_detail
