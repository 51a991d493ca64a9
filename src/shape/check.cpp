// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "juxta/shape/parts.h"
#include "juxta/shape/shape.h"

namespace juxta {
namespace {

bool finite(float x) noexcept {
  return x * 0 == 0;
}

bool is_rotation(Quat q) noexcept {
  const double x = static_cast<double>(q.x), y = static_cast<double>(q.y);
  const double z = static_cast<double>(q.z), w = static_cast<double>(q.w);
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return length >= 1 - 1e-3 && length <= 1 + 1e-3;
}

bool turns(Quat q) noexcept {
  return q.x != 0 || q.y != 0 || q.z != 0;
}

bool uniform(Vec3 stretch) noexcept {
  return stretch.x == stretch.y && stretch.y == stretch.z;
}

tl::unexpected<Error> not_finite(const char* what) {
  return fail(ErrorCode::kNotFinite, std::string(what) + " must be finite");
}

tl::unexpected<Error> wrong(const char* what) {
  return fail(ErrorCode::kInvalidArgument, what);
}

Result<void> check_place(const Qvvs& at) {
  if (!is_finite(at.rotation) || !is_finite(at.position) || !is_finite(at.stretch) || !finite(at.scale)) {
    return not_finite("rotation, position, stretch and scale of a shape");
  }
  if (!is_rotation(at.rotation)) {
    return wrong("the rotation of a shape must have length 1, within 0.001");
  }
  if (!(at.scale > 0) || !(at.stretch.x > 0 && at.stretch.y > 0 && at.stretch.z > 0)) {
    return wrong("scale and stretch of a shape must be above 0");
  }
  return {};
}

/// Whether a stretch along the axes of `shape` would shear it: then it is no longer of its kind.
bool would_shear(const Shape& shape) noexcept {
  const auto* box = shape.get_if<Box>();
  return box != nullptr && turns(box->rotation);
}

struct CheckKind {
  const Qvvs& at;

  Result<void> operator()(const Sphere& sphere) const {
    if (!is_finite(sphere.center) || !finite(sphere.radius)) {
      return not_finite("centre and radius of a sphere");
    }
    if (!(sphere.radius >= 0)) {
      return wrong("the radius of a sphere must not be below 0");
    }
    return {};
  }
  Result<void> operator()(const Capsule& capsule) const {
    if (!is_finite(capsule.a) || !is_finite(capsule.b) || !finite(capsule.radius)) {
      return not_finite("ends and radius of a capsule");
    }
    if (!(capsule.radius >= 0)) {
      return wrong("the radius of a capsule must not be below 0");
    }
    return {};
  }
  Result<void> operator()(const Box& box) const {
    if (!is_finite(box.center) || !is_finite(box.rotation) || !is_finite(box.half)) {
      return not_finite("centre, rotation and half edges of a box");
    }
    if (!(box.half.x >= 0 && box.half.y >= 0 && box.half.z >= 0)) {
      return wrong("the half edges of a box must not be below 0");
    }
    if (!is_rotation(box.rotation)) {
      return wrong("the rotation of a box must have length 1, within 0.001");
    }
    if (turns(box.rotation) && !uniform(at.stretch)) {
      return wrong(
          "a box that is turned inside its shape can be stretched by the same number on all axes only");
    }
    return {};
  }
  Result<void> operator()(const Triangle& triangle) const {
    if (!is_finite(triangle.a) || !is_finite(triangle.b) || !is_finite(triangle.c)) {
      return not_finite("the corners of a triangle");
    }
    return {};
  }
  Result<void> operator()(const Compound& compound) const {
    for (std::size_t i = 0; i < compound.parts().size() && !uniform(at.stretch); ++i) {
      const Compound::Part& part = compound.parts()[i];
      if (turns(part.at.rotation) || would_shear(part.shape)) {
        return fail(ErrorCode::kInvalidArgument,
                    "a compound with a turned part can be stretched by the same number on all axes only", i);
      }
    }
    return {};
  }
  // What these three hold was checked when they were built.
  Result<void> operator()(const ConvexHull& /*hull*/) const { return {}; }
  Result<void> operator()(const TriangleMesh& /*mesh*/) const { return {}; }
  Result<void> operator()(const HeightField& /*field*/) const { return {}; }
};

}  // namespace

Result<void> check_shape(const Shape& shape, const Qvvs& at) {
  Result<void> place = check_place(at);
  return place ? shape.visit(CheckKind{at}) : place;
}

}  // namespace juxta
