// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/layer for JavaScript: layers of two and of three dimensions behind one set of functions. Boxes are
// floats, lo of each axis and then hi.
#include "juxta/layer/layer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "common.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/frustum.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"

using namespace juxta;
using namespace juxta::wasm;

namespace {

struct AnyLayer {
  std::optional<Layer2> flat;  ///< One of the two.
  std::optional<Layer> solid;
  Workspace workspace;

  template <class Use>
  decltype(auto) use(Use&& use) {
    return flat ? use(*flat) : use(*solid);
  }
};

/// What a question leaves out, in the scratch memory: of one question, `ignore` bodies; of many, one for
/// each.
struct PlainOptions {
  Filter filter;
  std::uint32_t ignore, ignore_count, sorted;

  [[nodiscard]] std::span<const std::uint32_t> ignored() const noexcept {
    return {reinterpret_cast<const std::uint32_t*>(ignore), ignore_count};
  }
};
QueryOptions one() noexcept {
  const PlainOptions& in = *scratch_as<PlainOptions>();
  return {.filter = in.filter, .ignore = in.ignored()};
}
BatchOptions many() noexcept {
  const PlainOptions& in = *scratch_as<PlainOptions>();
  return {.filter = in.filter, .ignore = in.ignored(), .sorted = in.sorted != 0};
}

template <int D>
std::span<const Aabb<D>> boxes_of(const BasicLayer<D>&, const float* first, std::size_t count) noexcept {
  return {reinterpret_cast<const Aabb<D>*>(first), count};
}
template <int D>
Aabb<D> box_of(const BasicLayer<D>&, const float (&n)[6]) noexcept {
  if constexpr (D == 2) {
    return {{n[0], n[1]}, {n[2], n[3]}};
  } else {
    return {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  }
}
template <int D>
std::span<const Ray<D>> rays_of(const BasicLayer<D>&, const float* first, std::size_t count) noexcept {
  return {reinterpret_cast<const Ray<D>*>(first), count};
}

LayerOptions build_options(const Filter* filters, std::size_t count, bool tight) noexcept {
  LayerOptions options{.quality = tight ? OrderQuality::kTight : OrderQuality::kFast};
  if (filters != nullptr) {
    options.filters = {filters, count};
  }
  return options;
}

double found(Result<QueryResult>&& result) noexcept {
  return ok(result) ? number(result->found) : kFailed;
}

template <int D>
AnyLayer* hold(Result<BasicLayer<D>>&& layer) {
  if (!ok(layer)) {
    return nullptr;
  }
  auto* const any = new AnyLayer;
  if constexpr (D == 2) {
    any->flat.emplace(std::move(*layer));
  } else {
    any->solid.emplace(std::move(*layer));
  }
  return any;
}

}  // namespace

// ---- making, changing

JUXTA_JS(AnyLayer*, layer_build)
(int dimensions, const float* boxes, std::size_t count, const Filter* filters, bool tight) {
  const LayerOptions options = build_options(filters, count, tight);
  return dimensions == 2 ? hold<2>(Layer2::build({reinterpret_cast<const Aabb2*>(boxes), count}, options))
                         : hold<3>(Layer::build({reinterpret_cast<const Aabb3*>(boxes), count}, options));
}
JUXTA_JS(void, layer_free)(AnyLayer* any) {
  delete any;
}
JUXTA_JS(bool, layer_rebuild)
(AnyLayer* any, const float* boxes, std::size_t count, const Filter* filters, bool tight) {
  return any->use([&](auto& layer) {
    auto done = layer.rebuild(boxes_of(layer, boxes, count), build_options(filters, count, tight),
                              {.workspace = &any->workspace});
    return ok(done);
  });
}
JUXTA_JS(bool, layer_refit)(AnyLayer* any, const float* boxes, std::size_t count) {
  return any->use([&](auto& layer) {
    auto done = layer.refit(boxes_of(layer, boxes, count), {.workspace = &any->workspace});
    return ok(done);
  });
}
JUXTA_JS(bool, layer_insert)
(AnyLayer* any, const float* boxes, std::size_t count, const Filter* filters, Id* ids) {
  return any->use([&](auto& layer) {
    auto done = layer.insert(boxes_of(layer, boxes, count), {ids, count},
                             filters == nullptr ? std::span<const Filter>() : std::span(filters, count));
    return ok(done);
  });
}
// The next three change bodies up to the first that is refused, and return how many were changed.
JUXTA_JS(std::size_t, layer_move)(AnyLayer* any, const Id* ids, const float* boxes, std::size_t count) {
  return any->use([&](auto& layer) {
    const auto to = boxes_of(layer, boxes, count);
    for (std::size_t i = 0; i < count; ++i) {
      auto done = layer.move(ids[i], to[i]);
      if (!ok(done)) {
        return i;
      }
    }
    return count;
  });
}
JUXTA_JS(std::size_t, layer_remove)(AnyLayer* any, const Id* ids, std::size_t count) {
  return any->use([&](auto& layer) {
    for (std::size_t i = 0; i < count; ++i) {
      auto done = layer.remove(ids[i]);
      if (!ok(done)) {
        return i;
      }
    }
    return count;
  });
}
JUXTA_JS(std::size_t, layer_set_filters)
(AnyLayer* any, const Id* ids, const Filter* filters, std::size_t count) {
  return any->use([&](auto& layer) {
    for (std::size_t i = 0; i < count; ++i) {
      auto done = layer.set_filter(ids[i], filters[i]);
      if (!ok(done)) {
        return i;
      }
    }
    return count;
  });
}

// ---- state

JUXTA_JS(std::size_t, layer_dimensions)(AnyLayer* any) {
  return any->flat ? 2 : 3;
}
JUXTA_JS(std::size_t, layer_size)(AnyLayer* any) {
  return any->use([](auto& layer) { return layer.size(); });
}
JUXTA_JS(std::size_t, layer_capacity)(AnyLayer* any) {
  return any->use([](auto& layer) { return layer.capacity(); });
}
JUXTA_JS(bool, layer_alive)(AnyLayer* any, std::uint32_t slot, std::uint32_t generation) {
  return any->use([&](auto& layer) { return layer.alive({slot, generation}); });
}
JUXTA_JS(void, layer_ids)(AnyLayer* any, const std::uint32_t* bodies, std::size_t count, Id* out) {
  any->use([&](auto& layer) {
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = layer.id_of(bodies[i]);
    }
  });
}
JUXTA_JS(bool, layer_box)(AnyLayer* any, std::uint32_t body) {
  return any->use([&](auto& layer) {
    auto box = layer.box_of(body);
    if (!ok(box)) {
      return false;
    }
    std::memcpy(scratch_bytes(), &*box, sizeof *box);
    return true;
  });
}
JUXTA_JS(void, layer_stats)(AnyLayer* any) {
  const LayerStats stats = any->use([](auto& layer) { return layer.stats(); });
  auto* const out = scratch_as<double>();
  out[0] = number(stats.bodies);
  out[1] = number(stats.blocks);
  out[2] = number(stats.levels);
  out[3] = number(stats.memory_bytes);
  out[4] = number(stats.sorts);
  out[5] = stats.looseness;
  out[6] = number(stats.strays);
}

// ---- pairs: how many there are; `out` gets the first `size`

JUXTA_JS(double, layer_find_pairs)
(AnyLayer* any, AnyLayer* other, Pair* out, std::size_t size, bool sorted, const std::uint8_t* only,
 const std::uint8_t* only_other) {
  return any->use([&](auto& layer) {
    FindPairsOptions options{.sorted = sorted};
    if (only != nullptr) {
      options.only = {only, layer.capacity()};
    }
    const Context context{.workspace = &any->workspace};
    if (other == nullptr) {
      return found(find_pairs(layer, {out, size}, options, context));
    }
    if (only_other != nullptr) {
      options.only_b = {only_other, other->use([](auto& b) { return b.capacity(); })};
    }
    if constexpr (std::is_same_v<decltype(layer), Layer2&>) {
      return found(find_pairs(layer, *other->flat, {out, size}, options, context));
    } else {
      return found(find_pairs(layer, *other->solid, {out, size}, options, context));
    }
  });
}

// ---- one box, with no options: numbers only

JUXTA_JS(std::size_t, layer_find_all)
(AnyLayer* any, float a, float b, float c, float d, float e, float f, std::uint32_t* out, std::size_t size) {
  const float box[] = {a, b, c, d, e, f};
  return any->use([&](auto& layer) { return find_all(layer, box_of(layer, box), {out, size}).found; });
}
JUXTA_JS(std::uint32_t, layer_find_any)(AnyLayer* any, float a, float b, float c, float d, float e, float f) {
  const float box[] = {a, b, c, d, e, f};
  return any->use([&](auto& layer) { return find_any(layer, box_of(layer, box)); });
}
JUXTA_JS(std::size_t, layer_count)(AnyLayer* any, float a, float b, float c, float d, float e, float f) {
  const float box[] = {a, b, c, d, e, f};
  return any->use([&](auto& layer) { return count(layer, box_of(layer, box)); });
}
// With options.
JUXTA_JS(std::size_t, layer_find_all_of)
(AnyLayer* any, float a, float b, float c, float d, float e, float f, std::uint32_t* out, std::size_t size) {
  const float box[] = {a, b, c, d, e, f};
  return any->use([&](auto& layer) { return find_all(layer, box_of(layer, box), {out, size}, one()).found; });
}
JUXTA_JS(std::size_t, layer_find_first_of)
(AnyLayer* any, float a, float b, float c, float d, float e, float f, std::uint32_t* out, std::size_t size) {
  const float box[] = {a, b, c, d, e, f};
  return any->use([&](auto& layer) {
    return find_first(layer, box_of(layer, box), {out, size}, one()).found;
  });
}

// ---- many

JUXTA_JS(double, layer_find_all_many)
(AnyLayer* any, const float* boxes, std::size_t count, Pair* out, std::size_t size) {
  return any->use([&](auto& layer) {
    return found(find_all(layer, boxes_of(layer, boxes, count), std::span(out, size), many(),
                          {.workspace = &any->workspace}));
  });
}
JUXTA_JS(bool, layer_find_any_many)
(AnyLayer* any, const float* boxes, std::size_t count, std::uint32_t* out) {
  return any->use([&](auto& layer) {
    auto done = find_any(layer, boxes_of(layer, boxes, count), std::span(out, count), many(),
                         {.workspace = &any->workspace});
    return ok(done);
  });
}
JUXTA_JS(bool, layer_count_many)(AnyLayer* any, const float* boxes, std::size_t count, std::uint32_t* out) {
  return any->use([&](auto& layer) {
    auto done = juxta::count(layer, boxes_of(layer, boxes, count), std::span(out, count), many(),
                             {.workspace = &any->workspace});
    return ok(done);
  });
}
// Rays are origin, direction, max: 2 D + 1 floats. The closest, or any.
JUXTA_JS(bool, layer_raycast)
(AnyLayer* any, const float* rays, std::size_t count, RayHit* out, bool closest) {
  return any->use([&](auto& layer) {
    const Context context{.workspace = &any->workspace};
    const auto in = rays_of(layer, rays, count);
    auto done = closest ? raycast_closest(layer, in, std::span(out, count), many(), context)
                        : raycast_any(layer, in, std::span(out, count), many(), context);
    return ok(done);
  });
}
JUXTA_JS(std::size_t, layer_raycast_all)(AnyLayer* any, const float* ray, RayHit* out, std::size_t size) {
  return any->use([&](auto& layer) {
    return raycast_all(layer, rays_of(layer, ray, 1)[0], {out, size}, one()).found;
  });
}
JUXTA_JS(bool, layer_nearest)
(AnyLayer* any, const float* points, std::size_t count, float max_distance, NearestHit* out) {
  return any->use([&]<int D>(BasicLayer<D>& layer) {
    auto done = nearest(layer, std::span(reinterpret_cast<const Vec<D>*>(points), count), max_distance,
                        std::span(out, count), many(), {.workspace = &any->workspace});
    return ok(done);
  });
}
// Planes are normal and offset: D + 1 floats.
JUXTA_JS(std::size_t, layer_in_frustum)
(AnyLayer* any, const float* planes, std::size_t count, std::uint32_t* out, std::size_t size) {
  return any->use([&]<int D>(BasicLayer<D>& layer) {
    return find_in_frustum(layer, std::span(reinterpret_cast<const Plane<D>*>(planes), count),
                           std::span(out, size), one())
        .found;
  });
}

// ---- files

JUXTA_JS(bool, layer_save)(AnyLayer* any, const char* path, std::size_t path_size) {
  return any->use([&](auto& layer) {
    auto done = layer.save({path, path_size});
    return ok(done);
  });
}
JUXTA_JS(AnyLayer*, layer_load)(int dimensions, const char* path, std::size_t path_size) {
  return dimensions == 2 ? hold<2>(Layer2::load({path, path_size})) : hold<3>(Layer::load({path, path_size}));
}
