// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Top-k and count in a live tree: nodes of one level after the other, so that the best points come first and
// set a limit to those below.
//
//   node      two compares of 32 u16 with the box; those inside are compared with the limit, then looked up
//   children  the 4 x 4 parts of the cell that touch the box, and whose best key is below the limit
//
// Limit:       a node is 14 cache lines, of which 3 to 12 are read; one more for each record.
//              Most are asked for ahead, so a question with many nodes is held up by bandwidth.
// Determinism: comparisons of integers and of the input's own coordinates.

#include "ranked/live_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/live_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// Of points of a node: which may have numbers in the ranges, and which do for sure.
HWY_INLINE void InRanges(const LiveQuanta& quanta, const LiveQuestion& question, std::uint32_t& may,
                         std::uint32_t& sure) {
  for (std::size_t c = 0; c < kMostValues; ++c) {
    const LiveRange& range = question.ranges[c];
    if (range.asked) {
      may &= QuantaBits(quanta.of[c], range.first, range.last);
      sure = range.last - range.first < 2
                 ? 0
                 : sure & QuantaBits(quanta.of[c], static_cast<std::uint16_t>(range.first + 1),
                                     static_cast<std::uint16_t>(range.last - 1));
    }
  }
}

/// Points of a node that may be asked for, and those of them whose records need not be looked at.
struct Inside {
  std::uint32_t may, sure;
};

/// `wanted`: the points to look at.
HWY_INLINE Inside LiveInside(const LiveTree& tree, std::uint32_t number, const LiveQuestion& question,
                             std::uint32_t wanted) {
  const LiveNode& node = tree.nodes()[number];
  std::uint32_t may = wanted & InsideBits(node.points, question.outer);
  std::uint32_t sure = question.inner_empty || question.asks_categories() ? 0 : may;
  if (question.asks_ranges && may != 0) {
    InRanges(tree.quanta()[number], question, may, sure);
  }
  if (sure != 0) {
    sure &= InsideBits(node.points, question.inner);
  }
  return {may, sure};
}

/// Records that decide whether their points are asked for. They are asked for at once and looked at later,
/// many together: a sliver has hundreds of them, and each alone is a miss.
class Doubtful {
 public:
  explicit Doubtful(const LivePool<LiveRecord>& records) : records_(records) {}

  /// Those of the points of a node. Calls f(number, record) for the ones before that pass when they are many.
  template <class F>
  HWY_INLINE void Add(const Block& points, std::uint32_t bits, const LiveQuestion& question, F f) {
    if (bits == 0) {
      return;
    }
    if (size_ > kMost - kBlockSize) {
      Settle(question, f);
    }
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t number = points.name[hwy::Num0BitsBelowLS1Bit_Nonzero32(bits)];
      hwy::Prefetch(&records_[number]);
      numbers_[size_++] = number;
    }
  }
  /// Calls f(number, record) for those that pass, and forgets them all.
  template <class F>
  HWY_INLINE void Settle(const LiveQuestion& question, F f) {
    for (std::uint32_t i = 0; i < size_; ++i) {
      const LiveRecord& record = records_[numbers_[i]];
      if (question.region->contains(record.x, record.y) && question.passes(record)) {
        f(numbers_[i], record);
      }
    }
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t kMost = 96;

  const LivePool<LiveRecord>& records_;
  std::uint32_t size_ = 0;
  std::uint32_t numbers_[kMost];
};

/// Bit i: key i is not above the limit.
template <std::size_t kKeys>
HWY_INLINE std::uint32_t KeyBits(const std::uint64_t* HWY_RESTRICT keys, std::uint64_t limit) {
  const hn::CappedTag<std::uint64_t, kKeys> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto most = hn::Set(d, limit);
  std::uint32_t above = 0;
  for (std::size_t s = 0; s < kKeys; s += lanes) {
    above |= BitsOf(d, hn::Gt(hn::Load(d, keys + s), most)) << s;
  }
  return ~above & (~0U >> (32 - kKeys));
}

HWY_INLINE std::uint32_t UsedBits(const LiveNode& node) {
  return node.size == kBlockSize ? ~0U : (1U << node.size) - 1;
}

/// Calls f(child, task) for the children whose cells touch the box, and whose best key is not above the
/// limit.
template <class F>
HWY_INLINE void ForTouchedChildren(const LiveNode& node, const LiveTask& task, const QuantumBox& box,
                                   std::uint64_t limit, F f) {
  std::uint32_t children = KeyBits<kFanout>(node.child_best, limit);
  const std::uint32_t shift = task.level >= 8 ? 16 : 14 - 2 * task.level;  // from 8 on: all in one quantum
  if (task.level < 8) {
    const auto part = [shift](std::uint32_t q, std::uint32_t corner) {
      return q <= corner ? 0 : std::min((q - corner) >> shift, 3U);
    };
    const auto between = [](std::uint32_t first, std::uint32_t last) { return (2U << last) - (1U << first); };
    const std::uint32_t rows = between(4 * part(box.ly, task.y), 4 * part(box.hy, task.y) + 3);
    children &= rows & 0x1111U * between(part(box.lx, task.x), part(box.hx, task.x));
  }
  for (; children != 0; children &= children - 1) {
    const auto c = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(children));
    if (node.child[c] != 0) {
      const std::uint32_t x = shift == 16 ? 0 : (c & 3) << shift, y = shift == 16 ? 0 : c >> 2 << shift;
      f(c, LiveTask{node.child_best[c], node.child[c], task.level + 1, task.x + x, task.y + y});
    }
  }
}

HWY_INLINE void PrefetchNode(const LiveNode& node) {
  PrefetchLines(&node, (sizeof(Block) + sizeof(node.key)) / 64);  // each line alone would be a miss
  hwy::Prefetch(node.child_best);
  hwy::Prefetch(node.child);
  hwy::Prefetch(&node.version);
}

/// Slots, which decide between equal ranks. Records were asked for when they were found.
HWY_INLINE void FindSlots(std::vector<LiveFound>& found, const LivePool<LiveRecord>& records) {
  for (LiveFound& one : found) {
    one.order.slot = records[one.record].slot;
  }
}

/// Cuts the candidates back to the k best, and learns a limit from them.
HWY_NOINLINE void CutBack(std::vector<LiveFound>& found, const LivePool<LiveRecord>& records, std::size_t k,
                          LiveOrder& limit) {
  FindSlots(found, records);
  const auto last = found.begin() + static_cast<std::ptrdiff_t>(k) - 1;
  std::nth_element(found.begin(), last, found.end(),
                   [](const LiveFound& a, const LiveFound& b) { return a.order < b.order; });
  limit = last->order;
  found.resize(k);
}

QueryResult LiveSearch(const LiveView& view, const LiveQuestion& question, const LiveTop& top,
                       LiveScratch& scratch) {
  const LivePool<LiveNode>& nodes = view.tree->nodes();
  const LivePool<LiveRecord>& records = view.tree->records();
  const std::size_t most = 2 * top.k + 16;
  const bool filtered = question.asks_categories();
  LiveOrder limit = top.limit;
  QueryResult result;
  scratch.found.clear();
  scratch.tasks.clear();
  scratch.tasks.push_back({0, view.root, 0, 0, 0});
  const std::uint32_t no_order_asked = top.after == nullptr ? ~0U : 0;
  Doubtful doubtful(records);
  const auto find = [&](std::uint32_t number, std::uint64_t key) {
    scratch.found.push_back({{key, 0}, number});
    if (scratch.found.size() == most) {
      CutBack(scratch.found, records, top.k, limit);
    }
  };
  const auto settle = [&](std::uint32_t number, const LiveRecord& record) {
    if (record.order() < limit && (top.after == nullptr || *top.after < record.order())) {
      find(number, record.key);
    }
  };
  for (std::size_t next = 0; next < scratch.tasks.size(); ++next) {
    const LiveTask task = scratch.tasks[next];
    if (task.best > limit.key) {
      continue;
    }
    const LiveNode& node = nodes[task.node];
    ++result.visited;
    result.tested += node.size;
    std::uint32_t wanted = UsedBits(node) & InsideBits(node.points, question.outer);
    if (wanted != 0) {
      wanted &= KeyBits<kBlockSize>(node.key, limit.key);
    }
    if (wanted != 0) {
      Inside inside = LiveInside(*view.tree, task.node, question, wanted);
      inside.sure &= no_order_asked;
      for (std::uint32_t bits = inside.sure; bits != 0; bits &= bits - 1) {
        const auto i = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
        const std::uint32_t number = node.points.name[i];
        hwy::Prefetch(&records[number]);
        if (node.key[i] == limit.key && !(records[number].order() < limit)) {
          continue;
        }
        find(number, node.key[i]);
      }
      doubtful.Add(node.points, inside.may & ~inside.sure, question, settle);
    }
    if (node.total != node.size) {
      ForTouchedChildren(node, task, question.outer, limit.key, [&](std::uint32_t c, const LiveTask& child) {
        if (!filtered || question.may_pass(node.child_categories[c])) {
          PrefetchNode(nodes[child.node]);
          scratch.tasks.push_back(child);
        }
      });
    }
  }
  doubtful.Settle(question, settle);
  FindSlots(scratch.found, records);
  return result;
}

QueryResult LiveVisit(const LiveView& view, const LiveQuestion& question, const LiveOrder& limit,
                      LiveScratch& scratch, FunctionRef<void(const LiveRecord&)> visit) {
  const LivePool<LiveNode>& nodes = view.tree->nodes();
  const bool filtered = question.asks_categories();
  QueryResult result;
  Doubtful doubtful(view.tree->records());
  const auto found = [&](std::uint32_t, const LiveRecord& record) {
    if (record.order() <= limit) {
      ++result.found;
      visit(record);
    }
  };
  scratch.tasks.clear();
  scratch.tasks.push_back({0, view.root, 0, 0, 0});
  while (!scratch.tasks.empty()) {
    const LiveTask task = scratch.tasks.back();
    scratch.tasks.pop_back();
    const LiveNode& node = nodes[task.node];
    ++result.visited;
    result.tested += node.size;
    const Inside inside = LiveInside(*view.tree, task.node, question, UsedBits(node));
    // All are looked at, so those that are sure are in no hurry either.
    doubtful.Add(node.points, inside.may, question, found);
    if (node.total != node.size) {
      ForTouchedChildren(node, task, question.outer, limit.key, [&](std::uint32_t c, const LiveTask& child) {
        if (!filtered || question.may_pass(node.child_categories[c])) {
          PrefetchNode(nodes[child.node]);
          scratch.tasks.push_back(child);
        }
      });
    }
  }
  doubtful.Settle(question, found);
  return result;
}

QueryResult LiveCount(const LiveView& view, const LiveQuestion& question, LiveScratch& scratch) {
  const LivePool<LiveNode>& nodes = view.tree->nodes();
  const bool filtered = question.asks_categories();
  const bool can_be_whole = !question.inner_empty && !filtered && !question.asks_ranges;
  const QuantumBox& inner = question.inner;
  QueryResult result;
  Doubtful doubtful(view.tree->records());
  const auto found = [&](std::uint32_t, const LiveRecord&) { ++result.found; };
  scratch.tasks.clear();
  scratch.tasks.push_back({0, view.root, 0, 0, 0});
  while (!scratch.tasks.empty()) {
    const LiveTask task = scratch.tasks.back();
    scratch.tasks.pop_back();
    const LiveNode& node = nodes[task.node];
    ++result.visited;
    result.tested += node.size;
    const Inside inside = LiveInside(*view.tree, task.node, question, UsedBits(node));
    result.found += hwy::PopCount(inside.sure);
    doubtful.Add(node.points, inside.may & ~inside.sure, question, found);
    if (node.total == node.size) {
      continue;
    }
    ForTouchedChildren(node, task, question.outer, kBehindAll.key,
                       [&](std::uint32_t c, const LiveTask& child) {
                         const std::uint32_t side = child.level >= 8 ? 0 : (1U << (16 - 2 * child.level)) - 1;
                         if (can_be_whole && child.x >= inner.lx && child.x + side <= inner.hx &&
                             child.y >= inner.ly && child.y + side <= inner.hy) {
                           result.found += nodes[child.node].total;
                         } else if (!filtered || question.may_pass(node.child_categories[c])) {
                           PrefetchNode(nodes[child.node]);
                           scratch.tasks.push_back(child);
                         }
                       });
  }
  doubtful.Settle(question, found);
  return result;
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(LiveSearch);
QueryResult top_live(const LiveView& view, const LiveQuestion& question, const LiveTop& top,
                     LiveScratch& scratch) {
  scratch.found.clear();
  if (view.root == 0 || top.k == 0) {
    return {};
  }
  const QueryResult result = JUXTA_CALL_KERNEL(LiveSearch)(view, question, top, scratch);
  std::ranges::sort(scratch.found, {}, &LiveFound::order);
  scratch.found.resize(std::min(scratch.found.size(), top.k));
  return result;
}

JUXTA_KERNEL(LiveVisit);
QueryResult visit_live(const LiveView& view, const LiveQuestion& question, const LiveOrder& limit,
                       LiveScratch& scratch, FunctionRef<void(const LiveRecord&)> visit) {
  return view.root == 0 ? QueryResult{} : JUXTA_CALL_KERNEL(LiveVisit)(view, question, limit, scratch, visit);
}

JUXTA_KERNEL(LiveCount);
QueryResult count_live(const LiveView& view, const LiveQuestion& question, LiveScratch& scratch) {
  return view.root == 0 ? QueryResult{} : JUXTA_CALL_KERNEL(LiveCount)(view, question, scratch);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
