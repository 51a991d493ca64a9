// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: asking for memory before it is used.
#pragma once

namespace juxta::core_detail {

/// Asks for the cache line at `address`, which may be anything. The empty statement behind it stays because
/// gcc takes a function that does nothing but prefetch for one without effects, and drops its calls.
inline void prefetch_line(const void* address) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
  asm volatile("");
#else
  static_cast<void>(address);
#endif
}

}  // namespace juxta::core_detail
