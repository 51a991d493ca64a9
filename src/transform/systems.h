// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a system that writes local transforms, tile by tile.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/mutex.h"
#include "juxta/core/function_ref.h"
#include "juxta/transform/lanes.h"
#include "transform/store.h"
#include "transform/visit_lanes_kernel.h"

namespace juxta::transform_detail {

using System = FunctionRef<NodeMask(LocalLanes&)>;

/// The call of one system on all tiles, from any number of threads, each tile once.
class SystemRun {
 public:
  /// What nodes with flags have for a local transform depends on their root paths, which are about to be
  /// written: theirs are found here, for all of them.
  /// `read_next`: read_lanes() follows for each tile.
  SystemRun(HierarchyStore& store, NodeFields fields, System system, bool read_next = false);

  /// Calls the system for the nodes of a tile, as far as that is not done, and marks those that it wrote.
  /// Whether there were any. The tile is not put on a list.
  bool run(std::uint32_t number, const FrameOfTile& done = {}) noexcept;
  /// What was wrong with the first lane, in the order of memory, that was refused.
  [[nodiscard]] Result<void> error() const;

  // For write_word().
  [[nodiscard]] const HierarchyStore& store() const noexcept { return store_; }
  [[nodiscard]] NodeFields fields() const noexcept { return fields_; }
  [[nodiscard]] const System& system() const noexcept { return system_; }
  /// Lanes without a node are identities, those with flags have what their flags keep.
  void load_others(const Tile& tile, Row first, LocalLanes& lanes) const noexcept;
  NodeMask store_each(Tile& tile, Row first, const TransformLanes& lanes, NodeMask written) noexcept;

 private:
  /// Calls the system for the nodes of a word, and marks nothing: the rows that it wrote.
  [[nodiscard]] std::uint64_t run_word(std::uint32_t number, std::uint32_t word) noexcept;
  struct Special {
    Row row;
    LocalTransform local;
  };
  struct Refused {
    Row row;
    LocalTransform local;
  };
  void mark(Tile& tile, std::uint32_t word, std::uint64_t written) noexcept;
  void refuse(Row row, const LocalTransform& local) noexcept;
  [[nodiscard]] const LocalTransform& special_at(Row row) const noexcept;

  HierarchyStore& store_;
  NodeFields fields_;
  System system_;
  bool read_next_;
  std::vector<Special> special_;  // by row
  core_detail::Mutex refusing_;
  std::optional<Refused> refused_;
};

/// A system has its turn: others with other fields may run at the same time. Errors: kInvalidArgument.
[[nodiscard]] Result<void> begin_system(HierarchyStore& store, NodeFields fields);
/// Puts the tiles of which written[number] is not 0 on the list of the store.
void end_system(HierarchyStore& store, NodeFields fields, std::span<const std::uint8_t> written);

/// The slots of sixteen rows, those outside the mask replaced by one inside: in `buffer`, if there are any.
[[nodiscard]] const std::uint32_t* slots_of(const Tile& tile, std::uint32_t row, NodeMask mask,
                                            std::array<std::uint32_t, kNodeLanes>& buffer) noexcept;

}  // namespace juxta::transform_detail
