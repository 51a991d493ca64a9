// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A tree over triangles in little time: neighbours along a curve share a leaf, and the bits of their codes
// say where ranges are cut.
//
//   triangles  | in order of the Morton codes of their centres                    |
//   blocks     | four each                                                        |
//   nodes      a range of blocks is cut where the highest bit of its codes changes; the longest part is cut
//              again, until there are eight. NodeParts of one or two blocks are leaves.
//
// All leaves but the last are full, so that a block's place follows from its number, and boxes are made from
// the bottom up. Where a ray is expected to save most is not asked.
//
// Source: Lauterbach et al., "Fast BVH construction on GPUs" (Eurographics 2009): the cuts.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/call_workspace.h"
#include "core/prefetch.h"
#include "juxta/order/radix_sort.h"
#include "shape/triangle_codes.h"
#include "shape/triangle_tree.h"

namespace juxta::shape_detail {
namespace {

// Of loops over triangles and blocks; of a part of the tree that is one task.
constexpr std::size_t kFastTrianglesOfTask = 8192, kFastBlocksOfTask = kFastTrianglesOfTask / kBlockLanes;
constexpr std::uint32_t kPieceBlocks = 2048;
constexpr std::size_t kFastHugePage = std::size_t{2} << 20;
// Triangles whose numbers and corners are on their way through the caches.
constexpr std::size_t kAheadNumbers = 32, kAheadCorners = 16;

// A vertex in a register. Arrays are padded: the fourth float can be read.
struct alignas(16) FastCorner {
  float at[4];

  explicit FastCorner(const Vec3* vertex) noexcept {
    const float* from = vertex->begin();
    for (int lane = 0; lane < 4; ++lane) {
      at[lane] = from[lane];
    }
  }
};

// Places of centres among all centres, axis by axis.
struct FastCenters {
  std::span<float> axis[3];

  // Eighths of the sums of corners: no difference of two overflows.
  FastBounds fill(const TriangleTree& tree, std::size_t first, std::size_t last) const noexcept {
    FastBounds bounds;
    for (std::size_t i = first; i < last; ++i) {
      const auto& corners = tree.triangles[i];
      const FastCorner a(&tree.vertices[corners[0]]), b(&tree.vertices[corners[1]]),
          c(&tree.vertices[corners[2]]);
      alignas(16) float center[4];
      for (int lane = 0; lane < 4; ++lane) {
        center[lane] = a.at[lane] * 0.125F + b.at[lane] * 0.125F + c.at[lane] * 0.125F;
      }
      bounds.add(center, center);
      axis[0][i] = center[0];
      axis[1][i] = center[1];
      axis[2][i] = center[2];
    }
    return bounds;
  }
};

// A run of blocks.
struct BlockRange {
  std::uint32_t first, last;
  [[nodiscard]] std::uint32_t count() const noexcept { return last - first; }
};
struct NodeParts {
  BlockRange part[kTreeLanes];
  std::uint32_t count = 0;
};

struct TreePiece {
  BlockRange range;
  std::uint32_t parent, lane;
};

class FastBuilder {
 public:
  FastBuilder(TriangleTree& tree, const Executor& executor, Workspace& workspace)
      : tree_(tree), executor_(executor), workspace_(workspace) {}

  void run(std::pmr::memory_resource* resource) {
    const std::size_t n = tree_.triangles.size(), blocks = (n + kBlockLanes - 1) / kBlockLanes;
    {
      // All memory at once: many small pieces take more time to come by than the sort does. 8 bytes a
      // triangle stay, and no step needs more than 12 beside them.
      const Workspace::Scope scope(workspace_);
      const std::size_t bytes = 20 * n + (std::size_t{1} << 17);
      (void)workspace_.take<std::byte>(
          bytes < kFastHugePage / 2 ? bytes : (bytes + kFastHugePage) / kFastHugePage * kFastHugePage);
    }
    numbers_ = workspace_.take<std::uint32_t>(n);
    codes_ = workspace_.take<std::uint32_t>(n);
    make_codes();
    // Fewer than 2^32 - 2 of the same length: it does not fail.
    (void)sort_pairs(codes_, numbers_, {.executor = &executor_, .workspace = &workspace_});
    tree_.blocks.resize_discard(blocks);
    boxes_ = workspace_.take<FastBounds>(blocks);
    block_codes_ = workspace_.take<std::uint32_t>(blocks);
    executor_.parallel_for(blocks, kFastBlocksOfTask, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        write_block(i);
      }
    });
    tree_.nodes.reserve(blocks / 10 + 8);
    const FastBounds all = write_nodes(static_cast<std::uint32_t>(blocks), resource);
    tree_.bounds = {{all.lo[0], all.lo[1], all.lo[2]}, {all.hi[0], all.hi[1], all.hi[2]}};
  }

 private:
  using Nodes = Array<TriangleNode>;

  void make_codes() {
    const std::size_t n = codes_.size(), tasks = (n + kFastTrianglesOfTask - 1) / kFastTrianglesOfTask;
    const Workspace::Scope scope(workspace_);
    const FastCenters centers{
        {workspace_.take<float>(n), workspace_.take<float>(n), workspace_.take<float>(n)}};
    const std::span<FastBounds> bounds = workspace_.take<FastBounds>(tasks);
    executor_.parallel_for(tasks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t task = first; task < last; ++task) {
        bounds[task] =
            centers.fill(tree_, task * kFastTrianglesOfTask, std::min(n, (task + 1) * kFastTrianglesOfTask));
      }
    });
    FastBounds all;
    for (const FastBounds& part : bounds) {
      all.add(part.lo, part.hi);
    }
    const CodeGrid grid(all);
    executor_.parallel_for(n, kFastTrianglesOfTask, [&](std::size_t first, std::size_t last) {
      const float *const x = centers.axis[0].data(), *const y = centers.axis[1].data(),
                         *const z = centers.axis[2].data();
      std::uint32_t *const codes = codes_.data(), *const numbers = numbers_.data();
      for (std::size_t i = first; i < last; ++i) {
        codes[i] = grid.code(x[i], y[i], z[i]);
        numbers[i] = static_cast<std::uint32_t>(i);
      }
    });
  }

  void fetch_ahead(std::size_t first) const noexcept {
    const TriangleTree& tree = tree_;
    if (first + kAheadNumbers + kBlockLanes <= codes_.size()) {
      for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        core_detail::prefetch_line(&tree.triangles[numbers_[first + kAheadNumbers + lane]]);
        for (const std::uint32_t corner : tree.triangles[numbers_[first + kAheadCorners + lane]]) {
          core_detail::prefetch_line(&tree.vertices[corner]);
        }
      }
    }
  }

  void write_block(std::size_t index) noexcept {
    const std::size_t first = index * kBlockLanes,
                      size = std::min<std::size_t>(kBlockLanes, codes_.size() - first);
    TriangleBlock& block = tree_.blocks.own()[index];
    const TriangleTree& tree = tree_;
    fetch_ahead(first);
    FastBounds box;
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const std::uint32_t number = numbers_[first + (lane < size ? lane : 0)];
      block.number[lane] = number;
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const FastCorner at(&tree.vertices[tree.triangles[number][corner]]);
        box.add(at.at, at.at);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          block.corner[corner][axis][lane] = at.at[axis];
        }
      }
    }
    boxes_[index] = box;
    block_codes_[index] = codes_[first];
  }

  // Where a range is cut: codes in front of it have a bit that those behind it have not; or in the middle.
  [[nodiscard]] std::uint32_t cut(const BlockRange& range) const noexcept {
    const std::uint32_t* const codes = block_codes_.data();
    const std::uint32_t differ = codes[range.first] ^ codes[range.last - 1];
    if (differ == 0) {
      return range.first + range.count() / 2;
    }
    const std::uint32_t bit = std::bit_floor(differ);
    std::uint32_t first = range.first, last = range.last - 1;  // without the bit; with it
    while (last - first > 1) {
      const std::uint32_t middle = first + (last - first) / 2;
      ((codes[middle] & bit) == 0 ? first : last) = middle;
    }
    return last;
  }

  [[nodiscard]] NodeParts parts_of(const BlockRange& range) const noexcept {
    NodeParts parts;
    parts.part[parts.count++] = range;
    while (parts.count < kTreeLanes) {
      std::uint32_t longest = 0;
      for (std::uint32_t i = 1; i < parts.count; ++i) {
        longest = parts.part[i].count() > parts.part[longest].count() ? i : longest;
      }
      BlockRange& part = parts.part[longest];
      if (part.count() == 1) {
        break;
      }
      const std::uint32_t at = cut(part);
      parts.part[parts.count++] = {at, part.last};
      part.last = at;
    }
    return parts;
  }

  static void set_lane(TriangleNode& node, std::uint32_t lane, const FastBounds& box,
                       std::uint32_t child) noexcept {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      node.side[axis][lane] = box.lo[axis];
      node.side[axis + 3][lane] = box.hi[axis];
    }
    node.child[lane] = child;
  }

  [[nodiscard]] static bool is_leaf(const BlockRange& range) noexcept { return range.count() <= 2; }

  FastBounds set_leaf(TriangleNode& node, std::uint32_t lane, const BlockRange& range) const noexcept {
    FastBounds box = boxes_[range.first];
    box.add(boxes_[range.last - 1].lo, boxes_[range.last - 1].hi);
    const std::size_t count = std::min(std::size_t{range.last} * kBlockLanes, codes_.size()) -
                              std::size_t{range.first} * kBlockLanes;
    set_lane(node, lane, box, ChildWord::leaf(range.first, static_cast<std::uint32_t>(count)));
    return box;
  }

  static std::span<TriangleNode> elements(Nodes& nodes) noexcept { return nodes.span(); }
  static std::span<TriangleNode> elements(TreeArray<TriangleNode>& nodes) noexcept { return nodes.own(); }

  // Parents first; numbers of nodes begin with `base`. At most 30 bits and 26 halvings deep. `Out`: an array.
  template <class Out>
  FastBounds write_below(const BlockRange& range, Out& out, std::uint32_t base) const {
    const std::size_t index = out.size();
    out.resize(index + 1);
    const NodeParts parts = parts_of(range);
    FastBounds all;
    TriangleNode node;  // in place it would move while children are added
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      if (lane >= parts.count) {
        set_lane(node, lane, FastBounds{}, 0);
        continue;
      }
      FastBounds box;
      if (is_leaf(parts.part[lane])) {
        box = set_leaf(node, lane, parts.part[lane]);
      } else {
        const auto child = static_cast<std::uint32_t>(out.size());
        box = write_below(parts.part[lane], out, base);
        set_lane(node, lane, box, base + child);
      }
      all.add(box.lo, box.hi);
    }
    write_orders(node);
    elements(out)[index] = node;
    return all;
  }

  // Nodes of the top, whose lanes are filled in once what is below them is known.
  void write_top(std::uint32_t blocks, Array<TreePiece>& inner, Array<TreePiece>& pieces) {
    inner.resize(1);
    inner[0] = {{0, blocks}, 0, 0};
    for (std::uint32_t at = 0; at < inner.size(); ++at) {
      const NodeParts parts = parts_of(inner[at].range);
      tree_.nodes.resize(at + 1);
      TriangleNode& node = tree_.nodes.own()[at];
      for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
        set_lane(node, lane, FastBounds{}, 0);
        if (lane >= parts.count) {
          continue;
        }
        const TreePiece piece{parts.part[lane], at, lane};
        if (is_leaf(piece.range)) {
          set_leaf(node, lane, piece.range);
        } else {
          Array<TreePiece>& list = piece.range.count() > kPieceBlocks ? inner : pieces;
          list.resize(list.size() + 1);
          list[list.size() - 1] = piece;
        }
      }
    }
  }

  FastBounds write_nodes(std::uint32_t blocks, std::pmr::memory_resource* resource) {
    if (blocks <= kPieceBlocks) {
      return write_below({0, blocks}, tree_.nodes, 0);
    }
    Array<TreePiece> inner(resource), pieces(resource);
    write_top(blocks, inner, pieces);
    const std::span<FastBounds> boxes = workspace_.take<FastBounds>(pieces.size());
    const std::span<std::uint32_t> roots = workspace_.take<std::uint32_t>(pieces.size());
    if (&executor_ == &serial_executor()) {
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        roots[i] = static_cast<std::uint32_t>(tree_.nodes.size());
        boxes[i] = write_below(pieces[i].range, tree_.nodes, 0);
      }
    } else {
      write_side_by_side(pieces, boxes, roots);
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      set_lane(tree_.nodes.own()[pieces[i].parent], pieces[i].lane, boxes[i], roots[i]);
    }
    FastBounds box;
    for (std::size_t i = inner.size(); i-- > 0;) {  // children behind their parents
      TriangleNode& node = tree_.nodes.own()[i];
      write_orders(node);
      box = FastBounds{};
      for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
        const float lo[4] = {node.side[0][lane], node.side[1][lane], node.side[2][lane], 0};
        const float hi[4] = {node.side[3][lane], node.side[4][lane], node.side[5][lane], 0};
        box.add(lo, hi);
      }
      if (i != 0) {
        set_lane(tree_.nodes.own()[inner[i].parent], inner[i].lane, box, static_cast<std::uint32_t>(i));
      }
    }
    return box;
  }

  // Each piece in memory of its own, and then together: the same numbers as one after the other.
  void write_side_by_side(const Array<TreePiece>& pieces, std::span<FastBounds> boxes,
                          std::span<std::uint32_t> roots) {
    std::vector<Nodes> own(pieces.size());
    executor_.parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        own[i].reserve(pieces[i].range.count() / 8 + 8);
        boxes[i] = write_below(pieces[i].range, own[i], 0);
      }
    });
    std::size_t size = tree_.nodes.size();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      roots[i] = static_cast<std::uint32_t>(size);
      size += own[i].size();
    }
    tree_.nodes.resize(size);
    executor_.parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (std::size_t k = 0; k < own[i].size(); ++k) {
          TriangleNode& node = tree_.nodes.own()[roots[i] + k] = own[i][k];
          for (std::uint32_t& child : node.child) {
            child += child != 0 && !ChildWord::is_leaf(child) ? roots[i] : 0;
          }
        }
      }
    });
  }

  TriangleTree& tree_;
  const Executor& executor_;
  Workspace& workspace_;
  std::span<std::uint32_t> numbers_, codes_, block_codes_;  // of triangles in order; of each block's first
  std::span<FastBounds> boxes_;                             // of blocks
};

}  // namespace

void build_fast_tree(TriangleTree& tree, const Context& context, std::pmr::memory_resource* resource) {
  const CallWorkspace workspace(context);
  FastBuilder(tree, executor_or_serial(context.executor), *workspace).run(resource);
}

}  // namespace juxta::shape_detail
