// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parallel half of the radix sort: distributes by the highest bits that differ until buckets fit a cache.
//
//   keys  | piece 0 | piece 1 | piece 2 | ...          cut by n alone, never by the number of threads
//            count     count     count                 counters[piece][digit]
//            \_________  |  _________/                 summed digit by digit, piece by piece: stable
//   other | bucket 0 | bucket 1 | ... | bucket 255 |   small ones are then sorted by themselves, in cache
//
// Buckets that stay large (skewed keys, as those of floats are) are the segments of the next round, in which
// keys and other have changed places. All segments of a round are cut into pieces that run side by side.
//
// Limit: one distribution reads keys three times (spread, count, move) and writes once. 256 buckets at most,
// so that the line being filled in each stays in the first cache without write-combining buffers.

#include "juxta/order/radix_sort.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/call_workspace.h"
#include "order/radix_buffers.h"

namespace juxta {
namespace {

using order_detail::KeySpread;
using order_detail::NoValues;
using order_detail::RadixColumns;

constexpr std::size_t kMostElements = 0xFFFF'FFFEU;
// On one thread, buckets are sorted by themselves when both copies of 64 Ki pairs fit 1 MiB of second cache.
// On an executor, from 8 Ki on there is something to share.
constexpr std::size_t kMostInCache = std::size_t{1} << 16, kFewestShared = std::size_t{1} << 13;
constexpr std::size_t kMostInPiece = std::size_t{1} << 15, kFewestInPiece = std::size_t{1} << 11;
// Of all keys: no larger part is one bucket or one piece, where the limits above allow it.
constexpr std::size_t kShares = 64;
constexpr unsigned kBucketBits = 8;
constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;

using Counter = std::array<std::uint32_t, kBuckets>;

template <class Key, class Value>
class ParallelSort {
 public:
  using Columns = RadixColumns<Key, Value>;

  ParallelSort(Workspace& workspace, const Executor& executor, std::size_t n)
      : workspace_(workspace),
        executor_(executor),
        n_(n),
        most_small_(&executor == &serial_executor() ? kMostInCache
                                                    : std::clamp(n / kShares, kFewestShared, kMostInCache)),
        piece_(std::clamp(n / kShares, kFewestInPiece, kMostInPiece)) {}

  // Sorts `at` in place; `other` is overwritten. Runs on the calling thread, bodies on the executor's.
  void sort(Columns at, Columns other) {
    if (n_ <= most_small_) {
      radix_sort_serial(at, other, n_, false);
      return;
    }
    const Workspace::Scope scope(workspace_);
    std::span<Segment> open = workspace_.take<Segment>(n_ / most_small_ + 1);
    std::span<Segment> next = workspace_.take<Segment>(open.size());
    open[0] = {0, static_cast<std::uint32_t>(n_)};
    std::size_t count = 1;
    for (bool home_is_other = false; count > 0; home_is_other = !home_is_other) {
      count = sort_round(at, other, open.first(count), next, home_is_other);
      std::swap(at, other);
      std::swap(open, next);
    }
  }

 private:
  // More than most_small_ keys whose higher bits are equal.
  struct Segment {
    std::uint32_t first, last;
    unsigned shift = 0;   // of the digit that comes next
    bool sorted = false;  // nothing is to be done
  };
  // A part of a segment for one thread.
  struct Piece {
    std::uint32_t segment, first, last;
  };
  struct Bucket {
    std::uint32_t first, last;
    [[nodiscard]] std::size_t size() const noexcept { return last - first; }
  };

  // Puts small buckets into order where they belong, and large ones into `next`; returns how many those are.
  std::size_t sort_round(const Columns& at, const Columns& other, std::span<Segment> segments,
                         std::span<Segment> next, bool home_is_other) {
    const Workspace::Scope scope(workspace_);
    const std::span<const Piece> pieces = cut(segments);
    look(at.keys, segments, pieces);
    const std::span<Counter> counters = workspace_.take<Counter>(pieces.size());
    for_each(pieces, segments, [&](std::size_t i, const Piece& piece, const Segment& segment) {
      if (!segment.sorted) {
        counters[i].fill(0);
        for (std::size_t k = piece.first; k < piece.last; ++k) {
          ++counters[i][(at.keys[k] >> segment.shift) & (kBuckets - 1)];
        }
      }
    });
    const std::span<Bucket> small = workspace_.take<Bucket>(segments.size() * kBuckets);
    const auto [small_count, large_count] = add_up(segments, pieces, counters, small, next);
    for_each(pieces, segments, [&](std::size_t i, const Piece& piece, const Segment& segment) {
      if (segment.sorted) {
        if (home_is_other) {
          other.from(piece.first).copy_from(at.from(piece.first), piece.last - piece.first);
        }
        return;
      }
      Counter to = counters[i];  // a copy on this thread's stack: no line is shared
      for (std::size_t k = piece.first; k < piece.last; ++k) {
        other.move(to[(at.keys[k] >> segment.shift) & (kBuckets - 1)]++, at, k);
      }
    });
    executor_.parallel_for(small_count, 1, [&](std::size_t first, std::size_t) {
      const Bucket& bucket = small[first];
      radix_sort_serial(other.from(bucket.first), at.from(bucket.first), bucket.size(), !home_is_other);
    });
    return large_count;
  }

  std::span<const Piece> cut(std::span<const Segment> segments) {
    std::size_t count = 0;
    for (const Segment& segment : segments) {
      count += (segment.last - segment.first + piece_ - 1) / piece_;
    }
    const std::span<Piece> pieces = workspace_.take<Piece>(count);
    std::size_t at = 0;
    for (std::uint32_t s = 0; s < segments.size(); ++s) {
      for (std::uint32_t first = segments[s].first, last; first < segments[s].last; first = last) {
        last = first + std::min(static_cast<std::uint32_t>(piece_), segments[s].last - first);
        pieces[at++] = {s, first, last};
      }
    }
    return pieces;
  }

  template <class Body>
  void for_each(std::span<const Piece> pieces, std::span<const Segment> segments, Body&& body) {
    executor_.parallel_for(pieces.size(), 1, [&](std::size_t i, std::size_t) {
      body(i, pieces[i], segments[pieces[i].segment]);
    });
  }

  // Finds each segment's digit, and those that are sorted.
  void look(const Key* keys, std::span<Segment> segments, std::span<const Piece> pieces) {
    const Workspace::Scope scope(workspace_);
    const std::span<KeySpread<Key>> parts = workspace_.take<KeySpread<Key>>(pieces.size());
    for_each(pieces, segments, [&](std::size_t i, const Piece& piece, const Segment& segment) {
      parts[i] = order_detail::key_spread(keys + segment.first, piece.first - segment.first,
                                          piece.last - segment.first);
    });
    for (std::size_t i = 0; i < pieces.size();) {
      Segment& segment = segments[pieces[i].segment];
      KeySpread<Key> all;
      for (; i < pieces.size() && &segments[pieces[i].segment] == &segment; ++i) {
        all.differing |= parts[i].differing;
        all.sorted = all.sorted && parts[i].sorted;
      }
      segment.sorted = all.sorted;
      segment.shift = all.bits() > kBucketBits ? all.bits() - kBucketBits : 0;
    }
  }

  // Turns counts into places, and names the buckets; returns how many are small, and how many large.
  std::pair<std::size_t, std::size_t> add_up(std::span<const Segment> segments, std::span<const Piece> pieces,
                                             std::span<Counter> counters, std::span<Bucket> small,
                                             std::span<Segment> large) {
    std::size_t small_count = 0, large_count = 0, begin = 0;
    for (std::size_t end; begin < pieces.size(); begin = end) {
      const Segment& segment = segments[pieces[begin].segment];
      for (end = begin; end < pieces.size() && pieces[end].segment == pieces[begin].segment;) {
        ++end;
      }
      std::uint32_t sum = segment.first;
      for (std::size_t d = 0; d < kBuckets && !segment.sorted; ++d) {
        const std::uint32_t first = sum;
        for (Counter& counter : counters.subspan(begin, end - begin)) {
          sum += std::exchange(counter[d], sum);
        }
        if (sum - first > most_small_) {
          large[large_count++] = {first, sum};
        } else if (sum != first) {
          small[small_count++] = {first, sum};
        }
      }
    }
    return {small_count, large_count};
  }

  Workspace& workspace_;
  const Executor& executor_;
  const std::size_t n_;
  const std::size_t most_small_;  // buckets that are sorted by themselves
  const std::size_t piece_;       // keys of a task
};

template <class Key, class Value>
Result<void> sort_columns(RadixColumns<Key, Value> columns, std::size_t n, const Context& context) {
  if (n > kMostElements) {
    return fail(ErrorCode::kTooLarge, "at most 2^32 - 2 keys can be sorted at once", kMostElements);
  }
  if (n < 2) {
    return {};
  }
  const CallWorkspace call(context);
  Workspace& workspace = *call;
  RadixColumns<Key, Value> other{workspace.take<Key>(n).data(), nullptr};
  if constexpr (other.kHasValues) {
    other.values = workspace.take<Value>(n).data();
  }
  ParallelSort<Key, Value>(workspace, executor_or_serial(context.executor), n).sort(columns, other);
  return {};
}

template <class Key>
Result<void> sort_with_values(std::span<Key> keys, std::span<std::uint32_t> values, const Context& context) {
  if (keys.size() != values.size()) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(keys.size()) + " keys but " +
                                                 std::to_string(values.size()) +
                                                 " values: give one value for each key");
  }
  return sort_columns(RadixColumns<Key, std::uint32_t>{keys.data(), values.data()}, keys.size(), context);
}

}  // namespace

Result<void> sort_keys(std::span<std::uint32_t> keys, const Context& context) {
  return sort_columns(RadixColumns<std::uint32_t, NoValues>{keys.data(), nullptr}, keys.size(), context);
}

Result<void> sort_keys(std::span<std::uint64_t> keys, const Context& context) {
  return sort_columns(RadixColumns<std::uint64_t, NoValues>{keys.data(), nullptr}, keys.size(), context);
}

Result<void> sort_pairs(std::span<std::uint32_t> keys, std::span<std::uint32_t> values,
                        const Context& context) {
  return sort_with_values(keys, values, context);
}

Result<void> sort_pairs(std::span<std::uint64_t> keys, std::span<std::uint32_t> values,
                        const Context& context) {
  return sort_with_values(keys, values, context);
}

}  // namespace juxta
