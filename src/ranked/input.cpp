// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/input.h"

#include <atomic>
#include <cmath>
#include <string>

#include "juxta/core/isa.h"
#include "juxta/core/workspace.h"
#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"

namespace juxta::ranked_detail {
namespace {

/// The first element for which `bad` holds, or kNowhere: the same one for any executor.
template <class T, class Bad>
std::uint64_t find_first(StridedColumn<T> column, std::size_t size, const Executor& executor, Bad bad) {
  std::atomic<std::uint64_t> found{Error::kNowhere};
  executor.parallel_for(size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (bad(column[i])) {
        std::uint64_t seen = found.load();
        while (i < seen && !found.compare_exchange_weak(seen, i)) {
        }
        return;
      }
    }
  });
  return found.load();
}

Result<void> check_coordinates(CoordinateColumn column, const char* name, const Executor& executor) {
  const std::uint64_t bad = with_type(column.type(), [&]<class T>(T) -> std::uint64_t {
    return find_first(column.as<T>(), column.size(), executor,
                      [](T value) { return !std::isfinite(static_cast<double>(value)); });
  });
  if (bad != Error::kNowhere) {
    return fail(
        ErrorCode::kNotFinite,
        std::string(name) + " of point " + std::to_string(bad) + " is NaN or infinite: leave the point out",
        bad);
  }
  return {};
}

Result<void> check_ranks(RankColumn column, const Executor& executor) {
  const std::uint64_t bad = with_type(column.type(), [&]<class T>(T) -> std::uint64_t {
    return find_first(column.as<T>(), column.size(), executor,
                      [](T value) { return std::isnan(static_cast<double>(value)); });
  });
  if (bad != Error::kNowhere) {
    return fail(ErrorCode::kNotFinite,
                "the rank of point " + std::to_string(bad) + " is NaN: leave the point out", bad);
  }
  return {};
}

template <class T>
void order_by_values(StridedColumn<T> ranks, std::size_t size, Array<std::uint32_t>& index_of,
                     const BuildContext& context) {
  index_of.resize_discard(0);
  const std::uint64_t descent = [&] {
    std::atomic<bool> descends{false};
    context.executor.parallel_for(size - 1, kPointsOfTask, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last && !descends.load(std::memory_order_relaxed); ++i) {
        if (ranks[i + 1] < ranks[i]) {
          descends = true;
        }
      }
    });
    return descends.load();
  }();
  if (!descent) {
    return;
  }
  index_of.resize_discard(size);
  const Workspace::Scope scope(context.workspace);
  const auto keys = context.workspace.take<decltype(ordered_key(T{}))>(size);
  context.executor.parallel_for(size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      keys[i] = ordered_key(ranks[i]);
      index_of[i] = static_cast<std::uint32_t>(i);
    }
  });
  (void)sort_pairs(
      keys, index_of.span(),
      {.executor = &context.executor, .workspace = &context.workspace});  // check_columns() has seen the size
}

}  // namespace

Result<void> check_columns(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                           const Executor& executor) {
  if (xs.size() != ys.size() || xs.size() != ranks.size()) {
    return fail(ErrorCode::kInvalidArgument,
                "xs, ys and ranks have " + std::to_string(xs.size()) + ", " + std::to_string(ys.size()) +
                    " and " + std::to_string(ranks.size()) + " elements: give columns of one length");
  }
  if (xs.type() != ys.type()) {
    return fail(ErrorCode::kInvalidArgument,
                "xs and ys are of different types: give both as float or both as double");
  }
  if (xs.size() > std::size_t{0xFFFFFFFE}) {
    return fail(ErrorCode::kTooLarge,
                std::to_string(xs.size()) + " points are more than 2^32 - 2: split them");
  }
  return active_isa()
      .and_then([&](Isa) { return check_coordinates(xs, "x", executor); })
      .and_then([&] { return check_coordinates(ys, "y", executor); })
      .and_then([&] { return check_ranks(ranks, executor); });
}

void order_by_rank(RankColumn ranks, Array<std::uint32_t>& index_of, const BuildContext& context) {
  with_type(ranks.type(),
            [&]<class R>(R) { order_by_values(ranks.as<R>(), ranks.size(), index_of, context); });
}

}  // namespace juxta::ranked_detail
