// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What the rows of whole_frame.cpp ask of a program: one frame from its locals to what its user wants of the
// worlds. Each contender writes in its own storage and in its own order, as its user would: no Ids, no list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bench/transform/forest.h"
#include "juxta/math/qvvs.h"
#include "juxta/transform/matrices.h"

namespace juxta::bench {

/// How far a moving root goes in a frame.
inline constexpr float kStep = 0.01F;

/// What the system of a frame does to every local transform: a turn about the node's own z axis, and a step
/// along x. Frames take the two by turns, so that worlds stay where they are. The sines and cosines of half
/// the angle are floats with sin^2 + cos^2 = 1 to 13 digits: no rotation gets longer or shorter.
struct Turn {
  float sin = 0, cos = 1, step = 0;
};
inline constexpr std::array<Turn, 2> kTurns{
    {{0x1.94c564p-9F, 0x1.ffff6p-1F, kStep}, {-0x1.94c564p-9F, 0x1.ffff6p-1F, -kStep}}};

/// rotation * (0, 0, sin, cos). `T`: a float, or a register of them.
template <class T>
inline void turn(T& qx, T& qy, T& qz, T& qw, T& x, const Turn& by) noexcept {
  const T a = qx, b = qy, c = qz, d = qw;
  qx = a * by.cos + b * by.sin;
  qy = b * by.cos - a * by.sin;
  qz = c * by.cos + d * by.sin;
  qw = d * by.cos - c * by.sin;
  x += by.step;
}

/// Of the positions of all nodes in the world: x, y, z.
using PositionSum = std::array<double, 3>;

/// A world of transforms that can do whole frames. Nodes are named by their places in TreeScene::nodes.
class WholeWorld {
 public:
  virtual ~WholeWorld() = default;
  /// Makes all nodes and propagates. Once, on an empty world.
  virtual void build(const Forest& forest) = 0;
  /// Turns every local transform, brings every world transform up to date, and adds up where the nodes are.
  /// World transforms are kept: world() has them afterwards.
  virtual PositionSum sum_frame(const Turn& by) = 0;
  /// The same, but every world transform is written to `out` (of matrix_count()) as a matrix, in the order
  /// that suits this world.
  virtual void matrix_frame(const Turn& by, std::span<Matrix34> out) = 0;
  [[nodiscard]] virtual std::size_t matrix_count() const = 0;
  /// Which of them is a node's.
  [[nodiscard]] virtual std::uint32_t matrix_of(std::uint32_t node) const = 0;
  /// As propagated last.
  [[nodiscard]] virtual Qvvs world(std::uint32_t node) const = 0;
  [[nodiscard]] virtual std::size_t nodes() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Nodes sorted once into lanes of sixteen (static_lanes.cpp).
[[nodiscard]] std::unique_ptr<WholeWorld> make_static_lanes();
/// Columns of numbers and plain loops, for nodes that have no parents (no_parents.cpp).
[[nodiscard]] std::unique_ptr<WholeWorld> make_no_parents();

}  // namespace juxta::bench
