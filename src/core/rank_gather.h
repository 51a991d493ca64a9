// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what all ranks have, on each of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/ranks.h"
#include "juxta/core/try.h"

namespace juxta::core_detail {

/// One value of each rank, in their order. Collective.
template <class T>
[[nodiscard]] Result<std::vector<T>> all_gather(Ranks& ranks, const T& mine) {
  std::vector<T> all(ranks.size());
  return ranks.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)))
      .map([&] { return std::move(all); });
}

/// What every rank has, one behind the other in the order of ranks. Collective.
template <class T>
[[nodiscard]] Result<std::vector<T>> all_of_all(Ranks& ranks, std::span<const T> mine) {
  std::vector<std::uint64_t> counts(ranks.size());
  const std::uint64_t count = mine.size();
  std::vector<T> all;
  return ranks.all_gather(std::as_bytes(std::span(&count, 1)), std::as_writable_bytes(std::span(counts)))
      .and_then([&]() -> Result<void> {
        std::uint64_t sum = 0, most = 0;
        for (const std::uint64_t n : counts) {
          sum += n;
          most = std::max(most, n);
        }
        if (most == 0) {
          return {};
        }
        all.resize(sum);
        // As many bytes from each, so the longest decides; in rounds, so that padding is never much.
        constexpr std::uint64_t kAtOnce = 16384;
        std::vector<T> padded(std::min(most, kAtOnce)), padded_all(padded.size() * counts.size());
        for (std::uint64_t begin = 0; begin < most; begin += padded.size()) {
          const auto own = mine.subspan(std::min<std::uint64_t>(begin, count));
          std::copy_n(own.begin(), std::min(own.size(), padded.size()), padded.begin());
          JUXTA_TRY(ranks.all_gather(std::as_bytes(std::span(padded)),
                                     std::as_writable_bytes(std::span(padded_all))));
          std::uint64_t to = begin;
          for (std::size_t r = 0; r < counts.size(); ++r) {
            const std::uint64_t some =
                std::min<std::uint64_t>(counts[r] - std::min(begin, counts[r]), padded.size());
            std::copy_n(padded_all.begin() + static_cast<std::ptrdiff_t>(r * padded.size()), some,
                        all.begin() + static_cast<std::ptrdiff_t>(to));
            to += counts[r];
          }
        }
        return {};
      })
      .map([&] { return std::move(all); });
}

/// The lists of all ranks on rank `to`, by rank; on the others they are empty. Collective.
template <class T>
[[nodiscard]] Result<std::vector<std::vector<T>>> lists_on(Ranks& ranks, std::uint32_t to,
                                                           std::span<const T> mine) {
  const std::uint32_t own = ranks.rank();
  JUXTA_TRY_LET(const auto counts, all_gather(ranks, std::uint64_t{mine.size()}));
  std::vector<std::vector<T>> lists(ranks.size());
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  if (own != to && !mine.empty()) {
    sends.push_back({to, std::as_bytes(mine)});
  }
  for (std::uint32_t r = 0; r < ranks.size() && own == to; ++r) {
    lists[r].resize(counts[r]);
    if (r == own) {
      std::copy(mine.begin(), mine.end(), lists[r].begin());
    } else if (counts[r] != 0) {
      receives.push_back({r, std::as_writable_bytes(std::span(lists[r]))});
    }
  }
  JUXTA_TRY(ranks.start(sends, receives));
  return ranks.finish().map([&] { return std::move(lists); });
}

}  // namespace juxta::core_detail
