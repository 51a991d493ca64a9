// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// Internal: the kernel of hilbert2_codes(), chosen for the running CPU at the first call.

#include <cstddef>
#include <cstdint>

namespace juxta::order_detail {

/// codes[i] = hilbert2(x[i], y[i]) for i in [0, n). Reads and writes nothing beyond; any alignment.
void hilbert2_block(const std::uint16_t* x, const std::uint16_t* y, std::uint32_t* codes,
                    std::size_t n) noexcept;

/// The same in plain C++, on every machine.
void hilbert2_block_reference(const std::uint16_t* x, const std::uint16_t* y, std::uint32_t* codes,
                              std::size_t n) noexcept;

}  // namespace juxta::order_detail
