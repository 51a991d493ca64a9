// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: going down a tree in the order of its lanes. For kernel files only.

#if defined(JUXTA_LAYER_DESCEND_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_LAYER_DESCEND_INL_H
#undef JUXTA_LAYER_DESCEND_INL_H
#else
#define JUXTA_LAYER_DESCEND_INL_H
#endif

#include "hwy/highway.h"
#include "juxta/layer/query_options.h"
#include "layer/store.h"
#include "order/descend-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::layer_detail::HWY_NAMESPACE {
using namespace order_detail::HWY_NAMESPACE;

/// Appends first + i for each bit i; may write 16 entries.
HWY_INLINE std::uint32_t* WriteLanes(std::uint32_t first, std::uint32_t bits,
                                     std::uint32_t* HWY_RESTRICT out) {
#if HWY_TARGET == HWY_WASM
  // Eight lanes at once, from a table of bytes: half of the instructions.
  for (std::uint32_t part = 0; part < kBlockLanes; part += 8) {
    const std::uint32_t own = bits >> part & 0xFF;
    const auto places = wasm_u16x8_load8x8(&core_detail::kPackTable[own]);
    const auto base = wasm_i32x4_splat(static_cast<std::int32_t>(first + part));
    wasm_v128_store(out, wasm_i32x4_add(wasm_u32x4_extend_low_u16x8(places), base));
    wasm_v128_store(out + 4, wasm_i32x4_add(wasm_u32x4_extend_high_u16x8(places), base));
    out += Count(own);
  }
#else
  const WordTag d;
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    const std::uint32_t own = BitsOfPart(bits, part);
    // Iota of a variable would go through memory.
    const auto lanes = hn::Add(hn::Set(d, first + part * kStep), hn::Iota(d, 0U));
    hn::StoreU(Pack(lanes, own), d, out);
    out += Count(own);
  }
#endif
  return out;
}

/// Lanes of a leaf whose bodies meet this filter. Only for layers that are filtered.
template <int D>
HWY_INLINE std::uint32_t MeetingBits(const LayerView<D>& view, std::uint32_t leaf, Filter filter) {
  const WordTag d;
  const auto category = hn::Set(d, filter.category), mask = hn::Set(d, filter.mask);
  const std::size_t base = std::size_t{leaf} * kBlockLanes;
  std::uint32_t bits = 0;
  for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
    const auto theirs = hn::And(hn::Load(d, view.category + base + s), mask);
    const auto ours = hn::And(hn::Load(d, view.mask + base + s), category);
    const auto apart = hn::Or(hn::Eq(theirs, hn::Zero(d)), hn::Eq(ours, hn::Zero(d)));
    bits |= BitsOf(d, hn::Not(apart)) << s;
  }
  return bits;
}

/// Of these lanes of a leaf, those whose bodies are not ignored, and accepted. Seldom called: out of line.
template <int D>
HWY_NOINLINE std::uint32_t TakenBits(const LayerView<D>& view, std::uint32_t leaf, std::uint32_t bits,
                                     const QueryOptions& options) {
  const std::uint32_t* bodies = view.body_of + std::size_t{leaf} * kBlockLanes;
  std::uint32_t taken = 0;
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t lane = LowestBit(bits);
    taken |= static_cast<std::uint32_t>(options.takes(bodies[lane])) << lane;
  }
  return taken;
}

/// Of these lanes of a leaf, those whose bodies the query may answer with.
template <int D>
HWY_INLINE std::uint32_t AnswerBits(const LayerView<D>& view, std::uint32_t leaf, std::uint32_t bits,
                                    const QueryOptions& options) {
  if (view.category != nullptr && bits != 0) {
    bits &= MeetingBits(view, leaf, options.filter);
  }
  return HWY_UNLIKELY(options.narrows()) ? TakenBits(view, leaf, bits, options) : bits;
}

/// The lanes of a node that a query touches, and those of them that lie wholly within it: nothing below these
/// has to be compared.
struct Touched {
  std::uint32_t some, whole;
};

/// In lists of nodes: it lies wholly within the query. A layer has at most 2^28 leaves.
inline constexpr std::uint32_t kWhole = 1U << 31;

/// As WriteLanes(), with kWhole in the entries of `whole`.
HWY_INLINE std::uint32_t* WriteTouched(std::uint32_t first, Touched lanes, std::uint32_t* HWY_RESTRICT out) {
  if (lanes.whole == 0) {
    return WriteLanes(first, lanes.some, out);
  }
  HWY_ALIGN static constexpr std::uint32_t kBit[kBlockLanes] = {
      1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  const WordTag d;
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    const std::uint32_t own = BitsOfPart(lanes.some, part);
    const auto numbers = hn::Add(hn::Set(d, first + part * kStep), hn::Iota(d, 0U));
    const auto whole = hn::TestBit(hn::Set(d, lanes.whole), hn::Load(d, kBit + part * kStep));
    hn::StoreU(Pack(hn::Or(numbers, hn::IfThenElseZero(whole, hn::Set(d, kWhole))), own), d, out);
    out += Count(own);
  }
  return out;
}

/// The leaves that a query touches, in the order of Descend(), as lists of at most kMost + kBlockLanes. Goes
/// level by level, each from a list of the level above, so that no block waits for the one before it. Where a
/// list is full, what it has is done to the bottom first. The first list of leaves is short: a query that
/// wants a few bodies has them then.
class LeafLists {
 public:
  static constexpr std::uint32_t kFirst = 48, kMost = 512;
  static constexpr std::uint32_t kFewNodes = 2;

  /// `enter(level, block)` gives a node's Touched lanes. `leaves(first, count)` returns false to stop; leaves
  /// with kWhole lie wholly within the query, and so do their nodes, which are never read.
  template <int D, class Enter, class Leaves>
  HWY_INLINE void Run(const BlockTree<D>& tree, Enter&& enter, Leaves&& leaves) {
    // A root of few nodes tells less than these do, and each level waits for the one above.
    const bool few = tree.levels > 2 && tree.blocks[tree.levels - 2] <= kFewNodes;
    const std::uint32_t top = tree.levels - (few ? 2 : 1);
    for (std::uint32_t i = 0; i < kFewNodes; ++i) {
      list_[top][i] = i;
    }
    next_[top] = 0;
    end_[top] = tree.blocks[top];
    for (std::uint32_t level = top;;) {
      for (; level > 0 && next_[level] != end_[level]; --level) {
        Fill(tree, level, enter);
      }
      if (level == 0 && !leaves(list_[0], end_[0])) {
        return;
      }
      most_ = kMost;
      do {
        if (level == top) {
          return;
        }
        ++level;
      } while (next_[level] == end_[level]);
    }
  }

 private:
  /// The list of the level below from the next nodes of this one.
  template <int D, class Enter>
  HWY_INLINE void Fill(const BlockTree<D>& tree, std::uint32_t level, Enter&& enter) {
    std::uint32_t* const first = list_[level - 1];
    std::uint32_t* out = first;
    std::uint32_t k = next_[level];
    for (; k < end_[level] && out <= first + most_; ++k) {
      const std::uint32_t node = list_[level][k];
      if (HWY_UNLIKELY((node & kWhole) != 0)) {
        const std::uint32_t child = (node & ~kWhole) * kBlockLanes;
        (void)WriteLanes(child | kWhole, 0xFFFF, out);
        out += HWY_MIN(kBlockLanes, tree.blocks[level - 1] - child);
      } else {
        out = WriteTouched(node * kBlockLanes, enter(level, node), out);
      }
    }
    next_[level] = k;
    next_[level - 1] = 0;
    end_[level - 1] = static_cast<std::uint32_t>(out - first);
  }

  std::uint32_t list_[kMaxTreeLevels][kMost + kBlockLanes];
  std::uint32_t next_[kMaxTreeLevels], end_[kMaxTreeLevels];
  std::uint32_t most_ = kFirst;
};

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
