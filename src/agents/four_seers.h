// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from seers to the lists that a sweep runs through.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "agents/directory.h"
#include "juxta/agents/detail/sweep.h"

namespace juxta::detail {

/// Lists whom fours of seers may see, and hands them to a sweep, some hundred seers at a time.
///
/// Rows of the seen are taken by whole fours. A four may reach over the end of its run of rows: those agents
/// are tested like all others, and since runs ascend, a four that ends one run and begins the next is simply
/// taken once.
///
/// Seers that stand far apart (at the end of a row of cells, or unsorted) would together see half the world:
/// a four is cut between them.
class ListBuilder {
 public:
  struct Seers {
    std::array<const float*, 3> position{}, extents{};
    std::uint32_t dimensions = 3;
    bool are_seen = false;  // the seers are of the population that is seen
  };

  /// `task` says all but groups, list and partial totals.
  ListBuilder(const Directory& directory, const Reach& reach, const Seers& seers, const SweepTask& task,
              Sweep* sweep, const void* rules) noexcept
      : directory_(directory), reach_(reach), seers_(seers), task_(task), sweep_(sweep), rules_(rules) {
    task_.groups = groups_.data();
    task_.list = list_.data();
    task_.partial = partial_.data();
    far_ = 2 * reach.on(0);
  }

  /// Seers [first, last), first a multiple of four.
  void add(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t four = first; four < last; four += 4) {
      add_four(four, std::min(last - four, 4U));
    }
    flush();
  }
  /// Pairs that were handed over.
  [[nodiscard]] std::size_t tested() const noexcept { return tested_; }

 private:
  static constexpr std::size_t kGroups = 64;
  static constexpr std::uint32_t kList = 8192;
  static constexpr std::uint32_t kAtOnce = 8;  // written whole, whether needed or not

  void add_four(std::uint32_t four, std::uint32_t count) {
    Bounds box = bounds(four, 0, count);
    if (!is_wide(box)) {
      add_group(four, 0, count, box);
      return;
    }
    for (std::uint32_t i = 0; i < count;) {
      std::uint32_t end = i + 1;
      for (box = bounds(four, i, end); end < count && !is_wide(bounds(four, i, end + 1)); ++end) {
        box = bounds(four, i, end + 1);
      }
      add_group(four, i, end, box);
      i = end;
    }
  }

  [[nodiscard]] Bounds bounds(std::uint32_t four, std::uint32_t first, std::uint32_t last) const noexcept {
    Bounds box;
    for (std::uint32_t a = 0; a < seers_.dimensions; ++a) {
      const float* const x = seers_.position[a] + four;
      box.lo[a] = box.hi[a] = x[first];
      for (std::uint32_t i = first + 1; i < last; ++i) {
        box.lo[a] = std::min(box.lo[a], x[i]);
        box.hi[a] = std::max(box.hi[a], x[i]);
      }
    }
    return box;
  }
  [[nodiscard]] bool is_wide(const Bounds& box) const noexcept {
    return box.hi[0] - box.lo[0] > far_ || box.hi[1] - box.lo[1] > far_ || box.hi[2] - box.lo[2] > far_;
  }

  void add_group(std::uint32_t four, std::uint32_t first, std::uint32_t last, Bounds box) {
    for (std::uint32_t a = 0; a < seers_.dimensions && seers_.extents[a] != nullptr; ++a) {
      float most = 0;
      for (std::uint32_t i = first; i < last; ++i) {
        most = std::max(most, seers_.extents[a][four + i]);
      }
      box.lo[a] -= most;
      box.hi[a] += most;
    }
    if (count_ == kGroups || used_ + kList / 4 > kList) {
      flush();
    }
    groups_[count_] = {four,
                       used_,
                       used_,
                       static_cast<std::uint8_t>(first),
                       static_cast<std::uint8_t>(last),
                       wraps(directory_, box, reach_),
                       false,
                       false,
                       false};
    own_ = kNotListed;
    next_ = 0;
    for_each_run(directory_, box, reach_, [&](Run run) { list_run(run); });
    close_group();
    ++count_;
  }

  void list_run(Run run) {
    const std::uint32_t last = run.first == run.last ? 0 : run.last;
    const std::uint32_t first = std::max(run.first & ~3U, next_);
    next_ = std::max(next_, (last + 3) & ~3U);
    const std::uint32_t seer = groups_[count_].seer;
    for (std::uint32_t row = first; row < last; row += 4 * kAtOnce) {
      if (used_ + kAtOnce > kList) {
        spill();
      }
      own_ = seers_.are_seen && seer >= row && seer < std::min(last, row + 4 * kAtOnce)
                 ? used_ + (seer - row) / 4
                 : own_;
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        list_[used_ + i] = row + 4 * i;
      }
      used_ += std::min((last - row + 3) / 4, kAtOnce);
    }
  }

  /// The list is complete, or full: the seers' own four goes first.
  void close_group() noexcept {
    SweepGroup& group = groups_[count_];
    group.end = used_;
    group.self = own_ != kNotListed;
    if (group.self) {
      std::swap(list_[group.begin], list_[own_]);
    }
    tested_ += 16 * std::size_t{group.end - group.begin};
  }
  /// The list of a group is longer than there is room: it goes on in a new one.
  void spill() {
    close_group();
    SweepGroup rest = groups_[count_];
    groups_[count_].more = true;
    ++count_;
    flush();
    rest.begin = rest.end = 0;
    rest.resume = true;
    rest.self = false;
    groups_[0] = rest;
    own_ = kNotListed;
  }
  void flush() {
    if (count_ != 0) {
      task_.group_count = count_;
      sweep_(rules_, task_);
    }
    count_ = 0;
    used_ = 0;
  }

  static constexpr std::uint32_t kNotListed = ~std::uint32_t{0};

  const Directory& directory_;
  const Reach& reach_;
  const Seers& seers_;
  SweepTask task_;
  Sweep* sweep_;
  const void* rules_;
  float far_;
  std::size_t count_ = 0;           // groups
  std::uint32_t used_ = 0;          // of the list
  std::uint32_t next_ = 0;          // the first row that no run of the group reached yet
  std::uint32_t own_ = kNotListed;  // where in the list the seers' own four stands
  std::size_t tested_ = 0;
  std::array<SweepGroup, kGroups> groups_;
  std::array<std::uint32_t, kList> list_;
  alignas(64) std::array<float, kMostColumns * 16> partial_;
};

}  // namespace juxta::detail
