// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the blocks that sixteen seers may see, and which points of them each one sees. For kernel files
// only.

#if defined(JUXTA_POINTS_SEEK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_POINTS_SEEK_INL_H
#undef JUXTA_POINTS_SEEK_INL_H
#else
#define JUXTA_POINTS_SEEK_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simd/doubles-inl.h"
#include "hwy/highway.h"
#include "order/descend-inl.h"
#include "points/search.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {
using namespace order_detail::HWY_NAMESPACE;

/// Periods in every lane.
template <int D>
struct SplatPeriods {
  Floats whole[D], half[D];

  explicit HWY_INLINE SplatPeriods(const Periods<D, float>& periods) {
    for (int axis = 0; axis < D; ++axis) {
      whole[axis] = hn::Set(FloatTag(), periods.whole[axis]);
      half[axis] = hn::Set(FloatTag(), periods.half[axis]);
    }
  }
};

/// How far an interval of differences [least, most] is from 0.
HWY_INLINE Floats Gap(Floats least, Floats most) {
  return hn::Max(hn::Max(least, hn::Neg(most)), hn::Zero(FloatTag()));
}
/// The same by the nearest of three images: at most what nearest_image() of a difference in it may be.
HWY_INLINE Floats Gap(Floats least, Floats most, Floats period) {
  const Floats below = Gap(hn::Sub(least, period), hn::Sub(most, period));
  const Floats above = Gap(hn::Add(least, period), hn::Add(most, period));
  return hn::Min(Gap(least, most), hn::Min(below, above));
}

/// The squares of the gaps between boxes and one box. Monotone in every step, so never above d2 of two points
/// in them.
template <int D, bool wraps>
HWY_INLINE Floats SquaredGaps(const Floats (&lo)[D], const Floats (&hi)[D], const Floats (&seer_lo)[D],
                              const Floats (&seer_hi)[D], const SplatPeriods<D>& periods) {
  Floats sum = hn::Zero(FloatTag());
  for (int axis = 0; axis < D; ++axis) {
    const Floats least = hn::Sub(lo[axis], seer_hi[axis]), most = hn::Sub(hi[axis], seer_lo[axis]);
    const Floats gap = wraps ? Gap(least, most, periods.whole[axis]) : Gap(least, most);
    const Floats square = hn::Mul(gap, gap);
    sum = axis == 0 ? square : hn::Add(sum, square);
  }
  return sum;
}

/// Blocks that a group of seers may see, with their bounds side by side.
template <int D>
class Candidates {
 public:
  static constexpr std::uint32_t kMost = 1024;

  HWY_INLINE void Clear() { count_ = 0; }
  [[nodiscard]] HWY_INLINE bool Full() const { return count_ + kLanes > kMost; }
  [[nodiscard]] HWY_INLINE std::uint32_t count() const { return count_; }

  /// The blocks first + i for each bit i, whose bounds are the lanes of `node`.
  HWY_INLINE void Append(const BoxBlock<D>& node, std::uint32_t first, std::uint32_t bits) {
    const WordTag words;
    for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
      const std::uint32_t own = BitsOfPart(bits, part);
      for (int axis = 0; axis < D; ++axis) {
        PackTo(node.lo[axis] + part * kStep, own, lo_[axis] + count_);
        PackTo(node.hi[axis] + part * kStep, own, hi_[axis] + count_);
      }
      const auto lanes = hn::Add(hn::Set(words, first + part * kStep), hn::Iota(words, 0U));
      hn::StoreU(Pack(lanes, own), words, block_ + count_);
      count_ += Count(own);
    }
  }
  /// Lanes past the end are near nothing.
  HWY_INLINE void Close() {
    const FloatTag d;
    for (int axis = 0; axis < D; ++axis) {
      hn::StoreU(hn::Set(d, std::numeric_limits<float>::infinity()), d, lo_[axis] + count_);
      hn::StoreU(hn::Set(d, -std::numeric_limits<float>::infinity()), d, hi_[axis] + count_);
    }
  }

  [[nodiscard]] HWY_INLINE std::uint32_t block(std::uint32_t c) const { return block_[c]; }
  /// From c on, a multiple of the lanes of a register: their blocks, and the squares of their gaps to a box
  /// in every lane.
  [[nodiscard]] HWY_INLINE Words Blocks(std::uint32_t c) const { return hn::Load(WordTag(), block_ + c); }
  template <bool wraps>
  [[nodiscard]] HWY_INLINE Floats Gaps(std::uint32_t c, const Floats (&seer_lo)[D],
                                       const Floats (&seer_hi)[D], const SplatPeriods<D>& periods) const {
    Floats lo[D], hi[D];
    for (int axis = 0; axis < D; ++axis) {
      lo[axis] = hn::Load(FloatTag(), lo_[axis] + c);
      hi[axis] = hn::Load(FloatTag(), hi_[axis] + c);
    }
    return SquaredGaps<D, wraps>(lo, hi, seer_lo, seer_hi, periods);
  }
  /// The bounds of one, in every lane.
  [[nodiscard]] HWY_INLINE SplatBox<D> Bounds(std::uint32_t c) const {
    SplatBox<D> bounds;
    for (int axis = 0; axis < D; ++axis) {
      bounds.lo[axis] = hn::Set(FloatTag(), lo_[axis][c]);
      bounds.hi[axis] = hn::Set(FloatTag(), hi_[axis][c]);
    }
    return bounds;
  }

  /// The blocks of which a seer is more than `beyond` and at most `maybe` (squared) away, in order; `hits`
  /// has room for 16 more. A `beyond` below 0 leaves none out.
  template <bool wraps>
  HWY_INLINE std::uint32_t Near(const Floats (&seer)[D], float beyond, float maybe,
                                const SplatPeriods<D>& periods, std::uint32_t* HWY_RESTRICT hits) const {
    const FloatTag d;
    const WordTag words;
    const Floats most = hn::Set(d, maybe), least = hn::Set(d, beyond);
    std::uint32_t found = 0;
    for (std::uint32_t c = 0; c < count_; c += kStep) {
      const Floats gaps = Gaps<wraps>(c, seer, seer, periods);
      const std::uint32_t bits = BitsOf(d, hn::And(hn::Le(gaps, most), hn::Gt(gaps, least)));
      hn::StoreU(Pack(hn::Load(words, block_ + c), bits), words, hits + found);
      found += Count(bits);
    }
    return found;
  }

 private:
  static HWY_INLINE void PackTo(const float* from, std::uint32_t bits, float* to) {
    const WordTag words;
    const FloatTag d;
    hn::StoreU(hn::BitCast(d, Pack(hn::BitCast(words, hn::Load(d, from)), bits)), d, to);
  }

  alignas(64) float lo_[D][kMost + kLanes];
  alignas(64) float hi_[D][kMost + kLanes];
  alignas(64) std::uint32_t block_[kMost + kLanes];
  std::uint32_t count_ = 0;
};

/// One seer in every lane.
template <int D>
struct Seer {
  Floats at[D];
  Floats sure, maybe;
  Limit limit;
  std::uint32_t lane;

  HWY_INLINE Seer(const Search<D>& search, std::uint32_t seer)
      : limit(search.limits[seer * search.limit_step]), lane(seer) {
    const FloatTag d;
    for (int axis = 0; axis < D; ++axis) {
      at[axis] = hn::Set(d, search.seers.blocks[seer / kLanes].at[axis][seer % kLanes]);
    }
    sure = hn::Set(d, limit.sure);
    maybe = hn::Set(d, limit.maybe);
  }
};

/// Of these lanes of a block, those that are near by the doubles. Seldom called: out of line.
template <int D>
HWY_NOINLINE std::uint32_t DecideExactly(const Search<D>& search, const Seer<D>& seer, std::uint32_t block,
                                         std::uint32_t bits) {
  std::uint32_t near = 0;
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t lane = LowestBit(bits);
    const bool is_near = apart(search, seer.lane, block * kLanes + lane, 0.0).d2 <= seer.limit.exact;
    near |= static_cast<std::uint32_t>(is_near) << lane;
  }
  return near;
}

/// nearest_image() of differences.
HWY_INLINE Floats NearestImage(Floats apart, Floats whole, Floats half) {
  const Floats less = hn::Sub(apart, whole), more = hn::Add(apart, whole);
  const auto above = hn::Gt(apart, half), below = hn::Lt(apart, hn::Neg(half));
  return hn::IfThenElse(above, less, hn::IfThenElse(below, more, apart));
}

/// d2 of the points in one register of a block, from a point in every lane.
template <int D, bool wraps>
HWY_INLINE Floats SquaresFrom(const PointBlock<D>& block, std::uint32_t part, const Floats (&from)[D],
                              const SplatPeriods<D>& periods) {
  const FloatTag d;
  Floats sum = hn::Zero(d);
  for (int axis = 0; axis < D; ++axis) {
    Floats apart = hn::Sub(hn::Load(d, block.at[axis] + part * kStep), from[axis]);
    if constexpr (wraps) {
      apart = NearestImage(apart, periods.whole[axis], periods.half[axis]);
    }
    const Floats square = hn::Mul(apart, apart);
    sum = axis == 0 ? square : hn::Add(sum, square);
  }
  return sum;
}

/// Bit i: the point in lane i of the block is near. With `half`: and has a higher number than the seer.
template <int D, bool wraps, bool exact, bool half>
HWY_INLINE std::uint32_t NearBits(const Search<D>& search, std::uint32_t block, const Seer<D>& seer,
                                  const SplatPeriods<D>& periods, Words own_number) {
  const FloatTag d;
  const WordTag words;
  std::uint32_t near = 0, unsure = 0;
  for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
    const Floats squares = SquaresFrom<D, wraps>(search.tree.blocks[block], part, seer.at, periods);
    auto maybe = hn::Le(squares, seer.maybe);
    if constexpr (half) {
      const Words number = hn::Load(words, search.tree.number + std::size_t{block} * kLanes + part * kStep);
      maybe = hn::And(maybe, hn::RebindMask(d, hn::Gt(number, own_number)));
    }
    const std::uint32_t bits = BitsOf(d, maybe) << (part * kStep);
    near |= bits;
    if constexpr (exact) {
      unsure |= bits & ~(BitsOf(d, hn::Le(squares, seer.sure)) << (part * kStep));
    }
  }
  if constexpr (exact) {
    if (HWY_UNLIKELY(unsure != 0)) {
      near = (near & ~unsure) | DecideExactly(search, seer, block, unsure);
    }
  }
  return near;
}

/// Whether a group of seers sees nothing across an edge: then differences are taken as they are.
template <int D>
HWY_INLINE bool IsInside(const Search<D>& search, const Aabb<D>& box, float maybe) {
  bool inside = true;
  for (int axis = 0; axis < D; ++axis) {
    if (search.periods.whole[axis] > 0) {
      const float lo = search.lo[axis], hi = search.hi[axis];
      const float rounding = 0x1p-20F * std::max(std::abs(lo), std::abs(hi));  // of differences, and more
      const float reach = std::sqrt(maybe) * 1.0001F + rounding;
      inside = inside && box.lo[axis] - lo > reach && hi - box.hi[axis] > reach;
    }
  }
  return inside;
}

/// Collects what a box may see within `maybe` and calls `visit(candidates)`, more than once if it is much,
/// until it returns false. Returns what it returned last. Blocks before `from` are left out.
template <int D, bool wraps, class Visit>
HWY_INLINE bool ForEachCandidates(const Search<D>& search, const Aabb<D>& box, float maybe,
                                  Candidates<D>& candidates, SearchWork& work, Visit&& visit,
                                  std::uint32_t from = 0) {
  const SplatBox<D> splat = Splat(box);
  const SplatPeriods<D> periods(search.periods);
  const Floats most = hn::Set(FloatTag(), maybe);
  const auto touched = [&](std::uint32_t level, std::uint32_t index) HWY_ATTR {
    const BoxBlock<D>& node = search.tree.boxes.level[level][index];
    // Children are numbered through on each level, sixteen of the level below in each.
    const std::uint32_t first = from >> (4 * level), own = index * kLanes;
    const std::uint32_t kept = first <= own           ? ~std::uint32_t{0}
                               : first - own < kLanes ? ~std::uint32_t{0} << (first - own)
                                                      : 0;
    ++work.visited;
    std::uint32_t bits = 0;
    for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
      const FloatTag d;
      Floats lo[D], hi[D];
      for (int axis = 0; axis < D; ++axis) {
        lo[axis] = hn::Load(d, node.lo[axis] + part * kStep);
        hi[axis] = hn::Load(d, node.hi[axis] + part * kStep);
      }
      const Floats gaps = SquaredGaps<D, wraps>(lo, hi, splat.lo, splat.hi, periods);
      bits |= BitsOf(d, hn::Le(gaps, most)) << (part * kStep);
    }
    return bits & kept;
  };
  candidates.Clear();
  const BlockTree<D>& boxes = search.tree.boxes;
  bool more = true;
  const auto visit_all = [&]() HWY_ATTR {
    candidates.Close();
    more = visit(candidates);
    candidates.Clear();
  };
  const auto enter = [&](std::uint32_t level, std::uint32_t block) HWY_ATTR { return touched(level, block); };
  Descend<D>(boxes, enter, [&](std::uint32_t node) HWY_ATTR {
    if (HWY_UNLIKELY(candidates.Full())) {
      visit_all();
    }
    candidates.Append(boxes.level[0][node], node * kLanes, touched(0, node));
    return more;
  });
  if (more) {
    visit_all();
  }
  return more;
}

/// The blocks within reach of each seer of a group: all are looked for before any is looked into. A list that
/// was just stored would be read only when every store before it has reached the cache.
template <int D>
class GroupHits {
 public:
  /// Of these seers among these candidates.
  template <bool wraps>
  HWY_INLINE void Fill(const Search<D>& search, const Candidates<D>& found, const SplatPeriods<D>& periods,
                       std::uint32_t begin, std::uint32_t end) {
    std::uint32_t used = 0;
    for (std::uint32_t lane = begin; lane < end; ++lane) {
      const Seer<D> seer(search, lane);
      first_[lane - begin] = used;
      used += found.template Near<wraps>(seer.at, -1.0F, seer.limit.maybe, periods, hits_ + used);
    }
    first_[end - begin] = used;
  }
  /// Of seer i of the group.
  [[nodiscard]] HWY_INLINE const std::uint32_t* Blocks(std::uint32_t i) const { return hits_ + first_[i]; }
  [[nodiscard]] HWY_INLINE std::uint32_t Count(std::uint32_t i) const { return first_[i + 1] - first_[i]; }

 private:
  std::uint32_t first_[kLanes + 1];
  alignas(64) std::uint32_t hits_[kLanes * Candidates<D>::kMost + kLanes];
};

/// The largest of the limits of the seers in a block.
template <int D>
HWY_INLINE float LargestMaybe(const Search<D>& search, std::uint32_t first, std::uint32_t last) {
  float most = search.limits[first * search.limit_step].maybe;
  for (std::uint32_t seer = first + 1; seer < last && search.limit_step != 0; ++seer) {
    most = std::max(most, search.limits[seer].maybe);
  }
  return most;
}

/// Calls `group(first, last, box, maybe, wraps)` for each block of seers, wraps a std::bool_constant.
template <int D, class Group>
HWY_INLINE void ForEachGroup(const Search<D>& search, std::uint32_t first, std::uint32_t last,
                             Group&& group) {
  for (std::uint32_t block = first; block < last; ++block) {
    const std::uint32_t begin = block * kLanes, end = std::min(begin + kLanes, search.seers.count);
    const Aabb<D> box = search.seers.boxes.level[0][block / kLanes].box(block % kLanes);
    const float maybe = LargestMaybe(search, begin, end);
    if (search.wraps && !IsInside(search, box, maybe)) {
      group(begin, end, box, maybe, std::true_type());
    } else {
      group(begin, end, box, maybe, std::false_type());
    }
  }
}

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
