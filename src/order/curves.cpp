// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/curves.h"

#include <string>

#include "juxta/core/isa.h"
#include "order/curves_kernel.h"
#include "order/hilbert2_word.h"

namespace juxta {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 16;
constexpr std::uint32_t kMask10 = (1U << 10) - 1;
constexpr std::uint32_t kMask21 = (1U << 21) - 1;

// Spreads the bits of a word by doubling gaps: |abcd| -> |ab..cd| -> |a.b.c.d|, and gathers them again.
std::uint64_t spread_2(std::uint64_t v) noexcept {
  v = (v | v << 16) & 0x0000'FFFF'0000'FFFFU;
  v = (v | v << 8) & 0x00FF'00FF'00FF'00FFU;
  v = (v | v << 4) & 0x0F0F'0F0F'0F0F'0F0FU;
  v = (v | v << 2) & 0x3333'3333'3333'3333U;
  return (v | v << 1) & 0x5555'5555'5555'5555U;
}

std::uint32_t gather_2(std::uint64_t v) noexcept {
  v &= 0x5555'5555'5555'5555U;
  v = (v | v >> 1) & 0x3333'3333'3333'3333U;
  v = (v | v >> 2) & 0x0F0F'0F0F'0F0F'0F0FU;
  v = (v | v >> 4) & 0x00FF'00FF'00FF'00FFU;
  v = (v | v >> 8) & 0x0000'FFFF'0000'FFFFU;
  return static_cast<std::uint32_t>(v | v >> 16);
}

std::uint64_t spread_3(std::uint64_t v) noexcept {
  v &= kMask21;
  v = (v | v << 32) & 0x001F'0000'0000'FFFFU;
  v = (v | v << 16) & 0x001F'0000'FF00'00FFU;
  v = (v | v << 8) & 0x100F'00F0'0F00'F00FU;
  v = (v | v << 4) & 0x10C3'0C30'C30C'30C3U;
  return (v | v << 2) & 0x1249'2492'4924'9249U;
}

std::uint32_t gather_3(std::uint64_t v) noexcept {
  v &= 0x1249'2492'4924'9249U;
  v = (v | v >> 2) & 0x10C3'0C30'C30C'30C3U;
  v = (v | v >> 4) & 0x100F'00F0'0F00'F00FU;
  v = (v | v >> 8) & 0x001F'0000'FF00'00FFU;
  v = (v | v >> 16) & 0x001F'0000'0000'FFFFU;
  return static_cast<std::uint32_t>(v | v >> 32) & kMask21;
}

using Axes = std::array<std::uint32_t, 3>;

// One turn at the level of bit q: where axis i has that bit, the lower bits of the first axis are inverted;
// where not, they are exchanged with those of axis i. Masks, as a jump would be a guess each time.
void turn(Axes& axes, std::size_t i, std::uint32_t q) noexcept {
  const std::uint32_t below = q - 1;
  const std::uint32_t set = (axes[i] & q) != 0 ? below : 0;
  const std::uint32_t exchanged = (axes[0] ^ axes[i]) & (below ^ set);
  axes[0] ^= set | exchanged;
  axes[i] ^= exchanged;
}

// Skilling: undoes, from the highest bit down, the turns of the curve; what remains is its Gray code, whose
// bits, taken in turn from the axes, are the code.
Axes transpose_from_axes(Axes axes, unsigned bits) noexcept {
  const std::uint32_t top = 1U << (bits - 1);
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    turn(axes, 0, q);
    turn(axes, 1, q);
    turn(axes, 2, q);
  }
  axes[1] ^= axes[0];
  axes[2] ^= axes[1];
  std::uint32_t flips = 0;
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    flips ^= (axes[2] & q) != 0 ? q - 1 : 0;
  }
  for (std::uint32_t& axis : axes) {
    axis ^= flips;
  }
  return axes;
}

Axes axes_from_transpose(Axes axes, unsigned bits) noexcept {
  const std::uint32_t gray = axes[2] >> 1;
  axes[2] ^= axes[1];
  axes[1] ^= axes[0];
  axes[0] ^= gray;
  for (std::uint32_t q = 2; q != 1U << bits; q <<= 1) {
    turn(axes, 2, q);
    turn(axes, 1, q);
    turn(axes, 0, q);
  }
  return axes;
}

// In a transposed code the first axis holds the highest bit of each level.
std::uint64_t join_transpose(const Axes& axes) noexcept {
  return spread_3(axes[0]) << 2 | spread_3(axes[1]) << 1 | spread_3(axes[2]);
}

Axes split_transpose(std::uint64_t code) noexcept {
  return {gather_3(code >> 2), gather_3(code >> 1), gather_3(code)};
}

}  // namespace

std::uint32_t morton2(std::uint16_t x, std::uint16_t y) noexcept {
  return order_detail::spread_bits_16(x) | order_detail::spread_bits_16(y) << 1;
}
std::uint64_t morton2(std::uint32_t x, std::uint32_t y) noexcept {
  return spread_2(x) | spread_2(y) << 1;
}

std::array<std::uint16_t, 2> morton2_inverse(std::uint32_t code) noexcept {
  return {static_cast<std::uint16_t>(gather_2(code)), static_cast<std::uint16_t>(gather_2(code >> 1))};
}
std::array<std::uint32_t, 2> morton2_inverse(std::uint64_t code) noexcept {
  return {gather_2(code), gather_2(code >> 1)};
}

std::uint32_t morton3_10(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept {
  return static_cast<std::uint32_t>(morton3_21(x & kMask10, y & kMask10, z & kMask10));
}
std::uint64_t morton3_21(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept {
  return spread_3(x) | spread_3(y) << 1 | spread_3(z) << 2;
}
std::array<std::uint32_t, 3> morton3_10_inverse(std::uint32_t code) noexcept {
  return morton3_21_inverse(code & 0x3FFF'FFFFU);
}
std::array<std::uint32_t, 3> morton3_21_inverse(std::uint64_t code) noexcept {
  return {gather_3(code), gather_3(code >> 1), gather_3(code >> 2)};
}

std::uint32_t hilbert2(std::uint16_t x, std::uint16_t y) noexcept {
  return order_detail::hilbert2_word(x, y);
}

// Level by level from the lowest: each pair of code bits is a quadrant, turned by the levels above it.
std::array<std::uint16_t, 2> hilbert2_inverse(std::uint32_t code) noexcept {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  for (std::uint32_t side = 1; side < 1U << 16; side *= 2, code >>= 2) {
    const std::uint32_t right = code >> 1 & 1;
    const std::uint32_t up = (code ^ right) & 1;
    const std::uint32_t turned = up - 1;  // all ones where the axes are exchanged,
    const std::uint32_t inverted = turned & (0U - right) & (side - 1);  // and those of them inverted
    x ^= inverted;
    y ^= inverted;
    const std::uint32_t exchanged = (x ^ y) & turned;
    x ^= exchanged;
    y ^= exchanged;
    x += side * right;
    y += side * up;
  }
  return {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)};
}

Result<void> hilbert2_codes(std::span<const std::uint16_t> x, std::span<const std::uint16_t> y,
                            std::span<std::uint32_t> codes, const Context& context) {
  if (x.size() != y.size() || x.size() != codes.size()) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(x.size()) + " x, " + std::to_string(y.size()) +
                                                 " y and room for " + std::to_string(codes.size()) +
                                                 " codes: give columns of one length");
  }
  // Honours JUXTA_ISA; on a CPU without any of our instruction sets the plain twin still answers.
  const auto block = active_isa() ? order_detail::hilbert2_block : order_detail::hilbert2_block_reference;
  executor_or_serial(context.executor)
      .parallel_for(x.size(), kGrain, [&](std::size_t first, std::size_t last) {
        block(x.data() + first, y.data() + first, codes.data() + first, last - first);
      });
  return {};
}

std::uint32_t hilbert3_10(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept {
  return static_cast<std::uint32_t>(
      join_transpose(transpose_from_axes({x & kMask10, y & kMask10, z & kMask10}, 10)));
}
std::uint64_t hilbert3_21(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept {
  return join_transpose(transpose_from_axes({x & kMask21, y & kMask21, z & kMask21}, 21));
}
std::array<std::uint32_t, 3> hilbert3_10_inverse(std::uint32_t code) noexcept {
  return axes_from_transpose(split_transpose(code & 0x3FFF'FFFFU), 10);
}
std::array<std::uint32_t, 3> hilbert3_21_inverse(std::uint64_t code) noexcept {
  return axes_from_transpose(split_transpose(code), 21);
}

}  // namespace juxta
