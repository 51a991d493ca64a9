// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many queries at once.
#include <algorithm>

#include "c/layer.h"
#include "c/layer_rays.h"
#include "juxta/layer/frustum.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"

namespace juxta::c_detail {
namespace {

// Calls ask(layer, options, call), which gives a Result<QueryResult>, for `count` queries.
template <class F>
juxta_status ask_many(const juxta_layer* layer, std::size_t count, const juxta_batch_options* given,
                      const juxta_context* context, juxta_query_result* result, juxta_error* error, F&& ask) {
  return guarded(error, [&] {
    return with_layer(*layer, [&](const auto& of) -> Result<void> {
      const CallContext call(context);
      JUXTA_TRY(call.check());
      const BatchOf how(given, count);
      JUXTA_TRY(how.check());
      JUXTA_TRY_LET(const QueryResult found, ask(of, *how, call));
      store(found, result);
      return {};
    });
  });
}

// Rays of the layer's dimension: in 3D as they are, where they are packed.
template <int D>
Result<std::span<const Ray<D>>> rays_of(const juxta_ray* rays, std::size_t stride, std::size_t count,
                                        const CallContext& call) {
  if constexpr (D == 3) {
    return packed<Ray3>(rays, stride, count, call.workspace());
  } else {
    JUXTA_TRY_LET(const std::span<const juxta_ray> given,
                  packed<juxta_ray>(rays, stride, count, call.workspace()));
    const std::span<Ray<D>> flat = call.workspace().take<Ray<D>>(count);
    std::transform(given.begin(), given.end(), flat.begin(), ray_of<D>);
    return std::span<const Ray<D>>(flat);
  }
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using Found = juxta::Result<juxta::QueryResult>;

juxta_batch_options juxta_default_batch_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kBatchOptions),
          juxta_default_filter(),
          nullptr,
          nullptr,
          nullptr,
          false};
}

juxta_status juxta_layer_find_any_batch(const juxta_layer* layer, const float* boxes, size_t stride,
                                        size_t count, uint32_t* out, const juxta_batch_options* options,
                                        const juxta_context* context, juxta_query_result* result,
                                        juxta_error* error) {
  return ask_many(layer, count, options, context, result, error,
                  [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
                    JUXTA_TRY_LET(const auto given,
                                  boxes_of<kDimensionsOf<decltype(of)>>(boxes, stride, count, call));
                    JUXTA_TRY_LET(const auto to, answers<std::uint32_t>(out, count));
                    return find_any(of, given, to, how, *call);
                  });
}

juxta_status juxta_layer_find_all_batch(const juxta_layer* layer, const float* boxes, size_t stride,
                                        size_t count, juxta_pair* out, size_t most,
                                        const juxta_batch_options* options, const juxta_context* context,
                                        juxta_query_result* result, juxta_error* error) {
  return ask_many(layer, count, options, context, result, error,
                  [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
                    JUXTA_TRY_LET(const auto given,
                                  boxes_of<kDimensionsOf<decltype(of)>>(boxes, stride, count, call));
                    JUXTA_TRY_LET(const auto to, answers<juxta::Pair>(out, most));
                    return find_all(of, given, to, how, *call);
                  });
}

juxta_status juxta_layer_find_first_batch(const juxta_layer* layer, const float* boxes, size_t stride,
                                          size_t count, size_t most, uint32_t* out, uint32_t* counts,
                                          const juxta_batch_options* options, const juxta_context* context,
                                          juxta_query_result* result, juxta_error* error) {
  return ask_many(
      layer, count, options, context, result, error,
      [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
        JUXTA_TRY_LET(const auto given, boxes_of<kDimensionsOf<decltype(of)>>(boxes, stride, count, call));
        if (most != 0 && count > SIZE_MAX / most) {
          return juxta::fail(juxta::ErrorCode::kTooLarge, "count times most is beyond the address space");
        }
        JUXTA_TRY_LET(const auto to, answers<std::uint32_t>(out, count * most));
        JUXTA_TRY_LET(const auto numbers, answers<std::uint32_t>(counts, count));
        return find_first(of, given, most, to, numbers, how, *call);
      });
}

juxta_status juxta_layer_count_batch(const juxta_layer* layer, const float* boxes, size_t stride,
                                     size_t count, uint32_t* counts, const juxta_batch_options* options,
                                     const juxta_context* context, juxta_query_result* result,
                                     juxta_error* error) {
  return ask_many(
      layer, count, options, context, result, error,
      [&, n = count](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
        JUXTA_TRY_LET(const auto given, boxes_of<kDimensionsOf<decltype(of)>>(boxes, stride, n, call));
        JUXTA_TRY_LET(const auto to, answers<std::uint32_t>(counts, n));
        return juxta::count(of, given, to, how, *call);
      });
}

juxta_status juxta_layer_raycast_closest_batch(const juxta_layer* layer, const juxta_ray* rays, size_t stride,
                                               size_t count, juxta_ray_hit* out,
                                               const juxta_batch_options* options,
                                               const juxta_context* context, juxta_query_result* result,
                                               juxta_error* error) {
  return ask_many(layer, count, options, context, result, error,
                  [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
                    JUXTA_TRY_LET(const auto given,
                                  rays_of<kDimensionsOf<decltype(of)>>(rays, stride, count, call));
                    JUXTA_TRY_LET(const auto to, answers<juxta::RayHit>(out, count));
                    return raycast_closest(of, given, to, how, *call);
                  });
}

juxta_status juxta_layer_raycast_any_batch(const juxta_layer* layer, const juxta_ray* rays, size_t stride,
                                           size_t count, juxta_ray_hit* out,
                                           const juxta_batch_options* options, const juxta_context* context,
                                           juxta_query_result* result, juxta_error* error) {
  return ask_many(layer, count, options, context, result, error,
                  [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
                    JUXTA_TRY_LET(const auto given,
                                  rays_of<kDimensionsOf<decltype(of)>>(rays, stride, count, call));
                    JUXTA_TRY_LET(const auto to, answers<juxta::RayHit>(out, count));
                    return raycast_any(of, given, to, how, *call);
                  });
}

juxta_status juxta_layer_raycast_all_batch(const juxta_layer* layer, const juxta_ray* rays, size_t stride,
                                           size_t count, size_t* offsets, juxta_ray_hit* out, size_t most,
                                           const juxta_batch_options* options, const juxta_context* context,
                                           juxta_query_result* result, juxta_error* error) {
  return ask_many(layer, count, options, context, result, error,
                  [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
                    JUXTA_TRY_LET(const auto given,
                                  rays_of<kDimensionsOf<decltype(of)>>(rays, stride, count, call));
                    JUXTA_TRY_LET(const auto starts, answers<std::size_t>(offsets, count + 1));
                    JUXTA_TRY_LET(const auto to, answers<juxta::RayHit>(out, most));
                    return raycast_all(of, given, starts, to, how, *call);
                  });
}

juxta_status juxta_layer_nearest_batch(const juxta_layer* layer, const float* points, size_t stride,
                                       size_t count, float max_distance, juxta_nearest_hit* out,
                                       const juxta_batch_options* options, const juxta_context* context,
                                       juxta_query_result* result, juxta_error* error) {
  return ask_many(layer, count, options, context, result, error,
                  [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
                    using Point = juxta::Vec<kDimensionsOf<decltype(of)>>;
                    JUXTA_TRY_LET(const auto given, packed<Point>(points, stride, count, call.workspace()));
                    JUXTA_TRY_LET(const auto to, answers<juxta::NearestHit>(out, count));
                    return nearest(of, given, max_distance, to, how, *call);
                  });
}

juxta_status juxta_layer_find_in_frustum_batch(const juxta_layer* layer, const float* planes,
                                               size_t plane_count, size_t count, juxta_pair* out, size_t most,
                                               const juxta_batch_options* options,
                                               const juxta_context* context, juxta_query_result* result,
                                               juxta_error* error) {
  return ask_many(layer, count, options, context, result, error,
                  [&](const auto& of, const juxta::BatchOptions& how, const CallContext& call) -> Found {
                    using Plane = juxta::Plane<kDimensionsOf<decltype(of)>>;
                    if (plane_count != 0 && count > SIZE_MAX / plane_count) {
                      return juxta::fail(juxta::ErrorCode::kTooLarge,
                                         "count times plane_count is beyond the address space");
                    }
                    JUXTA_TRY_LET(const std::span<const Plane> all,
                                  packed<Plane>(planes, 0, count * plane_count, call.workspace()));
                    JUXTA_TRY_LET(const auto to, answers<juxta::Pair>(out, most));
                    const std::span<std::span<const Plane>> frustums =
                        call.workspace().template take<std::span<const Plane>>(count);
                    for (std::size_t i = 0; i < count; ++i) {
                      frustums[i] = plane_count == 0 ? std::span<const Plane>()
                                                     : all.subspan(i * plane_count, plane_count);
                    }
                    return find_in_frustum(of, frustums, to, how, *call);
                  });
}
