// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a hierarchy should answer: a plain list of nodes that know their parents, recomputed as a whole. No
// tiles, no links, no masks. Shared with fuzz/transform.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "juxta/transform/hierarchy.h"

namespace juxta::test {

class HierarchyModel {
 public:
  /// A node's world and local transform as they are now, propagated or not.
  struct Now {
    Qvvs world;
    LocalTransform local;
    bool dirty = false;       // it, or a node above it, was written since the last propagate()
    bool overflowed = false;  // it stands where its parent stands
  };
  struct Node {
    Id id;
    bool alive = false;
    std::uint32_t parent = kNone;  // slot
    std::uint32_t place = 0;       // in the parent's children
    std::vector<std::uint32_t> children;
    LocalTransform local;
    Vec3 stretch{1, 1, 1};
    std::int32_t context = 0;
    Inherit inherit = Inherit::kNormal;
    std::uint8_t tags = 0;
    bool touched = false;        // anything was written
    bool written = false;        // the local transform was: it decides once, whatever the flags keep
    std::optional<Qvvs> pinned;  // what flags keep, when it is not what propagate() left
    Qvvs settled;                // the world transform that the last propagate() left
    Qvvs shown;  // what changed_since() and begin_step() see: it, but for what is seen as it was written
    bool overflowed = false;  // where the last propagate() should have put it is not finite
    std::uint64_t changed_at = 0;
    Qvvs previous, two_ago;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Rotations of nodes that mix a kept axis with a followed one are checked against double precision, then
  /// taken from here, so that everything below them can be compared bit for bit. Changes are therefore made
  /// to the model first, to the hierarchy second.
  void watch(const Hierarchy* hierarchy) { hierarchy_ = hierarchy; }

  void insert(Id id, const LocalTransform& local, Id parent, const NodeOptions& options = {});
  void insert(std::span<const NodeDescription> nodes, std::span<const Id> ids);
  /// `ids`: prefab.size() for each instance.
  void instantiate(const Prefab& prefab, std::span<const LocalTransform> roots, std::span<const Id> ids,
                   std::span<const Id> parents);
  void remove(Id id, Children children);
  void reparent(Id id, Id parent, Keep keep);
  void set_local(Id id, const LocalTransform& local);
  /// The same with a rotation that is taken as it is.
  void write_local(Id id, const LocalTransform& local);
  void set_position(Id id, Vec3 position);
  void set_world(Id id, const Qvvs& world);
  void set_stretch(Id id, Vec3 stretch);
  void set_context(Id id, std::int32_t context);
  void set_inherit(Id id, Inherit inherit);
  void set_tags(Id id, std::uint8_t tags) { write(id).tags = tags; }

  /// True when there was something to do.
  bool propagate();
  /// Written nodes were destroyed since: whether propagate() has something to do is then up to the hierarchy.
  [[nodiscard]] bool lost_writes() const { return lost_writes_; }
  /// A call of propagate() that found nothing alive to do counts as one all the same.
  void count_version() { ++version_; }
  void begin_step();

  [[nodiscard]] bool alive(Id id) const;
  [[nodiscard]] std::size_t size() const { return living_; }
  [[nodiscard]] std::size_t roots() const;
  /// From now on destroyed nodes are kept, and propagate() has them to tell of.
  void keep_destroyed() { keeps_destroyed_ = true; }
  struct Destroyed {
    Id id;
    std::uint64_t version;  // of the propagate() that tells of it
  };
  [[nodiscard]] std::span<const Destroyed> destroyed() const { return destroyed_; }
  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }
  void forget_destroyed(std::uint64_t version);
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// By slot; those that are not alive too.
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  /// Every node now, by slot.
  [[nodiscard]] std::vector<Now> evaluate();
  [[nodiscard]] Now evaluate(Id id);
  /// True when `id` is `below` or above it.
  [[nodiscard]] bool is_above(Id id, Id below) const;
  /// The first living node from slot `from` on, round the end.
  [[nodiscard]] std::optional<Id> living_from(std::size_t from) const;
  /// What was wrong with a rotation of the watched hierarchy; empty: nothing.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  [[nodiscard]] Now step(const Node& node, const Now* parent);
  [[nodiscard]] Quat mixed(const Node& node, Quat kept, Quat followed);
  [[nodiscard]] std::vector<std::uint32_t> parents_first() const;
  void attach(std::uint32_t slot, std::uint32_t parent);
  void detach(std::uint32_t slot);
  void remove(std::uint32_t slot);
  void move_to(std::uint32_t slot, std::uint32_t parent, Keep keep);
  Node& write(Id id);
  /// Its user writes the world transform of this node.
  [[nodiscard]] static bool user_writes(const Node& node);

  std::vector<Node> nodes_;
  std::size_t living_ = 0;
  std::uint64_t version_ = 0;
  bool lost_writes_ = false;
  bool keeps_destroyed_ = false;
  std::vector<Destroyed> destroyed_;
  std::uint64_t forgotten_ = 0;
  const Hierarchy* hierarchy_ = nullptr;
  std::string problem_;
};

/// Bit for bit, so that -0 is not 0.
[[nodiscard]] bool same_bits(const Qvvs& a, const Qvvs& b);
[[nodiscard]] bool same_bits(const LocalTransform& a, const LocalTransform& b);

}  // namespace juxta::test
