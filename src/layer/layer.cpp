// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/layer.h"

#include <string>

#include "core/call_workspace.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/order/block_order.h"
#include "layer/sorting.h"
#include "order/block_order.h"
#include "order/block_tree.h"

namespace juxta {
namespace {

template <int D>
Result<void> check_living(const layer_detail::LayerStore<D>& store, std::span<const Aabb<D>> boxes,
                          const Executor* executor) {
  if (store.bodies == store.lane_of.size()) {
    return check_boxes(boxes, {.executor = executor});
  }
  for (std::size_t body = 0; body < boxes.size(); ++body) {
    if (store.lane_of[body] != kNoBody && !order_detail::centre_range_reference(&boxes[body], 1).sound) {
      Error error = check_boxes(boxes.subspan(body, 1)).error();
      error.index = body;
      error.message = "body " + std::to_string(body) + ": " + error.message;
      return tl::unexpected<Error>(std::move(error));
    }
  }
  return {};
}

tl::unexpected<Error> no_body(std::uint32_t body) {
  return fail(ErrorCode::kNotFound, "there is no living body " + std::to_string(body), body);
}

}  // namespace

template <int D>
BasicLayer<D>::BasicLayer(std::pmr::memory_resource* resource)
    : store_(make_owned<layer_detail::LayerStore<D>>(resource)) {}

template <int D>
Result<BasicLayer<D>> BasicLayer<D>::build(std::span<const Box> boxes, const LayerOptions& options,
                                           const Context& context, std::pmr::memory_resource* resource) {
  BasicLayer layer(resource);
  const CallWorkspace workspace(context);  // a layer that is built once need not keep scratch memory
  JUXTA_TRY(layer.rebuild(
      boxes, options, {.executor = context.executor, .workspace = &*workspace, .monitor = context.monitor}));
  return layer;
}

template <int D>
Result<void> BasicLayer<D>::rebuild(std::span<const Box> boxes, const LayerOptions& options,
                                    const Context& context) {
  if (!options.filters.empty() && options.filters.size() != boxes.size()) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(boxes.size()) + " boxes but " +
                                                 std::to_string(options.filters.size()) +
                                                 " filters: give one for each box, or none");
  }
  const Executor& executor = executor_or_serial(context.executor);
  if (!report(context.monitor, "check boxes", 0, 2)) {
    return fail(ErrorCode::kCancelled, "building the layer was cancelled");
  }
  JUXTA_TRY_LET(const auto range, order_detail::checked_range(boxes, executor));
  if (!report(context.monitor, "sort boxes", 1, 2)) {
    return fail(ErrorCode::kCancelled, "building the layer was cancelled");
  }
  Workspace& workspace = context.workspace != nullptr ? *context.workspace : store_->scratch;
  layer_detail::sort_new_bodies(*store_, boxes, range, options.filters, options.quality, workspace, executor);
  (void)report(context.monitor, "sort boxes", 2, 2);
  return {};
}

template <int D>
Result<void> BasicLayer<D>::refit(std::span<const Box> boxes, const Context& context) {
  layer_detail::LayerStore<D>& store = *store_;
  if (boxes.size() != store.lane_of.size()) {
    return fail(ErrorCode::kInvalidArgument,
                std::to_string(boxes.size()) + " boxes for a layer of capacity " +
                    std::to_string(store.lane_of.size()) + ": give one for each body number");
  }
  JUXTA_TRY(check_living(store, boxes, context.executor));
  const std::span<const std::uint32_t> order = store.body_of.span().first(store.lane_end);
  fill_tree(store.tree, boxes, order, context.executor);
  store.edges = sum_of_block_edges(store.tree, store.sorted_end, context.executor);
  if (store.edges > layer_detail::kMostLooseness * store.edges_at_sort || store.strays > store.bodies / 8) {
    Workspace& workspace = context.workspace != nullptr ? *context.workspace : store.scratch;
    const std::size_t more =
        store.body_of.size() > store.bodies + layer_detail::kTailStep ? layer_detail::kTailStep : 0;
    layer_detail::sort_again(store, boxes, more, workspace, executor_or_serial(context.executor));
  }
  return {};
}

template <int D>
std::size_t BasicLayer<D>::size() const noexcept {
  return store_->bodies;
}
template <int D>
std::size_t BasicLayer<D>::capacity() const noexcept {
  return store_->lane_of.size();
}

template <int D>
bool BasicLayer<D>::alive(Id id) const noexcept {
  return store_->has_ids ? store_->ids.alive(id) : id.slot < store_->lane_of.size() && id.generation == 1;
}

template <int D>
Id BasicLayer<D>::id_of(std::uint32_t body) const noexcept {
  if (body >= store_->lane_of.size() || store_->lane_of[body] == kNoBody) {
    return {};
  }
  return {body, store_->has_ids ? store_->ids.state().generations[body] : 1};
}

template <int D>
Result<Aabb<D>> BasicLayer<D>::box_of(std::uint32_t body) const {
  if (body >= store_->lane_of.size() || store_->lane_of[body] == kNoBody) {
    return no_body(body);
  }
  const std::uint32_t lane = store_->lane_of[body];
  return store_->tree.level[0][lane / kBlockLanes].box(lane % kBlockLanes);
}

template <int D>
Result<Filter> BasicLayer<D>::filter_of(std::uint32_t body) const {
  if (body >= store_->lane_of.size() || store_->lane_of[body] == kNoBody) {
    return no_body(body);
  }
  const std::uint32_t lane = store_->lane_of[body];
  return store_->filtered ? Filter{store_->category[lane], store_->mask[lane]} : Filter{};
}

template <int D>
LayerStats BasicLayer<D>::stats() const noexcept {
  const layer_detail::LayerStore<D>& store = *store_;
  LayerStats stats;
  stats.bodies = store.bodies;
  stats.blocks = (store.lane_end + kBlockLanes - 1) / kBlockLanes;
  stats.levels = store.tree.levels;
  stats.memory_bytes = store.blocks.memory_bytes() + store.body_of.memory_bytes() +
                       store.lane_of.memory_bytes() + store.category.memory_bytes() +
                       store.mask.memory_bytes() + store.scratch.memory_bytes() + store.ids.size() * 12;
  stats.sorts = store.sorts;
  stats.looseness = store.edges_at_sort > 0 ? store.edges / store.edges_at_sort : 1;
  stats.strays = store.strays;
  return stats;
}

template <int D>
std::size_t BasicLayer<D>::block_boxes(std::span<Box> out) const noexcept {
  const BlockTree<D>& tree = store_->tree;
  std::size_t found = 0;
  for (std::uint32_t b = 0; tree.levels != 0 && b < tree.blocks[0]; ++b) {
    Box around = tree.level[0][b].box(0);  // a lane without a body has lo = inf, hi = -inf
    for (std::uint32_t lane = 1; lane < kBlockLanes; ++lane) {
      const Box box = tree.level[0][b].box(lane);
      for (int axis = 0; axis < D; ++axis) {
        around.lo[axis] = std::min(around.lo[axis], box.lo[axis]);
        around.hi[axis] = std::max(around.hi[axis], box.hi[axis]);
      }
    }
    if (!around.empty()) {
      if (found < out.size()) {
        out[found] = around;
      }
      ++found;
    }
  }
  return found;
}

template class BasicLayer<2>;
template class BasicLayer<3>;

}  // namespace juxta
