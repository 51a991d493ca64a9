// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where the tasks of a parallel search for pairs leave what they find.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/layer/pair.h"
#include "layer/pair_search.h"
#include "layer/sink.h"

namespace juxta::layer_detail {

/// Chunks of one pool, as many as fit the output and
/// one more for each task. What does not fit is counted.
struct ChunkPool {
  static constexpr std::size_t kChunk = 512;  // there may be 65,536 tasks: 4 KiB for each
  std::span<Pair> pairs;
  std::span<std::uint32_t> next;  // of each chunk: the chunk that the same task filled after it
  std::atomic<std::uint32_t> used{0};

  [[nodiscard]] std::uint32_t take() {
    const std::uint32_t chunk = used.fetch_add(1, std::memory_order_relaxed);
    return chunk < next.size() ? chunk : kNoBody;
  }
};

struct TaskPairs {
  std::size_t found = 0;
  std::uint32_t first_chunk = kNoBody;
};

class ChunkSink : public Sink<Pair> {
 public:
  ChunkSink(ChunkPool& pool, TaskPairs& result, const KeepPair& keep)
      : pool_(pool), result_(result), keep_(keep) {
    cursor = limit = overflow_;
    base_ = overflow_;
    more = [](Sink<Pair>& sink) {
      static_cast<ChunkSink&>(sink).next_chunk();
      return true;
    };
  }
  void finish() { count(); }

 private:
  // A chunk is left when fewer than kMostAtOnce places are free in it; how many it holds is kept at its end.
  void count() {
    const std::size_t fresh = keep_only(base_, cursor, keep_);
    result_.found += fresh;
    if (chunk_ != kNoBody) {
      pool_.pairs[chunk_ * ChunkPool::kChunk + ChunkPool::kChunk - 1].a = static_cast<std::uint32_t>(fresh);
    }
  }
  void next_chunk() {
    count();
    const std::uint32_t fresh = pool_.take();
    if (fresh == kNoBody) {
      chunk_ = kNoBody;
      cursor = base_ = overflow_;
      limit = overflow_ + std::size(overflow_);
      return;
    }
    (chunk_ == kNoBody ? result_.first_chunk : pool_.next[chunk_]) = fresh;
    pool_.next[fresh] = kNoBody;
    chunk_ = fresh;
    cursor = base_ = pool_.pairs.data() + fresh * ChunkPool::kChunk;
    limit = cursor + ChunkPool::kChunk - 1;
  }

  ChunkPool& pool_;
  TaskPairs& result_;
  const KeepPair& keep_;
  std::uint32_t chunk_ = kNoBody;
  Pair* base_;
  Pair overflow_[2 * kMostAtOnce];
};

inline void copy_chunks(const ChunkPool& pool, std::uint32_t chunk, Pair* out) {
  for (; chunk != kNoBody; chunk = pool.next[chunk]) {
    const Pair* pairs = pool.pairs.data() + chunk * ChunkPool::kChunk;
    const std::size_t count = pairs[ChunkPool::kChunk - 1].a;
    std::copy_n(pairs, count, out);
    out += count;
  }
}

}  // namespace juxta::layer_detail
