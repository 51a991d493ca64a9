// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bench/transform/forest.h"
#include "bench/transform/whole_frame.h"
#include "classics/transform/forms.h"
#include "juxta/core/array.h"
#include "juxta/math/qvvs.h"

namespace juxta::bench {

/// A world of transforms. Roots and nodes are named by their places in TreeScene::roots and ::nodes.
class Contender : public WholeWorld {
 public:
  /// The user's own arrays get room for as much, so that their growth is not measured.
  virtual void expect(std::size_t roots, std::size_t nodes) = 0;
  /// New instances, after all that are there. `all_ids`: their nodes can be asked for with world().
  virtual void spawn(const scenes::PrefabScene& scene, const scenes::PrefabBatch& batch, bool all_ids) = 0;
  /// root.x += kStep, as a user of this world would write it.
  virtual void move_all() = 0;
  virtual void move(std::span<const std::uint32_t> roots) = 0;
  /// These nodes get these local transforms, as a user of this world would write them.
  virtual void write(std::span<const std::uint32_t> nodes, std::span<const LocalTransform> locals) = 0;
  /// Destroys the trees of these roots (ascending). From the last of them to the first, the root that is the
  /// last one by then takes its place among the roots.
  virtual void destroy(std::span<const std::uint32_t> roots) = 0;
  /// Local transforms stay.
  virtual void reparent(std::span<const scenes::NewParent> changes) = 0;
  /// Brings all world transforms up to date.
  virtual void propagate() = 0;
  /// out[i]: the world transform of nodes[i], as a user of this world would read it.
  virtual void read(std::span<const std::uint32_t> nodes, std::span<Qvvs> out) const = 0;
  /// All nodes as they stand in this world's memory; empty: it cannot tell.
  [[nodiscard]] virtual std::vector<std::uint32_t> order() const { return {}; }
};

using MakeContender = std::function<std::unique_ptr<Contender>()>;

struct JuxtaForm {
  unsigned threads = 1;
  bool history = false;
  bool single = false;  ///< write() and read() node by node, not many at once.
  bool parts = false;   ///< Whole frames by for_each_tile(), propagate() and a reader, not by frame().
};
/// The library. The user keeps Ids and positions of his roots in arrays of his own.
[[nodiscard]] std::unique_ptr<Contender> make_juxta(const JuxtaForm& form = {});

enum class Classic : std::uint8_t { kDepthFirst, kDepthLevels };
/// The published store and one of its two systems (classics/transform), in one of its forms. `threads`: 1, or
/// those of a oneTBB arena.
[[nodiscard]] std::unique_ptr<Contender> make_classic(Classic system,
                                                      const classics::PropagateForm& form = {},
                                                      unsigned threads = 1);

/// Nodes that point to each other, and a walk (linked_list.cpp).
[[nodiscard]] std::unique_ptr<Contender> make_linked_list();
/// Nodes sorted once, and a loop (static_array.cpp). Cannot spawn(), destroy() or reparent(). `fused`: whole
/// frames by one loop, not by three.
[[nodiscard]] std::unique_ptr<Contender> make_static_array(bool fused = false);

struct NamedContender {
  std::string_view name;
  MakeContender make;
};
/// The published systems in forms that are not the published ones (classics/transform/forms.h): loading
/// eagerly, without ParentToWorld, and depths from a list of who changed.
[[nodiscard]] inline std::vector<NamedContender> classic_forms() {
  return {
      {"depth_first_eager", [] { return make_classic(Classic::kDepthFirst, {.eager = true}); }},
      {"depth_first_world_only",
       [] { return make_classic(Classic::kDepthFirst, {.parent_to_world = false}); }},
      {"depth_levels_world_only",
       [] { return make_classic(Classic::kDepthLevels, {.parent_to_world = false}); }},
      {"depth_levels_pruned", [] { return make_classic(Classic::kDepthLevels, {.pruned_depths = true}); }}};
}
/// juxta, depth_first, depth_levels, linked_list.
[[nodiscard]] inline std::vector<NamedContender> contenders() {
  return {{"juxta", [] { return make_juxta(); }},
          {"depth_first", [] { return make_classic(Classic::kDepthFirst); }},
          {"depth_levels", [] { return make_classic(Classic::kDepthLevels); }},
          {"linked_list", make_linked_list}};
}
/// And static_array, where no node comes and none gets another parent.
[[nodiscard]] inline std::vector<NamedContender> frame_contenders() {
  std::vector<NamedContender> all = contenders();
  all.push_back({"static_array", [] { return make_static_array(); }});
  return all;
}

/// The speed of memory: 32 bytes read and 32 written for each node by plain stores, between two arrays.
class Copy {
 public:
  explicit Copy(std::size_t nodes);
  void run() noexcept;

 private:
  Array<LocalTransform> from_, to_;
};

}  // namespace juxta::bench
