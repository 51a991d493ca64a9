// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Queries about one thing. They cannot fail and allocate nothing.
#include "c/layer.h"
#include "c/layer_rays.h"
#include "juxta/layer/frustum.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"

using namespace juxta::c_detail;

juxta_query_options juxta_default_query_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kQueryOptions),
          juxta_default_filter(),
          nullptr,
          0,
          nullptr,
          nullptr};
}

uint32_t juxta_layer_find_any(const juxta_layer* layer, const float* box,
                              const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(
      *layer, [&](const auto& of) { return find_any(of, box_at<kDimensionsOf<decltype(of)>>(box), *how); });
}

juxta_query_result juxta_layer_find_first(const juxta_layer* layer, const float* box, uint32_t* out,
                                          size_t most, const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(*layer, [&](const auto& of) {
    return result_in_place([&] {
      return find_first(of, box_at<kDimensionsOf<decltype(of)>>(box),
                        answers_or_none<std::uint32_t>(out, most), *how);
    });
  });
}

juxta_query_result juxta_layer_find_all(const juxta_layer* layer, const float* box, uint32_t* out,
                                        size_t most, const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(*layer, [&](const auto& of) {
    return result_in_place([&] {
      return find_all(of, box_at<kDimensionsOf<decltype(of)>>(box), answers_or_none<std::uint32_t>(out, most),
                      *how);
    });
  });
}

size_t juxta_layer_count(const juxta_layer* layer, const float* box, const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(
      *layer, [&](const auto& of) { return count(of, box_at<kDimensionsOf<decltype(of)>>(box), *how); });
}

juxta_query_result juxta_layer_visit(const juxta_layer* layer, const float* box, juxta_body_visitor visitor,
                                     void* user, const juxta_query_options* options) {
  const QueryOf how(options);
  const auto hand = [&](std::uint32_t body) { return visitor(user, body); };
  return with_layer(*layer, [&](const auto& of) {
    return result_in_place([&] { return visit(of, box_at<kDimensionsOf<decltype(of)>>(box), hand, *how); });
  });
}

juxta_ray_hit juxta_layer_raycast_closest(const juxta_layer* layer, const juxta_ray* ray,
                                          const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(*layer, [&](const auto& of) {
    return c_hit(raycast_closest(of, ray_of<kDimensionsOf<decltype(of)>>(*ray), *how));
  });
}

juxta_ray_hit juxta_layer_raycast_any(const juxta_layer* layer, const juxta_ray* ray,
                                      const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(*layer, [&](const auto& of) {
    return c_hit(raycast_any(of, ray_of<kDimensionsOf<decltype(of)>>(*ray), *how));
  });
}

juxta_query_result juxta_layer_raycast_all(const juxta_layer* layer, const juxta_ray* ray, juxta_ray_hit* out,
                                           size_t most, const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(*layer, [&](const auto& of) {
    return result_in_place([&] {
      return raycast_all(of, ray_of<kDimensionsOf<decltype(of)>>(*ray),
                         answers_or_none<juxta::RayHit>(out, most), *how);
    });
  });
}

juxta_query_result juxta_layer_visit_ray(const juxta_layer* layer, const juxta_ray* ray,
                                         juxta_ray_visitor visitor, void* user,
                                         const juxta_query_options* options) {
  const QueryOf how(options);
  const auto hand = [&](juxta::RayHit hit) { return visitor(user, c_hit(hit)); };
  return with_layer(*layer, [&](const auto& of) {
    return result_in_place(
        [&] { return visit_ray(of, ray_of<kDimensionsOf<decltype(of)>>(*ray), hand, *how); });
  });
}

juxta_nearest_hit juxta_layer_nearest(const juxta_layer* layer, const float* point, float max_distance,
                                      const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(*layer, [&](const auto& of) -> juxta_nearest_hit {
    const auto at = read_one<juxta::Vec<kDimensionsOf<decltype(of)>>>(point);
    const juxta::NearestHit hit = nearest(of, at, max_distance, *how);
    return {hit.body, hit.distance2};
  });
}

juxta_query_result juxta_layer_find_in_frustum(const juxta_layer* layer, const float* planes,
                                               size_t plane_count, uint32_t* out, size_t most,
                                               const juxta_query_options* options) {
  const QueryOf how(options);
  return with_layer(*layer, [&](const auto& of) {
    using Plane = juxta::Plane<kDimensionsOf<decltype(of)>>;
    static_assert(alignof(Plane) == alignof(float));
    const std::span<const Plane> sides(reinterpret_cast<const Plane*>(planes), plane_count);
    return result_in_place(
        [&] { return find_in_frustum(of, sides, answers_or_none<std::uint32_t>(out, most), *how); });
  });
}
