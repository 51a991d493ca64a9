// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/layer/collision_layer.h"

#include <algorithm>
#include <limits>

#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"

namespace juxta::classics {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr YzBounds kNoBounds{kInfinity, kInfinity, kInfinity, kInfinity};

void widen(YzBounds& bounds, const YzBounds& yz) {
  bounds = {std::min(bounds.ymin, yz.ymin), std::min(bounds.zmin, yz.zmin),
            std::min(bounds.minus_ymax, yz.minus_ymax), std::min(bounds.minus_zmax, yz.minus_zmax)};
}

}  // namespace

CollisionLayer::CollisionLayer(const LayerCells& cells)
    : cells_(cells),
      y_(axis_of(cells, 1, cells.y)),
      z_(axis_of(cells, 2, cells.z)),
      begin_(std::size_t{buckets()} + 1),
      bounds_(buckets(), kNoBounds) {}

// A world without extent has one cell that counts; all others stay empty.
CollisionLayer::Axis CollisionLayer::axis_of(const LayerCells& cells, int axis, std::uint32_t count) {
  const float extent = cells.world.hi[axis] - cells.world.lo[axis];
  const float scale = extent > 0 ? static_cast<float>(count) / extent : 0;
  return {cells.world.lo[axis], scale < kInfinity ? scale : 0, static_cast<float>(count - 1)};
}

std::uint32_t CollisionLayer::bucket_of(const Aabb3& box) const noexcept {
  const CellRange y = y_.cells(box.lo[1], box.hi[1]), z = z_.cells(box.lo[2], box.hi[2]);
  const bool one_cell = y.first == y.last && z.first == z.last;
  return one_cell ? y.first * cells_.z + z.first : buckets() - 1;
}

void CollisionLayer::resize(std::size_t size) {
  xmin_.resize_discard(size);
  xmax_.resize_discard(size);
  yz_.resize_discard(size);
  source_.resize_discard(size);
}

void CollisionLayer::set_row(std::uint32_t row, const Aabb3& box, std::uint32_t source) {
  xmin_[row] = box.lo[0];
  xmax_[row] = box.hi[0];
  yz_[row] = yz_of(box);
  source_[row] = source;
}

void CollisionLayer::build(std::span<const Aabb3> boxes, Workspace& workspace, Ask ask, TreeBuild tree) {
  const Workspace::Scope scope(workspace);
  const auto keys = workspace.take<std::uint64_t>(boxes.size());
  const auto order = workspace.take<std::uint32_t>(boxes.size());
  std::fill(begin_.begin(), begin_.end(), 0);
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const std::uint32_t bucket = bucket_of(boxes[i]);
    keys[i] = std::uint64_t{bucket} << 32 | ordered_key(boxes[i].lo[0]);
    order[i] = i;
    ++begin_[bucket + 1];
  }
  for (std::uint32_t bucket = 0; bucket < buckets(); ++bucket) {
    begin_[bucket + 1] += begin_[bucket];
  }
  static_cast<void>(
      sort_pairs(keys, order, {.workspace = &workspace}).has_value());  // u32 indices are never too many
  resize(boxes.size());
  for (std::uint32_t row = 0; row < boxes.size(); ++row) {
    set_row(row, boxes[order[row]], order[row]);
  }
  finish(ask, tree);
}

void CollisionLayer::build_from(const CollisionLayer& from, std::span<const std::uint8_t> keep, Ask ask) {
  cells_ = from.cells_;
  y_ = from.y_;
  z_ = from.z_;
  begin_.assign(from.begin_.size(), 0);
  bounds_.resize(from.bounds_.size());
  const auto staying = std::count_if(from.source_.begin(), from.source_.end(),
                                     [&](std::uint32_t source) { return keep[source] != 0; });
  resize(static_cast<std::size_t>(staying));
  std::uint32_t kept = 0;
  for (std::uint32_t bucket = 0; staying > 0 && bucket < buckets(); ++bucket) {
    for (std::uint32_t row = from.begin_[bucket]; row < from.begin_[bucket + 1]; ++row) {
      // Written first, counted after; the last such write may go into the padding.
      xmin_[kept] = from.xmin_[row];
      xmax_[kept] = from.xmax_[row];
      yz_[kept] = from.yz_[row];
      source_[kept] = from.source_[row];
      kept += keep[from.source_[row]] != 0 ? 1 : 0;
    }
    begin_[bucket + 1] = kept;
  }
  finish(ask, TreeBuild::kOnePass);
}

// What needs the rows in place: bounds, and trees.
void CollisionLayer::finish(Ask ask, TreeBuild tree) {
  for (std::uint32_t bucket = 0; bucket < buckets(); ++bucket) {
    bounds_[bucket] = kNoBounds;
    for (std::uint32_t row = begin_[bucket]; row < begin_[bucket + 1]; ++row) {
      widen(bounds_[bucket], yz_[row]);
    }
  }
  tree_.resize_discard(ask == Ask::kPairsAndObjects ? size() : 0);
  if (ask == Ask::kPairs || size() == 0) {
    return;
  }
  YzBounds all = kNoBounds;
  for (std::uint32_t bucket = 0; bucket < buckets(); ++bucket) {
    const LayerRows r = rows(bucket);
    build_interval_tree(tree, r.xmin, r.xmax, r.size, tree_.data() + begin_[bucket]);
    widen(all, bounds_[bucket]);
  }
  world_ = {{*std::min_element(xmin_.begin(), xmin_.end()), all.ymin, all.zmin},
            {*std::max_element(xmax_.begin(), xmax_.end()), -all.minus_ymax, -all.minus_zmax}};
}

LayerRows CollisionLayer::rows(std::uint32_t bucket) const noexcept {
  const std::uint32_t first = begin_[bucket];
  return {xmin_.data() + first, xmax_.data() + first, yz_.data() + first, source_.data() + first,
          begin_[bucket + 1] - first};
}

std::size_t CollisionLayer::memory_bytes() const noexcept {
  return sizeof(*this) + begin_.capacity() * sizeof(std::uint32_t) + bounds_.capacity() * sizeof(YzBounds) +
         xmin_.memory_bytes() + xmax_.memory_bytes() + yz_.memory_bytes() + source_.memory_bytes() +
         tree_.memory_bytes();
}

}  // namespace juxta::classics
