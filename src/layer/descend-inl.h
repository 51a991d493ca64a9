// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: going down a tree in the order of its lanes. For kernel files only.

#if defined(JUXTA_LAYER_DESCEND_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_LAYER_DESCEND_INL_H
#undef JUXTA_LAYER_DESCEND_INL_H
#else
#define JUXTA_LAYER_DESCEND_INL_H
#endif

#include <utility>

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
  const WordTag d;
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    const std::uint32_t own = BitsOfPart(bits, part);
    // Iota of a variable would go through memory.
    const auto lanes = hn::Add(hn::Set(d, first + part * kStep), hn::Iota(d, 0U));
    hn::StoreU(Pack(lanes, own), d, out);
    out += Count(own);
  }
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

/// The leaves in the order of Descend(), as a list: level by level, each from the list of the level above, so
/// that no block waits for the one before it. False when more than kMostLeaves nodes of one level are
/// touched.
class LeafList {
 public:
  static constexpr std::uint32_t kMostLeaves = 512;

  template <int D, class Enter>
  HWY_INLINE bool Fill(const BlockTree<D>& tree, Enter&& enter) {
    std::uint32_t other[kMostLeaves + kBlockLanes];
    std::uint32_t* from = tree.levels % 2 != 0 ? leaves_ : other;  // so that the last list is leaves_
    std::uint32_t* to = tree.levels % 2 != 0 ? other : leaves_;
    from[0] = 0;
    count_ = 1;
    for (std::uint32_t level = tree.levels - 1; level > 0; --level) {
      std::uint32_t* end = to;
      for (std::uint32_t k = 0; k < count_; ++k) {
        end = WriteLanes(from[k] * kBlockLanes, enter(level, from[k]), end);
        if (HWY_UNLIKELY(end > to + kMostLeaves)) {
          return false;
        }
      }
      visited_ += count_;
      count_ = static_cast<std::uint32_t>(end - to);
      std::swap(from, to);
    }
    return true;
  }

  [[nodiscard]] const std::uint32_t* begin() const { return leaves_; }
  [[nodiscard]] const std::uint32_t* end() const { return leaves_ + count_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t visited() const { return visited_; }  ///< Nodes above.

 private:
  std::uint32_t leaves_[kMostLeaves + kBlockLanes];
  std::uint32_t count_ = 0;
  std::size_t visited_ = 0;
};

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
