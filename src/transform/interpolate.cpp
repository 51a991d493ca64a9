// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/interpolate.h"
#include "juxta/core/try.h"

#include <cmath>
#include <cstddef>

#include "transform/spans.h"

namespace juxta {
namespace {

/// One moment between two transforms.
struct Moment {
  float share;   // of the way, from the nearer end and away from it: exact at both ends
  bool from_to;  // which is the nearer one

  explicit Moment(float t) noexcept : share(t < 0.5F ? t : 1 - t), from_to(t >= 0.5F) {}

  [[nodiscard]] float operator()(float a, float b) const noexcept {
    return from_to ? b - (b - a) * share : a + (b - a) * share;
  }
  [[nodiscard]] Vec3 operator()(Vec3 a, Vec3 b) const noexcept {
    return {(*this)(a.x, b.x), (*this)(a.y, b.y), (*this)(a.z, b.z)};
  }
  /// The line never passes near zero: between quaternions at most a quarter turn apart it stays at least
  /// sqrt(1/2) away, and outside of [0, 1] farther than 1.
  [[nodiscard]] Quat operator()(Quat a, Quat b) const noexcept {
    const float dot = (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
    const float side = std::copysign(1.0F, dot);  // a coin toss: no branch
    b = {b.x * side, b.y * side, b.z * side, b.w * side};
    const Quat q = normalized({(*this)(a.x, b.x), (*this)(a.y, b.y), (*this)(a.z, b.z), (*this)(a.w, b.w)});
    return a == b ? a : q;
  }
};

/// t is neither 0 nor 1.
Qvvs between(const Qvvs& from, const Qvvs& to, Moment moment) noexcept {
  const float scale = moment(from.scale, to.scale);
  return {moment(from.rotation, to.rotation), moment(from.position, to.position), to.context,
          moment(from.stretch, to.stretch), scale < 0 ? 0 : scale};
}

}  // namespace

Qvvs interpolate(const Qvvs& from, const Qvvs& to, float t) noexcept {
  if (t == 0 || t == 1) {
    return t == 0 ? from : to;
  }
  return between(from, to, Moment(t));
}

Result<void> interpolate(std::span<const Qvvs> from, std::span<const Qvvs> to, float t, std::span<Qvvs> out,
                         const Context& context) {
  if (!std::isfinite(t)) {
    return fail(ErrorCode::kNotFinite, "t must be finite: 0 is `from`, 1 is `to`");
  }
  JUXTA_TRY(transform_detail::same_length("`to`", to.size(), from.size()));
  JUXTA_TRY(transform_detail::same_length("`out`", out.size(), from.size()));
  executor_or_serial(context.executor)
      .parallel_for(from.size(), transform_detail::kSpanGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          out[i] = interpolate(from[i], to[i], t);
        }
      });
  return {};
}

}  // namespace juxta
