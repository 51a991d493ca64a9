// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "c/layer.h"

#include <cstring>
#include <new>
#include <utility>

namespace juxta::c_detail {
namespace {

// juxta_filter and Filter, juxta_id and Id are the same two numbers.
static_assert(sizeof(juxta_filter) == sizeof(Filter) && sizeof(juxta_id) == sizeof(Id));
static_assert(JUXTA_NO_BODY == kNoBody);

// Calls `with` with a number that is the dimension.
template <class F>
Result<void> with_dimensions(int dimensions, F&& with) {
  switch (dimensions) {
    case 2:
      return with(std::integral_constant<int, 2>());
    case 3:
      return with(std::integral_constant<int, 3>());
    default:
      return fail(ErrorCode::kInvalidArgument, "a layer has 2 or 3 dimensions");
  }
}

template <int D>
Result<void> load_as(const char* path, juxta_layer** out) {
  JUXTA_TRY_LET(BasicLayer<D> layer, BasicLayer<D>::load(path));
  *out = new juxta_layer{std::move(layer)};
  return {};
}

}  // namespace

Result<LayerOptions> layer_options(const juxta_layer_options* given, std::size_t count) {
  JUXTA_TRY(check_cookie(given, Cookie::kLayerOptions, "juxta_layer_options"));
  LayerOptions options;
  if (given != nullptr) {
    if (given->filters != nullptr) {
      options.filters = {reinterpret_cast<const Filter*>(given->filters), count};
    }
    options.quality = given->tight ? OrderQuality::kTight : OrderQuality::kFast;
  }
  return options;
}

}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::Result;

juxta_filter juxta_default_filter(void) {
  return {UINT32_MAX, UINT32_MAX};
}
juxta_layer_options juxta_default_layer_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kLayerOptions), nullptr, false};
}

juxta_status juxta_layer_build(int dimensions, const float* boxes, size_t stride, size_t count,
                               const juxta_layer_options* options, const juxta_context* context,
                               juxta_layer** out, juxta_error* error) {
  return guarded(error, [&] {
    return with_dimensions(dimensions, [&]<int D>(std::integral_constant<int, D>) -> Result<void> {
      const CallContext call(context);
      JUXTA_TRY(call.check());
      JUXTA_TRY_LET(const juxta::LayerOptions how, layer_options(options, count));
      JUXTA_TRY_LET(const auto given, boxes_of<D>(boxes, stride, count, call));
      JUXTA_TRY_LET(juxta::BasicLayer<D> layer, juxta::BasicLayer<D>::build(given, how, *call));
      *out = new juxta_layer{std::move(layer)};
      return {};
    });
  });
}

void juxta_layer_free(juxta_layer* layer) {
  delete layer;
}

juxta_status juxta_layer_rebuild(juxta_layer* layer, const float* boxes, size_t stride, size_t count,
                                 const juxta_layer_options* options, const juxta_context* context,
                                 juxta_error* error) {
  return guarded(error, [&] {
    return with_layer(*layer, [&](auto& of) -> Result<void> {
      const CallContext call(context);
      JUXTA_TRY(call.check());
      JUXTA_TRY_LET(const juxta::LayerOptions how, layer_options(options, count));
      JUXTA_TRY_LET(const auto given, boxes_of<kDimensionsOf<decltype(of)>>(boxes, stride, count, call));
      return of.rebuild(given, how, *call);
    });
  });
}

juxta_status juxta_layer_refit(juxta_layer* layer, const float* boxes, size_t stride, size_t count,
                               const juxta_context* context, juxta_error* error) {
  return guarded(error, [&] {
    return with_layer(*layer, [&](auto& of) -> Result<void> {
      const CallContext call(context);
      JUXTA_TRY(call.check());
      JUXTA_TRY_LET(const auto given, boxes_of<kDimensionsOf<decltype(of)>>(boxes, stride, count, call));
      return of.refit(given, *call);
    });
  });
}

juxta_status juxta_layer_insert(juxta_layer* layer, const float* boxes, size_t stride, size_t count,
                                const juxta_filter* filters, juxta_id* ids, juxta_error* error) {
  return guarded(error, [&] {
    return with_layer(*layer, [&](auto& of) -> Result<void> {
      const CallContext call(nullptr);
      JUXTA_TRY_LET(const auto given, boxes_of<kDimensionsOf<decltype(of)>>(boxes, stride, count, call));
      JUXTA_TRY_LET(const auto named, answers<juxta::Id>(ids, count));
      const std::span<const juxta::Filter> with(reinterpret_cast<const juxta::Filter*>(filters),
                                                filters == nullptr ? 0 : count);
      return of.insert(given, named, with);
    });
  });
}

juxta_status juxta_layer_move(juxta_layer* layer, juxta_id id, const float* box, juxta_error* error) {
  return guarded(error, [&] {
    return with_layer(
        *layer, [&](auto& of) { return of.move(cpp_id(id), box_at<kDimensionsOf<decltype(of)>>(box)); });
  });
}
juxta_status juxta_layer_remove(juxta_layer* layer, juxta_id id, juxta_error* error) {
  return guarded(error, [&] { return with_layer(*layer, [&](auto& of) { return of.remove(cpp_id(id)); }); });
}
juxta_status juxta_layer_set_filter(juxta_layer* layer, juxta_id id, juxta_filter filter,
                                    juxta_error* error) {
  return guarded(error, [&] {
    return with_layer(*layer, [&](auto& of) { return of.set_filter(cpp_id(id), cpp_filter(filter)); });
  });
}

int juxta_layer_dimensions(const juxta_layer* layer) {
  return static_cast<int>(layer->of.index()) + 2;
}
size_t juxta_layer_size(const juxta_layer* layer) {
  return with_layer(*layer, [](const auto& of) { return of.size(); });
}
size_t juxta_layer_capacity(const juxta_layer* layer) {
  return with_layer(*layer, [](const auto& of) { return of.capacity(); });
}
bool juxta_layer_alive(const juxta_layer* layer, juxta_id id) {
  return with_layer(*layer, [&](const auto& of) { return of.alive(cpp_id(id)); });
}
juxta_id juxta_layer_id_of(const juxta_layer* layer, uint32_t body) {
  return with_layer(*layer, [&](const auto& of) { return c_id(of.id_of(body)); });
}
juxta_status juxta_layer_box_of(const juxta_layer* layer, uint32_t body, float* box, juxta_error* error) {
  return guarded(error, [&] {
    return with_layer(*layer, [&](const auto& of) -> Result<void> {
      JUXTA_TRY_LET(const auto found, of.box_of(body));
      std::memcpy(box, &found, sizeof(found));
      return {};
    });
  });
}
size_t juxta_layer_memory_bytes(const juxta_layer* layer) {
  return with_layer(*layer, [](const auto& of) { return of.stats().memory_bytes; });
}

juxta_status juxta_layer_save(const juxta_layer* layer, const char* path, juxta_error* error) {
  return guarded(error, [&] { return with_layer(*layer, [&](const auto& of) { return of.save(path); }); });
}
juxta_status juxta_layer_load(const char* path, juxta_layer** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    Result<void> solid = load_as<3>(path, out);
    // A layer of the other dimension is a file of another kind to the loader.
    if (solid || solid.error().code != juxta::ErrorCode::kCorruptFile) {
      return solid;
    }
    const Result<void> flat = load_as<2>(path, out);
    return flat ? flat : solid;
  });
}
