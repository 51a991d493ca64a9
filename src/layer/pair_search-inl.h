// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: which boxes of one block overlap which of another. For pair_kernel.cpp only, which draws it.

#if defined(JUXTA_LAYER_PAIR_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_LAYER_PAIR_SEARCH_INL_H
#undef JUXTA_LAYER_PAIR_SEARCH_INL_H
#else
#define JUXTA_LAYER_PAIR_SEARCH_INL_H
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "layer/descend-inl.h"
#include "layer/pair_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {

/// Lanes after lane i.
HWY_INLINE std::uint32_t LanesAfter(std::uint32_t i) {
  return 0xFFFFU & (0xFFFEU << i);
}

/// Appends {body, others[i]} for each bit i, in order of i; a < b when the layer is one.
template <bool kOneLayer>
HWY_INLINE Pair* WritePairs(std::uint32_t body, const std::uint32_t* HWY_RESTRICT others, std::uint32_t bits,
                            bool swapped, Pair* HWY_RESTRICT out) {
  const WordTag d;
  if constexpr (hn::MaxLanes(WordTag()) == kBlockLanes) {
    // Without a branch on how many there are: a whole register is written, its rest is written over.
    const std::uint64_t wide = bits;  // 8 readable bytes are asked for
    const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&wide));
    const auto other = hn::Compress(hn::Load(d, others), mask);
    const auto own = hn::Set(d, body);
    const bool own_second = !kOneLayer && swapped;
    const auto first = kOneLayer ? hn::Min(own, other) : own_second ? other : own;
    const auto second = kOneLayer ? hn::Max(own, other) : own_second ? own : other;
    hn::StoreInterleaved2(first, second, d, &out->a);
    return out + Count(bits);
  } else {
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t other = others[LowestBit(bits)];
      if (kOneLayer) {
        *out++ = {HWY_MIN(body, other), HWY_MAX(body, other)};
      } else {
        *out++ = swapped ? Pair{other, body} : Pair{body, other};
      }
    }
    return out;
  }
}

/// The search through two trees (which may be one and the same).
template <int D, bool kOneLayer, bool kFiltered>
class PairSearch {
 public:
  PairSearch(const LayerView<D>& a, const LayerView<D>& b, PairSink& sink) : a_(a), b_(b), sink_(sink) {}

  /// Pairs below one node of the one layer.
  bool Below(std::uint32_t level, std::uint32_t block) {
    const BoxBlock<D>& node = a_.tree->level[level][block];
    const std::uint32_t first = block * kBlockLanes, used = UsedLanes(a_, level, block);
    if (level == 1) {
      return LeavesBelow(node, first, used);
    }
    for (std::uint32_t i = 0; i < used; ++i) {
      if (!Below(level - 1, first + i)) {
        return false;
      }
      std::uint32_t bits = OverlapBits(node, Splat(node, i)) & LanesAfter(i);
      ++work_.visited;
      for (; bits != 0; bits &= bits - 1) {
        if (!Between(level - 1, first + i, level - 1, first + LowestBit(bits))) {
          return false;
        }
      }
    }
    return true;
  }

  /// Pairs below two different nodes; the taller one is opened first.
  bool Between(std::uint32_t level_a, std::uint32_t block_a, std::uint32_t level_b, std::uint32_t block_b) {
    const BoxBlock<D>& p = a_.tree->level[level_a][block_a];
    const BoxBlock<D>& q = b_.tree->level[level_b][block_b];
    ++work_.visited;
    if (level_a > level_b) {
      std::uint32_t bits = OverlapBits(p, Splat(BoundsOf(q)));
      for (; bits != 0; bits &= bits - 1) {
        if (!Between(level_a - 1, block_a * kBlockLanes + LowestBit(bits), level_b, block_b)) {
          return false;
        }
      }
      return true;
    }
    if (level_b > level_a) {
      std::uint32_t bits = OverlapBits(q, Splat(BoundsOf(p)));
      for (; bits != 0; bits &= bits - 1) {
        if (!Between(level_a, block_a, level_b - 1, block_b * kBlockLanes + LowestBit(bits))) {
          return false;
        }
      }
      return true;
    }
    std::uint32_t rows = OverlapBits(p, Splat(BoundsOf(q)));
    if (level_a == 1) {
      return LeavesBetween(p, block_a * kBlockLanes, q, block_b * kBlockLanes, rows);
    }
    for (; rows != 0; rows &= rows - 1) {
      const std::uint32_t i = LowestBit(rows);
      std::uint32_t bits = OverlapBits(q, Splat(p, i));
      ++work_.visited;
      for (; bits != 0; bits &= bits - 1) {
        if (!Between(level_a - 1, block_a * kBlockLanes + i, level_b - 1,
                     block_b * kBlockLanes + LowestBit(bits))) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] const PairWork& work() const { return work_; }

 private:
  static std::uint32_t UsedLanes(const LayerView<D>& view, std::uint32_t level, std::uint32_t block) {
    return HWY_MIN(kBlockLanes, view.tree->blocks[level - 1] - block * kBlockLanes);
  }

  bool LeavesBelow(const BoxBlock<D>& node, std::uint32_t first, std::uint32_t used) {
    for (std::uint32_t i = 0; i < used; ++i) {
      if (!WithinLeaf(first + i)) {
        return false;
      }
      const std::uint32_t bits = OverlapBits(node, Splat(node, i)) & LanesAfter(i);
      ++work_.visited;
      if (!LeafRow(node, first, i, node, first, bits)) {
        return false;
      }
    }
    return true;
  }

  bool LeavesBetween(const BoxBlock<D>& p, std::uint32_t first_a, const BoxBlock<D>& q, std::uint32_t first_b,
                     std::uint32_t rows) {
    for (; rows != 0; rows &= rows - 1) {
      const std::uint32_t i = LowestBit(rows);
      const std::uint32_t bits = OverlapBits(q, Splat(p, i));
      ++work_.visited;
      if (!LeafRow(p, first_a, i, q, first_b, bits)) {
        return false;
      }
    }
    return true;
  }

  /// One leaf of p against those leaves of q.
  bool LeafRow(const BoxBlock<D>& p, std::uint32_t first_a, std::uint32_t i, const BoxBlock<D>& q,
               std::uint32_t first_b, std::uint32_t bits) {
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t j = LowestBit(bits);
      if (!BetweenLeaves(first_a + i, p, i, first_b + j, q, j)) {
        return false;
      }
    }
    return true;
  }

  bool WithinLeaf(std::uint32_t leaf) {
    const BoxBlock<D>& block = a_.tree->level[0][leaf];
    if (!Room()) {
      return false;
    }
    for (std::uint32_t i = 0; i + 1 < kBlockLanes; ++i) {
      const std::uint32_t hits = OverlapBits(block, Splat(block, i)) & LanesAfter(i);
      Emit(a_, leaf, i, b_, leaf, hits, false);
    }
    work_.tested += kBlockLanes * (kBlockLanes - 1) / 2;
    return true;
  }

  /// The boxes of the leaf with fewer candidates, one by one, against the other leaf as a whole.
  bool BetweenLeaves(std::uint32_t leaf_a, const BoxBlock<D>& p, std::uint32_t i, std::uint32_t leaf_b,
                     const BoxBlock<D>& q, std::uint32_t j) {
    const BoxBlock<D>& block_a = a_.tree->level[0][leaf_a];
    const BoxBlock<D>& block_b = b_.tree->level[0][leaf_b];
    const std::uint32_t rows = OverlapBits(block_a, Splat(q, j));
    const std::uint32_t columns = OverlapBits(block_b, Splat(p, i));
    ++work_.visited;
    if (rows == 0 || columns == 0) {
      return true;
    }
    return Count(rows) <= Count(columns)
               ? Rows(a_, leaf_a, block_a, rows, b_, leaf_b, block_b, columns, false)
               : Rows(b_, leaf_b, block_b, columns, a_, leaf_a, block_a, rows, true);
  }

  bool Rows(const LayerView<D>& own, std::uint32_t own_leaf, const BoxBlock<D>& own_block, std::uint32_t rows,
            const LayerView<D>& other, std::uint32_t other_leaf, const BoxBlock<D>& other_block,
            std::uint32_t columns, bool swapped) {
    work_.tested += std::size_t{Count(rows)} * Count(columns);
    if (!Room()) {
      return false;
    }
    for (; rows != 0; rows &= rows - 1) {
      const std::uint32_t i = LowestBit(rows);
      const std::uint32_t hits = OverlapBits(other_block, Splat(own_block, i)) & columns;
      Emit(own, own_leaf, i, other, other_leaf, hits, swapped);
    }
    return true;
  }

  HWY_INLINE void Emit(const LayerView<D>& own, std::uint32_t own_leaf, std::uint32_t i,
                       const LayerView<D>& other, std::uint32_t other_leaf, std::uint32_t hits,
                       bool swapped) {
    const std::size_t lane = std::size_t{own_leaf} * kBlockLanes + i;
    if constexpr (kFiltered) {
      hits &= MeetingBits(other, other_leaf, Filter{own.category[lane], own.mask[lane]});
    }
    sink_.cursor =
        WritePairs<kOneLayer>(own.body_of[lane], other.body_of + std::size_t{other_leaf} * kBlockLanes, hits,
                              swapped, sink_.cursor);
  }

  /// Room for all pairs of two leaves, and a register past them.
  HWY_INLINE bool Room() {
    if (HWY_LIKELY(static_cast<std::size_t>(sink_.limit - sink_.cursor) >= PairSink::kMostAtOnce)) {
      return true;
    }
    return sink_.more(sink_);
  }

  const LayerView<D>& a_;
  const LayerView<D>& b_;
  PairSink& sink_;
  PairWork work_;
};

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
