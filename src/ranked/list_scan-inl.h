// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: answering from one precomputed list. Include inside top_kernel.cpp only.
//
//   the smallest cell around the rectangle:   its list, in rank order:
//   +-----------------+                       block 0 | block 1 | block 2 | ...
//   |      +-------+  |                       32 x, 32 y: two loads, four operations -> 32 bits
//   |      | query |  |                       hits keep their order, so the first k of them are the answer
//   |      +-------+  |
//   +-----------------+   On average a quarter of the cell is query: k = 20 reads about 80 points, 3 blocks.
//
// Limit: one dependent miss (the blocks are prefetched together), then 256 bytes per block.

#if defined(JUXTA_RANKED_LIST_SCAN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_LIST_SCAN_INL_H
#undef JUXTA_RANKED_LIST_SCAN_INL_H
#else
#define JUXTA_RANKED_LIST_SCAN_INL_H
#endif

#include "hwy/cache_control.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked/box_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One list and what to expect of it.
struct ListChoice {
  const Block* blocks = nullptr;
  std::uint32_t points = 0;
  bool complete = false;
  float share = 0;  // of the cell's area that the query covers
};

/// How often an axis can be halved so that a cell with half-cell steps still covers [lo, hi].
HWY_INLINE std::uint32_t CoarsestShift(std::uint32_t lo, std::uint32_t hi) {
  const std::uint32_t length = hi - lo;
  const auto bits =
      length == 0 ? 0u : 32u - static_cast<std::uint32_t>(hwy::Num0BitsAboveMS1Bit_Nonzero32(length));
  const std::uint32_t finer = bits - (bits != 0);
  return (hi >> finer) - (lo >> finer) <= 1 ? finer : bits;
}

/// Splits halve the longer side first until the cell is on the grid.
HWY_INLINE void FitDepth(std::uint32_t depth, std::uint32_t& i, std::uint32_t& j) {
  if (i + j > depth) {
    const std::uint32_t excess = i + j - depth;
    std::uint32_t& finer = i >= j ? i : j;
    std::uint32_t& other = i >= j ? j : i;
    const std::uint32_t cut = HWY_MIN(excess, finer);
    finer -= cut;
    other -= excess - cut;
  }
}

/// Where a list is: all of a ListChoice but its length, which may be far away.
struct ListPlace {
  const Block* blocks = nullptr;
  const ListView::Length* length = nullptr;  // null: there are no lists
  float share = 0;
};

template <class T>
HWY_INLINE ListPlace FindList(const RankedView& view, const BoxQuery<T>& query) {
  const ListView& lists = view.lists;
  if (lists.depth < 0) {
    return {};
  }
  std::uint32_t i = 15 - CoarsestShift(query.outer.lx, query.outer.hx);
  std::uint32_t j = 15 - CoarsestShift(query.outer.ly, query.outer.hy);
  FitDepth(static_cast<std::uint32_t>(lists.depth), i, j);
  const std::size_t across = ListView::cells(i), up = ListView::cells(j);
  const std::size_t cx = HWY_MIN(query.outer.lx >> (15 - i), across - 1);
  const std::size_t cy = HWY_MIN(query.outer.ly >> (15 - j), up - 1);
  const std::size_t cell = cy * across + cx;
  return {lists.blocks + lists.block_begin[i][j] + cell * lists.blocks_per_list(i + j),
          lists.lengths + lists.list_begin[i][j] + cell,
          static_cast<float>(query.width) * static_cast<float>(query.height) * (1.0f / 4294967296.0f) *
              static_cast<float>(1u << (i + j))};
}

HWY_INLINE ListChoice ListAt(const ListPlace& place) {
  return place.length == nullptr
             ? ListChoice{}
             : ListChoice{place.blocks, place.length->points, place.length->complete != 0, place.share};
}

template <class T>
HWY_INLINE ListChoice ChooseList(const RankedView& view, const BoxQuery<T>& query) {
  return ListAt(FindList(view, query));
}

/// The list of the whole space: the lowest ranks of all.
template <class T>
HWY_INLINE ListChoice WholeList(const RankedView& view, const BoxQuery<T>& query) {
  const ListView& lists = view.lists;
  if (lists.depth < 0) {
    return {};
  }
  const ListView::Length length = lists.lengths[lists.list_begin[0][0]];
  return {lists.blocks + lists.block_begin[0][0], length.points, length.complete != 0,
          static_cast<float>(query.width) * static_cast<float>(query.height) * (1.0f / 4294967296.0f)};
}

/// Whether a list is likely to hold k results; and whether what it gave is the answer.
HWY_INLINE bool MayHold(const ListChoice& list, std::size_t k) {
  return list.complete || static_cast<float>(list.points) * list.share >= 0.85f * static_cast<float>(k);
}
HWY_INLINE bool IsAnswer(const ListChoice& list, std::size_t k, const QueryResult& result,
                         std::size_t from = 0) {
  return result.written == k || (list.complete && from + result.tested >= list.points);
}

/// How many points to look at before giving up: four times what should do, since ranks may follow the place,
/// and then the low ones of the cell lie elsewhere (on `rank = x` a list of 65,536 may hold nothing of its
/// right half).
HWY_INLINE std::uint32_t Patience(const ListChoice& list, std::size_t k) {
  const float expected = static_cast<float>(k + 8) / HWY_MAX(list.share, 1e-6f);
  return static_cast<std::uint32_t>(HWY_MIN(4 * expected, static_cast<float>(list.points)));
}

/// Asks for the first blocks that k results are expected in, all misses at once. The processor fetches what
/// is behind them by itself.
HWY_INLINE void PrefetchList(const Block* blocks, float share, std::size_t k) {
  if (blocks == nullptr) {  // there are no lists
    return;
  }
  const float expected = (static_cast<float>(k) + 4) / HWY_MAX(share, 1e-3f);
  const auto points = static_cast<std::size_t>(HWY_MIN(expected, 4.0f * kBlockSize));
  const std::size_t bytes = (points + kBlockSize - 1) / kBlockSize * sizeof(Block);
  PrefetchLines(blocks, bytes / 64);
}

/// Copies n names, whole registers that may overlap where there is one's worth.
HWY_INLINE void CopyNames(const std::uint32_t* HWY_RESTRICT from, std::size_t n,
                          std::uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  if (n < lanes) {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = from[i];
    }
    return;
  }
  for (std::size_t i = 0; i + lanes < n; i += lanes) {
    hn::StoreU(hn::LoadU(d, from + i), d, out + i);
  }
  hn::StoreU(hn::LoadU(d, from + n - lanes), d, out + n - lanes);
}

/// Writes up to k indices from entry `from` on; fewer when the list or the patience ends. The list is in rank
/// order, so the first hits are the answer. They go through a buffer of some registers, because a block's
/// hits are written by whole registers and `out` ends after k.
template <class Query>
HWY_INLINE QueryResult ScanList(const ListChoice& list, const Query& query, std::size_t k, std::uint32_t* out,
                                std::size_t from = 0) {
  constexpr std::size_t kBuffer = 64;
  alignas(64) std::uint32_t buffer[kBuffer + kBlockSize + 16];
  QueryResult result;
  std::size_t waiting = 0;
  const std::size_t end = HWY_MIN(from + Patience(list, k), std::size_t{list.points});
  for (std::size_t first = from / kBlockSize * kBlockSize; first < end; first += kBlockSize) {
    const Block& block = list.blocks[first / kBlockSize];
    std::uint32_t hits = InsideBits(block, query.outer);
    const std::size_t left = list.points - first;
    if (left < kBlockSize) {
      hits &= (1u << left) - 1;
    }
    if (first < from) {
      hits &= ~0u << (from - first);
    }
    hits = query.Confirm(block, hits, [&block](std::uint32_t bit) { return block.name[bit]; });
    ++result.visited;
    waiting += AppendNames(block, hits, buffer + waiting);
    if (waiting >= kBuffer || result.written + waiting >= k) {
      const std::size_t n = HWY_MIN(waiting, k - result.written);
      CopyNames(buffer, n, out + result.written);
      result.written += n;
      waiting = 0;
      if (result.written == k) {
        break;
      }
    }
  }
  CopyNames(buffer, waiting, out + result.written);
  result.written += waiting;
  result.tested = result.visited * kBlockSize;
  return result;
}

/// The entry behind the point with input index `own`; 0 if it is not among the first ones. Looks at names
/// only.
HWY_INLINE std::size_t EntryBehind(const ListChoice& list, std::uint32_t own) {
  constexpr std::size_t kMost = 64 * kBlockSize;
  const std::size_t end = HWY_MIN(std::size_t{list.points}, kMost);
  for (std::size_t first = 0; first < end; first += kBlockSize) {
    const std::uint32_t same = NameBits(list.blocks[first / kBlockSize], own, own + 1);
    if (same != 0) {
      return first + hwy::Num0BitsBelowLS1Bit_Nonzero32(same) + 1;
    }
  }
  return 0;
}

/// A page from a list: up to k indices behind the point `own`. False: the list does not have the answer.
template <class Query>
HWY_INLINE bool PageOfList(const ListChoice& list, const Query& query, std::uint32_t own, std::size_t k,
                           std::uint32_t* out, QueryResult& result) {
  PrefetchList(list.blocks, list.share, 2 * k);
  const std::size_t from = EntryBehind(list, own);
  if (from == 0 || !(list.complete ||
                     static_cast<float>(list.points - from) * list.share >= 0.85f * static_cast<float>(k))) {
    return false;
  }
  result = ScanList(list, query, k, out, from);
  return IsAnswer(list, k, result, from);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
