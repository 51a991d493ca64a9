// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/points/point_tree.h"

#include <type_traits>

#include "core/call_workspace.h"
#include "juxta/core/isa.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "points/layout.h"
#include "points/store.h"

namespace juxta {
namespace {

tl::unexpected<Error> cancelled() {
  return fail(ErrorCode::kCancelled, "building the tree of points was cancelled");
}

}  // namespace

template <int D, class Real>
BasicPointTree<D, Real>::BasicPointTree(std::pmr::memory_resource* resource)
    : store_(make_owned<points_detail::PointStore<D, Real>>(resource)) {}

template <int D, class Real>
Result<BasicPointTree<D, Real>> BasicPointTree<D, Real>::build(std::span<const Real> coordinates,
                                                               const PointSpace<D, Real>& space,
                                                               const Context& context,
                                                               std::pmr::memory_resource* resource) {
  BasicPointTree tree(resource);
  JUXTA_TRY(tree.rebuild(coordinates, space, context));
  return tree;
}

template <int D, class Real>
Result<void> BasicPointTree<D, Real>::rebuild(std::span<const Real> coordinates,
                                              const PointSpace<D, Real>& space, const Context& context) {
  points_detail::PointStore<D, Real>& store = *store_;
  store.view = {};
  const Executor& executor = executor_or_serial(context.executor);
  const CallWorkspace call(context);
  JUXTA_TRY(active_isa());
  JUXTA_TRY(points_detail::check_space(space));
  if (!report(context.monitor, "check points", 0, 2)) {
    return cancelled();
  }
  JUXTA_TRY_LET(const auto placed, points_detail::place(coordinates, space, "point", *call, executor));
  if (!report(context.monitor, "sort points", 1, 2)) {
    return cancelled();
  }
  const std::size_t points = placed.at.size() / D;
  const std::size_t blocks = (points + kBlockLanes - 1) / kBlockLanes;
  store.blocks.resize_discard(blocks);
  store.number.resize_discard(blocks * kBlockLanes);
  store.nodes.resize_discard(plan_block_tree(blocks).total);
  store.exact.resize_discard(std::is_same_v<Real, double> ? points * D : 0);
  store.space = space;
  store.frame = points_detail::frame_of(placed);
  store.view = points_detail::lay_out(placed, store.frame,
                                      {store.blocks.data(), store.number.data(), store.nodes.data(),
                                       std::is_same_v<Real, double> ? store.exact.data() : nullptr},
                                      *call, executor);
  (void)report(context.monitor, "sort points", 2, 2);
  return {};
}

template <int D, class Real>
std::size_t BasicPointTree<D, Real>::size() const noexcept {
  return store_->view.count;
}
template <int D, class Real>
const PointSpace<D, Real>& BasicPointTree<D, Real>::space() const noexcept {
  return store_->space;
}
template <int D, class Real>
std::size_t BasicPointTree<D, Real>::memory_bytes() const noexcept {
  return store_->blocks.memory_bytes() + store_->number.memory_bytes() + store_->nodes.memory_bytes() +
         store_->exact.memory_bytes();
}

template class BasicPointTree<2, float>;
template class BasicPointTree<3, float>;
template class BasicPointTree<2, double>;
template class BasicPointTree<3, double>;

}  // namespace juxta
