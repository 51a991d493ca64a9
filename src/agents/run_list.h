// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: runs of rows found in any order, put into ascending order without memory of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "agents/directory.h"

namespace juxta::agents_detail {

/// Collects runs. When it is full, neighbours are joined over the gap between them: whoever asked then meets
/// more agents than it must, but all that it must, and none twice.
class RunList {
 public:
  static constexpr std::size_t kMost = 128;

  void add(Run run) noexcept {
    if (run.first == run.last) {
      return;
    }
    if (count_ == kMost) {
      make_room();
    }
    runs_[count_++] = run;
  }
  /// Ascending, apart from each other. The list is empty then.
  template <class Visit>
  void visit_all(Visit&& visit) {
    tidy();
    for (std::size_t i = 0; i < count_; ++i) {
      visit(runs_[i]);
    }
    count_ = 0;
  }

 private:
  void tidy() noexcept {
    // Runs that begin alike are joined at once: their order does not matter.
    std::sort(runs_.begin(), runs_.begin() + count_,
              [](const Run& a, const Run& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (kept != 0 && runs_[i].first <= runs_[kept - 1].last) {
        runs_[kept - 1].last = std::max(runs_[kept - 1].last, runs_[i].last);
      } else {
        runs_[kept++] = runs_[i];
      }
    }
    count_ = kept;
  }
  void make_room() noexcept {
    tidy();
    if (count_ <= kMost / 2) {
      return;
    }
    for (std::size_t i = 0; 2 * i < count_; ++i) {
      runs_[i] = {runs_[2 * i].first, runs_[std::min(2 * i + 1, count_ - 1)].last};
    }
    count_ = (count_ + 1) / 2;
  }

  std::array<Run, kMost> runs_;
  std::size_t count_ = 0;
};

}  // namespace juxta::agents_detail
