// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a component is at many points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "grid/axis.h"

namespace juxta::grid_detail {

enum class PointQuestion : std::uint8_t { kNearestValue, kLinearValue, kNearestSlope, kLinearSlope };

struct PointsTask {
  const Axes* axes;
  std::uint32_t dimensions;
  PointQuestion question;
  const float* values;
  std::array<const float*, 3> position;  // as many as dimensions
  std::array<float*, 3> out;             // one for values, as many as dimensions for slopes
};

/// Answers for points [first, last). Returns the first point that is not finite, or outside of walls, or
/// whose answer is not finite; else `last`. Nothing is said about the answers from there on.
[[nodiscard]] std::size_t answer_points(const PointsTask& task, std::size_t first, std::size_t last) noexcept;

/// The plain twin: the same bits, point by point.
[[nodiscard]] std::size_t answer_points_reference(const PointsTask& task, std::size_t first,
                                                  std::size_t last) noexcept;

}  // namespace juxta::grid_detail
