// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// FindObjects of one query, with the visitor inlined as the published one has it. Included by
// find_objects.cpp and layer_queries.cpp alone.
#pragma once

#include <cstdint>

#include "classics/layer/binary_search.h"
#include "classics/layer/collision_layer.h"
#include "classics/layer/interval_tree.h"
#include "classics/layer/sweep-inl.h"

namespace juxta::classics {

/// Visitors may count: on_bucket(), on_row() for each box of the sweep, on_inside() for each one that the
/// tree gives, beside on_node() of interval_tree.h. Those that lack these pay nothing.
template <class Visit>
struct VisitBeganBefore {
  const YzTest& test;
  const LayerRows& rows;
  std::uint32_t first;  // row of the layer where the bucket begins
  const Visit& visit;

  VisitEnds<Visit> operator()(std::uint32_t row) const {
    if constexpr (requires { visit.on_inside(); }) {
      visit.on_inside();
    }
    if constexpr (std::is_void_v<VisitEnds<Visit>>) {
      if (HWY_UNLIKELY(test.overlaps(rows.yz[row]))) {
        visit(first + row);
      }
    } else {
      return !test.overlaps(rows.yz[row]) || visit(first + row);
    }
  }
  void on_node() const { note_node(visit); }
};

template <class Visit>
bool CollisionLayer::visit_bucket(std::uint32_t bucket, const Aabb3& query, TreeWalk walk,
                                  const Visit& visit) const {
  if constexpr (requires { visit.on_bucket(); }) {
    visit.on_bucket();
  }
  const LayerRows r = rows(bucket);
  const YzTest test(yz_of(query));
  const float qxmin = query.lo[0], qxmax = query.hi[0];
  for (std::uint32_t row = first_not_below(r.xmin, r.size, qxmin); row < r.size && r.xmin[row] <= qxmax;
       ++row) {
    if constexpr (requires { visit.on_row(); }) {
      visit.on_row();
    }
    if (HWY_UNLIKELY(test.overlaps(r.yz[row])) && ends([&] { return visit(begin_[bucket] + row); })) {
      return false;
    }
  }
  const IntervalNode* nodes = tree_.data() + begin_[bucket];
  const VisitBeganBefore<Visit> before{test, r, begin_[bucket], visit};
  switch (walk) {
    case TreeWalk::kRecursive:
      return !ends([&] { return walk_recursively(nodes, r.size, qxmin, before); });
    case TreeWalk::kCheckpoints:
      return !ends([&] { return walk_with_checkpoints(nodes, r.size, qxmin, before); });
    case TreeWalk::kStack:
      break;
  }
  return !ends([&] { return walk_with_stack(nodes, r.size, qxmin, before); });
}

template <class Visit>
bool CollisionLayer::visit_objects(const Aabb3& query, TreeWalk walk, const Visit& visit) const {
  if (query.empty() || size() == 0) {
    return true;
  }
  const CellRange y = y_.cells(query.lo[1], query.hi[1]), z = z_.cells(query.lo[2], query.hi[2]);
  for (std::uint32_t j = y.first; j <= y.last; ++j) {
    for (std::uint32_t k = z.first; k <= z.last; ++k) {
      if (!visit_bucket(j * cells_.z + k, query, walk, visit)) {
        return false;
      }
    }
  }
  return visit_bucket(buckets() - 1, query, walk, visit);
}

inline Aabb3 CollisionLayer::box_of(std::uint32_t row) const noexcept {
  const YzBounds& yz = yz_[row];
  return {{xmin_[row], yz.ymin, yz.zmin}, {xmax_[row], -yz.minus_ymax, -yz.minus_zmax}};
}

}  // namespace juxta::classics
