// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta {

/// One column of a reorder: in[order[i]] goes to out[i]. Made by gather_column().
struct GatherColumn {
  const void* in;
  void* out;
  std::size_t in_size;       ///< Elements of `in`.
  std::size_t out_size;      ///< Elements of `out`: as many as the order has.
  std::size_t element_size;  ///< Bytes.
};

/// `in` and `out` must not overlap.
template <class T>
[[nodiscard]] GatherColumn gather_column(std::span<const T> in, std::span<T> out) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  return {in.data(), out.data(), in.size(), out.size(), sizeof(T)};
}

/// Gathers columns by an order (not necessarily a permutation): out[i] = in[order[i]], for each column.
///
/// Cost:    O(n) per column. For orders that jump in memory, the limit is how many cache misses the CPU
/// overlaps. Memory:  allocates nothing. Threads: uses the executor's; the result is the same for any
/// executor. Errors:  kInvalidArgument (an `out` is not as long as the order; an entry beyond the end of an
/// `in`, with
///          its index). Nothing was written then.
[[nodiscard]] JUXTA_API Result<void> gather(std::span<const std::uint32_t> order,
                                            std::span<const GatherColumn> columns,
                                            const Context& context = {});

/// The same for one column.
template <class T>
[[nodiscard]] Result<void> gather(std::span<const std::uint32_t> order, std::span<const T> in,
                                  std::span<T> out, const Context& context = {}) {
  const GatherColumn column = gather_column(in, out);
  return gather(order, std::span(&column, 1), context);
}

/// The inverse of a permutation: inverse[order[i]] = i. Cost: O(n), scattered writes.
/// Errors: kInvalidArgument (lengths differ; an entry out of range, with its index; an entry that occurs
/// twice, with an index of an entry that has no place). Then `inverse` is unspecified.
[[nodiscard]] JUXTA_API Result<void> invert_order(std::span<const std::uint32_t> order,
                                                  std::span<std::uint32_t> inverse,
                                                  const Context& context = {});

/// Writes 0, 1, 2, ...: the order that changes nothing.
JUXTA_API void identity_order(std::span<std::uint32_t> order) noexcept;

}  // namespace juxta
