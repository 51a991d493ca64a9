// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Who belongs to whom. As published, a user writes Parent alone; a system finds out who changed by comparing
// with PreviousParent, in chunks whose versions say that somebody might have, and mends the buffers of
// children. Source: ParentSystem of Unity's Entities package, ParentChangeSystem of the Latios Framework.
// The article names the system and does not print it; that it runs on one thread and in the order of chunks
// is ours.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"

namespace juxta::classics {

bool ChunkWorld::reparent(Id id, Id parent, Keep keep) {
  for (Id above = parent; above != Id{}; above = parent_of(above)) {
    if (above == id) {
      return false;
    }
  }
  const Qvvs world = world_of(id);
  const LocalTransform local = local_of(id);
  const unsigned was = heads_[places_[id.slot].chunk].archetype;
  const unsigned is = parent == Id{} ? was & ~unsigned{kParented} : was | kParented;
  change_archetype(id, static_cast<Archetype>(is));
  const Place at = places_[id.slot];
  Chunk& chunk = *chunks_[at.chunk];
  ChunkHead& head = heads_[at.chunk];
  chunk.parent[at.row] = parent;
  head.parent = version_;
  parents_pending_ = true;
  if (parent == Id{}) {
    if (keep == Keep::kLocal) {
      set_local(id, local);
    }
    return true;
  }
  if (keep == Keep::kWorld) {
    set_local(id, inverse_mul(world_of(parent), world));
  } else if ((was & kParented) == 0) {
    set_local(id, local);
  }
  return true;
}

void ChunkWorld::depth_is_stale(Id id) {
  const Place at = places_[id.slot];
  chunks_[at.chunk]->depth[at.row] = kDepthStale;
  DepthLevelsState& state = *depth_levels_;
  if (state.reparented.size() > size_) {
    state.reparented.clear();
    state.all_reparented = true;
  }
  if (!state.all_reparented) {
    state.reparented.push_back(id);
  }
}

void ChunkWorld::link(Id child, Id parent) {
  const unsigned was = heads_[places_[parent.slot].chunk].archetype;
  change_archetype(parent, static_cast<Archetype>(was | kHasChildren));
  const Place at = places_[parent.slot];
  pool_.push(chunks_[at.chunk]->children[at.row], child);
  heads_[at.chunk].children = version_;
}

void ChunkWorld::unlink(Id child, Id parent) {
  const Place at = places_[parent.slot];
  pool_.erase(chunks_[at.chunk]->children[at.row], child);
  heads_[at.chunk].children = version_;
}

void ChunkWorld::drop_empty_list(Id parent) {
  const Place at = places_[parent.slot];
  ChildList& list = chunks_[at.chunk]->children[at.row];
  const unsigned archetype = heads_[at.chunk].archetype;
  if ((archetype & kHasChildren) != 0 && list.size == 0) {
    pool_.release(list);
    change_archetype(parent, static_cast<Archetype>(archetype & ~unsigned{kHasChildren}));
  }
}

void ChunkWorld::update_parents() {
  parent_changes_.clear();
  for (std::uint32_t index = 0; index < chunks(); ++index) {
    const ChunkHead& head = heads_[index];
    if (!changed_since(head.parent, parents_run_) && !changed_since(head.order, parents_run_)) {
      continue;
    }
    const Chunk& chunk = *chunks_[index];
    for (std::uint32_t row = 0; row < head.size; ++row) {
      if (chunk.parent[row] != chunk.previous_parent[row]) {
        parent_changes_.push_back({chunk.id[row], chunk.previous_parent[row], chunk.parent[row]});
      }
    }
  }
  for (const ParentChange& change : parent_changes_) {
    if (change.from != Id{}) {
      unlink(change.child, change.from);
    }
    if (change.to != Id{}) {
      link(change.child, change.to);
    }
    depth_is_stale(change.child);
    const Place at = places_[change.child.slot];
    chunks_[at.chunk]->previous_parent[at.row] = change.to;
  }
  for (const ParentChange& change : parent_changes_) {
    if (change.from != Id{}) {
      drop_empty_list(change.from);
    }
  }
  parents_pending_ = false;
  parents_run_ = end_system();
}

void ChunkWorld::destroy(Id id, Children what) {
  if (parents_pending_) {
    update_parents();
  }
  const auto list_of = [&](Id of) {
    const Place at = places_[of.slot];
    return children(chunks_[at.chunk]->children[at.row]);
  };
  const Id parent = parent_of(id);
  const std::span<const Id> below = list_of(id);
  stack_.assign(below.begin(), below.end());
  if (what == Children::kToAncestor) {
    for (const Id child : stack_) {
      reparent(child, parent, Keep::kWorld);
    }
    update_parents();
    stack_.clear();
  }
  if (parent != Id{}) {
    unlink(id, parent);
    drop_empty_list(parent);
  }
  for (std::size_t i = 0; i < stack_.size(); ++i) {
    const std::span<const Id> next = list_of(stack_[i]);
    stack_.insert(stack_.end(), next.begin(), next.end());
  }
  for (const Id each : stack_) {
    remove_row(each);
  }
  remove_row(id);
}

}  // namespace juxta::classics
