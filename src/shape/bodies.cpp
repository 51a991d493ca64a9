// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/shape/bodies.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "juxta/core/executor.h"
#include "juxta/core/try.h"
#include "shape/bodies_store.h"

namespace juxta {
namespace {

constexpr std::size_t kBodiesPerTask = 1024;

// The boxes of `count` bodies, where body_at(i) is body i. Errors: the first body that is refused.
template <class BodyAt>
Result<void> make_boxes(Array<Aabb3>& boxes, std::size_t count, const Executor* executor,
                        const BodyAt& body_at) {
  boxes.resize_discard(count);
  std::atomic<std::size_t> refused{count};
  executor_or_serial(executor).parallel_for(count, kBodiesPerTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Body body = body_at(i);
      if (!check_shape(body.shape, body.at)) {
        std::size_t lowest = refused.load(std::memory_order_relaxed);
        while (i < lowest && !refused.compare_exchange_weak(lowest, i, std::memory_order_relaxed)) {
        }
        return;
      }
      boxes[i] = bounds_of(body.shape, body.at);
    }
  });
  if (const std::size_t i = refused.load(); i < count) {
    const Body body = body_at(i);
    Error error = check_shape(body.shape, body.at).error();
    error.message = "body " + std::to_string(i) + ": " + error.message;
    error.index = i;
    return tl::unexpected<Error>(std::move(error));
  }
  return {};
}

}  // namespace

Bodies::Bodies(std::pmr::memory_resource* resource)
    : store_(make_owned<shape_detail::BodiesStore>(resource)) {}

Result<void> Bodies::rebuild(std::span<const Body> bodies, const LayerOptions& options,
                             const Context& context) {
  shape_detail::BodiesStore& store = *store_;
  const auto body_at = [&](std::size_t i) { return bodies[i]; };
  JUXTA_TRY(make_boxes(store.boxes, bodies.size(), context.executor, body_at));
  JUXTA_TRY(store.layer.rebuild(store.boxes.span(), options, context));
  store.bodies.resize_discard(bodies.size());
  std::copy(bodies.begin(), bodies.end(), store.bodies.begin());
  return {};
}

Result<void> Bodies::refit(std::span<const Qvvs> at, const Context& context) {
  shape_detail::BodiesStore& store = *store_;
  if (at.size() != store.bodies.size()) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(at.size()) + " places for " +
                                                 std::to_string(store.bodies.size()) +
                                                 " bodies: give one for each");
  }
  const auto body_at = [&](std::size_t i) { return Body{store.bodies[i].shape, at[i]}; };
  JUXTA_TRY(make_boxes(store.boxes, at.size(), context.executor, body_at));
  JUXTA_TRY(store.layer.refit(store.boxes.span(), context));
  for (std::size_t i = 0; i < at.size(); ++i) {
    store.bodies[i].at = at[i];
  }
  return {};
}

std::size_t Bodies::size() const noexcept {
  return store_->bodies.size();
}
const Body& Bodies::body(std::uint32_t index) const noexcept {
  return store_->bodies[index];
}
const Layer& Bodies::layer() const noexcept {
  return store_->layer;
}

}  // namespace juxta
