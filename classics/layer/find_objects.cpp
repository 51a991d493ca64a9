// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>

#include "classics/layer/find_objects-inl.h"

namespace juxta::classics {
namespace {

struct CountWork {
  ObjectsWork& work;
  void operator()(std::uint32_t) const { ++work.hits; }
  void on_bucket() const { ++work.buckets; }
  void on_row() const { ++work.swept; }
  void on_node() const { ++work.nodes; }
  void on_inside() const { ++work.inside; }
};

}  // namespace

std::size_t CollisionLayer::find_objects(const Aabb3& query, std::span<std::uint32_t> out,
                                         TreeWalk walk) const {
  std::size_t found = 0;
  visit_objects(query, walk, [&](std::uint32_t row) {
    if (found < out.size()) {
      out[found] = source_[row];
    }
    ++found;
  });
  return found;
}

bool CollisionLayer::any_object(const Aabb3& query, TreeWalk walk) const {
  bool hit = false;
  visit_objects(query, walk, [&](std::uint32_t) { hit = true; });
  return hit;
}

bool CollisionLayer::any_object_early(const Aabb3& query, TreeWalk walk) const {
  return !visit_objects(query, walk, [](std::uint32_t) { return false; });
}

ObjectsWork CollisionLayer::count_objects(const Aabb3& query, TreeWalk walk) const {
  ObjectsWork work;
  visit_objects(query, walk, CountWork{work});
  return work;
}

}  // namespace juxta::classics
