// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/raycast.h"

#include <algorithm>

#include "layer/batch.h"
#include "layer/far_rays.h"
#include "layer/ray_kernel.h"

namespace juxta {
namespace {

using layer_detail::SearchWork;

template <int D>
bool asks(const BasicLayer<D>& layer, const Ray<D>& ray, Filter filter) {
  return !layer_detail::asks_for_nothing(layer.store().view(), filter) && layer_detail::is_sound(ray);
}

// Keeps the nearest hits in a heap with the farthest of them on top.
template <int D>
std::size_t nearest_hits(const BasicLayer<D>& layer, const Ray<D>& ray, std::span<RayHit> out, Filter filter,
                         SearchWork& work) {
  std::size_t found = 0;
  const layer_detail::FarOrder<D> nearer{layer.store(), ray};
  layer_detail::hits_however_far<D>(
      layer.store(), ray, filter,
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
RayHit any_hit(const BasicLayer<D>& layer, const Ray<D>& ray, Filter filter, SearchWork& work) {
  if (!layer_detail::leaves_floats<D>(ray)) {
    const RayHit hit = layer_detail::any_on_ray<D>(layer.store().view(), ray, filter, work);
    if (!hit || hit.t < std::numeric_limits<float>::infinity()) {
      return hit;
    }
  }
  RayHit found;
  const auto each = [&](RayHit hit) {
    found = hit;
    return -1.0F;
  };
  layer_detail::hits_however_far<D>(layer.store(), ray, filter, each, work);
  return found;
}

// Rays that ask for something, ordered by where they start.
template <int D>
layer_detail::SortedQueries<D> sort_rays(std::span<const Ray<D>> rays, Workspace& workspace,
                                         const Executor* executor) {
  return layer_detail::sort_queries<D>(rays.size(), workspace, executor, [&](std::size_t i, Aabb<D>& box) {
    box.lo = rays[i].origin;
    box.hi = rays[i].origin;
    return layer_detail::is_sound(rays[i]);
  });
}

// out[i] = answer(rays[i], work)
template <int D, class Answer>
Result<QueryResult> answer_each(const BasicLayer<D>& layer, std::span<const Ray<D>> rays,
                                Workspace& workspace, std::span<RayHit> out, const BatchOptions& options,
                                Answer&& answer) {
  if (rays.size() != out.size()) {
    return layer_detail::unlike_lengths(rays.size(), out.size());
  }
  std::fill(out.begin(), out.end(), RayHit{});
  if (layer_detail::asks_for_nothing(layer.store().view(), options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  const auto queries = sort_rays(rays, workspace, options.executor);
  layer_detail::SharedWork total;
  executor_or_serial(options.executor)
      .parallel_for(queries.order.size(), layer_detail::kBatchGrain,
                    [&](std::size_t first, std::size_t last) {
                      SearchWork work;
                      std::size_t found = 0;
                      for (std::size_t i = first; i < last; ++i) {
                        const std::uint32_t query = queries.query[queries.order[i]];
                        out[query] = answer(rays[query], work);
                        found += out[query] ? 1 : 0;
                      }
                      total.add(work, found);
                    });
  QueryResult result = total.result();
  result.written = out.size();
  return result;
}

}  // namespace

template <int D>
RayHit raycast_closest(const BasicLayer<D>& layer, const RayOf<D>& ray, Filter filter) {
  SearchWork work;
  return asks<D>(layer, ray, filter)
             ? layer_detail::closest_however_far<D>(layer.store(), ray, filter, work).hit
             : RayHit{};
}

template <int D>
RayHit raycast_any(const BasicLayer<D>& layer, const RayOf<D>& ray, Filter filter) {
  SearchWork work;
  return asks<D>(layer, ray, filter) ? any_hit<D>(layer, ray, filter, work) : RayHit{};
}

template <int D>
QueryResult raycast_all(const BasicLayer<D>& layer, const RayOf<D>& ray, std::span<RayHit> out,
                        Filter filter) {
  SearchWork work;
  if (!asks<D>(layer, ray, filter)) {
    return {};
  }
  const std::size_t found = nearest_hits<D>(layer, ray, out, filter, work);
  return {found, std::min(found, out.size()), work.tested, work.visited};
}

template <int D>
QueryResult visit_ray(const BasicLayer<D>& layer, const RayOf<D>& ray, FunctionRef<float(RayHit)> visitor,
                      Filter filter) {
  SearchWork work;
  std::size_t found = 0;
  if (asks<D>(layer, ray, filter)) {
    const auto each = [&](RayHit hit) {
      ++found;
      return visitor(hit);
    };
    layer_detail::hits_however_far<D>(layer.store(), ray, filter, each, work);
  }
  return {found, found, work.tested, work.visited};
}

template <int D>
Result<QueryResult> raycast_closest(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                    Workspace& workspace, std::span<RayHit> out,
                                    const BatchOptions& options) {
  return answer_each(layer, rays, workspace, out, options, [&](const Ray<D>& ray, SearchWork& work) {
    return layer_detail::closest_however_far<D>(layer.store(), ray, options.filter, work).hit;
  });
}

template <int D>
Result<QueryResult> raycast_any(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                Workspace& workspace, std::span<RayHit> out, const BatchOptions& options) {
  return answer_each(layer, rays, workspace, out, options, [&](const Ray<D>& ray, SearchWork& work) {
    return any_hit<D>(layer, ray, options.filter, work);
  });
}

// Twice over the rays: how many hits each has, and then each into its place.
template <int D>
Result<QueryResult> raycast_all(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                Workspace& workspace, std::span<std::size_t> offsets, std::span<RayHit> out,
                                const BatchOptions& options) {
  if (offsets.size() != rays.size() + 1) {
    return fail(ErrorCode::kInvalidArgument,
                "offsets must be one longer than the " + std::to_string(rays.size()) + " rays");
  }
  std::fill(offsets.begin(), offsets.end(), std::size_t{0});
  if (layer_detail::asks_for_nothing(layer.store().view(), options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  const auto queries = sort_rays(rays, workspace, options.executor);
  const Executor& executor = executor_or_serial(options.executor);
  layer_detail::SharedWork total;
  const auto for_each_ray = [&](auto&& body) {
    executor.parallel_for(queries.order.size(), layer_detail::kBatchGrain,
                          [&](std::size_t first, std::size_t last) {
                            SearchWork work;
                            for (std::size_t i = first; i < last; ++i) {
                              body(queries.query[queries.order[i]], work);
                            }
                            total.add(work, 0);
                          });
  };
  for_each_ray([&](std::uint32_t ray, SearchWork& work) {
    offsets[ray + 1] = nearest_hits<D>(layer, rays[ray], {}, options.filter, work);
  });
  for (std::size_t i = 0; i < rays.size(); ++i) {
    offsets[i + 1] += offsets[i];
  }
  for_each_ray([&](std::uint32_t ray, SearchWork& work) {
    const std::size_t first = std::min(offsets[ray], out.size()),
                      last = std::min(offsets[ray + 1], out.size());
    if (first < last) {
      (void)nearest_hits<D>(layer, rays[ray], out.subspan(first, last - first), options.filter, work);
    }
  });
  QueryResult result = total.result();
  result.found = offsets.back();
  result.written = std::min(result.found, out.size());
  return result;
}

#define JUXTA_INSTANTIATE(D)                                                                                \
  template JUXTA_API RayHit raycast_closest(const BasicLayer<D>&, const RayOf<D>&, Filter);                 \
  template JUXTA_API RayHit raycast_any(const BasicLayer<D>&, const RayOf<D>&, Filter);                     \
  template JUXTA_API QueryResult raycast_all(const BasicLayer<D>&, const RayOf<D>&, std::span<RayHit>,      \
                                             Filter);                                                       \
  template JUXTA_API QueryResult visit_ray(const BasicLayer<D>&, const RayOf<D>&,                           \
                                           FunctionRef<float(RayHit)>, Filter);                             \
  template JUXTA_API Result<QueryResult> raycast_closest(                                                   \
      const BasicLayer<D>&, std::span<const RayOf<D>>, Workspace&, std::span<RayHit>, const BatchOptions&); \
  template JUXTA_API Result<QueryResult> raycast_any(const BasicLayer<D>&, std::span<const RayOf<D>>,       \
                                                     Workspace&, std::span<RayHit>, const BatchOptions&);   \
  template JUXTA_API Result<QueryResult> raycast_all(const BasicLayer<D>&, std::span<const RayOf<D>>,       \
                                                     Workspace&, std::span<std::size_t>, std::span<RayHit>, \
                                                     const BatchOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
