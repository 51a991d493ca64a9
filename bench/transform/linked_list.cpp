// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The store that most programs begin with: nodes in the order in which they were created, each with the
// places of its parent, its first child and its two neighbours among its siblings; worlds by a walk, depth
// first, through the trees in which something was written. New nodes take the places of destroyed ones.
//
//   node | world 48 | local 32 | parent, dirty, below | first child | next | previous |     96 bytes
#include <memory>
#include <memory_resource>
#include <vector>

#include "bench/support/settings.h"
#include "bench/transform/contenders.h"
#include "bench/transform/wide_frame-inl.h"
#include "classics/transform/wide_mul-inl.h"
#include "juxta/core/memory.h"

namespace juxta::bench {
namespace {

constexpr std::uint32_t kNone = (1U << 30) - 1;

struct Node {
  Qvvs world;
  LocalTransform local;
  std::uint32_t parent : 30 = kNone;
  std::uint32_t dirty : 1 = 0;  // it was written
  std::uint32_t below : 1 = 0;  // something below it was
  std::uint32_t first_child = kNone, next = kNone, previous = kNone;
};
static_assert(sizeof(Node) == 96);

class LinkedList final : public Contender {
 public:
  void build(const Forest& forest) override {
    if (forest.prefabs) {
      expect(forest.trees.roots.size(), forest.trees.nodes.size());
      for (const scenes::PrefabBatch& batch : forest.prefabs->batches) {
        spawn(*forest.prefabs, batch, true);
      }
    } else {
      create(forest.trees);
    }
    propagate();
  }

  void expect(std::size_t roots, std::size_t nodes) override {
    roots_.reserve(roots);
    place_.reserve(nodes);
  }

  // Instance after instance: the links of a prefab are those of the first one, moved on, or, where there are
  // free places, put to where its nodes go.
  void spawn(const scenes::PrefabScene& scene, const scenes::PrefabBatch& batch, bool all_ids) override {
    const std::vector<NodeDescription>& prefab = scene.prefabs[batch.prefab];
    std::vector<Node> copy(prefab.size());
    std::vector<std::uint32_t> last(prefab.size(), kNone);
    for (std::uint32_t i = 0; i < prefab.size(); ++i) {
      fill(copy[i], prefab[i]);
      append(copy.data(), i, prefab[i].parent, last);
    }
    for (const LocalTransform& root : scene.roots_of(batch)) {
      if (free_.size() >= copy.size()) {
        fill_free(copy, root, all_ids);
        continue;
      }
      const auto base = static_cast<std::uint32_t>(nodes_.size());
      for (const Node& node : copy) {
        nodes_.push_back(node);
        Node& made = nodes_.back();
        made.parent = node.parent == kNone ? kNone : (node.parent + base) & kNone;
        for (std::uint32_t* link : {&made.first_child, &made.next, &made.previous}) {
          *link = *link == kNone ? kNone : *link + base;
        }
      }
      nodes_[base].local = root;
      mark(base);
      roots_.push_back(base);
      for (std::uint32_t i = 0; all_ids && i < prefab.size(); ++i) {
        place_.push_back(base + i);
      }
    }
  }

  void move_all() override {
    for (const std::uint32_t root : roots_) {
      nodes_[root].local.position.x += kStep;
      mark(root);
    }
  }
  void move(std::span<const std::uint32_t> roots) override {
    for (const std::uint32_t root : roots) {
      nodes_[roots_[root]].local.position.x += kStep;
      mark(roots_[root]);
    }
  }
  void write(std::span<const std::uint32_t> nodes, std::span<const LocalTransform> locals) override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes_[place_[nodes[i]]].local = locals[i];
      mark(place_[nodes[i]]);
    }
  }

  PositionSum sum_frame(const Turn& by) override {
    turn_all(by);
    propagate();
    WideSum sum;
    for (const Node& node : nodes_) {
      sum.add(node.world);
    }
    return sum.total();
  }
  void matrix_frame(const Turn& by, std::span<Matrix34> out) override {
    turn_all(by);
    propagate();
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      matrix_into(nodes_[at].world, out[at]);
    }
  }
  [[nodiscard]] std::size_t matrix_count() const override { return nodes_.size(); }
  [[nodiscard]] std::uint32_t matrix_of(std::uint32_t node) const override { return place_[node]; }

  void destroy(std::span<const std::uint32_t> roots) override {
    for (std::size_t i = roots.size(); i-- > 0;) {
      free_tree(roots_[roots[i]]);
      roots_[roots[i]] = roots_.back();
      roots_.pop_back();
    }
  }

  void reparent(std::span<const scenes::NewParent> changes) override {
    for (const scenes::NewParent& change : changes) {
      const std::uint32_t at = place_[change.node], parent = place_[change.parent];
      for (std::uint32_t up = parent; up != kNone; up = nodes_[up].parent) {
        if (up == at) {
          give_up("the linked list takes a new parent for a cycle.");
        }
      }
      unlink(at);
      Node& node = nodes_[at];
      node.parent = parent & kNone;
      node.next = nodes_[parent].first_child;
      if (node.next != kNone) {
        nodes_[node.next].previous = at;
      }
      nodes_[parent].first_child = at;
      mark(at, true);
    }
  }

  void propagate() override {
    for (const std::uint32_t root : dirty_roots_) {
      if (nodes_[root].parent == kNone) {  // else it hangs on something by now, and is reached from there
        walk(root);
      }
    }
    dirty_roots_.clear();
  }

  [[nodiscard]] Qvvs world(std::uint32_t node) const override { return nodes_[place_[node]].world; }
  void read(std::span<const std::uint32_t> nodes, std::span<Qvvs> out) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      out[i] = nodes_[place_[nodes[i]]].world;
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> order() const override {
    std::vector<std::uint32_t> order(place_.size());
    for (std::uint32_t node = 0; node < place_.size(); ++node) {
      order[place_[node]] = node;
    }
    return order;
  }
  [[nodiscard]] std::size_t nodes() const override { return nodes_.size() - free_.size(); }
  [[nodiscard]] std::size_t bytes() const override { return nodes_.capacity() * sizeof(Node); }

 private:
  static void fill(Node& node, const NodeDescription& from) {
    node.local = from.local;
    node.world.stretch = from.stretch;
    node.world.context = from.context;
  }
  // Node `at` becomes the last child of `parent`.
  static void append(Node* nodes, std::uint32_t at, std::uint32_t parent, std::vector<std::uint32_t>& last) {
    if (parent == NodeDescription::kRoot) {
      return;
    }
    nodes[at].parent = parent & kNone;
    nodes[at].previous = last[parent];
    (last[parent] == kNone ? nodes[parent].first_child : nodes[last[parent]].next) = at;
    last[parent] = at;
  }

  void fill_free(const std::vector<Node>& copy, const LocalTransform& root, bool all_ids) {
    const std::size_t left = free_.size() - copy.size();
    const std::uint32_t* const at = &free_[left];  // where the nodes go
    const auto moved = [at](std::uint32_t link) { return link == kNone ? kNone : at[link]; };
    for (std::size_t i = 0; i < copy.size(); ++i) {
      Node& made = nodes_[at[i]];
      made = copy[i];
      made.parent = moved(made.parent) & kNone;
      made.first_child = moved(made.first_child);
      made.next = moved(made.next);
      made.previous = moved(made.previous);
    }
    nodes_[at[0]].local = root;
    mark(at[0]);
    roots_.push_back(at[0]);
    if (all_ids) {
      place_.insert(place_.end(), at, at + copy.size());
    }
    free_.resize(left);
  }

  // Of a root on which nothing is waiting to be propagated. The list of free places is the queue as well.
  void free_tree(std::uint32_t root) {
    std::size_t next = free_.size();
    for (free_.push_back(root); next < free_.size(); ++next) {
      for (std::uint32_t at = nodes_[free_[next]].first_child; at != kNone; at = nodes_[at].next) {
        free_.push_back(at);
      }
    }
  }

  void turn_all(const Turn& by) {
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      turn_local(nodes_[at].local, by);
      mark(at);
    }
  }

  void create(const scenes::TreeScene& trees) {
    nodes_.resize(trees.nodes.size());
    place_.resize(trees.nodes.size());
    for (std::uint32_t at = 0; at < trees.storage.size(); ++at) {
      place_[trees.storage[at]] = at;
    }
    std::vector<std::uint32_t> last(trees.nodes.size(), kNone);
    for (std::size_t i = 0; i < trees.nodes.size(); ++i) {
      const NodeDescription& node = trees.nodes[i];
      fill(nodes_[place_[i]], node);
      append(nodes_.data(), place_[i],
             node.parent == NodeDescription::kRoot ? node.parent : place_[node.parent], last);
    }
    for (const std::uint32_t root : trees.roots) {
      roots_.push_back(place_[root]);
      mark(place_[root]);
    }
  }

  void unlink(std::uint32_t at) {
    Node& node = nodes_[at];
    if (node.next != kNone) {
      nodes_[node.next].previous = node.previous;
    }
    if (node.previous != kNone) {
      nodes_[node.previous].next = node.next;
    } else if (node.parent != kNone) {
      nodes_[node.parent].first_child = node.next;
    }
    node.previous = kNone;
  }

  // Whoever is marked has marked parents all the way up, so that the way up ends at the first one that is.
  // `moved`: those above may be others than before.
  void mark(std::uint32_t at, bool moved = false) {
    Node* node = &nodes_[at];
    bool known = (node->dirty || node->below) && !moved;
    node->dirty = 1;
    while (!known) {
      if (node->parent == kNone) {
        dirty_roots_.push_back(at);
        return;
      }
      at = node->parent;
      node = &nodes_[at];
      known = node->dirty || node->below;
      node->below = 1;
    }
  }

  // `top`: the topmost written node above, or kNone: then only what leads to written nodes is entered.
  void walk(std::uint32_t root) {
    std::uint32_t at = root, top = kNone;
    for (;;) {
      Node& node = nodes_[at];
      const bool enter = node.below != 0;
      if (top == kNone && node.dirty != 0) {
        top = at;
      }
      if (top != kNone) {
        compute(node);
      }
      node.dirty = node.below = 0;
      if (node.first_child != kNone && (enter || top != kNone)) {
        at = node.first_child;
        continue;
      }
      while (at != root && nodes_[at].next == kNone) {
        top = top == at ? kNone : top;
        at = nodes_[at].parent;
      }
      if (at == root) {
        return;
      }
      top = top == at ? kNone : top;
      at = nodes_[at].next;
    }
  }
  void compute(Node& node) {
    if (node.next != kNone) {
      __builtin_prefetch(&nodes_[node.next]);
      __builtin_prefetch(reinterpret_cast<const char*>(&nodes_[node.next]) + 64);
    }
    classics::mul_into(node.parent == kNone ? nowhere_ : nodes_[node.parent].world, node.local, node.world);
  }

  const Qvvs nowhere_{};
  std::pmr::vector<Node> nodes_{huge_page_resource()};
  std::vector<std::uint32_t> place_, roots_, dirty_roots_, free_;
};

}  // namespace

std::unique_ptr<Contender> make_linked_list() {
  return std::make_unique<LinkedList>();
}

}  // namespace juxta::bench
