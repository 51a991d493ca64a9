// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: who owns the arrays that a RankedView points into, and the stages that fill them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "core/os.h"
#include "juxta/core/array.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/ranked/column.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

struct AxisStore {
  explicit AxisStore(std::pmr::memory_resource* resource)
      : knots(resource), filled(resource), occupied(resource), run_end(resource) {}
  Array<std::byte> knots;
  Array<std::uint8_t> filled;
  Array<std::uint64_t> occupied;
  Array<std::uint16_t> run_end;
};

struct TreeStore {
  explicit TreeStore(std::pmr::memory_resource* resource)
      : leaves(resource), tops(resource), nodes(resource) {}
  Array<Block> leaves, tops;
  Array<Node> nodes;
};

struct ListStore {
  explicit ListStore(std::pmr::memory_resource* resource) : blocks(resource), lengths(resource) {}
  Array<Block> blocks;
  Array<ListView::Length> lengths;
};

struct LevelStore {
  explicit LevelStore(std::pmr::memory_resource* resource) : blocks(resource), cells(resource) {}
  Array<Block> blocks;
  Array<std::uint32_t> cells;
};

/// Of loops over points: of a million, more tasks than a large machine has cores.
inline constexpr std::size_t kPointsOfTask = 8192;

/// What every stage of a build is given.
struct BuildContext {
  const Executor& executor;
  Workspace& workspace;
};

/// One axis and the range of its values.
struct Axis {
  AxisView view;
  double lowest = 0, highest = 0;
};

/// Finds the quantile knots of one axis. Cost: one radix sort of the values alone.
template <class T>
Axis build_axis(AxisStore& store, StridedColumn<T> values, std::size_t size, const BuildContext& context);

/// Which axis the ranks follow over all points, if any.
[[nodiscard]] Gradient find_gradient(std::span<const std::uint16_t> qx,
                                     std::span<const std::uint16_t> qy) noexcept;

/// Orders the points along a curve inside strips of x (tall) or of y (flat), and cuts them into blocks of 32.
/// `qx`, `qy`: quanta in rank order.
TreeView build_tree(TreeStore& store, std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy,
                    bool tall, const BuildContext& context);

/// Counts the points of every cell of a coarse grid, summed from the lower left.
GridView build_grid(Array<std::uint32_t>& store, std::span<const std::uint16_t> qx,
                    std::span<const std::uint16_t> qy, const BuildContext& context);

/// Fills the lists; `view` has its grid and levels already (sparse cells are answered by them).
ListView build_lists(ListStore& store, const RankedView& view, std::span<const std::uint16_t> qx,
                     std::span<const std::uint16_t> qy, const BuildContext& context);

/// Sorts the points of each level by the cells of its grid. `tall` has all of them.
LevelsView build_levels(LevelStore& store, const TreeView& tall, std::size_t points,
                        const BuildContext& context);

struct RankedStore {
  explicit RankedStore(std::pmr::memory_resource* memory)
      : resource(memory),
        x_axis(memory),
        y_axis(memory),
        index_of(memory),
        coordinates(memory),
        grid(memory),
        lists(memory),
        tall(memory),
        flat(memory),
        levels(memory) {}

  std::pmr::memory_resource* resource;
  AxisStore x_axis, y_axis;
  Array<std::uint32_t> index_of;
  Array<std::byte> coordinates;
  Array<std::uint32_t> grid;
  ListStore lists;
  TreeStore tall, flat;
  LevelStore levels;
  core_detail::MappedFile file;           // of a loaded object: then the arrays above are empty
  std::span<const std::byte> attachment;  // points into the file
  RankedView view;
};

}  // namespace juxta::ranked_detail
