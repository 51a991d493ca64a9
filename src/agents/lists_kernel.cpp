// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lists of neighbours: a seer in all lanes, sixteen candidates at a time.
//
//   seer          s  s  s  s  s  s ...      one after the other, so that each list is complete before the
//   next candidates    c0 c1 c2 c3 c4 c5 ...     ascending by row near          -  +  +  -  -  + list c1 c2
//   c5                  compressed in a register, and stored where the list ends so far
//
// reduce_kernel.cpp has it the other way round, seers in lanes, because sums need no compression.
//
// Per 16 pairs:  D + 1 loads, 3 D operations to know who is near, two to leave the seer itself out, a
//                compression, a store and a count.
// Limit:         arithmetic; in space one candidate of six is near.
// What ends it:  the number of candidates; lanes behind it are masked out.
// Determinism:   candidates ascend by row, and each pair's numbers are those of one lane: nothing is added
// up.

#include "agents/lists_kernel.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/lists_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "core/simd/compress-inl.h"
#include "core/simd/wasm_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Words = hn::Vec<WordTag>;
using FloatsMask = hn::Mask<FloatTag>;
constexpr std::size_t kAtOnce = hn::MaxLanes(FloatTag());

/// What a sweep must know of its pairs, as constants for the compiler.
template <int dimensions, bool box, Images images, bool sized, bool measured>
struct ListShape {
  static constexpr int kDimensions = dimensions;
  static constexpr bool kBox = box;
  static constexpr Images kImages = images;
  static constexpr bool kSized = sized;
  static constexpr bool kMeasured = measured;
};

/// Sixteen pairs, and which of them are near.
template <int dimensions>
struct Meetings {
  Floats d[dimensions], distance2;
  FloatsMask near;
};

/// One seer, in all lanes.
template <class S>
class SeerInLanes {
 public:
  static constexpr int kD = S::kDimensions;

  HWY_INLINE SeerInLanes(const SweepTask& task, const SweepGroup& group, std::uint32_t row) {
    const FloatTag d;
    for (int a = 0; a < kD; ++a) {
      position_[a] = hn::Set(d, task.seer_position[a][row]);
      period_[a] = hn::Set(d, task.period[a]);
      half_[a] = hn::Set(
          d, group.images == kAnyImage ? task.half_period[a] : std::numeric_limits<float>::infinity());
      extents_[a] =
          hn::Set(d, S::kSized && task.seer_extents[a] != nullptr ? task.seer_extents[a][row] : 0.0F);
    }
    const float radius = task.radii != nullptr ? task.radii[row] : task.radius;
    reach_ = hn::Set(d, S::kBox ? radius : radius * radius);
  }

  /// The candidates from `at` on.
  [[nodiscard]] HWY_INLINE Meetings<kD> Meet(const CandidateView& all, std::size_t at) const {
    const FloatTag t;
    Meetings<kD> met;
    Floats apart[kD];
    for (int a = 0; a < kD; ++a) {
      met.d[a] = hn::Sub(hn::LoadU(t, all.position[a] + at), position_[a]);
      if constexpr (S::kImages == kShiftedImage) {
        met.d[a] = hn::Add(met.d[a], hn::LoadU(t, all.shift[a] + at));
      } else if constexpr (S::kImages == kAnyImage) {
        met.d[a] = Wrapped(met.d[a], period_[a], half_[a]);
      }
      apart[a] = S::kBox ? hn::Abs(met.d[a]) : met.d[a];
      if constexpr (S::kSized) {
        apart[a] = Gap(met.d[a], hn::Add(extents_[a], hn::LoadU(t, all.extents[a] + at)));
      }
    }
    met.distance2 = hn::Mul(apart[0], apart[0]);
    met.near = hn::Le(apart[0], reach_);
    for (int a = 1; a < kD; ++a) {
      met.distance2 = hn::Add(met.distance2, hn::Mul(apart[a], apart[a]));
      met.near = hn::And(met.near, hn::Le(apart[a], reach_));
    }
    if constexpr (!S::kBox) {
      met.near = hn::Le(met.distance2, reach_);
    }
    return met;
  }

 private:
  /// The nearest image.
  static HWY_INLINE Floats Wrapped(Floats d, Floats period, Floats half) {
    const Floats other = hn::IfThenElse(hn::Lt(d, hn::Neg(half)), hn::Add(d, period), d);
    return hn::IfThenElse(hn::Gt(d, half), hn::Sub(d, period), other);
  }
  /// How far two boxes are apart.
  static HWY_INLINE Floats Gap(Floats d, Floats extents) {
    const Floats gap = hn::Sub(hn::Abs(d), extents);
    return hn::IfThenElse(hn::Lt(gap, hn::Zero(FloatTag())), hn::Zero(FloatTag()), gap);
  }

  Floats position_[kD], period_[kD], half_[kD], extents_[kD], reach_;
};

/// D numbers of each pair, side by side.
template <int dimensions>
HWY_INLINE void StoreDisplacements(const Floats* d, float* HWY_RESTRICT out) {
  if constexpr (dimensions == 2) {
    hn::StoreInterleaved2(d[0], d[1], FloatTag(), out);
  } else {
    hn::StoreInterleaved3(d[0], d[1], d[2], FloatTag(), out);
  }
}

/// What is near goes to the front of all registers.
template <int dimensions>
HWY_INLINE void CompressAll(Meetings<dimensions>& met, Words& rows) {
  rows = hn::Compress(rows, hn::RebindMask(WordTag(), met.near));
  met.distance2 = hn::Compress(met.distance2, met.near);
  for (int a = 0; a < dimensions; ++a) {
    met.d[a] = hn::Compress(met.d[a], met.near);
  }
}

/// A whole register of entries, of which the first ones count.
template <class S>
HWY_INLINE void StoreEntries(const ListPlaces& sink, std::size_t at, std::uint32_t seer, Words rows,
                             Meetings<S::kDimensions>& met) {
  const FloatTag t;
  const WordTag w;
  if constexpr (!S::kMeasured) {
    hn::StoreU(hn::Compress(rows, hn::RebindMask(w, met.near)), w, sink.rows + at);
    return;
  }
  CompressAll(met, rows);
  if (sink.rows != nullptr) {
    hn::StoreU(rows, w, sink.rows + at);
  }
  if (sink.pairs != nullptr) {
    hn::StoreInterleaved2(hn::Set(w, seer), rows, w, reinterpret_cast<std::uint32_t*>(sink.pairs + at));
  }
  if (sink.distance2 != nullptr) {
    hn::StoreU(met.distance2, t, sink.distance2 + at);
  }
  if (sink.distance != nullptr) {
    hn::StoreU(hn::Sqrt(met.distance2), t, sink.distance + at);
  }
  if (sink.displacement != nullptr) {
    StoreDisplacements<S::kDimensions>(met.d, sink.displacement + at * S::kDimensions);
  }
}

/// The last entries that there is room for.
template <class S>
HWY_NOINLINE void StoreLast(ListSink& sink, std::size_t at, std::uint32_t seer, Words rows,
                            Meetings<S::kDimensions> met) {  // a copy: the caller's stays in registers
  constexpr std::size_t kD = S::kDimensions;
  const std::size_t count = std::min(sink.room - at, hn::CountTrue(FloatTag(), met.near));
  std::uint32_t some_rows[kAtOnce];
  RowPair some_pairs[kAtOnce];
  float distance2[kAtOnce], distance[kAtOnce], displacement[kAtOnce * kD];
  ListPlaces some;
  some.rows = sink.rows != nullptr ? some_rows : nullptr;
  some.pairs = sink.pairs != nullptr ? some_pairs : nullptr;
  some.distance2 = sink.distance2 != nullptr ? distance2 : nullptr;
  some.distance = sink.distance != nullptr ? distance : nullptr;
  some.displacement = sink.displacement != nullptr ? displacement : nullptr;
  StoreEntries<S>(some, 0, seer, rows, met);
  copy_entries(some, count, kD, sink, at);
}

/// A seer whose list is being written.
template <class S>
class ListOfSeer {
 public:
  HWY_INLINE ListOfSeer(const SweepTask& task, const SweepGroup& group, std::uint32_t row,
                        const CandidateView& all, ListSink& sink)
      : seer_(task, group, row), all_(all), sink_(sink), places_(sink), row_(row), at_(sink.at) {
    itself_ = hn::Set(WordTag(), sink.same ? row : ~std::uint32_t{0});
    least_ = hn::Set(WordTag(), sink.half ? row : 0);
  }

  HWY_INLINE void Write() {
    const std::size_t whole = all_.count - all_.count % kAtOnce;
    if (at_ != 0 && at_ + whole + kAtOnce > sink_.room && sink_.flush) {
      sink_.flush(at_);
      at_ = 0;
    }
    std::size_t i = 0;
    Words rows;
    if (at_ + whole <= sink_.room) {  // whatever is near: nothing to check on the way
      for (; i < whole; i += kAtOnce) {
        Meetings<S::kDimensions> met = Meet(i, rows);
        const std::size_t count = hn::CountTrue(FloatTag(), met.near);
        StoreEntries<S>(places_, at_, row_, rows, met);
        at_ += count;
      }
    } else if (at_ >= sink_.room && !sink_.flush) {  // only counted
      for (; i < whole; i += kAtOnce) {
        at_ += hn::CountTrue(FloatTag(), Meet(i, rows).near);
      }
    }
    for (; i < all_.count; i += kAtOnce) {
      WriteSome(i);
    }
    sink_.at = at_;
    if (sink_.ends != nullptr) {
      sink_.ends[row_] = at_;
    }
  }

 private:
  [[nodiscard]] HWY_INLINE Meetings<S::kDimensions> Meet(std::size_t i, Words& rows) const {
    Meetings<S::kDimensions> met = seer_.Meet(all_, i);
    rows = hn::LoadU(WordTag(), all_.rows + i);
    met.near = hn::And(met.near, hn::RebindMask(FloatTag(), hn::Ne(hn::Max(rows, least_), itself_)));
    return met;
  }
  /// The last candidates, or where room may end.
  HWY_INLINE void WriteSome(std::size_t i) {
    const FloatTag t;
    if (at_ + kAtOnce > sink_.room && sink_.flush) {
      sink_.flush(at_);
      at_ = 0;
    }
    Words rows;
    Meetings<S::kDimensions> met = Meet(i, rows);
    if (all_.count - i < kAtOnce) {
      met.near = hn::And(met.near, hn::FirstN(t, all_.count - i));
    }
    const std::size_t count = hn::CountTrue(t, met.near);
    if (at_ + kAtOnce <= sink_.room) {
      StoreEntries<S>(places_, at_, row_, rows, met);
    } else if (at_ < sink_.room && count != 0) {
      StoreLast<S>(sink_, at_, row_, rows, met);
    }
    at_ += count;
  }

  const SeerInLanes<S> seer_;
  const CandidateView all_;  // copies: no store changes them, as far as the compiler knows
  ListSink& sink_;
  const ListPlaces places_;
  const std::uint32_t row_;
  std::size_t at_;
  // max(row of the candidate, least) is `itself` for those that are left out, and for no other.
  Words itself_, least_;
};

template <class S>
void ListGroup(const SweepTask& task, const SweepGroup& group, ListSink& sink) {
  CandidateView all{};
  const auto column = [&](std::size_t number) {
    return task.candidates + number * kCandidateStride + group.begin;
  };
  for (std::size_t a = 0; a < S::kDimensions; ++a) {
    all.position[a] = column(a);
    all.shift[a] = S::kImages == kShiftedImage ? column(kShiftColumn + a) : nullptr;
    all.extents[a] = S::kSized ? column(kExtentColumn + a) : nullptr;
  }
  all.rows = reinterpret_cast<const std::uint32_t*>(column(kSeenColumn));
  all.count = group.end - group.begin;
  if (group.more || group.resume) {
    sink.failed = !sink.kept.add(all) || sink.failed;
    if (group.more) {
      return;
    }
    all = sink.kept.view();
  }
  for (std::uint32_t s = 0; s < group.count; ++s) {
    ListOfSeer<S>(task, group, group.seer + s, all, sink).Write();
  }
  sink.kept.clear();
}

template <int dimensions, bool box, bool measured>
void ListGroups(const void* rules, const SweepTask& task) {
  ListSink& sink = *static_cast<const ListRules*>(rules)->sink;
  const bool sized = task.seer_extents[0] != nullptr || task.seen_extents[0] != nullptr;
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const SweepGroup& group = task.groups[g];
    if (sized || group.images == kAnyImage) {
      ListGroup<ListShape<dimensions, box, kAnyImage, true, measured>>(task, group, sink);
    } else if (group.images == kShiftedImage) {
      ListGroup<ListShape<dimensions, box, kShiftedImage, false, measured>>(task, group, sink);
    } else {
      ListGroup<ListShape<dimensions, box, kOwnImage, false, measured>>(task, group, sink);
    }
  }
}

template <bool measured>
void ListAll(const void* rules, const SweepTask& task) {
  if (task.dimensions == 2) {
    task.box ? ListGroups<2, true, measured>(rules, task) : ListGroups<2, false, measured>(rules, task);
  } else {
    task.box ? ListGroups<3, true, measured>(rules, task) : ListGroups<3, false, measured>(rules, task);
  }
}

void ListRowsOf(const void* rules, const SweepTask& task) {
  ListAll<false>(rules, task);
}
void ListMeasured(const void* rules, const SweepTask& task) {
  ListAll<true>(rules, task);
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

JUXTA_KERNEL(ListRowsOf);
JUXTA_KERNEL(ListMeasured);

void sweep_list_rows(const void* list_rules, const SweepTask& task) {
  JUXTA_CALL_KERNEL(ListRowsOf)(list_rules, task);
}
void sweep_list_measured(const void* list_rules, const SweepTask& task) {
  JUXTA_CALL_KERNEL(ListMeasured)(list_rules, task);
}

}  // namespace juxta::agents_detail
#endif  // HWY_ONCE
