// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/several.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "juxta/layer/query.h"
#include "layer/far_rays.h"
#include "layer/query_kernel.h"
#include "layer/ray_kernel.h"

namespace juxta {
namespace {

/// A distance whose square in float is not below d2, so that everything nearer than d2 lies within it: the
/// root rounds to nearest, the float above it is beyond the true one.
float reach(float d2) noexcept {
  return std::nextafter(std::sqrt(d2), std::numeric_limits<float>::infinity());
}

/// The options of one layer of several.
class OptionsOfLayer {
 public:
  explicit OptionsOfLayer(const SeveralOptions& several) : accept_{several} {
    options_.filter = several.filter;
    if (!several.ignore.empty() || several.accept) {
      options_.accept = accept_;
    }
  }
  OptionsOfLayer(const OptionsOfLayer&) = delete;
  OptionsOfLayer& operator=(const OptionsOfLayer&) = delete;

  [[nodiscard]] const QueryOptions& of(std::uint32_t layer) noexcept {
    accept_.layer = layer;
    return options_;
  }

 private:
  struct Accept {
    const SeveralOptions& several;
    std::uint32_t layer = 0;
    bool operator()(std::uint32_t body) const {
      const LayerBody asked{layer, body};
      return std::find(several.ignore.begin(), several.ignore.end(), asked) == several.ignore.end() &&
             (!several.accept || several.accept(asked));
    }
  };

  Accept accept_;
  QueryOptions options_;
};

}  // namespace

template <int D>
LayerBody find_any(LayerSpan<D> layers, const BoxOf<D>& box, const SeveralOptions& options) {
  OptionsOfLayer own(options);
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    if (const std::uint32_t body = find_any(*layers[i], box, own.of(i)); body != kNoBody) {
      return {i, body};
    }
  }
  return {};
}

template <int D>
QueryResult find_all(LayerSpan<D> layers, const BoxOf<D>& box, std::span<LayerBody> out,
                     const SeveralOptions& options) {
  QueryResult all;
  OptionsOfLayer own(options);
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    const auto store = [&](std::uint32_t body) {
      if (all.written < out.size()) {
        out[all.written++] = {i, body};
      }
      ++all.found;
      return true;
    };
    const QueryResult one = visit(*layers[i], box, store, own.of(i));
    all.tested += one.tested;
    all.visited += one.visited;
  }
  return all;
}

template <int D>
LayerRayHit raycast_closest(LayerSpan<D> layers, const RayOf<D>& ray, const SeveralOptions& options) {
  LayerRayHit closest;
  Ray<D> rest = ray;
  double t = 0;  // of the closest, also where that is beyond float
  layer_detail::SearchWork work;
  OptionsOfLayer own(options);
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    if (layer_detail::asks_for_nothing(layer_detail::view_of(*layers[i]), options.filter) ||
        !layer_detail::is_sound(ray)) {
      continue;
    }
    const layer_detail::FarRayHit found =
        layer_detail::closest_however_far<D>(layer_detail::Access::store(*layers[i]), rest, own.of(i), work);
    if (found.hit && (!closest || found.t < t)) {
      closest = {{i, found.hit.body}, found.hit.t};
      t = found.t;
      rest.max = found.hit.t;
    }
  }
  return closest;
}

template <int D>
LayerNearestHit nearest(LayerSpan<D> layers, const PointOf<D>& point, float max_distance,
                        const SeveralOptions& options) {
  LayerNearestHit best;
  if (!(max_distance >= 0) || !is_finite(point)) {
    return best;
  }
  double distance2 = 0;  // of the nearest, also where that is beyond float
  layer_detail::SearchWork work;
  OptionsOfLayer own(options);
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    const layer_detail::LayerView<D> view = layer_detail::view_of(*layers[i]);
    if (layer_detail::asks_for_nothing(view, options.filter)) {
      continue;
    }
    const auto found = layer_detail::nearest_to_point<D>(view, point, max_distance, own.of(i), work);
    if (found.hit && (!best || found.distance2 < distance2)) {
      best = {{i, found.hit.body}, found.hit.distance2};
      distance2 = found.distance2;
      max_distance = std::min(max_distance, reach(found.hit.distance2));
    }
  }
  return best;
}

#define JUXTA_INSTANTIATE(D)                                                                          \
  template JUXTA_API LayerBody find_any(LayerSpan<D>, const Aabb<D>&, const SeveralOptions&);         \
  template JUXTA_API QueryResult find_all(LayerSpan<D>, const Aabb<D>&, std::span<LayerBody>,         \
                                          const SeveralOptions&);                                     \
  template JUXTA_API LayerRayHit raycast_closest(LayerSpan<D>, const Ray<D>&, const SeveralOptions&); \
  template JUXTA_API LayerNearestHit nearest(LayerSpan<D>, const Vec<D>&, float, const SeveralOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
