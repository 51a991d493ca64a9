// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the pairs of two nodes of one or two trees.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/layer/pair.h"
#include "layer/sink.h"
#include "layer/store.h"

namespace juxta::layer_detail {

/// One body for each of many queries, that being enough.
struct AnyAnswers {
  std::uint32_t* answers;  // by query number
  std::uint16_t* done;     // per leaf of the tree of queries: lanes that need no answer (any more)
};

/// A block of a tree: its lanes are blocks of the level below.
struct TreeNode {
  std::uint32_t level = 1, block = 0;  // level is at least 1
};

/// The pairs among the bodies below one node. False: the sink stopped it.
template <int D>
bool pairs_below(const LayerView<D>& view, TreeNode node, Sink<Pair>& sink, SearchWork& work) noexcept;

/// The pairs of a body below `p` of `a` with one below `q` of `b`. `one_layer`: both trees are the same one,
/// so that pairs are written with a < b.
template <int D>
bool pairs_between(const LayerView<D>& a, TreeNode p, const LayerView<D>& b, TreeNode q, bool one_layer,
                   Sink<Pair>& sink, SearchWork& work) noexcept;

/// For each query below `p` that has no answer yet: a body below `q` that it overlaps, if there is one.
template <int D>
void answers_between(const LayerView<D>& queries, TreeNode p, const LayerView<D>& bodies, TreeNode q,
                     const AnyAnswers& answers, SearchWork& work) noexcept;

}  // namespace juxta::layer_detail
