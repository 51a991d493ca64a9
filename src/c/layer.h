// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the C handle of a layer of either dimension, and what queries of layers leave out.
#pragma once

#include <span>
#include <variant>

#include "c/call.h"
#include "juxta/c/layer.h"
#include "juxta/c/layer_queries.h"
#include "juxta/core/try.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"
#include "juxta/layer/query_options.h"

struct juxta_layer {
  std::variant<juxta::Layer2, juxta::Layer> of;  // by dimensions - 2
};

namespace juxta::c_detail {

/// Calls `with` with the layer, whose type has the dimension. Not std::visit(): that may throw, and is no
/// branch.
template <class L, class F>
decltype(auto) with_layer(L& handle, F&& with) {
  if (auto* flat = std::get_if<0>(&handle.of)) {
    return with(*flat);
  }
  return with(*std::get_if<1>(&handle.of));
}

/// 2 or 3, of a layer or a reference to one.
template <class L>
inline constexpr int kDimensionsOf = std::is_same_v<std::remove_cvref_t<L>, Layer2> ? 2 : 3;

template <int D>
[[nodiscard]] Aabb<D> box_at(const float* box) noexcept {
  return read_one<Aabb<D>>(box);
}

template <int D>
[[nodiscard]] Result<std::span<const Aabb<D>>> boxes_of(const float* boxes, std::size_t stride,
                                                        std::size_t count, const CallContext& context) {
  return packed<Aabb<D>>(boxes, stride, count, context.workspace());
}

[[nodiscard]] inline Filter cpp_filter(juxta_filter filter) noexcept {
  return {filter.category, filter.mask};
}

/// juxta_pair_options as FindPairsOptions; the cookie is checked before.
template <int D>
[[nodiscard]] FindPairsOptions pair_options(const juxta_pair_options* given, const BasicLayer<D>& layer,
                                            const BasicLayer<D>* other) {
  FindPairsOptions options;
  if (given != nullptr) {
    options.sorted = given->sorted;
    if (given->only != nullptr) {
      options.only = {given->only, layer.capacity()};
    }
    if (given->only_b != nullptr && other != nullptr) {
      options.only_b = {given->only_b, other->capacity()};
    }
  }
  return options;
}

/// juxta_layer_options as LayerOptions, for `count` boxes. Errors: kInvalidArgument (wrong cookie).
[[nodiscard]] Result<LayerOptions> layer_options(const juxta_layer_options* given, std::size_t count);

/// juxta_query_options as QueryOptions, for the length of a call.
class QueryOf {
 public:
  explicit QueryOf(const juxta_query_options* given) noexcept {
    if (given == nullptr) {
      return;
    }
    if (given->cookie != static_cast<std::uint32_t>(Cookie::kQueryOptions)) {
      options_.filter = {0, 0};  // finds nothing
      return;
    }
    accept_ = {given->accept, given->user};
    options_.filter = cpp_filter(given->filter);
    options_.ignore = {given->ignore, given->ignore_count};
    if (given->accept != nullptr) {
      options_.accept = accept_;
    }
  }
  QueryOf(const QueryOf&) = delete;
  QueryOf& operator=(const QueryOf&) = delete;
  [[nodiscard]] const QueryOptions& operator*() const noexcept { return options_; }

 private:
  struct Accept {
    bool (*function)(void*, std::uint32_t);
    void* user;
    bool operator()(std::uint32_t body) const { return function(user, body); }
  };
  Accept accept_{};
  QueryOptions options_;
};

/// juxta_batch_options as BatchOptions, for the length of a call of `count` queries.
class BatchOf {
 public:
  BatchOf(const juxta_batch_options* given, std::size_t count) noexcept : given_(given) {
    if (given == nullptr || given->cookie != static_cast<std::uint32_t>(Cookie::kBatchOptions)) {
      return;
    }
    accept_ = {given->accept, given->user};
    options_.filter = cpp_filter(given->filter);
    if (given->ignore != nullptr) {
      options_.ignore = {given->ignore, count};
    }
    if (given->accept != nullptr) {
      options_.accept = accept_;
    }
    options_.sorted = given->sorted;
  }
  BatchOf(const BatchOf&) = delete;
  BatchOf& operator=(const BatchOf&) = delete;
  [[nodiscard]] Result<void> check() const {
    return check_cookie(given_, Cookie::kBatchOptions, "juxta_batch_options");
  }
  [[nodiscard]] const BatchOptions& operator*() const noexcept { return options_; }

 private:
  struct Accept {
    bool (*function)(void*, std::uint32_t, std::uint32_t);
    void* user;
    bool operator()(std::uint32_t query, std::uint32_t body) const { return function(user, query, body); }
  };
  const juxta_batch_options* given_;
  Accept accept_{};
  BatchOptions options_;
};

}  // namespace juxta::c_detail
