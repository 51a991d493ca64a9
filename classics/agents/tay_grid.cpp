// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/agents/tay_bins.h"
#include "classics/agents/tay_forms.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

/// Cells hashed into bins; each seer looks through the bins of the cells around its own. As published in the
/// first article: the exclusive or of three products, bins in the order in which they were first used, a
/// kernel of bins that is kept for seers of one cell, bins met twice left out. Not as printed: other
/// multipliers, and a table that grows with the agents (at least two bins for each) instead of a million
/// bins. With a million fewer bins are shared, so that narrow cells test less (a quarter of the radius: 47 %
/// of the pairs near, not 4 %), but at the best width a step of 10,000 agents took 4 to 10 % longer. The
/// code of the third article's time hashes no more: its table has a place for each cell of a box around all
/// agents.
template <class Agent, class Part>
class TayGrid {
 public:
  static constexpr bool kEachSeer = true;
  using Around = TayKernel;

  void clear(const TayPlan& plan) {
    if (const std::uint32_t bins = bins_for(plan.agents); bins_.size() != bins) {
      bins_.assign(bins, {});
    }
    for (const std::uint32_t bin : used_) {
      if (bin < bins_.size()) {
        bins_[bin] = {};
      }
    }
    used_.clear();
    cells_.place(plan.bounds, plan.part_size, plan.radius, static_cast<std::uint32_t>(bins_.size()));
  }
  std::uint32_t part_of(const Agent& agent) {
    const std::uint32_t bin = cells_.bin_of(cells_.cell_of(agent.position));
    if (bins_[bin].empty()) {
      used_.push_back(bin);
    }
    return bin;
  }
  [[nodiscard]] Part& part(std::uint32_t bin) noexcept { return bins_[bin]; }
  template <class F>
  void in_order(const F& f) const {
    for (const std::uint32_t bin : used_) {
      f(bin);
    }
  }
  template <class F>
  void as_made(const F& f) const {
    in_order(f);
  }
  void start(Around& kernel) const { cells_.start(kernel); }
  template <class F>
  void around(std::uint32_t /*bin*/, const Agent& seer, Around& kernel, const F& f) const {
    const TayCell cell = cells_.cell_of(seer.position);
    if (kernel.bins.empty() || cell != kernel.cell) {
      cells_.find_kernel(cell, kernel, [&](std::uint32_t bin) { return !bins_[bin].empty(); });
    }
    for (const std::uint32_t bin : kernel.bins) {
      f(bins_[bin]);
    }
  }

 private:
  TayCells cells_;
  std::vector<Part> bins_;
  std::vector<std::uint32_t> used_;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_grid(const TayTest& test, bool stay) {
  return make_tay_form<TayGrid, TayPoint>(test, stay);
}

}  // namespace juxta::classics
