// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta {

/// Sorts keys in place, ascending. For other types see ordered_key().
///
/// Cost:    O(n) passes over the bits that differ: one if they are sorted already, about two through memory
///          and the rest in cache otherwise (docs/performance.md).
/// Memory:  n keys and some 64 KiB from the workspace; nothing else once that has grown.
/// Threads: uses the executor's. The cut into tasks depends on the keys alone.
/// Errors:  kTooLarge (more than 2^32 - 2 keys); the keys are as they were.
/// Idea:    one distribution by the highest bits that differ, then least-significant-digit passes inside each
///          bucket, which fits a cache; as in Polychroniou and Ross, "A comprehensive study of main-memory
///          partitioning" (SIGMOD 2014).
[[nodiscard]] JUXTA_API Result<void> sort_keys(std::span<std::uint32_t> keys, const Context& context = {});
[[nodiscard]] JUXTA_API Result<void> sort_keys(std::span<std::uint64_t> keys, const Context& context = {});

/// Sorts keys in place, ascending, and moves values[i] along with keys[i]. Stable: pairs of equal keys keep
/// their order, so the result is one and the same for any executor and machine.
/// Cost, memory (n keys and n values), threads as sort_keys(). Errors: also kInvalidArgument (lengths
/// differ).
[[nodiscard]] JUXTA_API Result<void> sort_pairs(std::span<std::uint32_t> keys,
                                                std::span<std::uint32_t> values, const Context& context = {});
[[nodiscard]] JUXTA_API Result<void> sort_pairs(std::span<std::uint64_t> keys,
                                                std::span<std::uint32_t> values, const Context& context = {});

}  // namespace juxta
