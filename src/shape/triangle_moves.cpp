// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Moving subtrees of a finished tree of two children to better places, again and again.
//
//        A                  A          N leaves its parent P, whose place goes to the sibling S.
//       / \                / \         Below a new node N meets T: they get P's pair of slots.
//      P   B      ->      S   B
//     / \   \                  \       saved: area(P), and what ancestors of P shrink by
//    N   S   T                  .      paid:  area(T and N), and what ancestors of T grow by
//                              / \.
//                             T   N
//
// What an expected ray costs is the sum of the areas of all nodes. The best T is searched from N upwards:
// below each ancestor's other child, as long as what is saved so far leaves more than the best place known.
// All searches of a pass see the same tree, so they run side by side; moves are then made in order of what
// they save, and a move that touches what another one has changed waits for the next pass.
//
// Sources: Bittner, Hapala, Havran, "Fast insertion-based optimization of bounding volume hierarchies" (CGF
// 2013); Meister, Bittner, "Parallel reinsertion for bounding volume hierarchy optimization" (Eurographics
// 2018).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "shape/triangle_tree.h"

namespace juxta::shape_detail {
namespace {

constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
constexpr std::size_t kSearchesOfTask = 256;
// A pass that saves less than this part of the tree's cost is the last one.
constexpr double kLeastGain = 0.005;
constexpr std::uint32_t kMostPasses = 8;
// That one search looks at. Where boxes of all sizes lie in each other nothing else would end it.
constexpr std::uint32_t kMostPlaces = 128;
// Of the root: 0.
constexpr std::uint32_t kDeepest = kMostBinaryLevels - 1;

// Siblings stand side by side: slot ^ 1. The root is slot 0.
struct Slot {
  float lo[3], hi[3];
  std::uint32_t pair;  // the first of two children; of a leaf: 0
  std::uint32_t ref;   // of a leaf
};

double joint_area(const Slot& a, const Slot& b) noexcept {
  double side[3];
  for (int i = 0; i < 3; ++i) {
    side[i] =
        static_cast<double>(std::max(a.hi[i], b.hi[i])) - static_cast<double>(std::min(a.lo[i], b.lo[i]));
  }
  return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

double area_of(const Slot& slot) noexcept {
  return joint_area(slot, slot);
}

void join(Slot& box, const Slot& a, const Slot& b) noexcept {
  for (int i = 0; i < 3; ++i) {
    box.lo[i] = std::min(a.lo[i], b.lo[i]);
    box.hi[i] = std::max(a.hi[i], b.hi[i]);
  }
}

bool same_box(const Slot& a, const Slot& b) noexcept {
  return std::equal(a.lo, a.lo + 3, b.lo) && std::equal(a.hi, a.hi + 3, b.hi);
}

struct Move {
  double saved = 0;
  std::uint32_t from = kNoSlot, to = kNoSlot;
};

class TreeMover {
 public:
  /// At least three refs; leaves have one or two each.
  TreeMover(std::span<TriangleRef> refs, Array<BinaryNode>& nodes, std::pmr::memory_resource* resource)
      : refs_(refs),
        nodes_(nodes),
        resource_(resource),
        slots_(resource),
        before_(resource),
        parents_(resource),
        moves_(resource),
        busy_(resource) {
    slots_.resize_discard(2 * refs.size());
    before_.resize_discard(slots_.size());
    parents_.resize_discard(refs.size());
    moves_.resize_discard(slots_.size() - 2);
    busy_.resize_discard(slots_.size());
    read();
  }

  void run(const Executor& executor) {
    double cost = tree_cost();
    for (std::uint32_t i = 0; i < kMostPasses; ++i) {
      std::copy(slots_.begin(), slots_.end(), before_.begin());
      pass(executor);
      const double now = tree_cost();
      if (!(now < cost) || too_deep()) {
        std::copy(before_.begin(), before_.end(), slots_.begin());
        break;
      }
      if (!(cost - now > kLeastGain * cost)) {
        break;
      }
      cost = now;
    }
    write();
  }

 private:
  struct Open {
    std::uint32_t slot, other;  // `other`: what the walk wants to know
  };

  [[nodiscard]] std::uint32_t parent(std::uint32_t slot) const noexcept { return parents_[slot / 2]; }

  void set_leaf(std::uint32_t slot, std::uint32_t ref) noexcept {
    Slot& leaf = slots_[slot];
    std::copy_n(refs_[ref].lo, 3, leaf.lo);
    std::copy_n(refs_[ref].hi, 3, leaf.hi);
    leaf.pair = 0;
    leaf.ref = ref;
  }

  void read() noexcept {
    Open open[kMostBinaryLevels + 2];
    std::uint32_t size = 0, next = 2;
    open[size++] = {0, 0};
    parents_[0] = kNoSlot;
    slots_[1] = {};
    while (size != 0) {
      const Open at = open[--size];
      const BinaryNode& node = nodes_[at.other];
      if (node.count == 1) {
        set_leaf(at.slot, node.first);
        continue;
      }
      Slot& slot = slots_[at.slot];
      std::copy_n(node.bounds.lo.begin(), 3, slot.lo);
      std::copy_n(node.bounds.hi.begin(), 3, slot.hi);
      slot.pair = next;
      parents_[next / 2] = at.slot;
      if (node.leaf()) {  // of two
        set_leaf(next, node.first);
        set_leaf(next + 1, node.first + 1);
      } else {
        open[size++] = {next + 1, node.right};
        open[size++] = {next, node.left};
      }
      next += 2;
    }
  }

  [[nodiscard]] double tree_cost() const noexcept {
    double sum = 0;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      sum += slots_[i].pair != 0 ? area_of(slots_[i]) : 0;
    }
    return sum;
  }

  [[nodiscard]] bool too_deep() const noexcept {
    Open open[kDeepest + 2];
    std::uint32_t size = 0;
    open[size++] = {0, 0};
    while (size != 0) {
      const Open at = open[--size];
      const std::uint32_t pair = slots_[at.slot].pair;
      if (pair != 0) {
        if (at.other == kDeepest) {
          return true;
        }
        open[size++] = {pair, at.other + 1};
        open[size++] = {pair + 1, at.other + 1};
      }
    }
    return false;
  }

  void pass(const Executor& executor) {
    executor.parallel_for(moves_.size(), kSearchesOfTask, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        moves_[i] = search(static_cast<std::uint32_t>(i + 2));
      }
    });
    const auto end = std::partition(moves_.begin(), moves_.end(), [](const Move& m) { return m.saved > 0; });
    std::sort(moves_.begin(), end, [](const Move& a, const Move& b) {
      return a.saved > b.saved || (a.saved == b.saved && a.from < b.from);
    });
    std::fill(busy_.begin(), busy_.end(), std::uint8_t{0});
    std::for_each(moves_.begin(), end, [&](const Move& move) { make(move); });
  }

  // The place that saves most; saved = 0: where it is.
  [[nodiscard]] Move search(std::uint32_t from) const noexcept {
    const double own_area = area_of(slots_[from]);
    const std::uint32_t own_parent = parent(from);
    Move best{0, from, kNoSlot};
    std::uint32_t budget = kMostPlaces;
    Slot rest = slots_[from ^ 1];  // the ancestor below `above`, without `from`
    double saved = area_of(slots_[own_parent]);
    for (std::uint32_t at = from, above = own_parent; above != kNoSlot && budget != 0;) {
      const std::uint32_t other = at ^ 1;
      if (saved - own_area > best.saved) {
        search_below(other, saved, own_area, budget, best);
      }
      if (at != from) {
        join(rest, rest, slots_[other]);
        saved += area_of(slots_[above]) - area_of(rest);
      }
      at = above;
      above = parent(above);
    }
    return best;
  }

  // `saved`: before the subtree of `top` grows.
  void search_below(std::uint32_t top, double saved, double own_area, std::uint32_t& budget,
                    Move& best) const noexcept {
    struct Place {
      double saved;
      std::uint32_t slot;
    };
    Place open[kMostBinaryLevels + 2];
    std::uint32_t size = 0;
    open[size++] = {saved, top};
    for (; size != 0 && budget != 0; --budget) {
      const Place at = open[--size];
      if (!(at.saved - own_area > best.saved)) {
        continue;
      }
      const Slot& place = slots_[at.slot];
      const double left = at.saved - joint_area(place, slots_[best.from]);
      if (left > best.saved && at.slot != (best.from ^ 1)) {
        best.saved = left;
        best.to = at.slot;
      }
      if (place.pair != 0) {
        const double below = left + area_of(place);
        open[size++] = {below, place.pair + 1};
        open[size++] = {below, place.pair};
      }
    }
  }

  // Unless one that saves more has changed what it touches. Nothing moves below what is smaller, so two moves
  // below each other (is_above) are only what rounding could make of equal areas.
  void make(const Move& move) noexcept {
    const std::uint32_t up = parent(move.from), beside = move.from ^ 1;
    const std::array<std::uint32_t, 4> touched{move.from, beside, up, move.to};
    if (std::any_of(touched.begin(), touched.end(), [&](std::uint32_t slot) { return busy_[slot] != 0; }) ||
        is_above(move.from, move.to)) {
      return;
    }
    for (const std::uint32_t slot : touched) {
      busy_[slot] = 1;
    }
    const Slot own = slots_[move.from], place = slots_[move.to];
    const std::uint32_t pair = slots_[up].pair;
    put(up, slots_[beside]);
    put(pair, place);
    put(pair + 1, own);
    slots_[move.to].pair = pair;
    parents_[pair / 2] = move.to;
    refit_from(move.to);
    refit_from(parent(up));
  }

  [[nodiscard]] bool is_above(std::uint32_t slot, std::uint32_t below) const noexcept {
    while (below != kNoSlot && below != slot) {
      below = parent(below);
    }
    return below == slot;
  }

  void put(std::uint32_t slot, const Slot& what) noexcept {
    slots_[slot] = what;
    if (what.pair != 0) {
      parents_[what.pair / 2] = slot;
    }
  }

  void refit_from(std::uint32_t slot) noexcept {
    for (; slot != kNoSlot; slot = parent(slot)) {
      Slot box = slots_[slot];
      join(box, slots_[box.pair], slots_[box.pair + 1]);
      if (same_box(box, slots_[slot])) {
        return;
      }
      slots_[slot] = box;
    }
  }

  // Sorts the refs, and fills the nodes, parents first.
  void write() {
    Array<TriangleRef> sorted(resource_);
    sorted.resize_discard(refs_.size());
    nodes_.resize_discard(slots_.size() - 1);
    Open open[kMostBinaryLevels + 2];  // with the parent's node
    std::uint32_t size = 0, next_ref = 0;
    open[size++] = {0, kNoSlot};
    for (std::uint32_t next = 0; size != 0; ++next) {
      const Open at = open[--size];
      const Slot& slot = slots_[at.slot];
      nodes_[next] = {
          {{slot.lo[0], slot.lo[1], slot.lo[2]}, {slot.hi[0], slot.hi[1], slot.hi[2]}}, next_ref, 1, 0, 0};
      if (at.other != kNoSlot) {
        BinaryNode& above = nodes_[at.other];
        (above.left == 0 ? above.left : above.right) = next;
      }
      if (slot.pair == 0) {
        sorted[next_ref++] = refs_[slot.ref];
      } else {
        open[size++] = {slot.pair + 1, next};
        open[size++] = {slot.pair, next};
      }
    }
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (!nodes_[i].leaf()) {
        nodes_[i].count = nodes_[nodes_[i].left].count + nodes_[nodes_[i].right].count;
      }
    }
    std::copy(sorted.begin(), sorted.end(), refs_.begin());
  }

  std::span<TriangleRef> refs_;
  Array<BinaryNode>& nodes_;
  std::pmr::memory_resource* resource_;
  Array<Slot> slots_, before_;    // before_: as they were before the pass
  Array<std::uint32_t> parents_;  // of each pair
  Array<Move> moves_;
  Array<std::uint8_t> busy_;  // of each slot, in this pass
};

}  // namespace

void improve_binary_tree(std::span<TriangleRef> refs, Array<BinaryNode>& nodes, const Executor& executor,
                         std::pmr::memory_resource* resource) {
  if (refs.size() > 2) {
    TreeMover(refs, nodes, resource).run(executor);
  }
}

}  // namespace juxta::shape_detail
