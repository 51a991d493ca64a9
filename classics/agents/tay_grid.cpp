// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classics/agents/tay_bins.h"
#include "classics/agents/tay_store.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

/// Agents are copied bin by bin; each seer looks through the bins of the cells around its own.
class TayGrid final : public TayStore<TayPoint> {
 public:
  using TayStore::TayStore;

  void set(std::span<const TayBody> bodies) override {
    TayStore::set(bodies);
    bins_.assign(bins_for(bodies.size()), {});
    used_.clear();
  }

  void sort() override {
    for (const std::uint32_t bin : used_) {
      bins_[bin] = {};
    }
    used_.clear();
    cells_.place(TayBounds::of(agents_), part_size(), test_.radius, static_cast<std::uint32_t>(bins_.size()));
    for (TayPoint& agent : agents_) {
      const std::uint32_t bin = cells_.bin_of(cells_.cell_of(agent.position));
      if (bins_[bin].count == 0) {
        used_.push_back(bin);
      }
      agent.place = {bin, bins_[bin].count++};
    }
    std::uint32_t first = 0;
    for (const std::uint32_t bin : used_) {
      bins_[bin].first = first;
      first += bins_[bin].count;
    }
    copy_to_places([&](std::uint32_t bin) { return bins_[bin].first; });
  }

  void see() override {
    for (const std::uint32_t bin : used_) {
      // Most bins hold agents of one cell: the bins around it are looked for once.
      TayCells::Cell known{};
      kernel_.clear();
      for (std::uint32_t i = 0; i < bins_[bin].count; ++i) {
        const TaySlice<TayPoint> seer = slice(bins_[bin].first + i, 1);
        const TayCells::Cell cell = cells_.cell_of(seer.first->position);
        if (kernel_.empty() || cell != known) {
          cells_.find_kernel(cell, kernel_, [&](std::uint32_t other) { return bins_[other].count > 0; });
          known = cell;
        }
        for (const std::uint32_t other : kernel_) {
          tay_pair(seer, slice(bins_[other].first, bins_[other].count), test_.radius, passes_.see);
        }
      }
    }
  }

 private:
  struct Bin {
    std::uint32_t first = 0, count = 0;
  };
  TayCells cells_;
  std::vector<Bin> bins_;
  std::vector<std::uint32_t> used_, kernel_;
};

/// The same bins as linked lists of agents that stay where they were set.
class TayPointers final : public TayStore<TayPoint> {
 public:
  using TayStore::TayStore;

  void set(std::span<const TayBody> bodies) override {
    TayStore::set(bodies);
    heads_.assign(bins_for(bodies.size()), nullptr);
    used_.clear();
  }

  void sort() override {
    for (const std::uint32_t bin : used_) {
      heads_[bin] = nullptr;
    }
    used_.clear();
    cells_.place(TayBounds::of(agents_), part_size(), test_.radius,
                 static_cast<std::uint32_t>(heads_.size()));
    for (TayPoint& agent : agents_) {
      const std::uint32_t bin = cells_.bin_of(cells_.cell_of(agent.position));
      if (heads_[bin] == nullptr) {
        used_.push_back(bin);
      }
      agent.next = heads_[bin];
      heads_[bin] = &agent;
    }
  }

  void see() override {
    for (const std::uint32_t bin : used_) {
      TayCells::Cell known{};
      kernel_.clear();
      for (TayPoint* seer = heads_[bin]; seer != nullptr; seer = seer->next) {
        const TayCells::Cell cell = cells_.cell_of(seer->position);
        if (kernel_.empty() || cell != known) {
          cells_.find_kernel(cell, kernel_, [&](std::uint32_t other) { return heads_[other] != nullptr; });
          known = cell;
        }
        for (const std::uint32_t other : kernel_) {
          see_list(*seer, heads_[other]);
        }
      }
    }
  }

  // Bin by bin, as published: every pass follows the lists.
  void act() override {
    for (const std::uint32_t bin : used_) {
      for (TayPoint* agent = heads_[bin]; agent != nullptr; agent = agent->next) {
        passes_.act(*agent, test_);
      }
    }
  }

 private:
  void see_list(TayPoint& seer, const TayPoint* seen) const {
    for (; seen != nullptr; seen = seen->next) {
      if (seen != &seer && tay_near(seer, *seen, test_.radius)) {
        passes_.see(seer, *seen);
      }
    }
  }

  TayCells cells_;
  std::vector<TayPoint*> heads_;
  std::vector<std::uint32_t> used_, kernel_;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_grid(const TayTest& test) {
  return std::make_unique<TayGrid>(test);
}
std::unique_ptr<TayWorld> make_tay_pointers(const TayTest& test) {
  return std::make_unique<TayPointers>(test);
}

}  // namespace juxta::classics
