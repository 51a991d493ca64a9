// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/raycast.h"

#include <algorithm>

#include "layer/batch.h"
#include "layer/far_rays.h"
#include "layer/ray_kernel.h"

namespace juxta {
namespace {

using layer_detail::Access;
using layer_detail::SearchWork;
using layer_detail::view_of;

template <int D>
bool asks(const BasicLayer<D>& layer, const Ray<D>& ray, const QueryOptions& options) {
  return !layer_detail::asks_for_nothing(view_of(layer), options.filter) && layer_detail::is_sound(ray);
}

// Keeps the nearest hits in a heap with the farthest of them on top.
template <int D>
std::size_t nearest_hits(const BasicLayer<D>& layer, const Ray<D>& ray, std::span<RayHit> out,
                         const QueryOptions& options, SearchWork& work) {
  std::size_t found = 0;
  const layer_detail::FarOrder<D> nearer{Access::store(layer), ray};
  layer_detail::hits_however_far<D>(
      Access::store(layer), ray, options,
      [&](RayHit hit) {
        const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(found, out.size()));
        ++found;
        if (end != out.end()) {
          *end = hit;
          std::push_heap(out.begin(), end + 1, nearer);
        } else if (!out.empty() && nearer(hit, out.front())) {
          std::pop_heap(out.begin(), end, nearer);
          out.back() = hit;
          std::push_heap(out.begin(), end, nearer);
        }
        return std::numeric_limits<float>::infinity();
      },
      work);
  const std::size_t written = std::min(found, out.size());
  std::sort_heap(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(written), nearer);
  return found;
}

template <int D>
RayHit any_hit(const BasicLayer<D>& layer, const Ray<D>& ray, const QueryOptions& options, SearchWork& work) {
  if (!layer_detail::leaves_floats<D>(ray)) {
    const RayHit hit = layer_detail::any_on_ray<D>(view_of(layer), ray, options, work);
    if (!hit || hit.t < std::numeric_limits<float>::infinity()) {
      return hit;
    }
  }
  RayHit found;
  const auto each = [&](RayHit hit) {
    found = hit;
    return -1.0F;
  };
  layer_detail::hits_however_far<D>(Access::store(layer), ray, options, each, work);
  return found;
}

// Where ray i starts, or false when it asks for nothing.
template <int D>
auto start_of(std::span<const Ray<D>> rays) {
  return [rays](std::size_t i, Aabb<D>& box) {
    const Ray<D> ray = rays[i];
    box.lo = ray.origin;
    box.hi = ray.origin;
    return layer_detail::is_sound(ray);
  };
}

}  // namespace

template <int D>
RayHit raycast_closest(const BasicLayer<D>& layer, const RayOf<D>& ray, const QueryOptions& options) {
  SearchWork work;
  return asks<D>(layer, ray, options)
             ? layer_detail::closest_however_far<D>(Access::store(layer), ray, options, work).hit
             : RayHit{};
}

template <int D>
RayHit raycast_any(const BasicLayer<D>& layer, const RayOf<D>& ray, const QueryOptions& options) {
  SearchWork work;
  return asks<D>(layer, ray, options) ? any_hit<D>(layer, ray, options, work) : RayHit{};
}

template <int D>
QueryResult raycast_all(const BasicLayer<D>& layer, const RayOf<D>& ray, std::span<RayHit> out,
                        const QueryOptions& options) {
  SearchWork work;
  if (!asks<D>(layer, ray, options)) {
    return {};
  }
  const std::size_t found = nearest_hits<D>(layer, ray, out, options, work);
  return {
      .found = found, .written = std::min(found, out.size()), .tested = work.tested, .visited = work.visited};
}

template <int D>
QueryResult visit_ray(const BasicLayer<D>& layer, const RayOf<D>& ray, FunctionRef<float(RayHit)> visitor,
                      const QueryOptions& options) {
  SearchWork work;
  std::size_t found = 0;
  if (asks<D>(layer, ray, options)) {
    const auto each = [&](RayHit hit) {
      ++found;
      return visitor(hit);
    };
    layer_detail::hits_however_far<D>(Access::store(layer), ray, options, each, work);
  }
  return {.found = found, .written = found, .tested = work.tested, .visited = work.visited};
}

template <int D>
Result<QueryResult> raycast_closest(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                    std::span<RayHit> out, const BatchOptions& options,
                                    const Context& context) {
  return layer_detail::answer_each<D>(
      layer, rays, out, options, context, start_of<D>(rays),
      [&](const Ray<D>& ray, const QueryOptions& own, SearchWork& work) {
        return layer_detail::closest_however_far<D>(Access::store(layer), ray, own, work).hit;
      });
}

template <int D>
Result<QueryResult> raycast_any(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                std::span<RayHit> out, const BatchOptions& options, const Context& context) {
  return layer_detail::answer_each<D>(layer, rays, out, options, context, start_of<D>(rays),
                                      [&](const Ray<D>& ray, const QueryOptions& own, SearchWork& work) {
                                        return any_hit<D>(layer, ray, own, work);
                                      });
}

// First how many hits each ray has, then each into its place.
template <int D>
Result<QueryResult> raycast_all(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                std::span<std::size_t> offsets, std::span<RayHit> out,
                                const BatchOptions& options, const Context& context) {
  if (offsets.size() != rays.size() + 1) {
    return fail(ErrorCode::kInvalidArgument,
                "offsets must be one longer than the " + std::to_string(rays.size()) + " rays");
  }
  JUXTA_TRY(layer_detail::check_batch(rays.size(), rays.size(), options));
  std::fill(offsets.begin(), offsets.end(), std::size_t{0});
  if (layer_detail::asks_for_nothing(view_of(layer), options.filter)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  const auto ask = [&](auto&& answer) {
    return layer_detail::ask_all<D>(view_of(layer), rays.size(), options, *workspace, context.executor,
                                    start_of<D>(rays), answer);
  };
  QueryResult result = ask([&](std::uint32_t ray, const QueryOptions& own, SearchWork& work) {
    return offsets[ray + 1] = nearest_hits<D>(layer, rays[ray], {}, own, work);
  });
  for (std::size_t i = 0; i < rays.size(); ++i) {
    offsets[i + 1] += offsets[i];
  }
  const QueryResult second =
      ask([&](std::uint32_t ray, const QueryOptions& own, SearchWork& work) -> std::size_t {
        const std::size_t first = std::min(offsets[ray], out.size()),
                          last = std::min(offsets[ray + 1], out.size());
        return first < last ? nearest_hits<D>(layer, rays[ray], out.subspan(first, last - first), own, work)
                            : 0;
      });
  result.written = std::min(result.found, out.size());
  result.tested += second.tested;
  result.visited += second.visited;
  return result;
}

#define JUXTA_INSTANTIATE(D)                                                                              \
  template JUXTA_API RayHit raycast_closest(const BasicLayer<D>&, const RayOf<D>&, const QueryOptions&);  \
  template JUXTA_API RayHit raycast_any(const BasicLayer<D>&, const RayOf<D>&, const QueryOptions&);      \
  template JUXTA_API QueryResult raycast_all(const BasicLayer<D>&, const RayOf<D>&, std::span<RayHit>,    \
                                             const QueryOptions&);                                        \
  template JUXTA_API QueryResult visit_ray(const BasicLayer<D>&, const RayOf<D>&,                         \
                                           FunctionRef<float(RayHit)>, const QueryOptions&);              \
  template JUXTA_API Result<QueryResult> raycast_closest(const BasicLayer<D>&, std::span<const RayOf<D>>, \
                                                         std::span<RayHit>, const BatchOptions&,          \
                                                         const Context&);                                 \
  template JUXTA_API Result<QueryResult> raycast_any(const BasicLayer<D>&, std::span<const RayOf<D>>,     \
                                                     std::span<RayHit>, const BatchOptions&,              \
                                                     const Context&);                                     \
  template JUXTA_API Result<QueryResult> raycast_all(const BasicLayer<D>&, std::span<const RayOf<D>>,     \
                                                     std::span<std::size_t>, std::span<RayHit>,           \
                                                     const BatchOptions&, const Context&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
