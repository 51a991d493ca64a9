// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta {

// Codes along a space-filling curve: cells with near codes are near in space. Each cell has one code, and
// each code one cell. You may call every function from any thread. The functions for one cell never fail:
// they ignore bits of an argument beyond its stated width.

/// Morton (Z) order: the bits of the coordinates in turn, x lowest.
/// Cost: about 2 ns. Source: Morton, "A computer oriented geodetic data base" (IBM, 1966).
[[nodiscard]] JUXTA_API std::uint32_t morton2(std::uint16_t x, std::uint16_t y) noexcept;
[[nodiscard]] JUXTA_API std::uint64_t morton2(std::uint32_t x, std::uint32_t y) noexcept;
/// {x, y} of a code.
[[nodiscard]] JUXTA_API std::array<std::uint16_t, 2> morton2_inverse(std::uint32_t code) noexcept;
[[nodiscard]] JUXTA_API std::array<std::uint32_t, 2> morton2_inverse(std::uint64_t code) noexcept;

/// The same in space: 10 bits of each coordinate in 30, 21 bits in 63.
[[nodiscard]] JUXTA_API std::uint32_t morton3_10(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept;
[[nodiscard]] JUXTA_API std::uint64_t morton3_21(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept;
/// {x, y, z} of a code.
[[nodiscard]] JUXTA_API std::array<std::uint32_t, 3> morton3_10_inverse(std::uint32_t code) noexcept;
[[nodiscard]] JUXTA_API std::array<std::uint32_t, 3> morton3_21_inverse(std::uint64_t code) noexcept;

/// Hilbert order of a 65,536 x 65,536 grid: cells with consecutive codes share an edge. Code 0 is the cell
/// (0, 0), the last code the cell (65535, 0).
/// Cost: about 10 ns, the inverse 30 ns. Source: Hilbert, "Ueber die stetige Abbildung einer Linie auf ein
/// Flaechenstueck" (1891); computed by a parallel prefix over the curve's four orientations
/// (docs/sources.md).
[[nodiscard]] JUXTA_API std::uint32_t hilbert2(std::uint16_t x, std::uint16_t y) noexcept;
/// {x, y} of a code.
[[nodiscard]] JUXTA_API std::array<std::uint16_t, 2> hilbert2_inverse(std::uint32_t code) noexcept;

/// codes[i] = hilbert2(x[i], y[i]), by whole registers.
/// Cost: below 1 ns a point; the limit is the memory read and written. Allocates nothing.
/// Threads: uses the executor's; the result is the same for any executor and instruction set.
/// Errors: kInvalidArgument (lengths differ); nothing was written.
[[nodiscard]] JUXTA_API Result<void> hilbert2_codes(std::span<const std::uint16_t> x,
                                                    std::span<const std::uint16_t> y,
                                                    std::span<std::uint32_t> codes,
                                                    const Context& context = {});

/// Hilbert order of a cube of 2^10 or 2^21 cells a side: cells with consecutive codes share a face; code 0
/// is the cell (0, 0, 0).
/// Cost: about 75 and 130 ns. Source: Skilling, "Programming the Hilbert curve" (AIP Conf. Proc. 707, 2004).
[[nodiscard]] JUXTA_API std::uint32_t hilbert3_10(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept;
[[nodiscard]] JUXTA_API std::uint64_t hilbert3_21(std::uint32_t x, std::uint32_t y, std::uint32_t z) noexcept;
/// {x, y, z} of a code.
[[nodiscard]] JUXTA_API std::array<std::uint32_t, 3> hilbert3_10_inverse(std::uint32_t code) noexcept;
[[nodiscard]] JUXTA_API std::array<std::uint32_t, 3> hilbert3_21_inverse(std::uint64_t code) noexcept;

}  // namespace juxta
