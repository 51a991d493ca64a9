// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/transform/oracle.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

constexpr std::uint32_t kRoot = NodeDescription::kRoot;
constexpr float kTolerance = 1e-4F;

// Of four numbers the largest difference; a NaN is as far as anything can be.
float apart(std::initializer_list<float> a, std::initializer_list<float> b) {
  float most = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y) {
    const float d = std::abs(*x - *y);
    most = d <= most ? most : d;
    if (!(d <= most)) {
      return INFINITY;
    }
  }
  return most;
}

bool same_place(const Qvvs& a, const Qvvs& b) {
  const Quat p = a.rotation, q = b.rotation;
  const float far = std::max({1.0F, std::abs(b.position.x), std::abs(b.position.y), std::abs(b.position.z)});
  return apart({p.x, p.y, p.z, p.w}, {q.x, q.y, q.z, q.w}) <= kTolerance &&
         apart({a.position.x, a.position.y, a.position.z}, {b.position.x, b.position.y, b.position.z}) <=
             kTolerance * far &&
         apart({a.scale}, {b.scale}) <= kTolerance * b.scale && a.stretch == b.stretch &&
         a.context == b.context;
}

}  // namespace

Oracle::Oracle(const scenes::TreeScene& trees) : trees_(trees) {
  roots_.reserve(trees.roots.size());
  for (const std::uint32_t root : trees.roots) {
    roots_.push_back(trees.nodes[root].local.position);
  }
  parents_.reserve(trees.nodes.size());
  for (const NodeDescription& node : trees.nodes) {
    parents_.push_back(node.parent);
  }
}

void Oracle::move_all() {
  for (Vec3& position : roots_) {
    position.x += kStep;
  }
}

void Oracle::move(std::span<const std::uint32_t> roots) {
  for (const std::uint32_t root : roots) {
    roots_[root].x += kStep;
  }
}

void Oracle::reparent(std::span<const scenes::NewParent> changes) {
  for (const scenes::NewParent& change : changes) {
    parents_[change.node] = change.parent;
  }
}

// Roots first: a node's parent is one of them, or stands before it.
std::vector<Qvvs> Oracle::worlds() const {
  std::vector<Qvvs> worlds(trees_.nodes.size());
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const NodeDescription& root = trees_.nodes[trees_.roots[i]];
    worlds[trees_.roots[i]] = {root.local.rotation, roots_[i], root.context, root.stretch, root.local.scale};
  }
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const NodeDescription& node = trees_.nodes[i];
    if (parents_[i] != kRoot) {
      worlds[i] = mul(worlds[parents_[i]], node.local, node.stretch, node.context);
    }
  }
  return worlds;
}

void Oracle::check(const Contender& world, const std::string& row) const {
  std::vector<Qvvs> got;
  for (std::uint32_t i = 0; i < world.nodes() && i < trees_.nodes.size(); ++i) {
    got.push_back(world.world(i));
  }
  if (world.nodes() != trees_.nodes.size()) {
    give_up(row + " holds " + std::to_string(world.nodes()) + " nodes, not " +
            std::to_string(trees_.nodes.size()) + ".");
  }
  check(got, row);
}

void Oracle::check(std::span<const Qvvs> got, const std::string& row) const {
  const std::vector<Qvvs> right = worlds();
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!same_place(got[i], right[i])) {
      give_up(row + " puts node " + std::to_string(i) + " at x = " + std::to_string(got[i].position.x) +
              ", not at " + std::to_string(right[i].position.x) + ", or turns or scales it otherwise.");
    }
  }
}

void check_frames(Contender& world, const Forest& forest, std::span<const std::vector<std::uint32_t>> movers,
                  const std::string& row) {
  Oracle oracle(forest.trees);
  oracle.check(world, row + ", as built,");
  world.move_all();
  oracle.move_all();
  world.propagate();
  oracle.check(world, row + ", all moved,");
  for (const std::vector<std::uint32_t>& roots : movers) {
    world.move(roots);
    oracle.move(roots);
    world.propagate();
  }
  world.propagate();
  oracle.check(world, row + ", some moved,");
}

}  // namespace juxta::bench
