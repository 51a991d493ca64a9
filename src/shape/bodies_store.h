// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what Bodies owns, and how its queries ask.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "juxta/core/array.h"
#include "juxta/shape/bodies.h"
#include "layer/sink.h"
#include "shape/bodies_packets.h"

namespace juxta::shape_detail {

inline constexpr std::size_t kGrain = 64;  // bodies, pairs or blocks a task

struct BodiesStore {
  explicit BodiesStore(std::pmr::memory_resource* resource)
      : bodies(resource), boxes(resource), layer(resource) {}

  Array<Body> bodies;
  Array<Aabb3> boxes;  // scratch of rebuild() and refit(): the layer keeps its own
  Layer layer;
};

[[nodiscard]] BodyRayHit closest_on_ray(const BodiesStore& store, const Ray3& ray,
                                        const QueryOptions& options, layer_detail::SearchWork& work);
[[nodiscard]] BodyRayHit closest_on_ray(const BodiesStore& store, RayPacket& packet, std::size_t ray,
                                        const QueryOptions& options, layer_detail::SearchWork& work);
[[nodiscard]] BodyCastHit closest_on_cast(const BodiesStore& store, const BodyCast& cast,
                                          const QueryOptions& options, layer_detail::SearchWork& work);
[[nodiscard]] BodyDistance nearest_to(const BodiesStore& store, const BodyNear& near,
                                      const QueryOptions& options, layer_detail::SearchWork& work);
/// The box of what is asked with; empty where that is not finite.
[[nodiscard]] Aabb3 asked_box(const Shape& shape, const Qvvs& at);
/// A point where the cast passes; false: it hits nothing.
[[nodiscard]] bool place_of_cast(const BodyCast& cast, Aabb3& place);

/// Keeps the lowest of what is added in `out`: a heap with the highest of them on top.
template <class T, class Less>
class Lowest {
 public:
  Lowest(std::span<T> out, Less less) : out_(out), less_(less) {}

  void add(const T& value) {
    ++found_;
    if (written_ < out_.size()) {
      out_[written_++] = value;
      std::push_heap(out_.begin(), end(), less_);
    } else if (!out_.empty() && less_(value, out_.front())) {
      std::pop_heap(out_.begin(), end(), less_);
      out_.back() = value;
      std::push_heap(out_.begin(), end(), less_);
    }
  }
  /// Puts them in order. No two are equal, or the order would not be known.
  [[nodiscard]] QueryResult finish(const layer_detail::SearchWork& work) {
    std::sort_heap(out_.begin(), end(), less_);
    return {.found = found_, .written = written_, .tested = work.tested, .visited = work.visited};
  }

 private:
  [[nodiscard]] auto end() const { return out_.begin() + static_cast<std::ptrdiff_t>(written_); }

  std::span<T> out_;
  Less less_;
  std::size_t found_ = 0, written_ = 0;
};

}  // namespace juxta::shape_detail
