// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// An engine with an entity system of its own, here plain columns of components. Each entity keeps the Id of
// its node as one more component; columns go in and out as spans. The node's context is the entity's number,
// so that what changed can be written to the entity without a table of Ids.
#include <juxta/core/executor.h>
#include <juxta/core/try.h>
#include <juxta/transform/hierarchy.h>
#include <juxta/transform/matrices.h>

#include <cstdio>
#include <vector>

namespace {

/// The engine's components: row i of each column is entity i.
struct Entities {
  std::vector<juxta::Id> node;
  std::vector<juxta::Vec3> position;  // relative to the parent
  std::vector<juxta::Vec3> velocity;
  std::vector<juxta::Matrix34> matrix;  // what the renderer reads

  [[nodiscard]] std::size_t size() const { return node.size(); }
};

constexpr int kShips = 1000, kLamps = 4;

/// Ships that fly, with lamps that rest on them. Whole trees at once: a list in which parents come first.
juxta::Result<Entities> populate(juxta::Hierarchy& transforms) {
  Entities all;
  std::vector<juxta::NodeDescription> nodes;
  for (int ship = 0; ship < kShips; ++ship) {
    const auto root = static_cast<std::uint32_t>(nodes.size());
    for (int part = 0; part <= kLamps; ++part) {
      const bool is_ship = part == 0;
      all.position.push_back(is_ship ? juxta::Vec3{static_cast<float>(10 * ship), 0, 0}
                                     : juxta::Vec3{0, 1, static_cast<float>(part)});
      all.velocity.push_back(is_ship && ship % 10 == 0 ? juxta::Vec3{0, 0, 5} : juxta::Vec3{});
      nodes.push_back({.local = {{}, all.position.back(), 1},
                       .parent = is_ship ? juxta::NodeDescription::kRoot : root,
                       .context = static_cast<std::int32_t>(nodes.size())});
    }
  }
  all.node.resize(nodes.size());
  all.matrix.resize(nodes.size());
  JUXTA_TRY(transforms.insert(nodes, all.node));
  return all;
}

/// The engine's own system: integrates what moves, and hands over those rows alone.
juxta::Result<void> fly(Entities& all, juxta::Hierarchy& transforms, float seconds) {
  std::vector<juxta::Id> moved;
  std::vector<juxta::Vec3> to;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.velocity[i] != juxta::Vec3{}) {
      all.position[i] = all.position[i] + all.velocity[i] * seconds;
      moved.push_back(all.node[i]);
      to.push_back(all.position[i]);
    }
  }
  return transforms.set_position(moved, to);
}

}  // namespace

int main() {
  juxta::Hierarchy transforms;
  auto all = populate(transforms);
  const auto executor = juxta::TbbExecutor::build();  // or the engine's own jobs: one function to implement
  const juxta::Context options{executor ? &*executor : nullptr};
  if (!all || !transforms.propagate(options)) {
    return 1;
  }

  // All at once, in the order of the entities.
  std::vector<juxta::Qvvs> worlds(all->size());
  if (!transforms.world(all->node, worlds) || !juxta::to_matrices(worlds, all->matrix)) {
    return 1;
  }

  // Every frame: only what changed.
  std::size_t rewritten = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const std::uint64_t before = transforms.version();
    if (const auto flown = fly(*all, transforms, 1.0F / 60); !flown) {
      std::fprintf(stderr, "%s\n", flown.error().message.c_str());
      return 1;
    }
    if (!transforms.propagate(options)) {
      return 1;
    }
    transforms.changed_since(before, [&](juxta::Id, const juxta::Qvvs& world) {
      all->matrix[static_cast<std::size_t>(world.context)] = juxta::to_matrix34(world);
      ++rewritten;
    });
  }

  // The columns must agree with a full read.
  std::vector<juxta::Matrix34> expected(all->size());
  if (!transforms.world(all->node, worlds) || !juxta::to_matrices(worlds, expected)) {
    return 1;
  }
  std::printf("%zu entities, %d of them fly with their lamps: %zu matrices written in 60 frames\n",
              all->size(), kShips / 10, rewritten);
  std::printf("lamp 1 of ship 0 is at z = %.2f\n", static_cast<double>(all->matrix[1].m[2][3]));
  return expected == all->matrix && rewritten == std::size_t{60} * (kShips / 10) * (kLamps + 1) ? 0 : 1;
}
