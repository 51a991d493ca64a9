// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/by_bucket.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace juxta::transform_detail {
namespace {

// More would cost a miss for each pair written: the line that is being filled in each of 2048 is 128 KiB.
constexpr std::size_t kMostBuckets = 2048;
constexpr std::size_t kFewestInPiece = 16'384, kMostPieces = 32;

}  // namespace

Buckets::Buckets(std::span<const Row> rows, std::size_t end, const Executor* executor, Workspace& workspace)
    : pairs_(workspace.take<RowPair>(rows.size())), shift_(std::countr_zero(kRows)) {
  while ((end >> shift_) >= kMostBuckets) {
    ++shift_;
  }
  const std::size_t count = (end >> shift_) + 1;
  const std::size_t pieces =
      executor == nullptr ? 1 : std::clamp<std::size_t>(rows.size() / kFewestInPiece, 1, kMostPieces);
  begins_ = workspace.take<std::uint32_t>(count + 1);
  const std::span<std::uint32_t> counters = workspace.take<std::uint32_t>(count * pieces);
  const auto for_each_piece = [&](auto&& body) {
    executor_or_serial(executor).parallel_for(pieces, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t piece = first; piece < last; ++piece) {
        body(rows.size() * piece / pieces, rows.size() * (piece + 1) / pieces, &counters[piece * count]);
      }
    });
  };
  const unsigned shift = shift_;
  std::fill(counters.begin(), counters.end(), 0U);
  for_each_piece([&](std::size_t first, std::size_t last, std::uint32_t* counter) {
    for (std::size_t i = first; i < last; ++i) {
      ++counter[rows[i] >> shift];
    }
  });
  std::uint32_t sum = 0;
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    begins_[bucket] = sum;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      std::uint32_t& counter = counters[piece * count + bucket];
      sum += std::exchange(counter, sum);
    }
  }
  begins_[count] = sum;
  RowPair* const pairs = pairs_.data();
  for_each_piece([&](std::size_t first, std::size_t last, std::uint32_t* next) {
    for (std::size_t i = first; i < last; ++i) {
      pairs[next[rows[i] >> shift]++] = {rows[i], static_cast<std::uint32_t>(i)};
    }
  });
}

}  // namespace juxta::transform_detail
