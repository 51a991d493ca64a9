// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/reorder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>

#include "order/fill_identity.h"
#include "order/first_out_of_range.h"
#include "order/gather_columns.h"

namespace juxta {
namespace {

// A block of the order stays in the first cache while every column is gathered by it.
constexpr std::size_t kGrain = 2048;
constexpr std::size_t kMostElements = 0xFFFF'FFFEU;

// No prefetches: the loads depend on nothing but the order, so the CPU holds as many misses open as it can.
template <std::size_t kSize>
void gather_sized(const std::byte* in, std::byte* out, const std::uint32_t* order, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    std::memcpy(out + i * kSize, in + std::size_t{order[i]} * kSize, kSize);
  }
}

void gather_any(const std::byte* in, std::byte* out, const std::uint32_t* order, std::size_t n,
                std::size_t size) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    std::memcpy(out + i * size, in + std::size_t{order[i]} * size, size);
  }
}

void gather_block(const GatherColumn& column, const std::uint32_t* order, std::size_t first,
                  std::size_t n) noexcept {
  const auto* const in = static_cast<const std::byte*>(column.in);
  auto* const out = static_cast<std::byte*>(column.out) + first * column.element_size;
  switch (column.element_size) {
    case 1:
      return gather_sized<1>(in, out, order, n);
    case 2:
      return gather_sized<2>(in, out, order, n);
    case 4:
      return gather_sized<4>(in, out, order, n);
    case 8:
      return gather_sized<8>(in, out, order, n);
    case 12:
      return gather_sized<12>(in, out, order, n);
    case 16:
      return gather_sized<16>(in, out, order, n);
    default:
      return gather_any(in, out, order, n, column.element_size);
  }
}

}  // namespace

Result<void> gather(std::span<const std::uint32_t> order, std::span<const GatherColumn> columns,
                    const Context& context) {
  const Executor& runner = executor_or_serial(context.executor);
  if (columns.empty()) {
    return {};
  }
  std::size_t shortest = columns[0].in_size;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].out_size != order.size()) {
      return fail(ErrorCode::kInvalidArgument,
                  "column " + std::to_string(c) + " has room for " + std::to_string(columns[c].out_size) +
                      " elements, but the order has " + std::to_string(order.size()),
                  c);
    }
    shortest = std::min(shortest, columns[c].in_size);
  }
  if (const std::size_t bad = order_detail::first_out_of_range(order, shortest, runner);
      bad != order.size()) {
    return fail(ErrorCode::kInvalidArgument,
                "the order asks for element " + std::to_string(order[bad]) + " of a column of " +
                    std::to_string(shortest),
                bad);
  }
  order_detail::gather_columns(order, columns, runner);
  return {};
}

void order_detail::gather_columns(std::span<const std::uint32_t> order, std::span<const GatherColumn> columns,
                                  const Executor& executor) {
  executor.parallel_for(order.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (const GatherColumn& column : columns) {
      gather_block(column, order.data() + first, first, last - first);
    }
  });
}

Result<void> invert_order(std::span<const std::uint32_t> order, std::span<std::uint32_t> inverse,
                          const Context& context) {
  const Executor& runner = executor_or_serial(context.executor);
  const std::size_t n = order.size();
  if (inverse.size() != n || n > kMostElements) {
    return fail(ErrorCode::kInvalidArgument, "give an inverse as long as the order, of at most 2^32 - 2");
  }
  if (const std::size_t bad = order_detail::first_out_of_range(order, n, runner); bad != n) {
    return fail(ErrorCode::kInvalidArgument, "an entry of the order is not below its length", bad);
  }
  constexpr std::uint32_t kHole = ~std::uint32_t{0};
  constexpr std::size_t kScatterGrain = std::size_t{1} << 16;
  runner.parallel_for(n, kScatterGrain, [&](std::size_t first, std::size_t last) {
    std::fill(inverse.begin() + static_cast<std::ptrdiff_t>(first),
              inverse.begin() + static_cast<std::ptrdiff_t>(last), kHole);
  });
  runner.parallel_for(n, kScatterGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      // Atomic only for orders that name a place twice, from two threads; on our machines a plain store.
      std::atomic_ref(inverse[order[i]]).store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
    }
  });
  // As many entries as places: one that occurs twice leaves a place without any.
  if (const std::size_t hole = order_detail::first_out_of_range(inverse, n, runner); hole != n) {
    return fail(ErrorCode::kInvalidArgument,
                "the order is not a permutation: " + std::to_string(hole) + " does not occur in it", hole);
  }
  return {};
}

void order_detail::fill_identity(std::span<std::uint32_t> order, const Executor& executor) {
  constexpr std::size_t kFillGrain = std::size_t{1} << 16;
  executor.parallel_for(order.size(), kFillGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      order[i] = static_cast<std::uint32_t>(i);
    }
  });
}

void identity_order(std::span<std::uint32_t> order) noexcept {
  order_detail::fill_identity(order, serial_executor());
}

}  // namespace juxta
