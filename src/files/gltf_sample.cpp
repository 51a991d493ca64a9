// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "files/gltf_scene.h"

namespace juxta {
namespace {

/// Between which keys a time lies, and how far.
struct Span {
  std::size_t key = 0;
  bool between = false;  ///< False: exactly on `key`, before the first, or behind the last.
  double part = 0, seconds = 0;
};

Span find_span(const GltfSampler& sampler, float time) {
  const auto& times = sampler.times;
  if (!(time > times.front())) {  // NaN too
    return {};
  }
  if (time >= times.back()) {
    return {.key = times.size() - 1};
  }
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  const auto key = static_cast<std::size_t>(after - times.begin()) - 1;
  const double seconds = static_cast<double>(*after) - static_cast<double>(times[key]);
  const double passed = static_cast<double>(time) - static_cast<double>(times[key]);
  return {.key = key, .between = passed > 0, .part = passed / seconds, .seconds = seconds};
}

using Four = std::array<double, 4>;

double length(const Four& q) noexcept {
  return std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
}

Four unit(const Four& q) noexcept {
  const double size = length(q);
  return size > 0 ? Four{q[0] / size, q[1] / size, q[2] / size, q[3] / size} : Four{0, 0, 0, 1};
}

Four sum(const Four& a, const Four& b, double of_a, double of_b) noexcept {
  return {a[0] * of_a + b[0] * of_b, a[1] * of_a + b[1] * of_b, a[2] * of_a + b[2] * of_b,
          a[3] * of_a + b[3] * of_b};
}

/// From a to b on the shorter arc. After eight halvings of at most 90 degrees, chord and arc differ by less
/// than float shows.
Four turn(const Four& from, const Four& to, double part) noexcept {
  Four a = unit(from), b = unit(to);
  const double cosine = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
  if (cosine < 0) {
    b = {-b[0], -b[1], -b[2], -b[3]};
  }
  for (int halving = 0; halving < 8; ++halving) {
    const Four middle = unit(sum(a, b, 1, 1));
    part *= 2;
    if (part < 1) {
      b = middle;
    } else {
      a = middle;
      part -= 1;
    }
  }
  return unit(sum(a, b, 1 - part, part));
}

/// The value of a channel at a time: `width` numbers (3 or 4), not rounded yet.
Four value_at(const GltfSampler& sampler, float time, bool rotation) {
  const Span span = find_span(sampler, time);
  const std::size_t width = sampler.width;
  const bool cubic = sampler.interpolation == GltfInterpolation::kCubicSpline;
  const auto read = [&](std::size_t place) {
    Four v{};
    std::copy_n(sampler.values.data() + place * width, width, v.begin());
    return v;
  };
  if (!span.between || sampler.interpolation == GltfInterpolation::kStep) {
    return read(cubic ? span.key * 3 + 1 : span.key);
  }
  const double t = span.part;
  if (!cubic) {
    const Four a = read(span.key), b = read(span.key + 1);
    return rotation ? turn(a, b, t) : sum(a, b, 1 - t, t);
  }
  const std::size_t at = span.key * 3;  // in, value, out; in, value, out
  const double t2 = t * t, t3 = t2 * t;
  const Four values = sum(read(at + 1), read(at + 4), (2 * t3 - 3 * t2) + 1, 3 * t2 - 2 * t3);
  const Four tangents =
      sum(read(at + 2), read(at + 3), ((t3 - 2 * t2) + t) * span.seconds, (t3 - t2) * span.seconds);
  return sum(values, tangents, 1, 1);
}

/// As floats; false when one of them has none (a spline may overshoot).
bool rounded(const Four& v, std::array<float, 4>& out) {
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = static_cast<float>(v[i]);
  }
  return std::all_of(out.begin(), out.end(), [](float x) { return std::isfinite(x); });
}

}  // namespace

void rest(const GltfScene& scene, std::span<LocalTransform> locals, std::span<Vec3> stretches) {
  for (std::size_t i = 0; i < std::min(locals.size(), scene.nodes.size()); ++i) {
    locals[i] = scene.nodes[i].local;
  }
  for (std::size_t i = 0; i < std::min(stretches.size(), scene.nodes.size()); ++i) {
    stretches[i] = scene.nodes[i].stretch;
  }
}

void sample(const GltfScene& scene, const GltfAnimation& animation, float time,
            std::span<LocalTransform> locals, std::span<Vec3> stretches) {
  const std::size_t count = std::min(locals.size(), scene.nodes.size());
  for (const GltfChannel& channel : animation.channels) {
    if (channel.node >= count || channel.path == GltfPath::kWeights) {
      continue;
    }
    const bool rotation = channel.path == GltfPath::kRotation;
    const GltfSampler& sampler = animation.samplers[channel.sampler];
    const Four exact = value_at(sampler, time, rotation);
    std::array<float, 4> v{};
    if (!rounded(rotation ? unit(exact) : exact, v)) {
      const std::size_t per_key = sampler.interpolation == GltfInterpolation::kCubicSpline ? 3 : 1;
      const std::size_t at = find_span(sampler, time).key * per_key + per_key / 2;
      std::copy_n(sampler.values.data() + at * sampler.width, sampler.width, v.begin());
    }
    LocalTransform& local = locals[channel.node];
    if (rotation) {
      local.rotation = {v[0], v[1], v[2], v[3]};
    } else if (channel.path == GltfPath::kTranslation) {
      local.position = {v[0], v[1], v[2]};
    } else {
      const files_detail::SplitScale split = files_detail::split_scale({v[0], v[1], v[2]});
      local.scale = split.scale;
      if (channel.node < stretches.size()) {
        stretches[channel.node] = split.stretch;
      }
    }
  }
}

std::string describe(const GltfScene& scene, const GltfNote& note) {
  std::string text;
  if (note.animation != kGltfNone) {
    const std::string& name = scene.animations[note.animation].name;
    text = files_detail::gltf_label("animation", note.animation, name) + ", ";
  }
  text += note.node == kGltfNone ? "a channel"
                                 : files_detail::gltf_label("node", note.node, scene.nodes[note.node].name);
  switch (note.kind) {
    case GltfNoteKind::kStretchHasChildren:
      return text +
             ": its scale is not uniform or mirrors, and its children take it for their positions only";
    case GltfNoteKind::kRotationNormalised:
      return text + ": its rotation was not of length 1 and was normalised";
    case GltfNoteKind::kAnimatedStretch:
      return text +
             ": a key's scale is not uniform or mirrors, and children take it for their positions only";
    case GltfNoteKind::kAnimatedZeroScale:
      return text + ": a key's scale is 0 and is shown as 2^-20";
    case GltfNoteKind::kChannelSkipped:
      return text + ": a channel without a node or with an unknown path was skipped";
    case GltfNoteKind::kRootHasParent:
      return text + ": " + files_detail::gltf_label("scene", note.scene, scene.scenes[note.scene].name) +
             " lists it as a root, but it has a parent, below which it stays";
  }
  return text;
}

}  // namespace juxta
