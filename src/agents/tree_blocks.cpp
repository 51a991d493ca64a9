// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/tree_blocks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "agents/directory_runs.h"

namespace juxta::agents_detail {
namespace {

/// A box of seers and its images, axis by axis: their product is what is asked for.
template <int D>
class Images {
 public:
  Images(const Directory& directory, const Bounds& box, const Reach& reach) noexcept
      : round_(reach.round), slack_(reach.slack) {
    for (std::size_t a = 0; a < D; ++a) {
      const GridAxis& axis = directory.grid.axis[a];
      const bool wraps = axis.wraps(box.lo[a] - reach.wide[a], box.hi[a] + reach.wide[a]);
      for (const float shift : {0.0F, -axis.width, axis.width}) {
        if (shift == 0 ? count_[a] == 0 : wraps) {
          lo_[a][count_[a]] = box.lo[a] + shift;
          hi_[a][count_[a]++] = box.hi[a] + shift;
        }
      }
    }
    limit_ = round_ ? reach.on[0] * reach.on[0] : reach.on[0];
  }

  /// The lanes that are within reach, as bits.
  [[nodiscard]] std::uint32_t lanes(const BoxBlock<D>& block) const noexcept {
    std::array<float, kBlockLanes> far{};
    for (std::size_t a = 0; a < D; ++a) {
      std::array<float, kBlockLanes> gap = gaps(block, a, 0);
      for (std::uint32_t image = 1; image < count_[a]; ++image) {
        const std::array<float, kBlockLanes> other = gaps(block, a, image);
        for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
          gap[lane] = std::min(gap[lane], other[lane]);
        }
      }
      for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
        far[lane] = round_ ? far[lane] + gap[lane] * gap[lane] : std::max(far[lane], gap[lane]);
      }
    }
    std::uint32_t mask = 0;
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      mask |= static_cast<std::uint32_t>(far[lane] <= limit_) << lane;
    }
    return mask;
  }

 private:
  [[nodiscard]] std::array<float, kBlockLanes> gaps(const BoxBlock<D>& block, std::size_t a,
                                                    std::uint32_t image) const noexcept {
    std::array<float, kBlockLanes> gap;
    const float lo = lo_[a][image], hi = hi_[a][image];
    for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
      const float apart = std::max(block.lo[a][lane] - hi, lo - block.hi[a][lane]) - slack_;
      gap[lane] = apart > 0 ? apart : 0;
    }
    return gap;
  }

  std::array<Vec3, D> lo_, hi_;
  std::array<std::uint32_t, D> count_{};
  bool round_;
  float slack_, limit_;
};

template <int D>
void descend(const Directory& directory, const Bounds& box, const Reach& reach,
             FunctionRef<void(Run run)> visit) {
  const TreeBlocks& tree = directory.tree;
  if (tree.plan.levels == 0) {
    return;
  }
  const Images<D> images(directory, box, reach);
  // Where each level begins; the lanes still to be looked at of the block in hand.
  std::array<const BoxBlock<D>*, kMaxTreeLevels> level{};
  std::array<std::uint32_t, kMaxTreeLevels> block{}, lanes{};
  const BoxBlock<D>* begin = tree.blocks<D>().data();
  for (std::uint32_t l = 0; l < tree.plan.levels; ++l) {
    level[l] = begin;
    begin += tree.plan.blocks[l];
  }
  const auto look = [&](std::uint32_t l, std::uint32_t b) {
    const std::uint32_t there = std::min(tree.plan.blocks[l - 1] - b * kBlockLanes, kBlockLanes);
    block[l] = b;
    lanes[l] = images.lanes(level[l][b]) & ((1U << there) - 1);
  };
  Run run{0, 0};
  std::uint32_t l = tree.plan.levels - 1;
  for (look(l, 0); l < tree.plan.levels;) {
    if (lanes[l] == 0) {
      ++l;
      continue;
    }
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes[l]));
    const std::uint32_t child = block[l] * kBlockLanes + lane;
    lanes[l] &= lanes[l] - 1;
    if (l > 1) {
      look(--l, child);
      continue;
    }
    if (run.last != child * kBlockLanes) {
      visit(run);
      run.first = child * kBlockLanes;
    }
    run.last = child * kBlockLanes + kBlockLanes;
  }
  visit(Run{run.first, std::min(run.last, tree.agents)});
}

}  // namespace

void for_each_run_of_tree(const Directory& directory, const Bounds& box, const Reach& reach,
                          FunctionRef<void(Run run)> visit) {
  directory.grid.dimensions == 2 ? descend<2>(directory, box, reach, visit)
                                 : descend<3>(directory, box, reach, visit);
}

}  // namespace juxta::agents_detail
