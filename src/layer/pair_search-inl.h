// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the search through two trees, and what it does with two blocks of blocks. For pair_kernel.cpp
// only, which draws it.

#if defined(JUXTA_LAYER_PAIR_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_LAYER_PAIR_SEARCH_INL_H
#undef JUXTA_LAYER_PAIR_SEARCH_INL_H
#else
#define JUXTA_LAYER_PAIR_SEARCH_INL_H
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "layer/pair_kernel.h"
#include "layer/pair_write-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::layer_detail::HWY_NAMESPACE {

/// Lanes after lane i.
HWY_INLINE std::uint32_t LanesAfter(std::uint32_t i) {
  return 0xFFFFU & (0xFFFEU << i);
}

enum class Search : std::uint8_t {
  kOneLayer,   ///< Pairs of one tree, a < b.
  kTwoLayers,  ///< Pairs of two trees.
  kAny,        ///< One body of the second tree for each query in the first.
};

/// The search through two trees (which may be one and the same).
template <int D, Search kSearch, bool kFiltered>
class PairSearch {
 public:
  PairSearch(const LayerView<D>& a, const LayerView<D>& b, Sink<Pair>& sink,
             const AnyAnswers* answers = nullptr)
      : a_(*a.tree), b_(*b.tree), views_{&a, &b}, sink_(sink), answers_(answers) {}

  /// Pairs below one node of the one layer.
  bool Below(std::uint32_t level, std::uint32_t block) {
    const BoxBlock<D>& node = a_.level[level][block];
    const std::uint32_t first = block * kBlockLanes;
    const std::uint32_t used = HWY_MIN(kBlockLanes, a_.blocks[level - 1] - first);
    if (level == 1) {
      return LeavesBelow(node, first, used);
    }
    for (std::uint32_t i = 0; i < used; ++i) {
      if (!Below(level - 1, first + i)) {
        return false;
      }
      ++work_.visited;
      for (std::uint32_t bits = OverlapBits(node, Splat(node, i)) & LanesAfter(i); bits != 0;
           bits &= bits - 1) {
        if (!Between(level - 1, first + i, level - 1, first + LowestBit(bits))) {
          return false;
        }
      }
    }
    return true;
  }

  /// Pairs below two different nodes; the taller one is opened first.
  bool Between(std::uint32_t level_a, std::uint32_t block_a, std::uint32_t level_b, std::uint32_t block_b) {
    const BoxBlock<D>& p = a_.level[level_a][block_a];
    const BoxBlock<D>& q = b_.level[level_b][block_b];
    const std::uint32_t first_a = block_a * kBlockLanes, first_b = block_b * kBlockLanes;
    ++work_.visited;
    if (level_b > level_a) {
      for (std::uint32_t bits = OverlapBits(q, Splat(BoundsOf(p))); bits != 0; bits &= bits - 1) {
        if (!Between(level_a, block_a, level_b - 1, first_b + LowestBit(bits))) {
          return false;
        }
      }
      return true;
    }
    std::uint32_t rows = OverlapBits(p, Splat(BoundsOf(q)));
    if (level_a == 1) {
      return LeavesBetween(p, first_a, q, first_b, rows);
    }
    for (; rows != 0; rows &= rows - 1) {
      const std::uint32_t i = LowestBit(rows);
      if (level_a > level_b) {
        if (!Between(level_a - 1, first_a + i, level_b, block_b)) {
          return false;
        }
        continue;
      }
      ++work_.visited;
      for (std::uint32_t bits = OverlapBits(q, Splat(p, i)); bits != 0; bits &= bits - 1) {
        if (!Between(level_a - 1, first_a + i, level_b - 1, first_b + LowestBit(bits))) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] const SearchWork& work() const { return work_; }

 private:
  /// Two blocks of blocks: which leaves of one touch which of the other, as two columns.
  struct LeafPairs {
    std::uint32_t a[kBlockLanes * kBlockLanes + kBlockLanes], b[kBlockLanes * kBlockLanes + kBlockLanes];
    std::uint32_t count = 0;

    HWY_INLINE void Append(std::uint32_t leaf, std::uint32_t first, std::uint32_t bits) {
      const std::uint32_t more = Count(bits);
      Repeat(leaf, a + count);
      (void)WriteLanes(first, bits, b + count);
      count += more;
    }
  };

  /// One box against the 16 of a leaf; only its `columns` are in question.
  struct Rows {
    static constexpr std::uint32_t kMost = 512;
    std::uint32_t lane[kMost + kBlockLanes], leaf[kMost + kBlockLanes], columns[kMost + kBlockLanes];
  };
  static constexpr std::uint32_t kSwapped = 1U << 31;  // in columns: the box is of the second layer

  bool LeavesBelow(const BoxBlock<D>& node, std::uint32_t first, std::uint32_t used) {
    LeafPairs pairs;
    for (std::uint32_t i = 0; i < used; ++i) {
      if (!WithinLeaf(first + i)) {
        return false;
      }
      pairs.Append(first + i, first, OverlapBits(node, Splat(node, i)) & LanesAfter(i));
    }
    work_.visited += used;
    return TestLeaves(node, first, node, first, pairs);
  }

  bool LeavesBetween(const BoxBlock<D>& p, std::uint32_t first_a, const BoxBlock<D>& q, std::uint32_t first_b,
                     std::uint32_t rows) {
    LeafPairs pairs;
    work_.visited += Count(rows);
    std::uint32_t columns = 0;
    for (; rows != 0; rows &= rows - 1) {
      const std::uint32_t i = LowestBit(rows);
      if (kSearch == Search::kAny && answers_->done[first_a + i] == 0xFFFF) {
        continue;
      }
      const std::uint32_t bits = OverlapBits(q, Splat(p, i));
      Fetch(a_.level[0][first_a + i]);
      columns |= bits;
      pairs.Append(first_a + i, first_b, bits);
    }
    for (; columns != 0; columns &= columns - 1) {
      Fetch(b_.level[0][first_b + LowestBit(columns)]);
    }
    return TestLeaves(p, first_a, q, first_b, pairs);
  }

  /// Of a leaf that will soon be read, all lines: most come from the second cache.
  static HWY_INLINE void Fetch(const BoxBlock<D>& leaf) {
    for (std::size_t at = 0; at < sizeof leaf; at += 64) {
      hwy::Prefetch(reinterpret_cast<const char*>(&leaf) + at);
    }
  }

  /// A leaf against itself shifted by 1, 2, ... 8 lanes, round and round: each two lanes meet once.
  bool WithinLeaf(std::uint32_t leaf) {
    const BoxBlock<D>& block = a_.level[0][leaf];
    const BlockLanes<D> lanes(block);
    HWY_ALIGN float lo[D][2 * kBlockLanes], hi[D][2 * kBlockLanes];
    HWY_ALIGN std::uint32_t bodies[2 * kBlockLanes];
    Twice(views_[0]->body_of + std::size_t{leaf} * kBlockLanes, bodies);
    for (int axis = 0; axis < D; ++axis) {
      Twice(block.lo[axis], lo[axis]);
      Twice(block.hi[axis], hi[axis]);
    }
    work_.tested += kBlockLanes * (kBlockLanes - 1) / 2;
    for (std::uint32_t shift = 1; shift <= kBlockLanes / 2; ++shift) {
      std::uint32_t bits = OverlapsShifted(lanes, lo, hi, shift);
      bits &= shift < kBlockLanes / 2 ? 0xFFFFU : 0x00FFU;
      if constexpr (kFiltered) {
        bits = MeetShifted(leaf, shift, bits);
      }
      if (!Room()) {
        return false;
      }
      sink_.cursor = WriteShifted(bodies, shift, bits, sink_.cursor);
    }
    return true;
  }

  template <class T>
  static HWY_INLINE void Twice(const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
    const hn::CappedTag<T, kBlockLanes> d;
    for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
      const auto part = hn::Load(d, from + s);
      hn::Store(part, d, to + s);
      hn::Store(part, d, to + kBlockLanes + s);
    }
  }

  static HWY_INLINE std::uint32_t OverlapsShifted(const BlockLanes<D>& lanes,
                                                  const float (&lo)[D][2 * kBlockLanes],
                                                  const float (&hi)[D][2 * kBlockLanes],
                                                  std::uint32_t shift) {
    const FloatTag d;
    std::uint32_t bits = 0;
    for (std::uint32_t part = 0; part < BlockLanes<D>::kParts; ++part) {
      const std::uint32_t at = shift + part * kStep;
      auto hit = hn::And(hn::Le(lanes.lo[part][0], hn::LoadU(d, hi[0] + at)),
                         hn::Le(hn::LoadU(d, lo[0] + at), lanes.hi[part][0]));
      for (int axis = 1; axis < D; ++axis) {
        hit = hn::And(hit, hn::And(hn::Le(lanes.lo[part][axis], hn::LoadU(d, hi[axis] + at)),
                                   hn::Le(hn::LoadU(d, lo[axis] + at), lanes.hi[part][axis])));
      }
      bits |= BitsOf(d, hit) << (part * kStep);
    }
    return bits;
  }

  std::uint32_t MeetShifted(std::uint32_t leaf, std::uint32_t shift, std::uint32_t bits) const {
    const std::size_t base = std::size_t{leaf} * kBlockLanes;
    const LayerView<D>& view = *views_[0];
    std::uint32_t met = 0;
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t i = LowestBit(bits), j = (i + shift) % kBlockLanes;
      const Filter one{view.category[base + i], view.mask[base + i]};
      const Filter other{view.category[base + j], view.mask[base + j]};
      met |= one.meets(other) ? bits & (0 - bits) : 0;
    }
    return met;
  }

  /// Pairs of leaves into rows: the boxes of the leaf with fewer candidates, one by one, against the other
  /// leaf.
  bool TestLeaves(const BoxBlock<D>& p, std::uint32_t first_a, const BoxBlock<D>& q, std::uint32_t first_b,
                  const LeafPairs& pairs) {
    Rows rows;
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < pairs.count; ++k) {
      const std::uint32_t leaf_a = pairs.a[k], leaf_b = pairs.b[k];
      std::uint32_t of_a = OverlapBits(a_.level[0][leaf_a], Splat(q, leaf_b - first_b));
      if constexpr (kSearch == Search::kAny) {
        of_a &= ~std::uint32_t{answers_->done[leaf_a]};
      }
      const std::uint32_t of_b = OverlapBits(b_.level[0][leaf_b], Splat(p, leaf_a - first_a));
      // Without branches, which nobody could foretell: both are all ones or all zeros.
      const std::uint32_t swapped = Count(of_b) < Count(of_a) ? ~0U : 0U;
      const std::uint32_t either = of_a != 0 && of_b != 0 ? ~0U : 0U;
      const std::uint32_t differ = (of_a ^ of_b) & swapped, exchange = (leaf_a ^ leaf_b) & swapped;
      const std::uint32_t lanes = (of_a ^ differ) & either, columns = of_b ^ differ;
      const std::uint32_t more = Count(lanes);
      (void)WriteLanes((leaf_a ^ exchange) * kBlockLanes, lanes, rows.lane + count);
      Repeat(leaf_b ^ exchange, rows.leaf + count);
      Repeat(columns | (swapped & kSwapped), rows.columns + count);
      work_.tested += std::size_t{more} * Count(columns);
      count += more;
      if (count >= Rows::kMost) {
        if (!WriteRows(rows, TestRows(rows, count))) {
          return false;
        }
        count = 0;
      }
    }
    work_.visited += pairs.count;
    return WriteRows(rows, TestRows(rows, count));
  }

  /// Keeps the rows that hit something, with the lanes that they hit in place of those in question, and tells
  /// how many they are. Of a sparse world they are few; which ones, nobody could foretell.
  std::uint32_t TestRows(Rows& rows, std::uint32_t count) const {
    const BoxBlock<D>* const leaves[2] = {a_.level[0], b_.level[0]};
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t lane = rows.lane[k], leaf = rows.leaf[k], columns = rows.columns[k];
      const std::uint32_t own = kSearch != Search::kOneLayer ? columns >> 31 : 0, other = 1 - own;
      const BoxBlock<D>& own_block = leaves[own][lane / kBlockLanes];
      std::uint32_t hits = OverlapBits(leaves[other][leaf], Splat(own_block, lane % kBlockLanes)) & columns;
      if constexpr (kFiltered) {
        const LayerView<D>& view = *views_[own];
        hits &= MeetingBits(*views_[other], leaf, Filter{view.category[lane], view.mask[lane]});
      }
      rows.lane[kept] = lane;
      rows.leaf[kept] = leaf;
      rows.columns[kept] = hits | (columns & kSwapped);
      kept += hits != 0 ? 1 : 0;
    }
    return kept;
  }

  bool WriteRows(const Rows& rows, std::uint32_t count) {
    const std::uint32_t* const bodies[2] = {views_[0]->body_of, views_[1]->body_of};
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t lane = rows.lane[k], leaf = rows.leaf[k];
      const std::uint32_t own = kSearch != Search::kOneLayer ? rows.columns[k] >> 31 : 0;
      const std::uint32_t hits = rows.columns[k] & ~kSwapped;
      if constexpr (kSearch == Search::kAny) {
        Answer(own != 0 ? leaf : lane / kBlockLanes, own != 0 ? hits : 1U << lane % kBlockLanes,
               own != 0 ? lane : leaf * kBlockLanes + LowestBit(hits));
        continue;
      }
      if (!Room()) {
        return false;
      }
      sink_.cursor = WriteRow<kSearch == Search::kOneLayer>(
          bodies[own][lane], bodies[1 - own] + std::size_t{leaf} * kBlockLanes, hits, 0 - own, sink_.cursor);
    }
    return true;
  }

  /// These lanes of a leaf of queries have found the body in that lane.
  void Answer(std::uint32_t leaf, std::uint32_t lanes, std::uint32_t body_lane) {
    lanes &= ~std::uint32_t{answers_->done[leaf]};
    answers_->done[leaf] = static_cast<std::uint16_t>(answers_->done[leaf] | lanes);
    for (; lanes != 0; lanes &= lanes - 1) {
      const std::uint32_t query = views_[0]->body_of[std::size_t{leaf} * kBlockLanes + LowestBit(lanes)];
      answers_->answers[query] = views_[1]->body_of[body_lane];
    }
  }

  HWY_INLINE bool Room() {
    if (HWY_LIKELY(static_cast<std::size_t>(sink_.limit - sink_.cursor) >= Sink<Pair>::kMostAtOnce)) {
      return true;
    }
    return sink_.more(sink_);
  }

  const BlockTree<D>& a_;
  const BlockTree<D>& b_;
  const LayerView<D>* views_[2];
  Sink<Pair>& sink_;
  const AnyAnswers* answers_;
  SearchWork work_;
};

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
