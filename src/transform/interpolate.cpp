// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/interpolate.h"

#include <cmath>
#include <cstddef>

#include "transform/spans.h"

namespace juxta {
namespace {

/// From the nearer end: exact at both, and where both are the same number.
float between(float a, float b, float t) noexcept {
  const float step = b - a;
  return t < 0.5F ? a + step * t : b - step * (1 - t);
}

Vec3 between(Vec3 a, Vec3 b, float t) noexcept {
  return {between(a.x, b.x, t), between(a.y, b.y, t), between(a.z, b.z, t)};
}

/// The line never passes near zero: between quaternions at most a quarter turn apart it stays at least
/// sqrt(1/2) away, and outside of [0, 1] farther than 1.
Quat between(Quat a, Quat b, float t) noexcept {
  const float dot = (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
  if (dot < 0) {
    b = {-b.x, -b.y, -b.z, -b.w};
  }
  return normalized({between(a.x, b.x, t), between(a.y, b.y, t), between(a.z, b.z, t), between(a.w, b.w, t)});
}

}  // namespace

Qvvs interpolate(const Qvvs& from, const Qvvs& to, float t) noexcept {
  if (t == 0) {
    return from;
  }
  if (t == 1) {
    return to;
  }
  const float scale = between(from.scale, to.scale, t);
  return {from.rotation == to.rotation ? to.rotation : between(from.rotation, to.rotation, t),
          between(from.position, to.position, t), to.context, between(from.stretch, to.stretch, t),
          scale < 0 ? 0 : scale};
}

Result<void> interpolate(std::span<const Qvvs> from, std::span<const Qvvs> to, float t, std::span<Qvvs> out,
                         const Executor* executor) {
  if (!std::isfinite(t)) {
    return fail(ErrorCode::kNotFinite, "t must be finite: 0 is `from`, 1 is `to`");
  }
  if (auto fits = detail::same_length("`to`", to.size(), from.size()); !fits) {
    return fits;
  }
  if (auto fits = detail::same_length("`out`", out.size(), from.size()); !fits) {
    return fits;
  }
  executor_or_serial(executor).parallel_for(from.size(), detail::kSpanGrain,
                                            [&](std::size_t first, std::size_t last) {
                                              for (std::size_t i = first; i < last; ++i) {
                                                out[i] = interpolate(from[i], to[i], t);
                                              }
                                            });
  return {};
}

}  // namespace juxta
