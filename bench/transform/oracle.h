// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/transform/contenders.h"
#include "bench/transform/forest.h"

namespace juxta::bench {

/// Where everything is, computed from the description alone: every node from its parent, one after the other.
class Oracle {
 public:
  explicit Oracle(const scenes::TreeScene& trees);
  void move_all();
  void move(std::span<const std::uint32_t> roots);
  void reparent(std::span<const scenes::NewParent> changes);
  /// Gives up when a node of `world` stands elsewhere: by more than 1e-4 of its distance from the origin (or
  /// of 1), or with another rotation, scale, stretch or context.
  void check(const Contender& world, const std::string& row) const;
  /// The same of the world transforms of all nodes.
  void check(std::span<const Qvvs> got, const std::string& row) const;
  /// Of all nodes.
  [[nodiscard]] std::vector<Qvvs> worlds() const;

 private:
  const scenes::TreeScene& trees_;
  std::vector<Vec3> roots_;             // their positions
  std::vector<std::uint32_t> parents_;  // as they are now: an earlier node, or a root anywhere
};

/// Frames of every kind with a new world, each checked against the oracle: as built, all roots move, some do
/// (frames of `movers`), none. The world goes on from there.
void check_frames(Contender& world, const Forest& forest, std::span<const std::vector<std::uint32_t>> movers,
                  const std::string& row);

}  // namespace juxta::bench
