// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parallel half of the radix sort: distributes by the highest bits that differ until buckets fit a cache.
//
//   keys  | chunk 0 | chunk 1 | chunk 2 | ...          cut by n alone, never by the number of threads
//            count     count     count                 counters[chunk][digit]
//            \_________  |  _________/                 summed digit by digit, chunk by chunk: stable
//   other | bucket 0 | bucket 1 | ... | bucket 255 |   each then sorted by itself, in cache
//
// Limit: one distribution reads keys three times (spread, count, move) and writes once. 256 buckets at most,
// so that the line being filled in each stays in the first cache without write-combining buffers.

#include "juxta/order/radix_sort.h"

#include <array>
#include <string>

#include "core/call_workspace.h"
#include "order/radix_buffers.h"

namespace juxta {
namespace {

using order_detail::KeySpread;
using order_detail::NoValues;
using order_detail::RadixColumns;

constexpr std::size_t kMostElements = 0xFFFF'FFFEU;
constexpr std::size_t kSerial = std::size_t{1} << 16;  // both copies of 64 Ki pairs fit 1 MiB of second cache
constexpr std::size_t kChunk = std::size_t{1} << 17;
constexpr unsigned kBucketBits = 8;
constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;

using Counter = std::array<std::uint32_t, kBuckets>;

template <class Key, class Value>
class ParallelSort {
 public:
  using Columns = RadixColumns<Key, Value>;

  ParallelSort(Workspace& workspace, const Executor& executor) : workspace_(workspace), executor_(executor) {}

  // As radix_sort_serial(). Runs on the calling thread, bodies on the executor's.
  void sort(Columns at, Columns other, std::size_t n, bool home_is_other) {
    if (n <= kSerial) {
      radix_sort_serial(at, other, n, home_is_other);
      return;
    }
    const Workspace::Scope scope(workspace_);
    const std::size_t chunks = (n + kChunk - 1) / kChunk;
    const KeySpread<Key> spread = parallel_spread(at.keys, n, chunks);
    if (spread.sorted) {
      if (home_is_other) {
        executor_.parallel_for(n, kChunk, [&](std::size_t first, std::size_t last) {
          other.from(first).copy_from(at.from(first), last - first);
        });
      }
      return;
    }
    const std::span<std::uint32_t> begins = workspace_.take<std::uint32_t>(kBuckets + 1);
    distribute(at, other, n, chunks, spread.bits(), begins);
    sort_buckets(at, other, begins, home_is_other);
  }

 private:
  KeySpread<Key> parallel_spread(const Key* keys, std::size_t n, std::size_t chunks) {
    const Workspace::Scope scope(workspace_);
    const std::span<KeySpread<Key>> parts = workspace_.take<KeySpread<Key>>(chunks);
    executor_.parallel_for(n, kChunk, [&](std::size_t first, std::size_t last) {
      parts[first / kChunk] = order_detail::key_spread(keys, first, last);
    });
    KeySpread<Key> all;
    for (const KeySpread<Key>& part : parts) {
      all.differing |= part.differing;
      all.sorted = all.sorted && part.sorted;
    }
    return all;
  }

  void distribute(const Columns& at, const Columns& other, std::size_t n, std::size_t chunks, unsigned bits,
                  std::span<std::uint32_t> begins) {
    const unsigned shift = bits > kBucketBits ? bits - kBucketBits : 0;
    const Workspace::Scope scope(workspace_);
    const std::span<Counter> counters = workspace_.take<Counter>(chunks);
    executor_.parallel_for(n, kChunk, [&](std::size_t first, std::size_t last) {
      Counter& counter = counters[first / kChunk];
      counter.fill(0);
      for (std::size_t i = first; i < last; ++i) {
        ++counter[(at.keys[i] >> shift) & (kBuckets - 1)];
      }
    });
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < kBuckets; ++d) {
      begins[d] = sum;
      for (Counter& counter : counters) {
        const std::uint32_t count = counter[d];
        counter[d] = sum;
        sum += count;
      }
    }
    begins[kBuckets] = sum;
    executor_.parallel_for(n, kChunk, [&](std::size_t first, std::size_t last) {
      Counter next = counters[first / kChunk];  // a copy on this thread's stack: no line is shared
      for (std::size_t i = first; i < last; ++i) {
        other.move(next[(at.keys[i] >> shift) & (kBuckets - 1)]++, at, i);
      }
    });
  }

  // The buckets stand in `other` now. Small ones run side by side; large ones (skewed keys) one after the
  // other, each in parallel by itself.
  void sort_buckets(const Columns& at, const Columns& other, std::span<const std::uint32_t> begins,
                    bool home_is_other) {
    executor_.parallel_for(kBuckets, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t d = first; d < last; ++d) {
        if (const std::size_t size = begins[d + 1] - begins[d]; size != 0 && size <= kSerial) {
          radix_sort_serial(other.from(begins[d]), at.from(begins[d]), size, !home_is_other);
        }
      }
    });
    for (std::size_t d = 0; d < kBuckets; ++d) {
      if (const std::size_t size = begins[d + 1] - begins[d]; size > kSerial) {
        sort(other.from(begins[d]), at.from(begins[d]), size, !home_is_other);
      }
    }
  }

  Workspace& workspace_;
  const Executor& executor_;
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
  ParallelSort<Key, Value>(workspace, executor_or_serial(context.executor)).sort(columns, other, n, false);
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
