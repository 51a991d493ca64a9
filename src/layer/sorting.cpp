// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/sorting.h"

#include <algorithm>

#include "juxta/order/block_order.h"
#include "juxta/order/reorder.h"
#include "order/block_order.h"
#include "order/block_tree.h"

namespace juxta::layer_detail {
namespace {

constexpr std::size_t kGrain = 16384;  // lanes a task

std::size_t round_up(std::size_t lanes, std::size_t step) {
  return (lanes + step - 1) / step * step;
}

template <int D>
void make_lanes(LayerStore<D>& store, std::size_t lanes) {
  const BlockTreePlan plan = plan_block_tree(lanes);
  store.blocks.resize_discard(plan.total);
  store.tree = BlockTree<D>(plan, store.blocks.data());
  store.body_of.resize_discard(round_up(lanes, kBlockLanes));
}

// The places of the bodies, from the bodies of the lanes [first, end).
template <int D>
void set_lane_of(LayerStore<D>& store, std::uint32_t first, std::uint32_t end, const Executor& executor) {
  executor.parallel_for(end - first, kGrain, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto lane = static_cast<std::uint32_t>(first + i);
      store.lane_of[store.body_of[lane]] = lane;
    }
  });
}

template <int D>
void after_full_sort(LayerStore<D>& store, std::uint32_t lane_end, const Executor& executor) {
  store.sorted_end = store.tail_end = store.lane_end = lane_end;
  store.strays = 0;
  ++store.sorts;
  store.edges = store.edges_at_sort = sum_of_block_edges(store.tree, lane_end, &executor);
}

// What sorting takes out of the lanes from `first` on, and puts back in order.
template <int D>
struct Taken {
  std::span<Aabb<D>> boxes;
  std::span<std::uint32_t> bodies, order;
  std::span<Filter> filters;
};

template <int D>
Taken<D> take_bodies(const LayerStore<D>& store, std::span<const Aabb<D>> boxes, std::uint32_t first,
                     Workspace& workspace) {
  const std::size_t most = store.lane_end - first;
  Taken<D> taken{workspace.take<Aabb<D>>(most), workspace.take<std::uint32_t>(most),
                 workspace.take<std::uint32_t>(most), workspace.take<Filter>(store.filtered ? most : 0)};
  std::size_t n = 0;
  for (std::uint32_t lane = first; lane < store.lane_end; ++lane) {
    const std::uint32_t body = store.body_of[lane];
    if (body == kNoBody) {
      continue;
    }
    taken.bodies[n] = body;
    taken.boxes[n] =
        boxes.empty() ? store.tree.level[0][lane / kBlockLanes].box(lane % kBlockLanes) : boxes[body];
    if (store.filtered) {
      taken.filters[n] = {store.category[lane], store.mask[lane]};
    }
    ++n;
  }
  taken.boxes = taken.boxes.first(n);
  taken.bodies = taken.bodies.first(n);
  taken.order = taken.order.first(n);
  return taken;
}

template <int D>
void put_bodies(LayerStore<D>& store, const Taken<D>& taken, std::uint32_t first) {
  for (std::size_t i = 0; i < taken.order.size(); ++i) {
    const std::size_t lane = first + i;
    store.body_of[lane] = taken.bodies[taken.order[i]];
    if (store.filtered) {
      store.category[lane] = taken.filters[taken.order[i]].category;
      store.mask[lane] = taken.filters[taken.order[i]].mask;
    }
  }
}

template <int D>
void order_taken(const Taken<D>& taken, Workspace& workspace, const Executor& executor) {
  const order_detail::CentreRange<D> range =
      order_detail::centre_range(taken.boxes.data(), taken.boxes.size());
  order_detail::order_boxes<D>(taken.boxes, range, taken.order, workspace, executor);
}

}  // namespace

template <int D>
void sort_new_bodies(LayerStore<D>& store, std::span<const Aabb<D>> boxes,
                     const order_detail::CentreRange<D>& range, std::span<const Filter> filters,
                     OrderQuality quality, Workspace& workspace, const Executor& executor) {
  const std::size_t n = boxes.size();
  make_lanes(store, n);
  const std::span<std::uint32_t> order = store.body_of.span().first(n);
  order_detail::order_boxes(boxes, range, order, workspace, executor,
                            quality);  // place i of the order is lane i
  std::fill(store.body_of.begin() + n, store.body_of.end(), kNoBody);
  store.lane_of.resize_discard(n);
  fill_tree(store.tree, boxes, std::span<const std::uint32_t>(order), &executor);
  set_lane_of(store, 0, static_cast<std::uint32_t>(n), executor);
  store.filtered = !filters.empty();
  if (store.filtered) {
    store.category.resize_discard(store.body_of.size());
    store.mask.resize_discard(store.body_of.size());
    executor.parallel_for(n, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t lane = first; lane < last; ++lane) {
        store.category[lane] = filters[order[lane]].category;
        store.mask[lane] = filters[order[lane]].mask;
      }
    });
  }
  store.bodies = static_cast<std::uint32_t>(n);
  store.has_ids = false;
  store.ids = IdTable(store.memory);
  store.sorts = 0;
  after_full_sort(store, static_cast<std::uint32_t>(n), executor);
}

template <int D>
void sort_again(LayerStore<D>& store, std::span<const Aabb<D>> boxes, std::size_t more, Workspace& workspace,
                const Executor& executor) {
  const Workspace::Scope scope(workspace);
  const Taken<D> taken = take_bodies(store, boxes, 0, workspace);
  const std::size_t n = taken.boxes.size();
  const std::size_t end = more == 0 ? n : round_up(n, kTailStep);
  if (end + more > store.body_of.size()) {
    make_lanes(store, end + std::max<std::size_t>(more, n / 8 + kTailStep));
    if (store.filtered) {
      store.category.resize_discard(store.body_of.size());
      store.mask.resize_discard(store.body_of.size());
    }
  }
  order_taken(taken, workspace, executor);
  fill_tree(store.tree, std::span<const Aabb<D>>(taken.boxes), std::span<const std::uint32_t>(taken.order),
            &executor);
  put_bodies(store, taken, 0);
  std::fill(store.body_of.begin() + n, store.body_of.end(), kNoBody);
  set_lane_of(store, 0, static_cast<std::uint32_t>(n), executor);
  after_full_sort(store, static_cast<std::uint32_t>(end), executor);
}

template <int D>
void sort_tail(LayerStore<D>& store, Workspace& workspace) {
  const Workspace::Scope scope(workspace);
  const std::uint32_t first = store.sorted_end;
  const Taken<D> taken = take_bodies<D>(store, {}, first, workspace);
  order_taken(taken, workspace, serial_executor());
  put_bodies(store, taken, first);
  const auto end = static_cast<std::uint32_t>(first + taken.boxes.size());
  std::fill(store.body_of.begin() + end, store.body_of.begin() + store.lane_end, kNoBody);
  for (std::uint32_t lane = first; lane < store.lane_end; ++lane) {
    const Aabb<D> box = lane < end ? taken.boxes[taken.order[lane - first]] : empty_lane<D>();
    store.tree.level[0][lane / kBlockLanes].set(lane % kBlockLanes, box);
  }
  // From the start of the first block: a loaded layer's order may end inside one.
  for (std::uint32_t lane = first / kBlockLanes * kBlockLanes; lane < store.lane_end; lane += kBlockLanes) {
    refit_path(store.tree, lane);
  }
  set_lane_of(store, first, end, serial_executor());
  store.tail_end = store.lane_end = end;
  store.strays = end - first;
}

template <int D>
void append_stray(LayerStore<D>& store, std::uint32_t body, const Aabb<D>& box, Filter filter) {
  const std::uint32_t lane = store.lane_end++;
  ++store.strays;
  store.body_of[lane] = body;
  store.lane_of[body] = lane;
  if (store.filtered) {
    store.category[lane] = filter.category;
    store.mask[lane] = filter.mask;
  }
  store.tree.level[0][lane / kBlockLanes].set(lane % kBlockLanes, without_signed_zeros(box));
  refit_path(store.tree, lane);
}

template void sort_new_bodies(LayerStore<2>&, std::span<const Aabb2>, const order_detail::CentreRange<2>&,
                              std::span<const Filter>, OrderQuality, Workspace&, const Executor&);
template void sort_new_bodies(LayerStore<3>&, std::span<const Aabb3>, const order_detail::CentreRange<3>&,
                              std::span<const Filter>, OrderQuality, Workspace&, const Executor&);
template void sort_again(LayerStore<2>&, std::span<const Aabb2>, std::size_t, Workspace&, const Executor&);
template void sort_again(LayerStore<3>&, std::span<const Aabb3>, std::size_t, Workspace&, const Executor&);
template void sort_tail(LayerStore<2>&, Workspace&);
template void sort_tail(LayerStore<3>&, Workspace&);
template void append_stray(LayerStore<2>&, std::uint32_t, const Aabb2&, Filter);
template void append_stray(LayerStore<3>&, std::uint32_t, const Aabb3&, Filter);

}  // namespace juxta::layer_detail
