// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: 32 points, and a node above 16 blocks or nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace juxta::ranked_detail {

inline constexpr std::size_t kBlockSize = 32;  // points: one AVX-512 register of u16
inline constexpr std::size_t kFanout = 16;     // children per node, knots per search step
inline constexpr std::uint32_t kNoPoint = ~std::uint32_t{0};

/// 32 points, 256 bytes. In lists `name` is the input index, in trees the position; unused ones are kNoPoint.
struct alignas(64) Block {
  std::uint16_t x[kBlockSize];
  std::uint16_t y[kBlockSize];
  std::uint32_t name[kBlockSize];
};

/// 16 children: their bounds in quanta and the lowest position below each. Unused: inverted bounds, kNoPoint.
struct alignas(64) Node {
  std::uint16_t lx[kFanout], ly[kFanout], hx[kFanout], hy[kFanout];
  std::uint32_t first[kFanout];
};

/// At most so many columns of numbers.
inline constexpr std::size_t kMostValues = 2;

/// Blocks in some order, with what a filter asks of their points beside them, as CategoriesView and ValueView
/// have it beside the tall tree.
struct FilteredBlocks {
  const Block* blocks = nullptr;
  std::array<const std::uint16_t*, kMostValues> quanta{};
  const std::uint32_t* bits = nullptr;
};

/// A rectangle in quanta, inclusive.
struct QuantumBox {
  std::uint16_t lx, ly, hx, hy;
};

}  // namespace juxta::ranked_detail
