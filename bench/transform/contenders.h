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
#include "juxta/core/array.h"
#include "juxta/math/qvvs.h"

namespace juxta::bench {

/// How far a moving root goes in a frame.
inline constexpr float kStep = 0.01F;

/// A world of transforms. Roots and nodes are named by their places in TreeScene::roots and ::nodes.
class Contender {
 public:
  virtual ~Contender() = default;
  /// Makes all nodes and propagates. Once, on an empty world.
  virtual void build(const Forest& forest) = 0;
  /// The user's own arrays get room for as much, so that their growth is not measured.
  virtual void expect(std::size_t roots, std::size_t nodes) = 0;
  /// New instances, after all that are there. `all_ids`: their nodes can be asked for with world().
  virtual void spawn(const scenes::PrefabScene& scene, const scenes::PrefabBatch& batch, bool all_ids) = 0;
  /// root.x += kStep, as a user of this world would write it.
  virtual void move_all() = 0;
  virtual void move(std::span<const std::uint32_t> roots) = 0;
  /// Local transforms stay.
  virtual void reparent(std::span<const scenes::NewParent> changes) = 0;
  /// Brings all world transforms up to date.
  virtual void propagate() = 0;
  /// As propagated last.
  [[nodiscard]] virtual Qvvs world(std::uint32_t node) const = 0;
  [[nodiscard]] virtual std::size_t nodes() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

using MakeContender = std::function<std::unique_ptr<Contender>()>;

struct JuxtaForm {
  unsigned threads = 1;
  bool history = false;
};
/// The library. The user keeps Ids and positions of his roots in arrays of his own.
[[nodiscard]] std::unique_ptr<Contender> make_juxta(const JuxtaForm& form = {});

enum class Classic : std::uint8_t { kDepthFirst, kDepthLevels };
/// The published store and one of its two systems (classics/transform).
[[nodiscard]] std::unique_ptr<Contender> make_classic(Classic system);

struct NamedContender {
  std::string_view name;
  MakeContender make;
};
/// juxta, depth_first, depth_levels.
[[nodiscard]] inline std::vector<NamedContender> contenders() {
  return {{"juxta", [] { return make_juxta(); }},
          {"depth_first", [] { return make_classic(Classic::kDepthFirst); }},
          {"depth_levels", [] { return make_classic(Classic::kDepthLevels); }}};
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
