// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Whom sixteen seers may see: runs of rows, sifted by the box that the seers stand in.
//
//   rows of cells    y + 0   . . x x x x x x . .     for each row of cells one run of agents, as long as the
//                    y + 1   . x x s s s s x x .     ball around the box is wide there
//
//   a run            + - - + + + - + + + + + - -     sixteen agents at a time: how far from the box?
//   candidates       + + + + + + + + +               those within reach, coordinates and columns compressed
//
// All runs are found first, then sifted in one loop (RowBlocks).
//
// Runs ascend, so candidates do. The seers are among them, side by side, since they are in the box: the sweep
// knows them by their place.
//
// Seers that stand far apart (in sparse places, or unsorted) would together see half the world: such a group
// is halved. Across an edge of a periodic world a candidate comes with what brings it to its nearest image,
// as long as that is the same for all seers of the group.
//
// Per group:           a box (six reductions), some 30 operations and two loads for a row of cells.
// Per 16 of the seen:  D loads, 5 D operations, a load, a compression and a store for each column.
// Limit:               arithmetic; in space, two of three agents that are tested are not candidates.
// Determinism:         a candidate that is near none of the seers changes no total, and the others ascend.

#include "agents/candidates_kernel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "agents/candidate_columns.h"
#include "agents/own_rows.h"
#include "agents/row_blocks.h"
#include "agents/rows_of_cells.h"
#include "agents/sieve.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/candidates_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "agents/bounds-inl.h"
#include "agents/sieve-inl.h"
#include "core/simd/compress-inl.h"
#include "core/simd/wasm_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <std::uint32_t D>
class CandidateFinder {
 public:
  explicit CandidateFinder(const Seeing& seeing) noexcept
      : seeing_(seeing),
        directory_(seeing.directory),
        task_(seeing.task),
        columns_(seeing.task, candidates_.data()),
        own_(seeing) {
    for (std::uint32_t a = 0; a < D; ++a) {
      is_periodic_ = is_periodic_ || directory_.grid.axis[a].periodic;
    }
    task_.groups = groups_.data();
    task_.candidates = candidates_.data();
    task_.partial = partial_.data();
    is_sized_ = task_.seer_extents[0] != nullptr || task_.seen_extents[0] != nullptr;
  }

  /// Seers [first, last).
  void add(std::uint32_t first, std::uint32_t last) {
    for (; first < last; first += kMostSeers) {
      add_seers(first, std::min(last - first, kMostSeers));
    }
    flush();
  }
  /// The same for whom the list names.
  void add(std::uint32_t first, std::uint32_t last, const Listed& listed) {
    for (; first < last; first += kMostSeers) {
      const std::uint32_t group = first / kMostSeers;
      if (listed.begins[group] == listed.begins[group + 1]) {
        continue;
      }
      const std::uint32_t count = std::min(last - first, kMostSeers);
      begin_group(first, count).images = is_periodic_ ? kAnyImage : kOwnImage;
      for (std::uint32_t i = listed.begins[group]; i < listed.begins[group + 1]; ++i) {
        make_room(listed.rows[i]);
        take(listed.rows[i]);
      }
      close_group(false);
    }
    flush();
  }
  /// Pairs that were handed over.
  [[nodiscard]] std::size_t tested() const noexcept { return tested_; }

 private:
  static constexpr std::size_t kGroups = 32;
  /// Where the first seer comes there must be room for all of them, with what comes before and behind.
  static constexpr std::uint32_t kOwnRoom = 3 * kMostSeers;

  void add_seers(std::uint32_t seer, std::uint32_t count) {
    // What is that small is subject to rounding, which a Reach knows all about.
    constexpr float kTiny = 1e-15F;
    Bounds box = BoundsOf<D>(task_.seer_position, seer, count);
    std::optional<Reach> own;
    const Reach* reach = &seeing_.reach;
    if (task_.radii != nullptr && task_.radius > kTiny) {  // they reach as far as the largest of them
      own = reach->shorter(task_.radius - std::min(seeing_.furthest, Most(task_.radii + seer, count)));
      reach = &*own;
    }
    if (count > 1 && IsWide<D>(directory_, task_.seer_position, seer, count, box, *reach, seeing_.are_seen)) {
      add_seers(seer, count / 2);
      add_seers(seer + count / 2, count - count / 2);
      return;
    }
    if (task_.seer_extents[0] != nullptr) {
      const Bounds size = BoundsOf<D>(task_.seer_extents, seer, count);
      for (std::uint32_t a = 0; a < D; ++a) {
        box.lo[a] -= size.hi[a];
        box.hi[a] += size.hi[a];
      }
    }
    add_group(seer, count, box, *reach);
  }

  /// A group without candidates, in a buffer with room for some.
  SweepGroup& begin_group(std::uint32_t seer, std::uint32_t count) {
    const std::size_t groups = seeing_.rows != nullptr ? kMostSeers + 1 : 1;  // one ends with each seer
    if (count_ + groups > kGroups || end_ > kMostCandidates / 2) {
      flush();
    }
    end_ = (end_ + kAtOnce - 1) / kAtOnce * kAtOnce;  // loads of sixteen candidates do not cross lines
    SweepGroup& group = groups_[count_] = {};
    group.seer = seer;
    group.count = count;
    group.begin = end_;
    group.self = kNobody;
    own_.find(seer, count);
    group.own = own_.lanes();
    return group;
  }

  void add_group(std::uint32_t seer, std::uint32_t count, const Bounds& box, const Reach& reach) {
    SweepGroup& group = begin_group(seer, count);
    set_sieve(box, reach, is_periodic_ && wraps(directory_, box, reach), group);
    next_ = seeing_.later_only ? seer : 0;
    const auto take = [this](Run run) { take_run(run); };
    if (directory_.arrangement == Arrangement::kRows) {
      visit_runs_of_rows(directory_, box, reach, take);
    } else {
      for_each_run(directory_, box, reach, take);
    }
    sift_blocks();
    close_group(false);
  }

  /// What passes, and whose image it is.
  void set_sieve(const Bounds& box, const Reach& reach, bool across, SweepGroup& group) noexcept {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    sieve_.round = reach.round && !is_sized_;  // it is centres that are sifted
    sieve_.on = reach.wide;
    sieve_.reach2 = reach.on[0] * reach.on[0];
    bool known = true;
    for (std::uint32_t a = 0; a < D; ++a) {
      sieve_.lo[a] = box.lo[a];
      sieve_.hi[a] = box.hi[a];
      sieve_.middle[a] = box.lo[a] + 0.5F * (box.hi[a] - box.lo[a]);
      sieve_.period[a] = task_.period[a];
      sieve_.half[a] = across ? task_.half_period[a] : kInfinity;
      // Whoever is near some seer is then less than half a period from all of them, in one and the same
      // image.
      if (!(box.hi[a] - box.lo[a] + reach.wide[a] < sieve_.half[a])) {
        known = known && !across;
        sieve_.lo[a] = across ? -kInfinity : box.lo[a];
        sieve_.hi[a] = across ? kInfinity : box.hi[a];
      }
    }
    across_ = across;
    group.images = !across ? kOwnImage : known && !is_sized_ ? kShiftedImage : kAnyImage;
  }

  HWY_INLINE void take_run(Run run) {
    if (seeing_.marked != nullptr) {
      run = {seeing_.marked->before(run.first), seeing_.marked->before(run.last)};
    }
    std::uint32_t first = std::max(run.first, next_);
    if (first >= run.last) {
      return;
    }
    next_ = run.last;
    if (seeing_.plain) {
      return sift_plainly(first, run.last);
    }
    for (; run.last - first > RowBlocks::kLongest; first += RowBlocks::kLongest) {
      add_blocks(first, first + RowBlocks::kLongest);
    }
    add_blocks(first, run.last);
  }
  HWY_INLINE void add_blocks(std::uint32_t first, std::uint32_t last) {
    blocks_.add(first, last);
    if (blocks_.is_full()) {
      sift_blocks();
    }
  }

  /// Sifts the blocks found so far. Mostly once a group; more often where the list of blocks fills up.
  HWY_NOINLINE void sift_blocks() {
    if (seeing_.rows != nullptr) {
      across_ ? Sift<true, true>() : Sift<false, true>();
    } else {
      across_ ? Sift<true, false>() : Sift<false, false>();
    }
    blocks_.clear();
  }

  /// `listed`: the seers are copies of rows of the seen (OwnRows), and are looked for among the candidates.
  template <bool across, bool listed>
  HWY_INLINE void Sift() {
    const Tag d;
    const Sieve sieve = sieve_;  // copies: no store changes them, as far as the compiler knows
    const std::size_t count = columns_.count;
    const float* in[kCandidateColumns];
    float* out[kCandidateColumns];
    std::copy_n(columns_.in.data(), count, in);
    std::copy_n(columns_.out.data(), count, out);
    const float* position[D];
    float* to_position[D];
    std::copy_n(in, D, position);
    std::copy_n(out, D, to_position);
    const std::uint32_t own = own_.first();
    std::uint32_t end = end_;
    for (const RowBlocks::Block& block : blocks_) {
      for (std::uint32_t k = 0; k < std::min(block.count, kMostSeers); k += kAtOnce) {
        const std::uint32_t row = block.row + k, rows = std::min(block.count - k, kAtOnce);
        const bool has_own = own - row < rows;
        if (end + (has_own ? kOwnRoom : kAtOnce) > kMostCandidates) {
          end_ = end;
          go_on();
          end = end_;
        }
        Floats shift[3];
        const auto passes = hn::And(Passes<D, across>(sieve, position, row, shift), hn::FirstN(d, rows));
        for (std::uint32_t a = 0; a < D; ++a) {
          hn::StoreU(hn::Compress(hn::LoadU(d, position[a] + row), passes), d, to_position[a] + end);
        }
        for (std::size_t c = D; c < count; ++c) {
          hn::StoreU(hn::Compress(hn::LoadU(d, in[c] + row), passes), d, out[c] + end);
        }
        for (std::uint32_t a = 0; a < D && across; ++a) {
          hn::StoreU(hn::Compress(shift[a], passes), d, shifts(a) + end);
        }
        if (has_own) {
          const auto before = hn::And(passes, hn::FirstN(d, own - row));
          groups_[count_].self = end + static_cast<std::uint32_t>(hn::CountTrue(d, before));
        }
        while (listed && own_.next().row - row < rows) {
          const auto before = hn::And(passes, hn::FirstN(d, own_.next().row - row));
          note_own(end + static_cast<std::uint32_t>(hn::CountTrue(d, before)));
        }
        end += static_cast<std::uint32_t>(hn::CountTrue(d, passes));
      }
    }
    end_ = end;
  }
  void sift_plainly(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t row = first; row < last; ++row) {
      make_room(row);
      Vec3 shift{};
      if (!sieve_.passes(D, task_.seen_position, row, shift)) {
        continue;
      }
      for (std::uint32_t a = 0; a < D && across_; ++a) {
        shifts(a)[end_] = shift[a];
      }
      take(row);
      if (own_.next().row == row) {
        note_own(end_ - 1);
      }
    }
  }

  /// The next of them is this candidate: the group ends with it, and goes on in a new one.
  void note_own(std::uint32_t candidate) noexcept {
    SweepGroup& group = groups_[count_];
    SweepGroup rest = group;
    group.self = candidate;
    group.own = static_cast<std::uint16_t>(1U << own_.next().lane);
    own_.pass();
    group.end = candidate + 1;
    group.more = true;
    tested_ += std::size_t{group.count} * (group.end - group.begin);
    ++count_;
    rest.begin = candidate + 1;
    rest.resume = true;
    groups_[count_] = rest;
  }
  /// For one candidate, and where it is the first of the seers, for all of them.
  void make_room(std::uint32_t row) {
    const bool is_own = row == own_.first();
    if (end_ + (is_own ? kOwnRoom : kAtOnce) > kMostCandidates) {
      go_on();
    }
    groups_[count_].self = is_own ? end_ : groups_[count_].self;
  }
  /// One candidate.
  void take(std::uint32_t row) noexcept { columns_.copy(row, end_++); }

  [[nodiscard]] float* shifts(std::uint32_t axis) noexcept {
    return candidates_.data() + (kShiftColumn + axis) * kCandidateStride;
  }

  /// There is no more room: the group goes on in a new one.
  HWY_NOINLINE void go_on() {
    SweepGroup rest = groups_[count_];
    close_group(true);
    flush();
    rest.begin = 0;
    rest.resume = true;
    rest.self = kNobody;
    groups_[0] = rest;
  }
  void close_group(bool more) noexcept {
    SweepGroup& group = groups_[count_++];
    group.end = end_;
    group.self = std::min(group.self, end_);
    group.more = more;
    tested_ += std::size_t{group.count} * (group.end - group.begin);
  }
  void flush() {
    if (count_ != 0) {
      task_.group_count = count_;
      seeing_.sweep(seeing_.rules, task_);
    }
    count_ = 0;
    end_ = 0;
  }

  static constexpr std::uint32_t kNobody = OwnRows::kNobody;

  const Seeing& seeing_;
  const Directory& directory_;
  SweepTask task_;
  bool is_sized_ = false, is_periodic_ = false;
  alignas(64) std::array<float, kCandidateColumns * kCandidateStride> candidates_;
  CandidateColumns columns_;
  Sieve sieve_;
  RowBlocks blocks_;        // found, and not yet sifted
  bool across_ = false;     // the group sees across an edge of the world
  std::uint32_t next_ = 0;  // the first row that no run reached yet
  OwnRows own_;
  std::uint32_t end_ = 0;  // of the candidates
  std::size_t count_ = 0;  // groups
  std::size_t tested_ = 0;
  std::array<SweepGroup, kGroups> groups_;
  alignas(64) std::array<float, kPartials * kMostSeers> partial_;
};

template <std::uint32_t D>
std::size_t SweepSeersIn(const Seeing& seeing, std::uint32_t first, std::uint32_t last) {
  CandidateFinder<D> finder(seeing);
  finder.add(first, last);
  return finder.tested();
}

std::size_t SweepListed(const Seeing& seeing, const Listed& listed, std::uint32_t first, std::uint32_t last) {
  const auto sweep = [&]<std::uint32_t D>() {
    CandidateFinder<D> finder(seeing);
    finder.add(first, last, listed);
    return finder.tested();
  };
  return seeing.task.dimensions == 2 ? sweep.template operator()<2>() : sweep.template operator()<3>();
}

std::size_t SweepSeers(const Seeing& seeing, std::uint32_t first, std::uint32_t last) {
  return seeing.task.dimensions == 2 ? SweepSeersIn<2>(seeing, first, last)
                                     : SweepSeersIn<3>(seeing, first, last);
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

JUXTA_KERNEL(SweepSeers);
JUXTA_KERNEL(SweepListed);

std::size_t sweep_seers(const Seeing& seeing, std::uint32_t first, std::uint32_t last) noexcept {
  return JUXTA_CALL_KERNEL(SweepSeers)(seeing, first, last);
}

std::size_t sweep_listed(const Seeing& seeing, const Listed& listed, std::uint32_t first,
                         std::uint32_t last) noexcept {
  return JUXTA_CALL_KERNEL(SweepListed)(seeing, listed, first, last);
}

}  // namespace juxta::agents_detail
#endif
