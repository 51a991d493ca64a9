// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/query_result.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"

// What a box touches. Query boxes may have infinite sides; inverted and NaN boxes touch nothing. Answers come
// in the layer's block order. Single queries allocate nothing and may run on any number of threads at once.

namespace juxta {

/// A body that overlaps the box, or kNoBody. Cost: about 100 ns at 100k bodies.
template <int D>
[[nodiscard]] std::uint32_t find_any(const BasicLayer<D>& layer, const BoxOf<D>& box, Filter filter = {});

/// The first bodies in the layer's order, until `out` is full. `found` equals `written`.
template <int D>
QueryResult find_first(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                       Filter filter = {});

/// All bodies. A short `out` gets the first, and `found` the exact need.
template <int D>
QueryResult find_all(const BasicLayer<D>& layer, const BoxOf<D>& box, std::span<std::uint32_t> out,
                     Filter filter = {});

/// How many bodies; exact.
template <int D>
[[nodiscard]] std::size_t count(const BasicLayer<D>& layer, const BoxOf<D>& box, Filter filter = {});

/// Hands over each body; `visitor` returns false to stop.
template <int D>
QueryResult visit(const BasicLayer<D>& layer, const BoxOf<D>& box,
                  FunctionRef<bool(std::uint32_t body)> visitor, Filter filter = {});

/// How to answer many queries at once. They are sorted by space first, so that neighbours share what they
/// read. None of the fields but `filter` and `sorted` changes an answer.
struct BatchOptions {
  Filter filter = {};                  ///< Of every query.
  bool sorted = false;                 ///< Answers of find_all() ascending by (query, body).
  const Executor* executor = nullptr;  ///< Null: the calling thread.
};

/// out[i] = a body that overlaps boxes[i] (the one that find_any() gives), or kNoBody.
/// Errors: kInvalidArgument (lengths differ).
template <int D>
[[nodiscard]] Result<QueryResult> find_any(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                                           Workspace& workspace, std::span<std::uint32_t> out,
                                           const BatchOptions& options = {});

/// Every {a: query, b: body} that overlap. A short `out` gets the first, and `found` the exact need.
template <int D>
FindPairsResult find_all(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes, Workspace& workspace,
                         std::span<Pair> out, const BatchOptions& options = {});

/// The first `most` bodies that overlap boxes[i], as find_first() gives them, stand in out[i * most] and
/// behind; there are counts[i] of them. Errors: kInvalidArgument (counts not as long as boxes, out not `most`
/// times that).
template <int D>
[[nodiscard]] Result<QueryResult> find_first(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                                             std::size_t most, Workspace& workspace,
                                             std::span<std::uint32_t> out, std::span<std::uint32_t> counts,
                                             const BatchOptions& options = {});

/// counts[i] = how many bodies overlap boxes[i]. Errors: kInvalidArgument (lengths differ).
template <int D>
[[nodiscard]] Result<QueryResult> count(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                                        Workspace& workspace, std::span<std::uint32_t> counts,
                                        const BatchOptions& options = {});

}  // namespace juxta
