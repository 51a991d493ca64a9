// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: who owns the arrays that a RankedView points into, and the stages that fill them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>

#include "core/chunked_file.h"
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

/// Where a tree or lists are written: memory of the caller, as large as plan_tree() or plan_lists() says.
struct TreeArrays {
  Block* leaves;
  Block* tops;
  Node* nodes;
};
struct ListArrays {
  Block* blocks;
  ListView::Length* lengths;
};

struct LevelStore {
  explicit LevelStore(std::pmr::memory_resource* resource) : blocks(resource), cells(resource) {}
  Array<Block> blocks;
  Array<std::uint32_t> cells;
};

/// The trees and lists of all categories, one behind the other: plan_categories() says where.
struct CategoryStore {
  explicit CategoryStore(std::pmr::memory_resource* resource)
      : trees(resource),
        lists(resource),
        leaf_bits(resource),
        top_bits(resource),
        node_masks(resource),
        subsets(resource) {}
  TreeStore trees;
  ListStore lists;
  Array<std::uint32_t> leaf_bits, top_bits;
  Array<std::uint64_t> node_masks;
  Array<RankedView> subsets;
};

struct FilteredBlocksStore {
  explicit FilteredBlocksStore(std::pmr::memory_resource* resource)
      : blocks(resource),
        quanta{Array<std::uint16_t>(resource), Array<std::uint16_t>(resource)},
        bits(resource) {}
  Array<Block> blocks;
  std::array<Array<std::uint16_t>, kMostValues> quanta;
  Array<std::uint32_t> bits;

  [[nodiscard]] FilteredBlocks view() const noexcept {
    return {blocks.data(), {quanta[0].data(), quanta[1].data()}, bits.data()};
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return blocks.memory_bytes() + quanta[0].memory_bytes() + quanta[1].memory_bytes() + bits.memory_bytes();
  }
};

/// A column of numbers.
struct ValueStore {
  explicit ValueStore(std::pmr::memory_resource* resource)
      : numbers(resource),
        knots(resource),
        highest(resource),
        begin(resource),
        leaf_quanta(resource),
        top_quanta(resource),
        bounds(resource),
        run(resource) {}
  Array<std::byte> numbers;
  Array<std::uint64_t> knots, highest;
  Array<std::uint32_t> begin;
  Array<std::uint16_t> leaf_quanta, top_quanta;
  Array<ValueBounds> bounds;
  FilteredBlocksStore run;

  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return numbers.memory_bytes() + knots.memory_bytes() + highest.memory_bytes() + begin.memory_bytes() +
           leaf_quanta.memory_bytes() + top_quanta.memory_bytes() + bounds.memory_bytes() +
           run.memory_bytes();
  }
};

/// What filters look at beside the trees.
struct RunStore {
  explicit RunStore(std::pmr::memory_resource* resource)
      : values{ValueStore(resource), ValueStore(resource)}, best(resource) {}
  std::array<ValueStore, kMostValues> values;
  FilteredBlocksStore best;
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
/// The same into arrays of the sizes that plan_tree() says. Square: for a set that has one tree only.
enum class BlockShape { kTall, kFlat, kSquare };
TreeView fill_tree(const TreeArrays& arrays, std::span<const std::uint16_t> qx,
                   std::span<const std::uint16_t> qy, BlockShape shape, const BuildContext& context);

/// Counts the points of every cell of a coarse grid, summed from the lower left.
GridView build_grid(Array<std::uint32_t>& store, std::span<const std::uint16_t> qx,
                    std::span<const std::uint16_t> qy, const BuildContext& context);

/// Fills the lists; `view` has its grid and levels already (sparse cells are answered by them).
ListView build_lists(ListStore& store, const RankedView& view, std::span<const std::uint16_t> qx,
                     std::span<const std::uint16_t> qy, const BuildContext& context);

/// The same for lists that are planned, into arrays of that size.
void fill_lists(ListView& plan, const ListArrays& arrays, const RankedView& view,
                std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy,
                const BuildContext& context);

/// Per bit of `masks` (by input index; of `view.size` points) the tree and lists of its points, and per block
/// of the tall tree who has it. `view` has everything else.
[[nodiscard]] CategoriesView build_categories(CategoryStore& store, const RankedView& view,
                                              std::span<const std::uint64_t> masks,
                                              std::span<const std::uint16_t> qx,
                                              std::span<const std::uint16_t> qy, const BuildContext& context);

/// Fills `values` and `best` of a view that has its categories: of up to two columns of numbers their quanta
/// beside the tall tree and all points in their order, and the best points in rank order. `masks`: the
/// categories by input index; `qx`, `qy`: in rank order.
void build_runs(RunStore& store, RankedView& view, std::span<const ValueColumn> columns,
                std::span<const std::uint64_t> masks, std::span<const std::uint16_t> qx,
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
        ranks(memory),
        grid(memory),
        lists(memory),
        tall(memory),
        flat(memory),
        levels(memory),
        categories(memory),
        runs(memory) {}

  std::pmr::memory_resource* resource;
  AxisStore x_axis, y_axis;
  Array<std::uint32_t> index_of;
  Array<std::byte> coordinates;
  Array<std::byte> ranks;
  Array<std::uint32_t> grid;
  ListStore lists;
  TreeStore tall, flat;
  LevelStore levels;
  CategoryStore categories;
  RunStore runs;
  core_detail::MappedFile file;                     // of a loaded object: then the arrays above are empty
  std::string path;                                 // its name
  std::unique_ptr<core_detail::FileChunks> chunks;  // of one that is checked as it is read
  std::span<const std::byte> attachment;            // points into the file
  RankedView view;

  /// The object has no file, and no points until it is built.
  void let_file_go() noexcept {
    view = {};
    attachment = {};
    chunks = nullptr;
    file = {};
    path.clear();
  }
};

/// For those inside who build on a RankedPoints.
struct StoreAccess {
  [[nodiscard]] static const RankedView& view(const RankedPoints& points) noexcept {
    return points.store_->view;
  }
};

}  // namespace juxta::ranked_detail
