// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What filters look at: columns of numbers (keys, quanta by quantiles, all points in their order), and the
// best points in rank order.
//
// Cost: per column, a radix sort of 64-bit keys, and some passes over all points.

#include <algorithm>
#include <bit>
#include <numeric>

#include "juxta/order/radix_sort.h"
#include "ranked/input.h"
#include "ranked/ranked_file.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {
namespace {

/// What the build of one column works with.
struct Sorted {
  std::span<std::uint64_t> keys;       // ascending
  std::span<std::uint32_t> positions;  // of these keys
};

void copy_numbers(ValueStore& store, const ValueColumn& column, const Executor& executor) {
  with_type(column.type(), [&]<class T>(T) {
    const StridedColumn<T> from = column.as<T>();
    store.numbers.resize_discard(column.size() * sizeof(T));
    T* const to = reinterpret_cast<T*>(store.numbers.data());
    executor.parallel_for(column.size(), kPointsOfTask, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        to[i] = from[i];
      }
    });
  });
}

Sorted sort_points(const RankedView& view, const ValueView& column, const BuildContext& context) {
  const Sorted sorted = {context.workspace.take<std::uint64_t>(view.size),
                         context.workspace.take<std::uint32_t>(view.size)};
  context.executor.parallel_for(view.size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const auto position = static_cast<std::uint32_t>(p);
      sorted.keys[p] = column.key(view.index(position));
      sorted.positions[p] = position;
    }
  });
  (void)sort_pairs(
      sorted.keys, sorted.positions,
      {.executor = &context.executor, .workspace = &context.workspace});  // no more than 2^32 - 2
  return sorted;
}

/// Cuts the keys into quanta; quantum[position] is that of a point.
void equalise(ValueStore& store, const Sorted& sorted, std::uint32_t quanta,
              std::span<std::uint16_t> quantum) {
  const std::size_t points = sorted.keys.size();
  store.knots.resize_discard(quanta);
  store.highest.resize_discard(quanta);
  store.begin.resize_discard(quanta + std::size_t{1});
  for (std::size_t q = 0; q < quanta; ++q) {
    store.knots[q] = store.highest[q] = sorted.keys[q * points / quanta];
  }
  std::size_t q = 0, first_equal = 0, next = 0;  // knots[first_equal] == knots[q]
  for (std::size_t place = 0; place < points; ++place) {
    const std::uint64_t key = sorted.keys[place];
    for (; q + 1 < quanta && store.knots[q + 1] <= key; ++q) {
      first_equal = store.knots[q + 1] == store.knots[q] ? first_equal : q + 1;
    }
    const std::size_t own = key == store.knots[q] ? first_equal : q;
    store.highest[own] = key;
    for (; next <= own; ++next) {
      store.begin[next] = static_cast<std::uint32_t>(place);
    }
    quantum[sorted.positions[place]] = static_cast<std::uint16_t>(own);
  }
  std::fill(store.begin.data() + next, store.begin.data() + quanta + 1, static_cast<std::uint32_t>(points));
}

/// The quanta of the points of each block, beside it. Unused places: 0.
void fill_beside(std::span<const Block> blocks, std::span<const std::uint16_t> quantum,
                 Array<std::uint16_t>& beside, const Executor& executor) {
  beside.resize_discard(blocks.size() * kBlockSize);
  executor.parallel_for(blocks.size(), kPointsOfTask / kBlockSize, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first * kBlockSize; i < last * kBlockSize; ++i) {
      const std::uint32_t name = blocks[i / kBlockSize].name[i % kBlockSize];
      beside[i] = name == kNoPoint ? std::uint16_t{0} : quantum[name];
    }
  });
}

/// The blocks of these points, in this order.
void fill_blocks(FilteredBlocksStore& store, std::span<const std::uint32_t> positions,
                 std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy,
                 const Executor& executor) {
  const std::size_t points = positions.size();
  store.blocks.resize_discard((points + kBlockSize - 1) / kBlockSize);
  executor.parallel_for(store.blocks.size(), kPointsOfTask / kBlockSize,
                        [&](std::size_t first, std::size_t last) {
                          for (std::size_t place = first * kBlockSize; place < last * kBlockSize; ++place) {
                            Block& block = store.blocks[place / kBlockSize];
                            const bool used = place < points;
                            const std::uint32_t name = used ? positions[place] : kNoPoint;
                            block.x[place % kBlockSize] = used ? qx[name] : std::uint16_t{0};
                            block.y[place % kBlockSize] = used ? qy[name] : std::uint16_t{0};
                            block.name[place % kBlockSize] = name;
                          }
                        });
}

/// The least and most quantum below each child of a node: of leaves first, then of nodes.
void fill_bounds(ValueStore& store, const TreeView& tall, std::size_t points) {
  store.bounds.resize_discard(tree_node_count(tall));
  std::size_t below = tall.leaf_count;
  for (std::uint32_t l = 0; l < tall.levels; ++l) {
    const std::size_t nodes = (below + kFanout - 1) / kFanout;
    for (std::size_t c = 0; c < nodes * kFanout; ++c) {
      ValueBounds& own = store.bounds[tall.level_begin[l] + c / kFanout];
      std::uint16_t least = 0xFFFF, most = 0;
      if (c < below && l == 0) {
        const std::size_t used = std::min(kBlockSize, points - c * kBlockSize);
        const auto range = std::ranges::minmax(store.leaf_quanta.span().subspan(c * kBlockSize, used));
        least = range.min;
        most = range.max;
      } else if (c < below) {
        const ValueBounds& child = store.bounds[tall.level_begin[l - 1] + c];
        least = *std::ranges::min_element(child.least);
        most = *std::ranges::max_element(child.most);
      }
      own.least[c % kFanout] = least;
      own.most[c % kFanout] = most;
    }
    below = nodes;
  }
}

/// The categories of the points of these blocks, as CategoriesView has them beside its leaves.
void fill_bits(FilteredBlocksStore& store, const RankedView& view, std::span<const std::uint64_t> masks,
               const Executor& executor) {
  const std::size_t count = view.categories.count(), blocks = count == 0 ? 0 : store.blocks.size();
  store.bits.resize_discard(blocks * count);
  executor.parallel_for(blocks, 64, [&](std::size_t first, std::size_t last) {
    std::fill(store.bits.data() + first * count, store.bits.data() + last * count, 0U);
    for (std::size_t b = first; b < last; ++b) {
      for (std::size_t i = 0; i < kBlockSize && store.blocks[b].name[i] != kNoPoint; ++i) {
        std::uint64_t rest = compact_bits(masks[view.index(store.blocks[b].name[i])], view.categories.used);
        for (; rest != 0; rest &= rest - 1) {
          store.bits[b * count + static_cast<std::size_t>(std::countr_zero(rest))] |= 1U << i;
        }
      }
    }
  });
}

ValueView view_of(const ValueStore& store, ScalarType type) noexcept {
  return {.type = type,
          .numbers = store.numbers.data(),
          .knots = store.knots.data(),
          .highest = store.highest.data(),
          .begin = store.begin.data(),
          .leaf_quanta = store.leaf_quanta.data(),
          .top_quanta = store.top_quanta.data(),
          .bounds = store.bounds.data(),
          .run = store.run.view()};
}

}  // namespace

void build_runs(RunStore& store, RankedView& view, std::span<const ValueColumn> columns,
                std::span<const std::uint64_t> masks, std::span<const std::uint16_t> qx,
                std::span<const std::uint16_t> qy, const BuildContext& context) {
  const Executor& executor = context.executor;
  const Workspace::Scope scope(context.workspace);
  const TreeView& tall = view.tall;
  const std::uint32_t quanta = value_quanta(view.size);
  std::array<std::span<std::uint16_t>, kMostValues> quantum;  // by position
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ValueStore& own = store.values[i];
    quantum[i] = context.workspace.take<std::uint16_t>(view.size);
    const Workspace::Scope of_one(context.workspace);
    copy_numbers(own, columns[i], executor);
    const Sorted sorted = sort_points(view, view_of(own, columns[i].type()), context);
    equalise(own, sorted, quanta, quantum[i]);
    fill_beside({tall.leaves, tall.leaf_count}, quantum[i], own.leaf_quanta, executor);
    fill_beside({tall.tops, tree_top_count(tall)}, quantum[i], own.top_quanta, executor);
    fill_bounds(own, tall, view.size);
    fill_blocks(own.run, sorted.positions, qx, qy, executor);
  }
  const auto first = context.workspace.take<std::uint32_t>(best_points(view.size));
  std::iota(first.begin(), first.end(), 0U);
  fill_blocks(store.best, first, qx, qy, executor);

  const auto finish = [&](FilteredBlocksStore& blocks) {
    fill_bits(blocks, view, masks, executor);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fill_beside(blocks.blocks.span(), quantum[i], blocks.quanta[i], executor);
    }
    return blocks.view();
  };
  view.best = finish(store.best);
  view.values = {.count = static_cast<std::uint32_t>(columns.size()), .quanta = quanta, .column = {}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    finish(store.values[i].run);
    view.values.column[i] = view_of(store.values[i], columns[i].type());
  }
}

}  // namespace juxta::ranked_detail
