// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/array.h"

namespace juxta::bench {

/// A chain of dependent cache misses: the unit in which worst cases are measured, because it is what a query
/// cannot avoid and what differs most between machines.
///
///   512 MiB of lines of 64 bytes, each holding the index of the next one, in one random cycle; huge pages
///   where the system gives them, so that a step is one miss and no page walk
class MissChain {
 public:
  MissChain();
  /// Follows `steps` links from `at`; returns where it stands.
  [[nodiscard]] std::uint32_t follow(std::uint32_t at, std::size_t steps) const noexcept;

 private:
  static constexpr std::size_t kWordsPerLine = 16;
  Array<std::uint32_t> words_;
};

/// Nanoseconds of one miss, measured at the first call (best of five runs) and kept; JUXTA_BENCH_MISS_NS
/// gives the figure instead where a quick check of the rows does not need the real one.
[[nodiscard]] double miss_ns();

}  // namespace juxta::bench
