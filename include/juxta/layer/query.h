// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a box touches. Query boxes may have infinite sides; inverted and NaN boxes touch nothing. Answers come
// in the layer's block order. A query about one box allocates nothing and runs on your thread; any number may
// run at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/query_result.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"
#include "juxta/layer/query_options.h"

namespace juxta {

/// A body that overlaps the box, or kNoBody. Cost: about 100 ns at 100k bodies.
template <int D>
[[nodiscard]] std::uint32_t find_any(const BasicLayer<D>& layer, const BoxOf<D>& box,
                                     const QueryOptions& options = {});

/// The first bodies in the layer's order, until `out` is full. `found` equals `written`.
template <int D>
QueryResult find_first(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                       const QueryOptions& options = {});

/// All bodies. A short `out` gets the first, and `found` the exact need.
template <int D>
QueryResult find_all(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                     const QueryOptions& options = {});

/// How many bodies; exact.
template <int D>
[[nodiscard]] std::size_t count(const BasicLayer<D>& layer, const BoxOf<D>& box,
                                const QueryOptions& options = {});

/// Hands over each body; `visitor` returns false to stop.
template <int D>
QueryResult visit(const BasicLayer<D>& layer, const BoxOf<D>& box,
                  FunctionRef<bool(std::uint32_t body)> visitor, const QueryOptions& options = {});

// Many boxes at once give the answers of single calls, faster: they are sorted by space first, so that
// neighbours share what they read. Errors of all: kInvalidArgument (lengths differ; `ignore` is not as long
// as boxes).

/// out[i] = a body that overlaps boxes[i] (the one that find_any() gives), or kNoBody.
template <int D>
[[nodiscard]] Result<QueryResult> find_any(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                                           std::span<std::uint32_t> out, const BatchOptions& options = {},
                                           const Context& context = {});

/// Every {a: query, b: body} that overlap. A short `out` gets the first, and `found` the exact need.
template <int D>
[[nodiscard]] Result<QueryResult> find_all(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                                           std::span<Pair> out, const BatchOptions& options = {},
                                           const Context& context = {});

/// The first `most` bodies that overlap boxes[i], as find_first() gives them, stand in out[i * most] and
/// behind; there are counts[i] of them. Errors: also kInvalidArgument (counts not as long as boxes, out not
/// `most` times that).
template <int D>
[[nodiscard]] Result<QueryResult> find_first(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                                             std::size_t most, std::span<std::uint32_t> out,
                                             std::span<std::uint32_t> counts,
                                             const BatchOptions& options = {}, const Context& context = {});

/// counts[i] = how many bodies overlap boxes[i].
template <int D>
[[nodiscard]] Result<QueryResult> count(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                                        std::span<std::uint32_t> counts, const BatchOptions& options = {},
                                        const Context& context = {});

}  // namespace juxta
