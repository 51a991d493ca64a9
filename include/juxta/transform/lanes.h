// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Nodes by sixteens, a number of each in an array of its own: what systems write (Hierarchy::for_each_tile(),
// frame()) and what renderers read (frame(), changed_spans()).
//
//   lane        0    1    2    3   ...  15      sixteen rows of memory, next to each other
//   mask        1    1    0    1         1      bit i: lane i takes part; the others are identities
//   local.x     .    .    .    .         .      sixteen floats: a plain loop over them is vectorised
//   local.qx    .    .    .    .         .
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/export.h"
#include "juxta/core/id.h"
#include "juxta/transform/matrices.h"

namespace juxta {
namespace transform_detail {
struct HierarchyStore;
struct NodesAhead;
}  // namespace transform_detail

inline constexpr std::size_t kNodeLanes = 16;

/// Bit i is lane i; only the lowest 16 count.
using NodeMask = std::uint32_t;
inline constexpr NodeMask kAllNodes = 0xFFFF;

/// Rotation (a quaternion, w last), position and scale of sixteen nodes.
struct alignas(64) TransformLanes {
  float qx[kNodeLanes], qy[kNodeLanes], qz[kNodeLanes], qw[kNodeLanes];
  float x[kNodeLanes], y[kNodeLanes], z[kNodeLanes], scale[kNodeLanes];
};

/// Parts of a local transform: what one system reads and writes, and another one leaves alone.
enum class NodeFields : std::uint8_t {
  kRotation = 1,
  kPlace = 2,  ///< Position and scale.
  kAll = 3,
};
[[nodiscard]] constexpr bool has(NodeFields fields, NodeFields one) noexcept {
  return (static_cast<std::uint8_t>(fields) & static_cast<std::uint8_t>(one)) != 0;
}

/// Which nodes stand in sixteen lanes. Valid during the call that is given it.
class JUXTA_API NodeLanes {
 public:
  NodeLanes(const transform_detail::HierarchyStore& store, const std::uint32_t* slots, NodeMask mask) noexcept
      : store_(&store), slots_(slots), mask_(mask) {}
  /// Lanes that take part.
  [[nodiscard]] NodeMask mask() const noexcept { return mask_; }
  [[nodiscard]] bool has(std::size_t lane) const noexcept { return (mask_ >> lane & 1) != 0; }
  /// Id::slot of each lane, below Hierarchy::slot_count(): the index into arrays of your own. Lanes outside
  /// mask() have the slot of one that takes part, so that a loop over all lanes may read there.
  [[nodiscard]] std::span<const std::uint32_t, kNodeLanes> slots() const noexcept {
    return std::span<const std::uint32_t, kNodeLanes>(slots_, kNodeLanes);
  }
  /// Of a lane of mask(). Cost: a lookup.
  [[nodiscard]] Id id(std::size_t lane) const noexcept;

 private:
  friend struct transform_detail::NodesAhead;
  const transform_detail::HierarchyStore* store_;
  const std::uint32_t* slots_;
  const std::uint32_t* ahead_ = nullptr;
  NodeMask mask_;
};

/// Local transforms, for a system to write. Lanes outside mask() hold the identity.
struct LocalLanes : NodeLanes {
  using NodeLanes::NodeLanes;
  TransformLanes local;
};

/// World transforms, for a reader. What lanes outside mask() hold is not defined.
struct WorldLanes : NodeLanes {
  using NodeLanes::NodeLanes;
  TransformLanes world;
  float stretch_x[kNodeLanes], stretch_y[kNodeLanes], stretch_z[kNodeLanes];
  std::int32_t context[kNodeLanes];
};

/// Writes to_matrix34() of each lane of mask() to out[slot]: for tables that are indexed by Id::slot. The
/// same bits as to_matrix34(). `out` has Hierarchy::slot_count() elements. Cost:
/// 3 to 5 ns a node of a million, as a table of 48 bytes a node is written.
JUXTA_API void write_matrices(const WorldLanes& lanes, std::span<Matrix34> out) noexcept;

}  // namespace juxta
