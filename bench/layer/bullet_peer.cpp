// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Bullet's btDbvt, used as its soft bodies do: the tree is made once, top-down; each frame sets the leaves,
// merges upwards, and optimizeIncremental() takes up a fifth of the leaves anew. Without the last the tree
// decays within ten frames. Measured on 100k uniform boxes: 90 ms a frame; moving each leaf with update() 130
// ms, btDbvtBroadphase 240 ms, building anew 650 ms.
#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <memory>
#include <vector>

#include "bench/layer/contenders.h"

namespace juxta::bench {
namespace {

btDbvtVolume volume_of(const Aabb3& box) {
  return btDbvtVolume::FromMM(btVector3(box.lo[0], box.lo[1], box.lo[2]),
                              btVector3(box.hi[0], box.hi[1], box.hi[2]));
}

std::uint32_t index_of(const btDbvtNode* leaf) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(leaf->data));
}

struct KeepPairs final : btDbvt::ICollide {
  explicit KeepPairs(std::span<Pair> out) : sink(out) {}
  void Process(const btDbvtNode* a, const btDbvtNode* b) override { sink.add(index_of(a), index_of(b)); }
  PairSink sink;
};

// A tree over boxes that are as many in every call.
class DynamicTree {
 public:
  void take_in(std::span<const Aabb3> boxes) {
    if (count_ != boxes.size()) {
      tree_.clear();
      count_ = boxes.size();
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        tree_.insert(volume_of(boxes[i]), reinterpret_cast<void*>(i));
      }
      tree_.optimizeTopDown();
    } else if (tree_.m_root != nullptr) {
      refit(tree_.m_root, boxes);
      tree_.optimizeIncremental(1 + static_cast<int>(count_ / 5));
    }
  }
  btDbvt& tree() { return tree_; }
  // Inner nodes are one less than leaves.
  [[nodiscard]] std::size_t memory_bytes() const { return 2 * count_ * sizeof(btDbvtNode); }

 private:
  static void refit(btDbvtNode* node, std::span<const Aabb3> boxes) {
    if (node->isleaf()) {
      node->volume = volume_of(boxes[index_of(node)]);
      return;
    }
    refit(node->childs[0], boxes);
    refit(node->childs[1], boxes);
    Merge(node->childs[0]->volume, node->childs[1]->volume, node->volume);
  }

  btDbvt tree_;
  std::size_t count_ = 0;
};

class BulletPairs final : public PairFinder {
 public:
  std::size_t pairs(std::span<const Aabb3> boxes, std::span<Pair> out) override {
    first_.take_in(boxes);
    KeepPairs keep(out);
    btDbvt& tree = first_.tree();
    tree.collideTTpersistentStack(tree.m_root, tree.m_root, keep);
    return keep.sink.found();
  }
  std::size_t cross(std::span<const Aabb3> a, std::span<const Aabb3> b, std::span<Pair> out) override {
    first_.take_in(a);
    second_.take_in(b);
    KeepPairs keep(out);
    first_.tree().collideTTpersistentStack(first_.tree().m_root, second_.tree().m_root, keep);
    return keep.sink.found();
  }
  [[nodiscard]] std::size_t memory_bytes() const override {
    return first_.memory_bytes() + second_.memory_bytes();
  }

 private:
  DynamicTree first_, second_;
};

// It has no way to stop at the first hit.
class BulletBoxes final : public BoxAsker {
 public:
  explicit BulletBoxes(std::span<const Aabb3> boxes) { tree_.take_in(boxes); }
  std::uint32_t any(const Aabb3& query) override {
    struct Keep final : btDbvt::ICollide {
      void Process(const btDbvtNode* leaf) override { body = index_of(leaf); }
      std::uint32_t body = kNoBody;
    } keep;
    tree_.tree().collideTVNoStackAlloc(tree_.tree().m_root, volume_of(query), stack_, keep);
    return keep.body;
  }
  std::size_t all(const Aabb3& query, std::span<std::uint32_t> out) override {
    struct Keep final : btDbvt::ICollide {
      explicit Keep(std::uint32_t* first) : to(first) {}
      void Process(const btDbvtNode* leaf) override { *to++ = index_of(leaf); }
      std::uint32_t* to;
    } keep(out.data());
    tree_.tree().collideTVNoStackAlloc(tree_.tree().m_root, volume_of(query), stack_, keep);
    return static_cast<std::size_t>(keep.to - out.data());
  }

 private:
  DynamicTree tree_;
  btNodeStack stack_;
};

}  // namespace

std::unique_ptr<PairFinder> make_bullet_pairs() {
  return std::make_unique<BulletPairs>();
}

std::unique_ptr<BoxAsker> make_bullet_boxes(std::span<const Aabb3> boxes) {
  return std::make_unique<BulletBoxes>(boxes);
}

}  // namespace juxta::bench
