// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One body at a time: it stays in its lane while it is near its block, and becomes a stray when it is not.
//
//   | sorted along the curve ..... | strays sorted among themselves | up to 256 new strays | spare |
//
// 256 new strays are sorted into the strays; strays in number of an eighth of the bodies, into the whole.
// Each body is thus sorted O(1) times per eighth of growth, and a query meets at most 16 blocks without
// order.
#include <algorithm>
#include <string>

#include "juxta/core/try.h"
#include "juxta/order/block_order.h"
#include "layer/sorting.h"
#include "order/block_tree.h"

namespace juxta {
namespace {

using layer_detail::LayerStore;

std::string name_of(Id id) {
  return "Id {slot " + std::to_string(id.slot) + ", generation " + std::to_string(id.generation) + "}";
}
tl::unexpected<Error> not_alive(Id id) {
  return fail(ErrorCode::kNotFound, name_of(id) + " names no living body: it was removed or never inserted",
              id.slot);
}

// Until a body comes or goes by itself, body i has the Id that a new table gives to its i-th slot.
template <int D>
Result<void> make_ids(LayerStore<D>& store) {
  if (!store.has_ids) {
    IdTable ids(store.memory);
    for (std::uint32_t body = 0; body < store.bodies; ++body) {
      JUXTA_TRY(ids.insert());
    }
    store.ids = std::move(ids);
    store.has_ids = true;
  }
  return {};
}

// Room for `more` strays, sorting when there is none or when too many have come.
template <int D>
void make_room(LayerStore<D>& store, std::size_t more) {
  const bool crowded = store.strays + more > store.bodies / 8 + layer_detail::kTailStep;
  const bool full = store.lane_end + more > store.body_of.size();
  if (crowded || full) {
    layer_detail::sort_again<D>(store, {}, std::max<std::size_t>(more, layer_detail::kTailStep),
                                store.scratch, serial_executor());
  } else if (store.lane_end - store.tail_end >= layer_detail::kTailStep) {
    layer_detail::sort_tail(store, store.scratch);
  }
}

template <int D>
void clear_lane(LayerStore<D>& store, std::uint32_t lane) {
  store.body_of[lane] = kNoBody;
  store.tree.level[0][lane / kBlockLanes].set(lane % kBlockLanes, layer_detail::empty_lane<D>());
}

template <int D>
bool near_block(const LayerStore<D>& store, std::uint32_t lane, const Aabb<D>& box) {
  const std::uint32_t block = lane / kBlockLanes;
  const Aabb<D> bounds = store.tree.level[1][block / kBlockLanes].box(block % kBlockLanes);
  for (int axis = 0; axis < D; ++axis) {
    const float reach = (bounds.hi[axis] - bounds.lo[axis]) * 0.25F;
    if (!(box.lo[axis] <= bounds.hi[axis] + reach && bounds.lo[axis] - reach <= box.hi[axis])) {
      return false;
    }
  }
  return true;
}

template <int D>
double block_edges(const LayerStore<D>& store, std::uint32_t lane) {
  const std::uint32_t block = lane / kBlockLanes;
  const Aabb<D> bounds = store.tree.level[1][block / kBlockLanes].box(block % kBlockLanes);
  double edges = 0;
  for (int axis = 0; axis < D; ++axis) {
    edges += std::max(0.0, static_cast<double>(bounds.hi[axis]) - static_cast<double>(bounds.lo[axis]));
  }
  return edges / 8;
}

// Brings the tree up to date after a lane changed, and the sum of edges with it.
template <int D>
void refit_lane(LayerStore<D>& store, std::uint32_t lane) {
  const bool counted = lane / layer_detail::kTailStep < store.sorted_end / layer_detail::kTailStep;
  const double before = counted ? block_edges(store, lane) : 0;
  refit_path(store.tree, lane);
  if (counted) {
    store.edges += block_edges(store, lane) - before;
  }
}

template <int D>
Filter lane_filter(const LayerStore<D>& store, std::uint32_t lane) {
  return store.filtered ? Filter{store.category[lane], store.mask[lane]} : Filter{};
}

template <int D>
void make_filtered(LayerStore<D>& store) {
  if (!store.filtered) {
    for (Array<std::uint32_t>* column : {&store.category, &store.mask}) {
      column->resize_discard(store.body_of.size());
      std::fill(column->begin(), column->end(), ~std::uint32_t{0});
    }
    store.filtered = true;
  }
}

// A new body; its box is sound and there is room.
template <int D>
Result<Id> insert_one(LayerStore<D>& store, const Aabb<D>& box, Filter filter) {
  Result<Id> id = store.ids.insert();
  if (id) {
    if (id->slot >= store.lane_of.size()) {
      store.lane_of.resize(id->slot + std::size_t{1});
    }
    layer_detail::append_stray(store, id->slot, box, filter);
    ++store.bodies;
  }
  return id;
}

}  // namespace

template <int D>
Result<Id> BasicLayer<D>::insert(const Box& box, Filter filter) {
  Id id;
  JUXTA_TRY(insert({&box, 1}, {&id, 1}, {&filter, 1}));
  return id;
}

template <int D>
Result<void> BasicLayer<D>::insert(std::span<const Box> boxes, std::span<Id> ids,
                                   std::span<const Filter> filters) {
  LayerStore<D>& store = *store_;
  if (boxes.size() != ids.size() || (!filters.empty() && filters.size() != boxes.size())) {
    return fail(ErrorCode::kInvalidArgument, "give one Id, and one filter or none at all, for each of the " +
                                                 std::to_string(boxes.size()) + " boxes");
  }
  JUXTA_TRY(check_boxes(boxes));
  constexpr std::size_t kMostLanes = std::size_t{1} << 31;  // spare lanes included, a lane is a u32
  if (store.body_of.size() / 8 * 9 + boxes.size() + 2 * layer_detail::kTailStep > kMostLanes) {
    return fail(ErrorCode::kTooLarge, "a layer with insertions holds at most 2^31 lanes", boxes.size());
  }
  JUXTA_TRY(make_ids(store));
  if (!store.filtered &&
      std::any_of(filters.begin(), filters.end(), [](Filter f) { return f != Filter{}; })) {
    make_filtered(store);
  }
  for (std::size_t first = 0; first < boxes.size();) {
    const std::size_t left = boxes.size() - first;
    // A few at a time, so that many insertions in one call cost as little as the same ones by themselves; a
    // number that exceeds the bodies there are is sorted in once.
    const std::size_t step =
        left > store.bodies / 8 ? left : std::min<std::size_t>(left, layer_detail::kTailStep);
    make_room(store, step);
    for (std::size_t i = first; i < first + step; ++i) {
      JUXTA_TRY_LET(ids[i], insert_one(store, boxes[i], filters.empty() ? Filter{} : filters[i]));
    }
    first += step;
  }
  if (store.lane_end - store.tail_end > layer_detail::kTailStep) {
    make_room(store, 0);
  }
  return {};
}

template <int D>
Result<void> BasicLayer<D>::move(Id id, const Box& box) {
  LayerStore<D>& store = *store_;
  if (!alive(id)) {
    return not_alive(id);
  }
  if (!order_detail::centre_range_reference(&box, 1).sound) {
    Error error = check_boxes(std::span<const Box>(&box, 1)).error();
    error.message = "the new box of " + name_of(id) + ": " + error.message;
    error.index = id.slot;
    return tl::unexpected<Error>(std::move(error));
  }
  const std::uint32_t lane = store.lane_of[id.slot];
  if (near_block(store, lane, box)) {
    store.tree.level[0][lane / kBlockLanes].set(lane % kBlockLanes, layer_detail::without_signed_zeros(box));
    refit_lane(store, lane);
    if (store.edges > layer_detail::kMostLooseness * store.edges_at_sort) {
      layer_detail::sort_again<D>(store, {},
                                  store.body_of.size() > store.bodies ? layer_detail::kTailStep : 0,
                                  store.scratch, serial_executor());
    }
    return {};
  }
  const Filter filter = lane_filter(store, lane);
  clear_lane(store, lane);
  refit_lane(store, lane);
  store.strays -= lane >= store.sorted_end ? 1 : 0;
  store.lane_of[id.slot] = kNoBody;
  make_room(store, 1);
  layer_detail::append_stray(store, id.slot, box, filter);
  return {};
}

template <int D>
Result<void> BasicLayer<D>::remove(Id id) {
  LayerStore<D>& store = *store_;
  if (!alive(id)) {
    return not_alive(id);
  }
  JUXTA_TRY(make_ids(store));
  JUXTA_TRY(store.ids.remove(id));
  const std::uint32_t lane = store.lane_of[id.slot];
  clear_lane(store, lane);
  refit_lane(store, lane);
  store.strays -= lane >= store.sorted_end ? 1 : 0;
  store.lane_of[id.slot] = kNoBody;
  --store.bodies;
  return {};
}

template <int D>
Result<void> BasicLayer<D>::set_filter(Id id, Filter filter) {
  LayerStore<D>& store = *store_;
  if (!alive(id)) {
    return not_alive(id);
  }
  const std::uint32_t lane = store.lane_of[id.slot];
  if (lane_filter(store, lane) != filter) {
    make_filtered(store);
    store.category[lane] = filter.category;
    store.mask[lane] = filter.mask;
  }
  return {};
}

template Result<Id> BasicLayer<2>::insert(const Box&, Filter);
template Result<Id> BasicLayer<3>::insert(const Box&, Filter);
template Result<void> BasicLayer<2>::insert(std::span<const Box>, std::span<Id>, std::span<const Filter>);
template Result<void> BasicLayer<3>::insert(std::span<const Box>, std::span<Id>, std::span<const Filter>);
template Result<void> BasicLayer<2>::move(Id, const Box&);
template Result<void> BasicLayer<3>::move(Id, const Box&);
template Result<void> BasicLayer<2>::remove(Id);
template Result<void> BasicLayer<3>::remove(Id);
template Result<void> BasicLayer<2>::set_filter(Id, Filter);
template Result<void> BasicLayer<3>::set_filter(Id, Filter);

}  // namespace juxta
