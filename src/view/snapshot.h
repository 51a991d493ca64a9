// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A copy of what a world shows, made by the engine's thread and read by the network's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/core/executor.h"
#include "juxta/view/viewed_world.h"

namespace juxta::view_detail {

/// Which columns clients colour by: [group][column].
using Colours = std::vector<std::vector<bool>>;

struct SnapshotGroup {
  std::vector<float> x, y, z;               ///< z is empty in 2D.
  std::vector<std::uint32_t> heading;       ///< Bytes x, y, z, 0, signed; empty: none.
  std::vector<float> sizes;                 ///< Empty: all have that of their group.
  std::vector<std::vector<float>> columns;  ///< Empty: nobody colours by it.
  float size = 0;
};

struct Snapshot {
  std::uint64_t number = 0;  ///< Of this state among all that were published, from 1.
  std::uint64_t step = 0;
  std::vector<SnapshotGroup> groups;
};

/// Copies a state; memory of an earlier one is used again. 16 bytes a thing are read and written, so memory
/// is the limit.
void copy_state(const ViewedWorld& world, const ViewInfo& info, const Colours& colours,
                const Executor& executor, Snapshot& into);

}  // namespace juxta::view_detail
