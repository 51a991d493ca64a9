// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "classics/transform/child_pool.h"
#include "classics/transform/chunk.h"
#include "classics/transform/forms.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"
#include "juxta/math/qvvs.h"
#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"

namespace juxta::classics {

/// The store that Juxta's hierarchies started from: entities in chunks by archetype, as in Unity's Entities
/// package, with the components of the Latios Framework (Dreaming381, "QVVS Transforms").
///
/// As published: archetypes, columns, versions by chunk, prefabs that are instantiated node by node in
/// batches. Not as published: the size of chunks (chunk.h); buffers of children stand in one pool
/// (child_pool.h); instantiate() writes buffers of children, PreviousParent and depths at once, which a
/// published world finds in the frame after (forms.h has the published depths).
///
///   chunk     | world .. | local .. | parent .. | children .. |   128 entities of one archetype
///   head      version of each column, version of the order, depth mask
///   place     entity -> (chunk, row)
///
/// Of NodeDescription::inherit only kNormal and kCopyParent are known. Ids must be alive and numbers sound:
/// nothing is checked but cycles. Called from one thread; propagations may spread over more (forms.h).
class ChunkWorld {
 public:
  /// Entities of one batch of instantiate(): all copies of node 0 stand together, then of node 1, ...
  static constexpr std::size_t kBatch = 500;

  ChunkWorld();
  ~ChunkWorld();
  ChunkWorld(const ChunkWorld&) = delete;
  ChunkWorld& operator=(const ChunkWorld&) = delete;

  // --- Structural changes ---

  /// Whole trees: ids[i] names nodes[i]. Entities are stored in the order nodes[storage_order[0]], ...
  /// (a permutation; empty: as listed). A parent may stand anywhere in the list.
  void create(std::span<const NodeDescription> nodes, std::span<const std::uint32_t> storage_order,
              std::span<Id> ids);
  /// One instance of `prefab` for each of `roots`. `ids`: one per instance, for its root; or prefab.size()
  /// per instance, ids[i * size + j] for node j of instance i. A node's parent stands before it.
  void instantiate(std::span<const NodeDescription> prefab, std::span<const LocalTransform> roots,
                   std::span<Id> ids);
  void destroy(Id id, Children children = Children::kDestroy);
  /// Writes Parent and, with Keep::kWorld, the local transform out of the world transforms that the last
  /// propagation left. The buffers of children follow with update_parents(). Id{}: becomes a root. False, and
  /// nothing done: a cycle.
  bool reparent(Id id, Id parent, Keep keep = Keep::kWorld);

  // --- Writing, as a job of the user does: in place, and the column's version of the chunk is bumped ---

  /// x += dx in the world transforms of these roots.
  void move_roots(std::span<const Id> roots, float dx);
  /// The same for all roots, chunk by chunk.
  void move_all_roots(float dx);
  void set_local(Id id, const LocalTransform& local);
  /// Gives or takes the tag: the entity moves to another chunk, as with any component. It keeps a local
  /// transform for when the tag is taken again.
  void set_copy_parent(Id id, bool copies);

  // --- Reading ---

  /// As the last propagation left it.
  [[nodiscard]] Qvvs world_of(Id id) const noexcept;
  /// Of a root: its place in the world.
  [[nodiscard]] LocalTransform local_of(Id id) const noexcept;
  /// What the system last computed the entity from; of a root or of one that copies its parent: anything.
  [[nodiscard]] Qvvs parent_to_world_of(Id id) const noexcept;
  /// Id{} for a root.
  [[nodiscard]] Id parent_of(Id id) const noexcept;
  [[nodiscard]] bool alive(Id id) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  // --- For the systems ---

  /// The system that published as ParentSystem: moves those whose Parent is not their PreviousParent to the
  /// right buffer of children, and gives or takes the buffers. Every propagation begins with it.
  void update_parents();

  [[nodiscard]] std::uint32_t chunks() const noexcept { return static_cast<std::uint32_t>(heads_.size()); }
  [[nodiscard]] Chunk& chunk(std::uint32_t index) noexcept { return *chunks_[index]; }
  [[nodiscard]] const Chunk& chunk(std::uint32_t index) const noexcept { return *chunks_[index]; }
  [[nodiscard]] ChunkHead& head(std::uint32_t index) noexcept { return heads_[index]; }
  [[nodiscard]] const ChunkHead& head(std::uint32_t index) const noexcept { return heads_[index]; }
  /// Chunks of an archetype; empty ones stay in the list.
  [[nodiscard]] std::span<const std::uint32_t> chunks_of(Archetype archetype) const noexcept {
    return archetypes_[archetype].chunks;
  }
  [[nodiscard]] Place place(Id id) const noexcept { return places_[id.slot]; }
  /// By Id::slot.
  [[nodiscard]] std::span<const Place> places() const noexcept { return places_; }
  [[nodiscard]] std::span<const Id> children(const ChildList& list) const noexcept {
    return pool_.children(list);
  }

  /// What the current system writes as a version.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_; }
  /// A system has run: all that is written from now on is newer. Returns its version.
  std::uint32_t end_system() noexcept { return version_++; }

  /// What systems remember between runs.
  struct DepthFirstState;
  struct DepthLevelsState;
  [[nodiscard]] DepthFirstState& depth_first_state() noexcept { return *depth_first_; }
  [[nodiscard]] DepthLevelsState& depth_levels_state() noexcept { return *depth_levels_; }

 private:
  struct ArchetypeChunks {
    std::vector<std::uint32_t> chunks, with_room;
  };
  struct Rows {
    std::uint32_t chunk, first, count;
  };
  struct ParentChange {
    Id child, from, to;
  };

  // chunk_world.cpp
  [[nodiscard]] std::uint32_t add_chunk(Archetype archetype);
  [[nodiscard]] Rows take_rows(Archetype archetype, std::size_t wanted);
  void give_back(Place place);
  void change_archetype(Id id, Archetype archetype);
  [[nodiscard]] Id take_id();
  void touch_all(ChunkHead& head) const noexcept;

  void remove_row(Id id);

  // create.cpp
  struct Batch;
  void create_row(const NodeDescription& node, Archetype archetype, Id id, Id parent);
  void instantiate_node(const Batch& batch, std::uint32_t node);

  // parents.cpp
  void depth_is_stale(Id id);
  void link(Id child, Id parent);
  void unlink(Id child, Id parent);
  void drop_empty_list(Id parent);

  std::vector<ChunkHead> heads_;
  std::vector<Chunk*> chunks_;
  std::vector<Chunk*> slabs_;
  ArchetypeChunks archetypes_[kArchetypes];
  std::pmr::vector<Place> places_{huge_page_resource()};
  std::vector<std::uint32_t> generations_;
  std::vector<std::uint32_t> free_slots_;
  ChildPool pool_;
  std::size_t size_ = 0;
  std::uint32_t version_ = 1;
  std::uint32_t parents_run_ = 0;  // version of the last update_parents()
  bool parents_pending_ = false;   // reparent() has been called since
  std::vector<ParentChange> parent_changes_;
  std::vector<Id> stack_;
  std::unique_ptr<DepthFirstState> depth_first_;
  std::unique_ptr<DepthLevelsState> depth_levels_;
};

/// Brings all world transforms up to date: from every chunk of roots depth-first through the buffers of
/// children (depth_first.cpp).
void propagate_depth_first(ChunkWorld& world, const PropagateForm& form = {});
/// The same, depth by depth over chunks (depth_levels.cpp).
void propagate_depth_levels(ChunkWorld& world, const PropagateForm& form = {});

}  // namespace juxta::classics
