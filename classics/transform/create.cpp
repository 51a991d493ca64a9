// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/transform/chunk_world.h"

namespace juxta::classics {
namespace {

constexpr std::uint32_t kNone = NodeDescription::kRoot;

// The children of every node of a list, in the order of the list: those of node i stand at
// begin[i]..begin[i+1].
struct ChildrenOf {
  std::vector<std::uint32_t> begin, children;

  explicit ChildrenOf(std::span<const NodeDescription> nodes) : begin(nodes.size() + 1) {
    for (const NodeDescription& node : nodes) {
      if (node.parent != kNone) {
        ++begin[node.parent + 1];
      }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      begin[i + 1] += begin[i];
    }
    children.resize(begin.back());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].parent != kNone) {
        children[at[nodes[i].parent]++] = static_cast<std::uint32_t>(i);
      }
    }
  }
  [[nodiscard]] std::uint32_t count(std::size_t node) const { return begin[node + 1] - begin[node]; }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t node) const {
    return {children.data() + begin[node], count(node)};
  }
};

Archetype archetype_of(const NodeDescription& node, bool has_children) {
  unsigned archetype = 0;
  archetype |= node.parent != kNone ? kParented : 0U;
  archetype |= has_children ? kHasChildren : 0U;
  archetype |= keeps(node.inherit, Inherit::kCopyParent) ? kCopyParent : 0U;
  return static_cast<Archetype>(archetype);
}

// What a new entity holds until it is propagated: where it would stand as a root.
Qvvs placed(const LocalTransform& local, const NodeDescription& node) {
  return {local.rotation, local.position, node.context, node.stretch, local.scale};
}

}  // namespace

void ChunkWorld::create_row(const NodeDescription& node, Archetype archetype, Id id, Id parent) {
  const Rows rows = take_rows(archetype, 1);
  Chunk& chunk = *chunks_[rows.chunk];
  const std::uint32_t row = rows.first;
  places_[id.slot] = {rows.chunk, row};
  chunk.id[row] = id;
  chunk.world[row] = placed(node.local, node);
  chunk.local[row] = node.local;
  chunk.parent_to_world[row] = {};
  chunk.parent[row] = chunk.previous_parent[row] = parent;
  chunk.children[row] = {};
  chunk.depth[row] = parent == Id{} ? std::uint8_t{0} : kDepthStale;
}

void ChunkWorld::create(std::span<const NodeDescription> nodes, std::span<const std::uint32_t> storage_order,
                        std::span<Id> ids) {
  const ChildrenOf tree(nodes);
  const auto node_at = [&](std::size_t i) {
    return storage_order.empty() ? static_cast<std::uint32_t>(i) : storage_order[i];
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ids[node_at(i)] = take_id();
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t n = node_at(i);
    const std::span<const std::uint32_t> below = tree.of(n);
    create_row(nodes[n], archetype_of(nodes[n], !below.empty()), ids[n],
               nodes[n].parent != kNone ? ids[nodes[n].parent] : Id{});
    if (!below.empty()) {
      const Place at = places_[ids[n].slot];
      ChildList& list = chunks_[at.chunk]->children[at.row];
      list = pool_.make(static_cast<std::uint32_t>(below.size()));
      for (const std::uint32_t child : below) {
        pool_.push(list, ids[child]);
      }
    }
    if (nodes[n].parent != kNone) {
      depth_is_stale(ids[n]);
    }
  }
}

// Copies of one prefab that are made together; ids[i * nodes + j] is node j of instance i, and so stand the
// lists of children, so that the names and lists of one tree share cache lines.
struct ChunkWorld::Batch {
  std::span<const NodeDescription> prefab;
  const ChildrenOf& tree;
  std::span<const std::uint8_t> depths;
  std::span<const LocalTransform> roots;
  std::span<const Id> ids;
  std::span<const ChildList> lists;
};

void ChunkWorld::instantiate_node(const Batch& batch, std::uint32_t node) {
  const NodeDescription& what = batch.prefab[node];
  const bool root = what.parent == kNone;
  const Archetype archetype = archetype_of(what, batch.tree.count(node) > 0);
  const std::size_t instances = batch.roots.size();
  const std::size_t nodes = batch.prefab.size();
  for (std::size_t i = 0; i < instances;) {
    const Rows rows = take_rows(archetype, instances - i);
    Chunk& chunk = *chunks_[rows.chunk];
    for (std::uint32_t row = rows.first; row < rows.first + rows.count; ++row, ++i) {
      const LocalTransform& local = root ? batch.roots[i] : what.local;
      const Id id = batch.ids[i * nodes + node];
      places_[id.slot] = {rows.chunk, row};
      chunk.id[row] = id;
      chunk.world[row] = placed(local, what);
      chunk.local[row] = local;
      chunk.parent_to_world[row] = {};
      chunk.parent[row] = chunk.previous_parent[row] = root ? Id{} : batch.ids[i * nodes + what.parent];
      chunk.depth[row] = batch.depths[node];
      chunk.children[row] = batch.lists[i * nodes + node];
    }
  }
}

void ChunkWorld::instantiate(std::span<const NodeDescription> prefab, std::span<const LocalTransform> roots,
                             std::span<Id> ids) {
  const std::size_t nodes = prefab.size();
  const ChildrenOf tree(prefab);
  std::vector<std::uint8_t> depths(nodes);
  for (std::size_t j = 1; j < nodes; ++j) {
    const std::uint32_t parent = prefab[j].parent;
    depths[j] = prefab[parent].parent == kNone
                    ? std::uint8_t{0}
                    : static_cast<std::uint8_t>(std::min<unsigned>(depths[parent] + 1U, kDeepest));
  }
  std::vector<Id> batch_ids;
  std::vector<ChildList> lists;
  for (std::size_t first = 0; first < roots.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, roots.size() - first);
    batch_ids.resize(nodes * count);
    for (Id& id : batch_ids) {
      id = take_id();
    }
    lists.assign(nodes * count, {});
    for (std::size_t at = 0; at < lists.size(); ++at) {
      for (const std::uint32_t child : tree.of(at % nodes)) {
        ChildList& list = lists[at];
        list = list.size == 0 ? pool_.make(tree.count(at % nodes)) : list;
        pool_.push(list, batch_ids[at / nodes * nodes + child]);
      }
    }
    const Batch batch{prefab, tree, depths, roots.subspan(first, count), batch_ids, lists};
    for (std::uint32_t j = 0; j < nodes; ++j) {
      instantiate_node(batch, j);
    }
    const bool every_node = ids.size() != roots.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < (every_node ? nodes : 1); ++j) {
        ids[every_node ? (first + i) * nodes + j : first + i] = batch_ids[i * nodes + j];
      }
    }
  }
}

}  // namespace juxta::classics
