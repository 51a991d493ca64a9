// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/hierarchies.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace juxta::scenes {
namespace {

constexpr std::array<std::size_t, 8> kDescendants{5, 12, 8, 10, 7, 11, 9, 10};
constexpr std::uint32_t kMostDepth = 3;
constexpr std::size_t kShare = 100;  // of roots that move, of nodes that get another parent
constexpr float kRootSpread = 100;

LocalTransform draw_local(Draws& draws, std::size_t i, bool root) {
  const auto u = [&draws] { return draws.uniform(-1, 1); };
  LocalTransform local;
  local.rotation =
      normalized(Quat{0.2F * u(), 0.2F * u(), 0.2F * u(), 1});  // braces: drawn from left to right
  local.position = Vec3{u(), u(), u()} * (root ? kRootSpread : 1.0F);
  local.scale = i % 7 == 0 ? 1.25F : 1.0F;
  return local;
}

NodeDescription draw_node(Draws& draws, std::size_t i, std::uint32_t parent) {
  NodeDescription node;
  node.local = draw_local(draws, i, parent == NodeDescription::kRoot);
  node.parent = parent;
  if (i % 50 == 0) {
    const auto u = [&draws] { return draws.uniform(-1, 1); };
    node.stretch = Vec3{1 + 0.5F * u(), 1 + 0.5F * u(), 1 + 0.5F * u()};
  }
  return node;
}

class TreeMaker {
 public:
  TreeMaker(std::size_t count, std::uint64_t seed) : draws_(seed) { scene_.nodes.reserve(count); }

  std::uint32_t add(std::uint32_t parent) {
    const std::size_t i = scene_.nodes.size();
    scene_.nodes.push_back(draw_node(draws_, i, parent));
    return static_cast<std::uint32_t>(i);
  }
  std::uint32_t add_root() {
    const std::uint32_t root = add(NodeDescription::kRoot);
    scene_.roots.push_back(root);
    return root;
  }
  void random(std::size_t count) {
    const std::size_t roots = std::max<std::size_t>(1, count / 10);
    for (std::size_t i = 0; i < count; ++i) {
      i < roots ? add_root() : add(draws_.below(static_cast<std::uint32_t>(i)));
    }
  }
  void chain(std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint32_t at = i == 0 ? add_root() : add(static_cast<std::uint32_t>(scene_.nodes.size() - 1));
      if (at % 14 == 7) {  // a node whose number 7 divides is scaled by 1.25
        scene_.nodes[at].local.scale = 0.8F;
      }
    }
  }
  void star(std::size_t children, std::size_t grandchildren) {
    const std::uint32_t root = add_root(), first = root + 1;
    for (std::size_t i = 0; i < children; ++i) {
      add(root);
    }
    for (std::size_t i = 0; i < children * grandchildren; ++i) {
      add(first + static_cast<std::uint32_t>(i / grandchildren));
    }
  }
  TreeScene take(bool shuffled) {
    scene_.storage.resize(scene_.nodes.size());
    std::iota(scene_.storage.begin(), scene_.storage.end(), 0U);
    if (shuffled) {
      draws_.shuffle(scene_.storage);
    }
    return std::move(scene_);
  }

 private:
  Draws draws_;
  TreeScene scene_;
};

std::vector<NodeDescription> draw_prefab(Draws& draws, std::size_t descendants, std::size_t number) {
  std::vector<NodeDescription> nodes{draw_node(draws, number, NodeDescription::kRoot)};
  std::vector<std::uint32_t> depth{0};
  for (std::uint32_t j = 1; j <= descendants; ++j) {
    std::uint32_t parent = 0;
    do {
      parent = draws.below(j);
    } while (depth[parent] >= kMostDepth);
    nodes.push_back(draw_node(draws, number + j, parent));
    depth.push_back(depth[parent] + 1);
  }
  return nodes;
}

// Puts `count` of `values`, drawn without repetition, to the front (the beginning of Fisher and Yates).
void draw_to_front(Draws& draws, std::vector<std::uint32_t>& values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(values[i], values[i + draws.below(static_cast<std::uint32_t>(values.size() - i))]);
  }
}

}  // namespace

std::string_view name(TreeShape shape) noexcept {
  constexpr std::array<std::string_view, kTreeShapes.size()> kNames{"random", "deep_wide", "chain", "star",
                                                                    "roots"};
  return kNames[static_cast<std::size_t>(shape)];
}

TreeScene make_trees(TreeShape shape, std::size_t count, std::uint64_t seed) {
  TreeMaker maker(count, seed);
  switch (shape) {
    case TreeShape::kRandom:
      maker.random(count);
      break;
    case TreeShape::kDeepWide:
      maker.chain(std::max<std::size_t>(1, count / 1000));
      maker.star(std::max<std::size_t>(1, count / 10), 9);
      break;
    case TreeShape::kChain:
      maker.chain(count);
      break;
    case TreeShape::kStar:
      maker.star(count - 1, 0);
      break;
    case TreeShape::kRoots:
      for (std::size_t i = 0; i < count; ++i) {
        maker.add_root();
      }
      break;
  }
  return maker.take(shape == TreeShape::kRandom);
}

TreeScene make_ropes(std::size_t ropes, std::size_t length, std::uint64_t seed) {
  TreeMaker maker(ropes * length, seed);
  for (std::size_t i = 0; i < ropes; ++i) {
    maker.chain(length);
  }
  return maker.take(false);
}

PrefabForm form_of(std::size_t nodes) noexcept {
  const std::size_t roots = std::max<std::size_t>(1, nodes / 10);
  return {roots, std::clamp<std::size_t>(roots / 5, 1, 500)};
}

std::size_t PrefabScene::nodes() const noexcept {
  return std::accumulate(batches.begin(), batches.end(), std::size_t{0},
                         [this](std::size_t sum, const PrefabBatch& batch) {
                           return sum + prefabs[batch.prefab].size() * (batch.last - batch.first);
                         });
}

PrefabScene make_prefabs(const PrefabForm& form, std::uint64_t seed) {
  Draws draws(seed);
  PrefabScene scene;
  std::size_t number = 0;
  for (const std::size_t descendants : kDescendants) {
    scene.prefabs.push_back(draw_prefab(draws, descendants, number));
    number += descendants + 1;
  }
  scene.roots.reserve(form.roots);
  for (std::size_t i = 0; i < form.roots; ++i) {
    scene.roots.push_back(draw_local(draws, i, true));
  }
  for (std::size_t first = 0, i = 0; first < form.roots; first += form.batch, ++i) {
    scene.batches.push_back({static_cast<std::uint32_t>(i % kDescendants.size()),
                             static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(std::min(form.roots, first + form.batch))});
  }
  return scene;
}

TreeScene as_trees(const PrefabScene& scene) {
  TreeScene trees;
  trees.nodes.reserve(scene.nodes());
  trees.storage.reserve(scene.nodes());
  for (const PrefabBatch& batch : scene.batches) {
    const std::vector<NodeDescription>& prefab = scene.prefabs[batch.prefab];
    const std::size_t size = prefab.size(), begin = trees.nodes.size();
    for (std::uint32_t i = batch.first; i < batch.last; ++i) {
      const auto root = static_cast<std::uint32_t>(trees.nodes.size());
      trees.roots.push_back(root);
      trees.nodes.insert(trees.nodes.end(), prefab.begin(), prefab.end());
      trees.nodes[root].local = scene.roots[i];
      for (std::size_t j = 1; j < size; ++j) {
        trees.nodes[root + j].parent += root;
      }
    }
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t i = 0; i < batch.last - batch.first; ++i) {
        trees.storage.push_back(static_cast<std::uint32_t>(begin + i * size + j));
      }
    }
  }
  return trees;
}

std::vector<std::vector<std::uint32_t>> choose_movers(std::size_t roots, std::size_t frames,
                                                      std::uint64_t seed) {
  Draws draws(seed);
  std::vector<std::uint32_t> all(roots);
  std::iota(all.begin(), all.end(), 0U);
  const auto count = static_cast<std::ptrdiff_t>(std::min(roots, std::max<std::size_t>(1, roots / kShare)));
  std::vector<std::vector<std::uint32_t>> chosen(frames);
  for (std::vector<std::uint32_t>& frame : chosen) {
    draw_to_front(draws, all, static_cast<std::size_t>(count));
    frame.assign(all.begin(), all.begin() + count);
    std::sort(frame.begin(), frame.end());
  }
  return chosen;
}

Reparenting::Reparenting(const TreeScene& scene, std::uint64_t seed) : draws_(seed), roots_(scene.roots) {
  for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].parent != NodeDescription::kRoot) {
      others_.push_back(i);
    }
  }
  per_frame_ = std::min(others_.size(), std::max<std::size_t>(1, scene.nodes.size() / kShare));
}

std::span<const NewParent> Reparenting::next() {
  draw_to_front(draws_, others_, per_frame_);
  frame_.clear();
  for (std::size_t i = 0; i < per_frame_; ++i) {
    frame_.push_back({others_[i], roots_[draws_.below(static_cast<std::uint32_t>(roots_.size()))]});
  }
  return frame_;
}

}  // namespace juxta::scenes
