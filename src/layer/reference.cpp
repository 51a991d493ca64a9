// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/reference.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

namespace juxta::layer_detail {
namespace {

bool takes_part(std::span<const std::uint8_t> only, std::size_t bodies, std::size_t body) noexcept {
  return only.empty() || (only.size() == bodies && only[body] != 0);
}

template <int D>
std::vector<std::uint32_t> chosen(const ReferenceBodies<D>& bodies, std::span<const std::uint8_t> only) {
  std::vector<std::uint32_t> list;
  for (std::size_t i = 0; i < bodies.boxes.size(); ++i) {
    if (bodies.lives(i) && takes_part(only, bodies.boxes.size(), i)) {
      list.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return list;
}

/// The numbers of the living bodies that the options let pass and `touches` says yes to.
template <int D, class Touches>
std::vector<std::uint32_t> bodies_where(const ReferenceBodies<D>& bodies, const QueryOptions& options,
                                        Touches touches) {
  std::vector<std::uint32_t> found = chosen(bodies, {});
  std::erase_if(found, [&](std::uint32_t body) {
    const bool ignored =
        std::find(options.ignore.begin(), options.ignore.end(), body) != options.ignore.end();
    return ignored || (options.accept && !options.accept(body)) ||
           !bodies.filter(body).meets(options.filter) || !touches(bodies.boxes[body]);
  });
  return found;
}

}  // namespace

template <int D>
std::vector<Pair> pairs_reference(const ReferenceBodies<D>& bodies, std::span<const std::uint8_t> only) {
  const std::vector<std::uint32_t> list = chosen(bodies, only);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Aabb<D>& box = bodies.boxes[list[i]];
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      if (box.overlaps(bodies.boxes[list[j]]) && bodies.filter(list[i]).meets(bodies.filter(list[j]))) {
        pairs.push_back({list[i], list[j]});
      }
    }
  }
  return pairs;
}

template <int D>
std::vector<Pair> pairs_reference(const ReferenceBodies<D>& a, const ReferenceBodies<D>& b,
                                  std::span<const std::uint8_t> only_a,
                                  std::span<const std::uint8_t> only_b) {
  const std::vector<std::uint32_t> list_a = chosen(a, only_a), list_b = chosen(b, only_b);
  std::vector<Pair> pairs;
  for (const std::uint32_t i : list_a) {
    for (const std::uint32_t j : list_b) {
      if (a.boxes[i].overlaps(b.boxes[j]) && a.filter(i).meets(b.filter(j))) {
        pairs.push_back({i, j});
      }
    }
  }
  return pairs;
}

template <int D>
std::vector<std::uint32_t> find_all_reference(const ReferenceBodies<D>& bodies, const BoxOf<D>& box,
                                              const QueryOptions& options) {
  if (box.empty()) {  // an inverted box could still lie inside a body by overlaps() alone
    return {};
  }
  return bodies_where(bodies, options, [&](const Aabb<D>& body) { return body.overlaps(box); });
}

template <int D>
bool find_any_reference(const ReferenceBodies<D>& bodies, const BoxOf<D>& box, const QueryOptions& options) {
  return !find_all_reference(bodies, box, options).empty();
}

template <int D>
bool ray_is_sound(const Ray<D>& ray) noexcept {
  for (int axis = 0; axis < D; ++axis) {
    if (!std::isfinite(ray.origin[axis]) || !std::isfinite(ray.direction[axis])) {
      return false;
    }
  }
  return ray.max >= 0;
}

namespace {

// In the arithmetic of T; below 0: nowhere.
template <class T, int D>
double ray_enters_in(const Ray<D>& ray, const Aabb<D>& box) noexcept {
  T enter = 0, leave = ray.max;
  for (int axis = 0; axis < D; ++axis) {
    const T from = ray.origin[axis], way = ray.direction[axis];
    if (way == 0) {  // parallel: the slab is crossed everywhere or nowhere
      if (!(box.lo[axis] <= ray.origin[axis] && ray.origin[axis] <= box.hi[axis])) {
        return -1;
      }
      continue;
    }
    const auto t = [&](T side) {  // float has no time for divisions
      return std::is_same_v<T, float> ? (side - from) * (1 / way) : (side - from) / way;
    };
    enter = std::max(enter, std::min(t(box.lo[axis]), t(box.hi[axis])));
    leave = std::min(leave, std::max(t(box.lo[axis]), t(box.hi[axis])));
  }
  return enter <= leave ? static_cast<double>(enter) : -1;
}

template <int D>
bool fits_floats(const Ray<D>& ray) noexcept {
  for (int axis = 0; axis < D; ++axis) {
    const float way = std::fabs(ray.direction[axis]);
    if (std::fabs(ray.origin[axis]) > 0x1p102F || (way != 0 && (way < 0x1p-127F || way > 0x1p60F))) {
      return false;
    }
  }
  return true;
}

}  // namespace

template <int D>
double ray_enters(const Ray<D>& ray, const BoxOf<D>& box) noexcept {
  const double t = fits_floats(ray) ? ray_enters_in<float, D>(ray, box) : ray_enters_in<double, D>(ray, box);
  return std::isinf(t) ? ray_enters_in<double, D>(ray, box) : t;
}

template <int D>
std::vector<RayHit> raycast_all_reference(const ReferenceBodies<D>& bodies, const RayOf<D>& ray,
                                          const QueryOptions& options) {
  if (!ray_is_sound(ray)) {
    return {};
  }
  std::vector<std::pair<double, RayHit>> entered;
  for (const std::uint32_t body :
       bodies_where(bodies, options, [&](const Aabb<D>& box) { return ray_enters(ray, box) >= 0; })) {
    const double t = ray_enters(ray, bodies.boxes[body]);
    const auto rounded = static_cast<float>(t);
    entered.push_back({std::isinf(rounded) ? t : static_cast<double>(rounded), {body, rounded}});
  }
  std::stable_sort(entered.begin(), entered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<RayHit> hits;
  hits.reserve(entered.size());
  for (const auto& [t, hit] : entered) {
    hits.push_back(hit);
  }
  return hits;
}

template <int D>
RayHit raycast_closest_reference(const ReferenceBodies<D>& bodies, const RayOf<D>& ray,
                                 const QueryOptions& options) {
  const std::vector<RayHit> hits = raycast_all_reference(bodies, ray, options);
  return hits.empty() ? RayHit{} : hits.front();
}

template <int D>
bool raycast_any_reference(const ReferenceBodies<D>& bodies, const RayOf<D>& ray,
                           const QueryOptions& options) {
  return !raycast_all_reference(bodies, ray, options).empty();
}

template <int D>
float distance2(const Aabb<D>& box, const PointOf<D>& point) noexcept {
  float sum = 0;
  for (std::size_t axis = 0; axis < D; ++axis) {
    const float below = box.lo[axis] - point[axis], above = point[axis] - box.hi[axis];
    const float d = std::max(std::max(below, 0.0F), above);
    sum += d * d;
  }
  return sum;
}

template <int D>
NearestHit nearest_reference(const ReferenceBodies<D>& bodies, const PointOf<D>& point, float max_distance,
                             const QueryOptions& options) {
  NearestHit nearest;
  if (!is_finite(point) || !(max_distance >= 0)) {
    return nearest;
  }
  // Where the least square is beyond float, once more with all lengths scaled.
  for (const float scale : {1.0F, 0x1p-66F}) {
    const float most = (max_distance * scale) * (max_distance * scale);
    float least = std::numeric_limits<float>::infinity();
    nearest = {};
    for (const std::uint32_t body : bodies_where(bodies, options, [](const Aabb<D>&) { return true; })) {
      Aabb<D> box = bodies.boxes[body];
      Vec<D> from = point;
      for (int axis = 0; axis < D; ++axis) {
        box.lo[axis] *= scale;
        box.hi[axis] *= scale;
        from[static_cast<std::size_t>(axis)] *= scale;
      }
      const float d2 = distance2(box, from);
      if (d2 <= most && (!nearest || d2 < least)) {
        least = d2;
        nearest = {body, scale < 1 ? std::numeric_limits<float>::infinity() : d2};
      }
    }
    if (!nearest || least < std::numeric_limits<float>::infinity()) {
      break;
    }
  }
  return nearest;
}

template <int D>
std::vector<std::uint32_t> find_in_frustum_reference(const ReferenceBodies<D>& bodies,
                                                     std::span<const Plane<D>> planes,
                                                     const QueryOptions& options) {
  return bodies_where(bodies, options, [&](const Aabb<D>& box) {
    return std::all_of(planes.begin(), planes.end(), [&](const Plane<D>& plane) {
      const auto term = [&](int axis) {
        return plane.normal[axis] * (plane.normal[axis] >= 0 ? box.hi[axis] : box.lo[axis]);
      };
      float sum = term(0);
      for (int axis = 1; axis < D; ++axis) {
        sum += term(axis);
      }
      return sum + plane.offset >= 0;  // false for NaN
    });
  });
}

#define JUXTA_INSTANTIATE(D)                                                                                \
  template std::vector<Pair> pairs_reference(const ReferenceBodies<D>&, std::span<const std::uint8_t>);     \
  template std::vector<Pair> pairs_reference(const ReferenceBodies<D>&, const ReferenceBodies<D>&,          \
                                             std::span<const std::uint8_t>, std::span<const std::uint8_t>); \
  template std::vector<std::uint32_t> find_all_reference(const ReferenceBodies<D>&, const Aabb<D>&,         \
                                                         const QueryOptions&);                              \
  template bool find_any_reference(const ReferenceBodies<D>&, const Aabb<D>&, const QueryOptions&);         \
  template bool ray_is_sound(const Ray<D>&) noexcept;                                                       \
  template double ray_enters(const Ray<D>&, const Aabb<D>&) noexcept;                                       \
  template std::vector<RayHit> raycast_all_reference(const ReferenceBodies<D>&, const Ray<D>&,              \
                                                     const QueryOptions&);                                  \
  template RayHit raycast_closest_reference(const ReferenceBodies<D>&, const Ray<D>&, const QueryOptions&); \
  template bool raycast_any_reference(const ReferenceBodies<D>&, const Ray<D>&, const QueryOptions&);       \
  template float distance2(const Aabb<D>&, const Vec<D>&) noexcept;                                         \
  template NearestHit nearest_reference(const ReferenceBodies<D>&, const Vec<D>&, float, const QueryOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

// Apart, since the linter reads `const Plane<D>` as an argument without its parentheses.
using Bodies = std::vector<std::uint32_t>;
template Bodies find_in_frustum_reference(const ReferenceBodies<2>&, std::span<const Plane2>,
                                          const QueryOptions&);
template Bodies find_in_frustum_reference(const ReferenceBodies<3>&, std::span<const Plane3>,
                                          const QueryOptions&);

}  // namespace juxta::layer_detail
