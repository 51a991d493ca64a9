// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a query leaves out. The same for boxes, rays, casts, frustums and nearest bodies, on layers and on
// bodies with shapes:
//
//   raycast_closest(layer, ray, {.filter = {.mask = kShips}});   by category
//   raycast_closest(layer, ray, {.ignore = own});                a few bodies, by number
//   raycast_closest(layer, ray, {.accept = [&](std::uint32_t body) { return armed[body]; }});
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/function_ref.h"
#include "juxta/layer/filter.h"

namespace juxta {

/// For one query. A body is an answer if it passes all three. Every field changes the result.
struct QueryOptions {
  Filter filter = {};
  /// Bodies to leave out: a few, since each body that the query touches is compared with all of them.
  std::span<const std::uint32_t> ignore = {};
  /// Says whether a body that the query touches may be an answer. It must say the same each time: it may be
  /// asked more than once, in any order. Empty: every body may.
  FunctionRef<bool(std::uint32_t body)> accept = {};

  /// Whether more than the filter decides.
  [[nodiscard]] bool narrows() const noexcept { return !ignore.empty() || static_cast<bool>(accept); }
  [[nodiscard]] bool takes(std::uint32_t body) const {
    for (const std::uint32_t other : ignore) {
      if (other == body) {
        return false;
      }
    }
    return !accept || accept(body);
  }
};

/// For many queries at once. Every field but `sorted` changes the set of answers.
struct BatchOptions {
  Filter filter = {};  ///< Of every query.
  /// ignore[i]: the body that query i leaves out; kNoBody: none. Empty, or one for each query.
  std::span<const std::uint32_t> ignore = {};
  /// As QueryOptions::accept, for a body that query number `query` touches. Called on the executor's threads,
  /// from several at once.
  FunctionRef<bool(std::uint32_t query, std::uint32_t body)> accept = {};
  bool sorted = false;  ///< Of find_all() and find_in_frustum(): ascending (query, body). Changes the order.

  [[nodiscard]] bool narrows() const noexcept { return !ignore.empty() || static_cast<bool>(accept); }
  [[nodiscard]] bool takes(std::uint32_t query, std::uint32_t body) const {
    return (ignore.empty() || ignore[query] != body) && (!accept || accept(query, body));
  }
};

}  // namespace juxta
