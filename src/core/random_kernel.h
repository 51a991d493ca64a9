// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: many blocks of random numbers at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "juxta/core/random.h"

namespace juxta::core_detail {

/// out[i] is Philox4x32-10 of (key, first_id + i).
void philox_blocks(const RandomKey& key, std::uint64_t first_id,
                   std::span<std::array<std::uint32_t, 4>> out) noexcept;
/// Its plain twin: Random123's.
void philox_blocks_plain(const RandomKey& key, std::uint64_t first_id,
                         std::span<std::array<std::uint32_t, 4>> out) noexcept;

/// out[c][i] is random_fraction() of word c of the block of (key, ids[i]); at most four columns.
void philox_fractions(const RandomKey& key, std::span<const std::uint64_t> ids,
                      std::span<float* const> out) noexcept;

}  // namespace juxta::core_detail
