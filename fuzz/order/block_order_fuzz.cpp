// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Orders and trees of hard worlds, of a few boxes with sides of any bits, and of both mixed: what is refused,
// kernels against their twins on a drawn instruction set, stable permutations that no executor changes, trees
// with empty lanes, single lanes that change. One workspace serves all calls.
#include "juxta/order/block_order.h"
#include "order/block_tree.h"

#include <bit>
#include <cmath>

#include "fuzz/check.h"
#include "fuzz/draw.h"
#include "juxta/core/isa.h"
#include "order/block_fit_kernel.h"
#include "order/block_twins.h"
#include "order/box_codes_kernel.h"

namespace juxta::fuzz {
namespace {

/// Ranges in descending order, on this thread.
class BackwardsExecutor final : public Executor {
 public:
  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    for (std::size_t i = (count + grain - 1) / grain; i-- > 0;) {
      body(i * grain, std::min((i + 1) * grain, count));
    }
  }
};

float any_float(Draw& draw) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(draw.below(1U << 16) << 16 | draw.below(1U << 16)));
}

template <int D>
std::vector<Aabb<D>> draw_boxes(Draw& draw) {
  // Mostly small; sometimes past the grain of a task.
  const std::size_t n = draw.below(draw.below(16) == 0 ? 20'000 : 600);
  auto boxes = test::make_block_world<D>(draw, test::kBlockWorlds[draw.below(test::kBlockWorlds.size())], n);
  if (n > 0 && draw.below(2) == 0) {
    const bool sound = draw.below(4) != 0;
    for (std::size_t changes = draw.below(20); changes > 0; --changes) {
      const std::size_t at = draw.below(n), axis = draw.below(D);
      float lo = any_float(draw), hi = any_float(draw);
      if (sound) {
        lo = std::isfinite(lo) ? lo : 0;
        hi = std::isfinite(hi) ? hi : 0;
        if (lo > hi) {
          std::swap(lo, hi);
        }
      }
      boxes[at].lo[axis] = lo;
      boxes[at].hi[axis] = hi;
    }
  }
  return boxes;
}

/// The index of the first that is no box, and how it is called; the length where all are boxes.
template <int D>
std::pair<std::size_t, ErrorCode> first_unsound(const std::vector<Aabb<D>>& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    bool finite = true;
    for (int axis = 0; axis < D; ++axis) {
      finite = finite && std::isfinite(boxes[i].lo[axis]) && std::isfinite(boxes[i].hi[axis]);
    }
    if (!finite || boxes[i].empty()) {
      return {i, finite ? ErrorCode::kInvalidArgument : ErrorCode::kNotFinite};
    }
  }
  return {boxes.size(), ErrorCode::kIo};
}

template <int D>
void check_codes(Draw& draw, const std::vector<Aabb<D>>& boxes) {
  const auto range = order_detail::centre_range(boxes.data(), boxes.size());
  const auto twin = order_detail::centre_range_reference(boxes.data(), boxes.size());
  JUXTA_FUZZ_CHECK(range.sound && twin.sound);
  order_detail::CodeGrid<D> grid;
  float longest = 0;
  for (int axis = 0; axis < D; ++axis) {
    JUXTA_FUZZ_CHECK(std::bit_cast<std::uint32_t>(range.lo[axis]) ==
                     std::bit_cast<std::uint32_t>(twin.lo[axis]));
    JUXTA_FUZZ_CHECK(std::bit_cast<std::uint32_t>(range.hi[axis]) ==
                     std::bit_cast<std::uint32_t>(twin.hi[axis]));
    grid.origin[axis] = range.lo[axis];
    longest = std::max(longest, range.hi[axis] - range.lo[axis]);
  }
  grid.bits = static_cast<unsigned>(1 + draw.below(D == 3 ? 10 : 15));
  grid.scale = longest > 1e-30F ? std::ldexp(1.0F, static_cast<int>(grid.bits)) / longest : 0;
  std::fill_n(grid.class_edge, 3, longest * 0.25F);
  std::vector<std::uint32_t> codes(boxes.size()), want(boxes.size());
  order_detail::box_codes(boxes.data(), boxes.size(), grid, codes.data());
  order_detail::box_codes_reference(boxes.data(), boxes.size(), grid, want.data());
  JUXTA_FUZZ_CHECK(codes == want);
}

template <int D>
void check_tree(Draw& draw, const std::vector<Aabb<D>>& boxes, std::vector<std::uint32_t> order) {
  for (std::size_t holes = draw.below(4) * order.size() / 8; holes > 0; --holes) {
    order[draw.below(order.size())] = kEmptyLane;
  }
  const BackwardsExecutor backwards;
  const Executor* executor = draw.below(2) == 0 ? &backwards : nullptr;
  const std::size_t lanes = order.size() + draw.below(40);
  test::OwnedTree<D> got(lanes), want(lanes);
  fill_tree<D>(got.tree, boxes, order, executor);
  fill_tree_twin<D>(want, boxes, order);
  JUXTA_FUZZ_CHECK(same_bits(got, want));
  if (lanes == 0) {
    return;
  }
  for (std::uint32_t l = 0; l < got.plan.levels; ++l) {
    const std::uint32_t last = got.plan.blocks[l];
    JUXTA_FUZZ_CHECK(order_detail::edge_sum<D>(got.tree.level[l], 0, last) ==
                     test::edge_sum_twin<D>(got.tree.level[l], 0, last));
  }
  for (std::size_t changes = draw.below(8); changes > 0; --changes) {
    const auto lane = static_cast<std::uint32_t>(draw.below(lanes));
    const Aabb<D> box = boxes.empty() || draw.below(3) == 0
                            ? test::empty_lane<D>()
                            : got.tree.level[0][0].box(static_cast<std::uint32_t>(draw.below(16)));
    got.tree.level[0][lane / kBlockLanes].set(lane % kBlockLanes, box);
    refit_path<D>(got.tree, lane);
  }
  want.blocks = got.blocks;
  fit_levels<D>(want.tree, executor);
  JUXTA_FUZZ_CHECK(same_bits(got, want));
}

template <int D>
void run(Draw& draw) {
  static Workspace workspace;
  const BackwardsExecutor backwards;
  const std::span<const Isa> isas = available_isas();
  JUXTA_FUZZ_CHECK(force_isa(isas[draw.below(isas.size())]).has_value());
  const OrderQuality quality = draw.below(2) == 0 ? OrderQuality::kFast : OrderQuality::kTight;
  const auto boxes = draw_boxes<D>(draw);
  std::vector<std::uint32_t> order(boxes.size(), 7U), again(boxes.size());
  const auto done = block_order<D>(boxes, order, quality, {.workspace = &workspace});
  if (const auto [index, code] = first_unsound<D>(boxes); index < boxes.size()) {
    for (const auto& refused : {done, check_boxes<D>(boxes, {.executor = &backwards})}) {
      JUXTA_FUZZ_CHECK(!refused && refused.error().code == code && refused.error().index == index);
    }
    JUXTA_FUZZ_CHECK(order == std::vector<std::uint32_t>(boxes.size(), 7U));
    return;
  }
  JUXTA_FUZZ_CHECK(done.has_value());
  JUXTA_FUZZ_CHECK(test::is_permutation(order));
  JUXTA_FUZZ_CHECK(test::keeps_input_order<D>(boxes, order));
  JUXTA_FUZZ_CHECK(force_isa(isas[draw.below(isas.size())]).has_value());
  JUXTA_FUZZ_CHECK(
      block_order<D>(boxes, again, quality, {.executor = &backwards, .workspace = &workspace}).has_value());
  JUXTA_FUZZ_CHECK(again == order);
  check_codes<D>(draw, boxes);
  check_tree<D>(draw, boxes, std::move(order));
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::Draw draw(data, size);
  if (draw.below(2) == 0) {
    juxta::fuzz::run<2>(draw);
  } else {
    juxta::fuzz::run<3>(draw);
  }
  return 0;
}
