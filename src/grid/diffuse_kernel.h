// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: steps of diffusion over parts of one component.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "juxta/core/array.h"
#include "juxta/math/product.h"
#include "juxta/math/world.h"

namespace juxta::grid_detail {

/// Smaller magnitudes become 0 in every step.
inline constexpr float kLeastValue = 0x1p-100F;

/// What flows into a cell from its neighbour: amount * (neighbour - cell), rounded to a multiple of the last
/// digit of |cell| + |neighbour|. It then is a number of last digits of either cell, and is added to one and
/// subtracted from the other without loss, as long as they do not grow into another power of two. Rounded as
/// floats are, what flows between 1.0001 and 0.9999 would often be too small for the one and not for the
/// other: the totals of closed fields drifted by 2e-6 in a thousand steps.
///
///   2^e <= |cell| + |neighbour| < 2^(e + 1)      |flow| <= 2^(e - 1)      (flow + 1.5 * 2^e) - 1.5 * 2^e
inline constexpr std::uint32_t kExponentBits = 0x7F80'0000, kHalfBit = 0x0040'0000;
[[nodiscard]] inline float flow(float amount, float cell, float neighbour) noexcept {
  const float exact = product(amount, neighbour - cell), sizes = std::fabs(cell) + std::fabs(neighbour);
  const auto grid = std::bit_cast<float>((std::bit_cast<std::uint32_t>(sizes) & kExponentBits) | kHalfBit);
  return (exact + grid) - grid;
}

struct DiffuseTask {
  const float* from;  // with kArrayPadding readable floats behind
  float* to;
  std::size_t nx, ny, nz;
  std::array<Edge, 3> edges;
  std::uint32_t dimensions;
  float amount, keep;
  std::uint32_t steps;  // 1 in diffuse_rows()
  const float* zeros;   // a row of them, padded: what is beyond open edges
};

/// Slabs are what several steps go through one after the other: rows in 2D, planes in 3D.
[[nodiscard]] constexpr std::size_t slabs_of(const DiffuseTask& task) noexcept {
  return task.dimensions == 2 ? task.ny : task.nz;
}
[[nodiscard]] constexpr std::size_t rows_of_slab(const DiffuseTask& task) noexcept {
  return task.dimensions == 2 ? 1 : task.ny;
}
/// Floats of a slab in scratch memory, from a multiple of 64 bytes.
[[nodiscard]] constexpr std::size_t slab_stride(const DiffuseTask& task) noexcept {
  return (task.nx * rows_of_slab(task) + 2 * kArrayPadding - 1) / kArrayPadding * kArrayPadding;
}
/// Floats that diffuse_slabs() wants as scratch memory: three slabs of each step but the last.
[[nodiscard]] constexpr std::size_t scratch_of(const DiffuseTask& task) noexcept {
  return 3 * (task.steps - 1) * slab_stride(task);
}

/// One step of rows [first, last), counted through all planes. Returns whether all results are finite.
[[nodiscard]] bool diffuse_rows(const DiffuseTask& task, std::size_t first, std::size_t last) noexcept;
/// All steps of slabs [first, last). The same results as step by step.
[[nodiscard]] bool diffuse_slabs(const DiffuseTask& task, std::size_t first, std::size_t last,
                                 float* scratch) noexcept;

/// The plain twin of one step: the same bits, cell by cell.
[[nodiscard]] bool diffuse_reference(const DiffuseTask& task) noexcept;

}  // namespace juxta::grid_detail
