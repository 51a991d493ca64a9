// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "juxta/math/qvvs.h"
#include "juxta/transform/prefab.h"
#include "scenes/draws.h"

namespace juxta::scenes {

// Forests, their movers, and who gets another parent. The same bits for the same arguments on every machine.
//
// The local transform of node i: rotation normalise(.2u, .2u, .2u, 1), position u^3 (a root's 100 times as
// far), scale 1.25 where 7 divides i, and stretch 1 + .5u along each axis where 50 divides i, else none. Each
// u is drawn anew from U[-1, 1).

/// A forest as a list, parents before their children.
struct TreeScene {
  std::vector<NodeDescription> nodes;
  std::vector<std::uint32_t> roots;  ///< Places of the roots in `nodes`, ascending.
  /// The order in memory of a store that keeps nodes as they were created: storage[k] is a place in `nodes`.
  std::vector<std::uint32_t> storage;
};

/// One shape of forest from a handful of copies to millions.
enum class TreeShape : std::uint8_t {
  kRandom,    ///< A tenth are roots; node i's parent is even in [0, i). Depth 13 at a million. Storage is
              ///< shuffled: a chunk of any store holds every depth.
  kDeepWide,  ///< A chain of N / 1000 (scale 1.25 and .8 by turns, so that any depth stays finite), then one
              ///< root with N / 10 children of 9 children each: N + N / 1000 + 1 nodes.
  kChain,     ///< One chain, scales by turns as well.
  kStar,      ///< One root, all others its children.
  kRoots,     ///< Every node is a root.
};
inline constexpr std::array kTreeShapes{TreeShape::kRandom, TreeShape::kDeepWide, TreeShape::kChain,
                                        TreeShape::kStar, TreeShape::kRoots};

[[nodiscard]] std::string_view name(TreeShape shape) noexcept;  ///< "random", "deep_wide", "chain", ...

/// `count` nodes of that shape, at least 1. Cost: about 50 ns a node.
[[nodiscard]] TreeScene make_trees(TreeShape shape, std::size_t count, std::uint64_t seed);

/// `ropes` chains of `length` nodes each, one after the other; scales by turns as well.
[[nodiscard]] TreeScene make_ropes(std::size_t ropes, std::size_t length, std::uint64_t seed);

/// How many instances, and how many of one prefab follow each other.
struct PrefabForm {
  std::size_t roots = 100'000;
  std::size_t batch = 500;
};

/// Instances with about `nodes` nodes: batches of 500, or of a fifth of all where those are few (1,000 nodes
/// ask for 100 instances, which have 940).
[[nodiscard]] PrefabForm form_of(std::size_t nodes) noexcept;

/// Instances [first, last) of one prefab.
struct PrefabBatch {
  std::uint32_t prefab = 0, first = 0, last = 0;
};

/// Instances of eight prefabs, batch after batch, prefab after prefab.
struct PrefabScene {
  /// With 5, 12, 8, 10, 7, 11, 9 and 10 nodes below the root; each node's parent is even among the earlier
  /// nodes of depth below 3. Locals are drawn over all 80 nodes.
  std::vector<std::vector<NodeDescription>> prefabs;
  std::vector<PrefabBatch> batches;
  std::vector<LocalTransform> roots;  ///< Where instance i stands: its root's local transform.

  /// Nodes of all instances.
  [[nodiscard]] std::size_t nodes() const noexcept;
  [[nodiscard]] std::span<const LocalTransform> roots_of(const PrefabBatch& batch) const noexcept {
    return std::span(roots).subspan(batch.first, batch.last - batch.first);
  }
};

[[nodiscard]] PrefabScene make_prefabs(const PrefabForm& form, std::uint64_t seed);

/// The same nodes as a list, instance after instance, each in the order of its prefab. Storage is that of an
/// entity system: of each batch all copies of node 0, then all of node 1, ...
[[nodiscard]] TreeScene as_trees(const PrefabScene& scene);

/// A hundredth of `roots` (at least one) for each of `frames` frames, drawn anew for each, without
/// repetition, ascending: places in TreeScene::roots, or instances.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> choose_movers(std::size_t roots, std::size_t frames,
                                                                    std::uint64_t seed);

/// A node gets a root as its parent. Both are places in TreeScene::nodes.
struct NewParent {
  std::uint32_t node = 0, parent = 0;
};

/// A hundredth of all nodes (of those that were not made as roots) gets another parent in each frame, even
/// among the roots; what earlier frames did stays.
class Reparenting {
 public:
  Reparenting(const TreeScene& scene, std::uint64_t seed);
  /// The next frame, in random order, no node twice. Valid until the next call.
  [[nodiscard]] std::span<const NewParent> next();

 private:
  Draws draws_;
  std::size_t per_frame_;
  std::vector<std::uint32_t> roots_, others_;
  std::vector<NewParent> frame_;
};

}  // namespace juxta::scenes
