// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a list for each other rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/ranks.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {

/// to[r] goes to rank r; what comes from it is [r] of the result. None goes to the rank itself. Collective.
template <class T>
[[nodiscard]] Result<std::vector<std::vector<T>>> trade(Ranks& ranks, const std::vector<std::vector<T>>& to) {
  std::vector<std::uint64_t> counts(ranks.size()), coming(ranks.size());
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    counts[r] = to[r].size();
  }
  JUXTA_TRY(ranks.swap(counts, coming));
  std::vector<std::vector<T>> from(ranks.size());
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    from[r].resize(coming[r]);
    if (!to[r].empty()) {
      sends.push_back({r, std::as_bytes(std::span(to[r]))});
    }
    if (!from[r].empty()) {
      receives.push_back({r, std::as_writable_bytes(std::span(from[r]))});
    }
  }
  JUXTA_TRY(ranks.start(sends, receives));
  return ranks.finish().map([&] { return std::move(from); });
}

}  // namespace juxta::agents_detail
