// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   rank order              -9  -4  -4  -4   0   2
//   input indices            7   1   3   8   2   5
//                                    ^ a cursor of rank -4 and index 3 stands behind this one
#include "ranked/cursor.h"

#include <cmath>
#include <concepts>
#include <string>

#include "juxta/core/try.h"
#include "ranked/input.h"

namespace juxta::ranked_detail {
namespace {

/// Calls f with the ranks by input index, and with the cursor's rank in a type that holds both of them.
template <class F>
auto with_ranks(const RankedView& view, const RankedCursor& after, F f) {
  return with_type(view.rank_type, [&]<class T>(T) {
    const StridedColumn<T> ranks{view.ranks};
    if constexpr (std::integral<T>) {
      return f(ranks, after.rank().integer());
    } else {
      return f(ranks, after.rank().real());
    }
  });
}

}  // namespace

Result<void> check_rank(ScalarType type, const RankValue& rank) {
  const bool integers = type == ScalarType::kInt32 || type == ScalarType::kInt64;
  if (integers && !rank.is_integer()) {
    return fail(ErrorCode::kInvalidArgument, "the ranks of the points are integers, this one is not");
  }
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (!integers && rank.is_integer() && (rank.integer() > kExact || rank.integer() < -kExact)) {
    return fail(ErrorCode::kInvalidArgument,
                "the rank is an integer beyond 2^53, those of the points are not integers");
  }
  if (std::isnan(rank.real())) {
    return fail(ErrorCode::kNotFinite, "the rank is NaN");
  }
  return {};
}

Result<std::uint32_t> own_point(const RankedView& view, const RankedCursor& after) {
  if (view.ranks == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                "the points do not have their ranks: build them with keep_ranks");
  }
  JUXTA_TRY(check_rank(view.rank_type, after.rank()));
  const std::uint32_t index = after.index();
  return with_ranks(view, after, [&]<class T, class Rank>(StridedColumn<T> ranks, Rank rank) {
    return index < view.size && static_cast<Rank>(ranks[index]) == rank ? index : kNoPoint;
  });
}

std::size_t position_after(const RankedView& view, const RankedCursor& after) {
  return with_ranks(view, after, [&]<class T, class Rank>(StridedColumn<T> ranks, Rank rank) {
    std::size_t low = 0, high = view.size;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const std::uint32_t index = view.index(static_cast<std::uint32_t>(middle));
      const auto at = static_cast<Rank>(ranks[index]);
      const bool is_behind = rank < at || (rank == at && after.index() < index);
      (is_behind ? high : low) = is_behind ? middle : middle + 1;
    }
    return low;
  });
}

}  // namespace juxta::ranked_detail
