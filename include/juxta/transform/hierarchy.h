// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/math/qvvs.h"
#include "juxta/transform/inherit.h"
#include "juxta/transform/lanes.h"
#include "juxta/transform/prefab.h"

namespace juxta {
namespace transform_detail {
struct Access;
struct HierarchyStore;
}  // namespace transform_detail

/// Bits of Hierarchy::set_tags().
inline constexpr int kTagBits = 7;

/// How a hierarchy keeps its nodes.
struct HierarchyOptions {
  bool history = false;  ///< Keep previous() and two_ago(): 96 bytes a node more.
  /// Keep the Ids of nodes that are removed for destroyed_since(): 12 bytes each, until forget_destroyed().
  bool destroyed = false;
  /// Eight trees of one shape, such as instances of a prefab, stand side by side. Frames in which most nodes
  /// move take a fifth less time, a third for ropes of 1,000; those in which few nodes move take less time,
  /// too, but four times as long for such ropes. A node takes 2 bytes more.
  bool side_by_side = true;
};

/// What a new node is besides its place. Nothing here moves other nodes' rotations or scales.
struct NodeOptions {
  Vec3 stretch{1, 1, 1};     ///< Any finite numbers.
  std::int32_t context = 0;  ///< The user's own.
  Inherit inherit = Inherit::kNormal;
};

/// What stays as it is when a node gets another parent.
enum class Keep : std::uint8_t {
  kWorld,  ///< Its world transform (but for rounding): the local one is rewritten.
  kLocal,  ///< Its local transform: it jumps to the new parent.
};

/// What becomes of the children of a destroyed node.
enum class Children : std::uint8_t {
  kDestroy,     ///< They are destroyed with it, and theirs.
  kToAncestor,  ///< They are handed to its parent (to nobody, if it was a root) and keep their world
                ///< transforms.
};

/// What a call of propagate() did.
struct PropagateResult {
  std::uint64_t version = 0;  ///< Hierarchy::version() after the call.
  std::size_t computed = 0;   ///< World transforms computed, each once.
  std::size_t tiles = 0;      ///< Tiles visited.
  std::size_t rounds =
      0;  ///< One, and one more for each link (see below) between a change and its last effect.
  /// Nodes that moved in memory since the last call, to stand beside their parents again. Changes of the tree
  /// move them, not propagate().
  std::size_t moved_nodes = 0;
  /// Of the nodes computed: those whose position or scale left the range of float (200 nested nodes of scale
  /// 10 do). Each takes rotation, position and scale of its parent instead, until a call computes something
  /// finite for it. What readers see is always finite.
  std::size_t overflowed = 0;
  Id first_overflowed{};  ///< The first of them in the order of memory; Id{}: none.
};

/// What a hierarchy holds, and how good its order is.
struct HierarchyStats {
  std::size_t nodes = 0;  ///< Alive.
  std::size_t roots = 0;  ///< Of them.
  std::size_t tiles = 0;  ///< Of 1024 rows each.
  std::size_t links = 0;  ///< Nodes whose parent does not stand in their tile's order, roots not counted.
  std::size_t memory_bytes = 0;  ///< Held, spare rows included.
};

/// Trees of nodes, each placed relative to its parent, that answers where every node is in the world and
/// which nodes moved.
///
///   tile = up to 1024 nodes of whole trees, breadth first:  | roots | their children | theirs | ...
///   the children of any run of nodes of one level are one run of the next, so a change flows through a tile
///   as a few runs of rows, four nodes at a time. A node that got another parent stays where it is, linked,
///   until enough of them have gathered; then changes of the tree move a few tiles' nodes into order again.
///   Eight trees of one shape, such as instances of a prefab, stand side by side: eight roots, then the first
///   child of each, and so on.
///
/// A change takes effect in world(id) at once, and everywhere with the next propagate(). A node's world
/// transform has *changed* when it, or a node above it, was written (set, reparented, created) since: its
/// version is that of the propagate() that brought it up to date, the same on any executor.
///
/// Refused, with the Id in the message and the index of a bulk call in Error::index, and the hierarchy is as
/// it was (bulk calls do all or nothing): a dead Id (kNotFound); NaN and infinity (kNotFinite); a scale that
/// is not above 0, a zero rotation, a cycle (kInvalidArgument). Rotations need not be of length 1: they are
/// normalised when they are off by more than 1e-5. Where a parent is asked for, Id{} means none.
///
/// Memory: about 114 bytes a node (32 world, 32 local, 16 stretch and context, 34 names and tree), 100 more
///         with history, and up to 2 MB that wait for more nodes. Grows by tiles: nothing is copied to grow.
/// Threads: const members from any number of threads at once; the others from one.
/// Results (transforms, versions, order of rows): a function of the calls made, the same for any executor and
/// instruction set. A moved-from hierarchy may only be assigned to or destroyed; so may one whose last change
/// ended in std::bad_alloc.
class JUXTA_API Hierarchy {
 public:
  explicit Hierarchy(const HierarchyOptions& options = {},
                     std::pmr::memory_resource* resource = huge_page_resource());
  Hierarchy(Hierarchy&&) noexcept;
  Hierarchy& operator=(Hierarchy&&) noexcept;
  ~Hierarchy();

  // --- Nodes come and go ---

  /// A new node. O(1) amortised: a node that cannot follow its parent in memory pays for moving 12 nodes, and
  /// some calls move 2,000. Errors: see above; kTooLarge (2^32 - 2 nodes ever at once).
  [[nodiscard]] Result<Id> insert(const LocalTransform& local, Id parent = {},
                                  const NodeOptions& options = {});
  /// Whole trees at once, laid out in their final order: ids[i] names nodes[i]. A node's parent stands before
  /// it. About 200 ns a node in any order of nodes, the first propagate() included. Errors: as above;
  /// kInvalidArgument (a parent that does not stand before its child, ids not as long as nodes).
  [[nodiscard]] Result<void> insert(std::span<const NodeDescription> nodes, std::span<Id> ids);
  /// One instance of `prefab` for each of `roots`, placed there (that is the root's local transform; the
  /// prefab's own is not used). `ids`: one per instance, for its root; or prefab.size() per instance, ids[i *
  /// size + j] for node j of instance i. `parents`: one per instance, or none. About 60 ns a node, the first
  /// propagate() and untouched memory included. `contexts`: one per instance, for its root; or prefab.size()
  /// per instance, in the order of all ids; or none: then all have the prefab's. In memory they take the
  /// places of trees of this shape that were removed, and follow each other where there are none. Errors: as
  /// above; kInvalidArgument (lengths).
  [[nodiscard]] Result<void> instantiate(const Prefab& prefab, std::span<const LocalTransform> roots,
                                         std::span<Id> ids, std::span<const Id> parents = {},
                                         std::span<const std::int32_t> contexts = {});
  /// A copy of the node and of all below it, under `parent` (which may be `id` itself, or below it). Every
  /// copy has the local transform, stretch, context and flags that its source has now; a kUserWorld node's
  /// copy stands relative to its parent as the node does. `visit` gets each source and its copy: `id` first,
  /// then in the order of for_each_below(id). About as much as insert() of a list. For many copies build a
  /// Prefab. Errors: as above. When refused, `visit` is not called.
  Result<Id> copy(Id id, Id parent = {}, FunctionRef<void(Id source, Id copy)> visit = {});
  /// The node goes. O(nodes removed), or O(children handed over).
  [[nodiscard]] Result<void> remove(Id id, Children children = Children::kDestroy);
  /// Many at once, in this order; a node that went with one before it in the list is no error, a dead one is.
  [[nodiscard]] Result<void> remove(std::span<const Id> ids, Children children = Children::kDestroy);

  // --- Who belongs to whom ---

  /// The node, with all below it, gets another parent (Id{}: becomes a root). O(depth of the parent) at
  /// most, O(1) amortised for a node without children or below a root; moves nodes in memory as insert()
  /// does. Errors: as above; kInvalidArgument when the parent is the node itself or below it: a cycle.
  [[nodiscard]] Result<void> reparent(Id id, Id parent, Keep keep = Keep::kWorld);
  /// Many at once, one after the other in this order; a cycle with the links made before it in the list
  /// counts.
  [[nodiscard]] Result<void> reparent(std::span<const Id> ids, std::span<const Id> parents,
                                      Keep keep = Keep::kWorld);
  /// Id{} for a root. O(1).
  [[nodiscard]] Result<Id> parent(Id id) const;
  /// The node at the top of its tree; `id` itself for a root. O(depth), about 4 ns a level.
  [[nodiscard]] Result<Id> root_of(Id id) const;
  /// Calls `visit` for each child, in the order of memory (those that stand elsewhere last). That order is
  /// the same on any executor, but it is not that of insertion, and changes of the tree change it: siblings
  /// have no order of their own. Where they need one, sort by the context. O(children).
  [[nodiscard]] Result<void> for_each_child(Id id, FunctionRef<void(Id)> visit) const;
  /// Calls `visit` for each node below `id`, without `id` itself, however deep: breadth first, so parents
  /// before their children; children of one parent in the order of for_each_child(). O(nodes below), and 4
  /// bytes of the heap for each. `visit` does not change the hierarchy.
  [[nodiscard]] Result<void> for_each_below(Id id, FunctionRef<void(Id)> visit) const;
  /// Calls `visit` for each living node, in the order of memory.
  void for_each(FunctionRef<void(Id)> visit) const;
  [[nodiscard]] bool alive(Id id) const noexcept;
  /// Living nodes.
  [[nodiscard]] std::size_t size() const noexcept;

  // --- Writing. Each call marks its nodes; O(1) a node ---

  [[nodiscard]] Result<void> set_local(Id id, const LocalTransform& local);
  /// Many at once, one after the other in this order; on the executor to the same effect. A million: about 5
  /// ns a node in the order of memory, 8 in that in which instances were made, 25 in any.
  [[nodiscard]] Result<void> set_local(std::span<const Id> ids, std::span<const LocalTransform> locals,
                                       const Context& context = {});
  /// The position of the local transform alone: what moves most.
  [[nodiscard]] Result<void> set_position(Id id, Vec3 position);
  /// Many at once, one after the other in this order; on the executor to the same effect.
  [[nodiscard]] Result<void> set_position(std::span<const Id> ids, std::span<const Vec3> positions,
                                          const Context& context = {});
  /// The rotation of the local transform alone, or its scale. Of many about 25 ns a node in the order of
  /// memory; so do translate_by() and rotate_by().
  [[nodiscard]] Result<void> set_rotation(Id id, Quat rotation);
  [[nodiscard]] Result<void> set_rotation(std::span<const Id> ids, std::span<const Quat> rotations);
  [[nodiscard]] Result<void> set_scale(Id id, float scale);
  [[nodiscard]] Result<void> set_scale(std::span<const Id> ids, std::span<const float> scales);
  /// Adds `by` to the position of the local transform: a move along the axes of the parent (of the world, for
  /// a root), in its units. Errors: as above; kNotFinite also when the sum is not finite.
  [[nodiscard]] Result<void> translate_by(Id id, Vec3 by);
  /// Many at once, one after the other in this order: a node that is listed twice moves twice.
  [[nodiscard]] Result<void> translate_by(std::span<const Id> ids, std::span<const Vec3> by);
  /// Rotation of the local transform = `by` * rotation: a turn about axes of the parent (of the world, for a
  /// root), in place: the position stays. For a turn about the node's own axes q, pass r * q * conjugate(r),
  /// where r is its local rotation. The product is renormalised, so that turns may go on for ever.
  [[nodiscard]] Result<void> rotate_by(Id id, Quat by);
  /// Many at once, one after the other in this order: a node that is listed twice turns twice.
  [[nodiscard]] Result<void> rotate_by(std::span<const Id> ids, std::span<const Quat> by);
  /// Place, stretch and context in the world: the local transform becomes what brings the node there
  /// (kUserWorld: the local transform is left alone). O(depth) when nodes above have changed. Errors: as
  /// above; kNotFinite also when no finite local transform leads there.
  [[nodiscard]] Result<void> set_world(Id id, const Qvvs& world);
  [[nodiscard]] Result<void> set_world(std::span<const Id> ids, std::span<const Qvvs> worlds);
  [[nodiscard]] Result<void> set_stretch(Id id, Vec3 stretch);
  [[nodiscard]] Result<void> set_context(Id id, std::int32_t context);
  /// Seven bits of the user's own, 0 for a new node: what is hidden, frozen, a friend ... The node and all
  /// below count as changed, so that readers of changed_since() hear of a hull that was hidden from each of
  /// its parts. copy() takes them along. Errors: kNotFound; kInvalidArgument (128 or more).
  [[nodiscard]] Result<void> set_tags(Id id, std::uint8_t tags);
  /// Calls `system` for all living nodes, sixteen at a time in the order of memory, with `fields` of their
  /// local transforms. (The other arrays hold identities: leave them alone.) It returns a mask of those that
  /// it wrote: they get these fields, and are marked as by set_local(). Others stay as they are.
  ///
  ///   world.for_each_tile(NodeFields::kPlace, [&](LocalLanes& nodes) {
  ///     for (std::size_t i = 0; i < kNodeLanes; ++i) { nodes.local.y[i] -= fall; }
  ///     return kAllNodes;
  ///   });
  ///
  /// Cost:    about 1.5 ns a node in the caches and 3 for a million, beside the system's own work.
  /// Threads: the system is called from the executor's threads, for different nodes at the same time. It does
  ///          not call the hierarchy, and throws nothing. Calls with disjoint fields may run at the same time
  ///          from several threads, if no node has flags.
  /// Errors:  kUnsupportedCpu; kInvalidArgument (a system with one of the fields is running). A lane that
  ///          set_local() would refuse stays as it was, and the call returns the error of the first one in
  ///          the order of memory when all others are written.
  [[nodiscard]] Result<void> for_each_tile(NodeFields fields, FunctionRef<NodeMask(LocalLanes&)> system,
                                           const Context& context = {});
  /// What is kept is what world(id) says now. Readers of what was propagated see no other place before the
  /// next propagate(); a stretch and a context that a kCopyParent node had become its own at once.
  [[nodiscard]] Result<void> set_inherit(Id id, Inherit inherit);

  // --- Reading. Exact at once, whether propagated or not ---

  [[nodiscard]] Result<LocalTransform> local(Id id) const;
  [[nodiscard]] Result<void> local(std::span<const Id> ids, std::span<LocalTransform> out) const;
  /// O(1) when nothing was written since propagate(); else O(depth), computing the root path alone: about 30
  /// ns a level. Always finite: see PropagateResult::overflowed.
  [[nodiscard]] Result<Qvvs> world(Id id) const;
  /// Many at once. A million, when nothing was written since propagate(): about 5 ns a node in the order of
  /// memory, 8 in that in which instances were made, 24 in any. The hierarchy keeps up to 12 bytes an Id of
  /// the longest list for the next call. A call that runs beside another one allocates its own.
  [[nodiscard]] Result<void> world(std::span<const Id> ids, std::span<Qvvs> out) const;
  [[nodiscard]] Result<Inherit> inherit(Id id) const;
  [[nodiscard]] Result<std::uint8_t> tags(Id id) const;
  /// The tags that the node or any node above it has (|): a part is hidden when its hull is. (A part that is
  /// shown only where all above it are shown: make the tag say "hidden".) O(depth), about 4 ns a level.
  [[nodiscard]] Result<std::uint8_t> inherited_tags(Id id) const;
  /// out[id.slot] = inherited_tags(id) for all living nodes, and 0 for slots below slot_count() without one.
  /// About 3 ns a node. Errors: kInvalidArgument (`out` is shorter than slot_count()): nothing is written.
  [[nodiscard]] Result<void> inherited_tags(std::span<std::uint8_t> out) const;

  // --- All at once ---

  /// Brings every world transform up to date that is not. Costs as much as what changed; nothing when nothing
  /// did (then version() stays). May run several times a step. Errors: kUnsupportedCpu.
  Result<PropagateResult> propagate(const Context& context = {});
  /// for_each_tile(fields, system), propagate() and changed_spans(version before, reader) in one, 64 nodes at
  /// a time where all nodes are written: a tenth to two fifths less time, most in worlds larger than the
  /// caches. The reader is called once for each node that changed, from the executor's threads; it reads what
  /// it is given and does not call the hierarchy. Errors: of for_each_tile(); all that could be written is
  /// propagated and read then.
  Result<PropagateResult> frame(NodeFields fields, FunctionRef<NodeMask(LocalLanes&)> system,
                                FunctionRef<void(const WorldLanes&)> reader, const Context& context = {});
  /// How many calls of propagate() had something to do.
  [[nodiscard]] std::uint64_t version() const noexcept;
  /// The version in which a node's world transform changed last; 0: not propagated yet.
  [[nodiscard]] Result<std::uint64_t> changed_at(Id id) const;
  /// Calls `visit` for exactly the living nodes whose world transform changed in a version above `version`,
  /// in the order of memory, with the transform that the last propagate() left (but a stretch, a context, and
  /// what set_world() gave a kUserWorld node are what was written last). Costs as much as what changed, and a
  /// few ns a tile. `visit` does not change the hierarchy.
  void changed_since(std::uint64_t version, FunctionRef<void(Id, const Qvvs&)> visit) const;

  /// changed_since() by sixteens: `reader` is called from the executor's threads, each living node that
  /// changed is in one mask() of one call. Errors: kUnsupportedCpu.
  Result<void> changed_spans(std::uint64_t version, FunctionRef<void(const WorldLanes&)> reader,
                             const Context& context = {}) const;
  /// out[id.slot] = to_matrix34() of each node that changed_since(version) visits; the others stay as they
  /// are. How many were written. Errors: kUnsupportedCpu; kInvalidArgument (`out` is shorter than
  /// slot_count()): nothing is written.
  Result<std::size_t> changed_matrices(std::uint64_t version, std::span<Matrix34> out,
                                       const Context& context = {}) const;
  /// Id::slot of every node is below it: the length of arrays by slot. The most nodes that ever lived at
  /// once, or since shrink().
  [[nodiscard]] std::size_t slot_count() const noexcept;

  // --- Destroyed nodes (HierarchyOptions::destroyed) ---

  /// Calls `visit` for each node that was destroyed in a version above `version`, in the order of destruction
  /// (a node after those that went with it from below it). As with changes, a node is destroyed in the
  /// version of the next propagate(), and is reported from then on; destroyed nodes alone give propagate()
  /// something to do. So a reader meets each of them once:
  ///
  ///   world.destroyed_since(seen, [&](Id id) { ... });              // first: a slot may live again
  ///   world.changed_since(seen, [&](Id id, const Qvvs& at) { ... });
  ///   seen = world.version();
  ///
  /// Nodes that lived only between two calls of propagate() are reported too. O(those visited). Errors:
  /// kInvalidArgument (made without HierarchyOptions::destroyed; forgotten, see below: then read all with
  /// changed_since(0)).
  Result<void> destroyed_since(std::uint64_t version, FunctionRef<void(Id)> visit) const;
  /// Forgets what was destroyed up to `version` (at most version()), and gives its place to others: call it
  /// with the least version that any reader has seen. From then on destroyed_since() of versions below is
  /// refused. O(those kept). Errors: kInvalidArgument (made without HierarchyOptions::destroyed).
  Result<void> forget_destroyed(std::uint64_t version);

  // --- Motion history (HierarchyOptions::history) ---

  /// A step begins: two_ago <- previous <- world as last propagated (but a stretch, a context, and what
  /// set_world() gave a kUserWorld node are what was written last). A copy of each node in tiles that moved
  /// lately. Errors: kInvalidArgument (made without history).
  [[nodiscard]] Result<void> begin_step();
  /// The world transform when this step and the one before began. A node created since stands still: both are
  /// what its first propagate() gave it. Errors: kNotFound, kInvalidArgument (made without history).
  [[nodiscard]] Result<Qvvs> previous(Id id) const;
  [[nodiscard]] Result<Qvvs> two_ago(Id id) const;
  [[nodiscard]] Result<void> previous(std::span<const Id> ids, std::span<Qvvs> out) const;
  [[nodiscard]] Result<void> two_ago(std::span<const Id> ids, std::span<Qvvs> out) const;

  // --- State ---

  [[nodiscard]] HierarchyStats stats() const noexcept;
  /// Gives back memory of nodes that are gone: tiles without nodes, names and links past the last one
  /// in use. How many bytes. Rows that are empty among others stay (removing nodes keeps them few, see
  /// docs/transform.md). Ids, order, versions and transforms stay as they are; slot_count() may go down. Call
  /// it after many nodes went, and not in each frame: the next nodes ask for memory again. O(memory held).
  std::size_t shrink();
  /// Writes everything (Ids, order, versions, what is not propagated yet, history), so that load() goes on as
  /// this one would, bit for bit. Replaces the file as a whole or not at all. Errors: kIo.
  [[nodiscard]] Result<void> save(std::string_view path) const;
  /// Reads what save() wrote. Errors: kIo, kCorruptFile (every number is checked).
  [[nodiscard]] static Result<Hierarchy> load(std::string_view path,
                                              std::pmr::memory_resource* resource = huge_page_resource());

 private:
  friend struct transform_detail::Access;
  Owned<transform_detail::HierarchyStore> store_;
};

}  // namespace juxta
