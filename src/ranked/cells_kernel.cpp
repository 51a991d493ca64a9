// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Counting per cell of a grid over a rectangle.
//
//   cells     |    17   |    18   |    19   |       a table per axis: the cell that all values of a quantum
//   quanta    | | | | | | | | | | | | | | | |       are in, or that they are in two
//             17 17 17 ? 18 18 18 18 ? 19
//
//   The tall tree from the root: a node whose bounds lie in one cell is added as a whole; of the others,
//   points are added one by one. A point in doubt costs a look at its coordinates, many at a time.
//
// Limit:       two loads from tables of 128 KiB a point, less where cells are larger than leaves.
// Determinism: integers, and comparisons of the input's own coordinates with the cells' edges.

#include "ranked/cells_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/cells_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/tree_count-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

inline constexpr std::uint16_t kTwoCells = 0xFFFF;

/// The cell of each quantum in [lo, hi]; both are shifted, as in a block.
template <class T>
HWY_INLINE const std::uint16_t* CellTable(const RankedView& view, const AxisView& axis,
                                          const CellEdges& edges, std::uint32_t lo, std::uint32_t hi,
                                          Workspace& workspace) {
  const std::uint32_t shift = axis.shift();
  std::uint16_t* const table = workspace.take<std::uint16_t>(quanta_of(axis.levels)).data();
  for (std::size_t q = lo >> shift; q <= hi >> shift; ++q) {
    const double low = LowestIn<T>(view, axis, q), high = HighestIn<T>(view, axis, q);
    table[q] = kTwoCells;
    if (edges.low <= low && high <= edges.high) {
      const std::uint32_t cell = edges.cell_of(low);
      table[q] = cell == edges.cell_of(high) ? static_cast<std::uint16_t>(cell) : kTwoCells;
    }
  }
  return table;
}

template <class T>
class CellCounter {
 public:
  CellCounter(const BoxQuery<T>& query, const CellGrid& grid, const std::uint16_t* x_cells,
              const std::uint16_t* y_cells, std::uint32_t* counts)
      : query_(query),
        view_(*query.view),
        grid_(grid),
        x_cells_(x_cells),
        y_cells_(y_cells),
        x_shift_(query.view->x_axis.shift()),
        y_shift_(query.view->y_axis.shift()),
        counts_(counts) {}

  /// Adds the points below one node.
  HWY_INLINE void AddNode(std::uint32_t level, std::size_t index) {
    struct Entry {
      std::uint32_t level;
      std::size_t index;
    };
    Entry stack[kFanout * (TreeView::kMaxLevels + 1)];
    std::size_t size = 0;
    stack[size++] = {level, index};
    while (size != 0) {
      const Entry entry = stack[--size];
      const Node& node = view_.tall.nodes[view_.tall.level_begin[entry.level] + entry.index];
      ++result_.visited;
      std::uint32_t some = TouchingBits(node, query_.outer) & FirstBits(node, 0, kNoPoint);
      const std::uint32_t contained = some & ContainedBits(node, query_.outer);
      for (; some != 0; some &= some - 1) {
        const std::uint32_t c = LowestSet(some);
        const std::size_t child = entry.index * kFanout + c;
        if ((contained >> c & 1) != 0 && AddWhole(node, c, child, std::size_t{1} << (4 * entry.level))) {
          continue;
        }
        if (entry.level != 0) {
          stack[size++] = {entry.level - 1, child};
        } else {
          AddLeaf(view_.tall.leaves[child], PointsOf(view_, child, 1));
        }
      }
    }
  }

  HWY_INLINE QueryResult Finish() {
    SettleDoubtful();
    return result_;
  }

 private:
  static constexpr std::size_t kDoubtful = 64;

  static HWY_INLINE std::uint32_t LowestSet(std::uint32_t bits) {
    return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
  }

  /// False: child c, which is inside the outer box, does not lie in one cell.
  HWY_INLINE bool AddWhole(const Node& node, std::uint32_t c, std::size_t child, std::size_t blocks) {
    const std::uint16_t x = x_cells_[node.lx[c] >> x_shift_], y = y_cells_[node.ly[c] >> y_shift_];
    if (x == kTwoCells || y == kTwoCells || x != x_cells_[node.hx[c] >> x_shift_] ||
        y != y_cells_[node.hy[c] >> y_shift_]) {
      return false;
    }
    const std::size_t points = PointsOf(view_, child * blocks, blocks);
    counts_[y * grid_.columns + x] += static_cast<std::uint32_t>(points);
    result_.found += points;
    return true;
  }

  HWY_INLINE void AddLeaf(const Block& leaf, std::size_t points) {
    ++result_.visited;
    result_.tested += kBlockSize;
    std::uint32_t hits = InsideBits(leaf, query_.outer);
    if (points < kBlockSize) {
      hits &= (1u << points) - 1;
    }
    for (; hits != 0; hits &= hits - 1) {
      const std::uint32_t i = LowestSet(hits);
      const std::uint16_t x = x_cells_[leaf.x[i] >> x_shift_], y = y_cells_[leaf.y[i] >> y_shift_];
      if (HWY_UNLIKELY(x == kTwoCells || y == kTwoCells)) {
        Doubt(leaf.name[i]);
      } else {
        ++counts_[y * grid_.columns + x];
        ++result_.found;
      }
    }
  }

  HWY_INLINE void Doubt(std::uint32_t position) {
    if (view_.index_of != nullptr) {
      hwy::Prefetch(view_.index_of + position);
    }
    doubtful_[doubtful_size_++] = position;
    if (doubtful_size_ == kDoubtful) {
      SettleDoubtful();
    }
  }

  HWY_NOINLINE void SettleDoubtful() {
    for (std::size_t i = 0; i < doubtful_size_; ++i) {
      doubtful_[i] = view_.index(doubtful_[i]);
      query_.PrefetchCoordinates(doubtful_[i]);
    }
    for (std::size_t i = 0; i < doubtful_size_; ++i) {
      if (query_.Contains(doubtful_[i])) {
        const auto x = static_cast<double>(XOf<T>(view_, doubtful_[i]));
        const auto y = static_cast<double>(YOf<T>(view_, doubtful_[i]));
        ++counts_[grid_.y.cell_of(y) * grid_.columns + grid_.x.cell_of(x)];
        ++result_.found;
      }
    }
    doubtful_size_ = 0;
  }

  const BoxQuery<T>& query_;
  const RankedView& view_;
  const CellGrid& grid_;
  const std::uint16_t *x_cells_, *y_cells_;
  std::uint32_t x_shift_, y_shift_;
  std::uint32_t* counts_;
  QueryResult result_;
  std::size_t doubtful_size_ = 0;
  std::uint32_t doubtful_[kDoubtful];
};

/// Returns how many nodes of `level` touch the query's outer box, and writes their numbers to `nodes`, which
/// has room for twice all nodes of the tree.
template <class T>
HWY_INLINE std::size_t TouchingNodes(const BoxQuery<T>& query, std::uint32_t level, std::uint32_t* nodes) {
  const TreeView& tree = query.view->tall;
  std::size_t size = 1;
  nodes[0] = 0;
  // From the root down: the next level is written behind the current one, then moved to the front.
  for (std::uint32_t l = tree.levels - 1; l > level; --l) {
    std::size_t next = 0;
    std::uint32_t* const children = nodes + size;
    for (std::size_t i = 0; i < size; ++i) {
      const Node& node = tree.nodes[tree.level_begin[l] + nodes[i]];
      std::uint32_t some = TouchingBits(node, query.outer) & FirstBits(node, 0, kNoPoint);
      for (; some != 0; some &= some - 1) {
        children[next++] = nodes[i] * std::uint32_t{kFanout} +
                           static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(some));
      }
    }
    for (std::size_t i = 0; i < next; ++i) {
      nodes[i] = children[i];
    }
    size = next;
  }
  return size;
}

template <class T>
HWY_INLINE QueryResult CellsOf(const RankedView& view, const CellGrid& grid, std::span<std::uint32_t> counts,
                               const BuildContext& context) {
  constexpr std::size_t kParts = 8, kNodesOfPart = 8;
  std::fill(counts.begin(), counts.end(), 0U);
  BoxQuery<T> query;
  if (view.size == 0 || !MakeQuery(view, grid.rect, query)) {
    return {};
  }
  const Workspace::Scope scope(context.workspace);
  const QuantumBox& box = query.outer;
  const auto* x_cells = CellTable<T>(view, view.x_axis, grid.x, box.lx, box.hx, context.workspace);
  const auto* y_cells = CellTable<T>(view, view.y_axis, grid.y, box.ly, box.hy, context.workspace);
  const std::uint32_t level = HWY_MIN(view.tall.levels - 1, 1u);
  const auto nodes = context.workspace.take<std::uint32_t>(2 * tree_node_count(view.tall));
  const std::size_t size = TouchingNodes(query, level, nodes.data());
  // Each part counts for itself, unless that would take more memory than the points.
  const bool alone = &context.executor == &serial_executor() || counts.size() > view.size;
  const std::size_t parts = alone ? 1 : std::clamp<std::size_t>(size / kNodesOfPart, 1, kParts);
  const auto others = context.workspace.take<std::uint32_t>((parts - 1) * counts.size());
  const auto results = context.workspace.take<QueryResult>(parts);
  std::fill(others.begin(), others.end(), 0U);
  context.executor.parallel_for(parts, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      std::uint32_t* const own = part == 0 ? counts.data() : others.data() + (part - 1) * counts.size();
      CellCounter<T> counter(query, grid, x_cells, y_cells, own);
      for (std::size_t i = size * part / parts; i < size * (part + 1) / parts; ++i) {
        counter.AddNode(level, nodes[i]);
      }
      results[part] = counter.Finish();
    }
  });
  QueryResult sum = results[0];
  for (std::size_t part = 1; part < parts; ++part) {
    sum.found += results[part].found;
    sum.tested += results[part].tested;
    sum.visited += results[part].visited;
    const std::uint32_t* const own = others.data() + (part - 1) * counts.size();
    for (std::size_t c = 0; c < counts.size(); ++c) {
      counts[c] += own[c];
    }
  }
  return sum;
}

QueryResult Cells(const RankedView& view, const CellGrid& grid, std::span<std::uint32_t> counts,
                  const BuildContext& context) {
  return JUXTA_CALL_FOR_TYPE(view, CellsOf, view, grid, counts, context);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(Cells);
QueryResult count_cells(const RankedView& view, const CellGrid& grid, std::span<std::uint32_t> counts,
                        const BuildContext& context) {
  return JUXTA_CALL_KERNEL(Cells)(view, grid, counts, context);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
