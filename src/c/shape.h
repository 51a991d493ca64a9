// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: shapes, places and hits of C and of C++.
#pragma once

#include <cstring>

#include "c/call.h"
#include "c/transform.h"
#include "juxta/c/bodies.h"
#include "juxta/core/try.h"
#include "juxta/shape/bodies.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"

struct juxta_hull {
  juxta::ConvexHull of;
};
struct juxta_mesh {
  juxta::TriangleMesh of;
};
struct juxta_compound {
  juxta::Compound of;
};
struct juxta_height_field {
  juxta::HeightField of;
};

namespace juxta::c_detail {

static_assert(JUXTA_NO_PART == kNoPart);

[[nodiscard]] inline Vec3 cpp_vec(const float* v) noexcept {
  return {v[0], v[1], v[2]};
}
[[nodiscard]] inline Qvvs cpp_place(const juxta_qvvs* at) noexcept {
  return read_one<Qvvs>(at);
}
[[nodiscard]] inline Motion cpp_motion(const juxta_motion& motion) noexcept {
  return {cpp_place(&motion.from), cpp_vec(motion.way), cpp_vec(motion.turn), cpp_vec(motion.pivot)};
}
inline void copy_vec(Vec3 from, float* to) noexcept {
  std::memcpy(to, &from, sizeof(from));
}

/// A shape as C gives it. Null-like: an unknown kind, or a handle that is NULL.
class ShapeOf {
 public:
  explicit ShapeOf(const juxta_shape* given) noexcept;
  [[nodiscard]] explicit operator bool() const noexcept { return known_; }
  [[nodiscard]] const Shape& operator*() const noexcept { return shape_; }

 private:
  template <class Handle>
  void borrow(const Handle* handle) noexcept {
    known_ = handle != nullptr;
    if (known_) {
      shape_ = Shape(handle->of);
    }
  }

  Shape shape_;
  bool known_ = true;
};

/// The error of a shape that is none.
[[nodiscard]] Error unknown_shape(std::uint64_t index = Error::kNowhere);

[[nodiscard]] juxta_surface_hit c_surface_hit(const SurfaceHit& hit, std::uint32_t body = kNoBody) noexcept;
[[nodiscard]] juxta_cast_hit c_cast_hit(const CastHit& hit, std::uint32_t body = kNoBody) noexcept;
[[nodiscard]] juxta_closest_points c_closest(const ClosestPoints& found,
                                             std::uint32_t body = kNoBody) noexcept;
[[nodiscard]] juxta_manifold c_manifold(const Manifold& manifold) noexcept;

}  // namespace juxta::c_detail
