// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Categories: per bit a tree and lists of its points, and per block of the tall tree who has which bit.
//
//   positions of the whole   0  1  2  3  4  5  6  7  8  9        rank order
//   points of one category      0        1  2        3           numbered by themselves: "members"
//
//   Tree and lists of a category are built like those of a whole set, over its members; then the names in the
//   tree become positions of the whole. So answers of several trees can be compared, and a position leads to
//   its coordinates by the arrays of the whole.
//
// Cost: a category takes as long as a tree of its points; 9 to 10 bytes a member (8.9 tree, up to 1 lists).

#include <algorithm>
#include <bit>

#include "ranked/ranked_file.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {
namespace {

/// The points of one category, in rank order.
struct Members {
  std::span<std::uint32_t> position, index;
  std::span<std::uint16_t> qx, qy;
};

/// Per point in rank order, its bits without those that nobody has.
void compact_masks(const RankedView& view, std::span<const std::uint64_t> masks, std::uint64_t used,
                   std::span<std::uint64_t> compact, const Executor& executor) {
  executor.parallel_for(view.size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      compact[p] = compact_bits(masks[view.index(static_cast<std::uint32_t>(p))], used);
    }
  });
}

Members collect_members(const RankedView& view, std::span<const std::uint64_t> masks, std::size_t bit,
                        std::size_t count, std::span<const std::uint16_t> qx,
                        std::span<const std::uint16_t> qy, Workspace& workspace) {
  const Members members = {workspace.take<std::uint32_t>(count), workspace.take<std::uint32_t>(count),
                           workspace.take<std::uint16_t>(count), workspace.take<std::uint16_t>(count)};
  std::size_t n = 0;
  for (std::size_t p = 0; p < masks.size(); ++p) {
    if ((masks[p] >> bit & 1) != 0) {
      members.position[n] = static_cast<std::uint32_t>(p);
      members.index[n] = view.index(static_cast<std::uint32_t>(p));
      members.qx[n] = qx[p];
      members.qy[n] = qy[p];
      ++n;
    }
  }
  return members;
}

/// Members become positions of the whole.
void rename_tree(const TreeView& tree, const TreeArrays& arrays, std::span<const std::uint32_t> position,
                 const Executor& executor) {
  const auto rename = [&](std::uint32_t(&names)[kBlockSize]) {
    for (std::uint32_t& name : names) {
      name = name == kNoPoint ? kNoPoint : position[name];
    }
  };
  executor.parallel_for(tree_top_count(tree), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      rename(arrays.tops[n].name);
      const std::size_t end = std::min<std::size_t>((n + 1) * kFanout, tree.leaf_count);
      for (std::size_t leaf = n * kFanout; leaf < end; ++leaf) {
        rename(arrays.leaves[leaf].name);
      }
    }
  });
  for (std::size_t n = 0; n < tree_node_count(tree); ++n) {
    for (std::uint32_t& first : arrays.nodes[n].first) {
      first = first == kNoPoint ? kNoPoint : position[first];
    }
  }
}

RankedView build_subset(const TreeArrays& trees, const ListArrays& list_arrays, const RankedView& view,
                        const Members& members, const BuildContext& context) {
  const std::size_t count = members.position.size();
  const TreeView tree = fill_tree(trees, members.qx, members.qy, BlockShape::kSquare, context);
  ListView lists = plan_category_lists(count);
  RankedView alone = subset_view(view, count, tree, {});
  alone.whole_size = 0;
  alone.index_of = members.index.data();
  fill_lists(lists, list_arrays, alone, members.qx, members.qy, context);
  rename_tree(tree, trees, members.position, context.executor);
  return subset_view(view, count, tree, lists);
}

/// Bit i of out[b]: whether point i of the block has bit b.
void fill_bits(const Block& block, std::span<const std::uint64_t> masks, std::span<std::uint32_t> out) {
  std::ranges::fill(out, 0U);
  for (std::uint32_t i = 0; i < kBlockSize && block.name[i] != kNoPoint; ++i) {
    for (std::uint64_t rest = masks[block.name[i]]; rest != 0; rest &= rest - 1) {
      out[static_cast<std::size_t>(std::countr_zero(rest))] |= 1U << i;
    }
  }
}

std::uint64_t bits_of(std::span<const std::uint32_t> planes) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t b = 0; b < planes.size(); ++b) {
    bits |= std::uint64_t{planes[b] != 0} << b;
  }
  return bits;
}

/// Who has which bit, per leaf and top block of the tall tree, and which bits are below each child of a node.
void fill_tall(CategoryStore& store, const TreeView& tall, std::size_t count,
               std::span<const std::uint64_t> masks, const Executor& executor) {
  store.leaf_bits.resize_discard(tall.leaf_count * count);
  store.top_bits.resize_discard(tree_top_count(tall) * count);
  store.node_masks.resize_discard(tree_node_count(tall) * kFanout);
  std::uint64_t* const node_masks = store.node_masks.data();
  executor.parallel_for(tree_top_count(tall), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      fill_bits(tall.tops[n], masks, store.top_bits.span().subspan(n * count, count));
      for (std::size_t c = 0; c < kFanout; ++c) {
        const std::size_t leaf = n * kFanout + c;
        std::uint64_t& below = node_masks[n * kFanout + c];
        below = 0;
        if (leaf < tall.leaf_count) {
          const auto planes = store.leaf_bits.span().subspan(leaf * count, count);
          fill_bits(tall.leaves[leaf], masks, planes);
          below = bits_of(planes);
        }
      }
    }
  });
  std::size_t nodes_below = tree_top_count(tall);
  for (std::size_t l = 1; l < tall.levels; ++l) {
    std::uint64_t* const own = node_masks + tall.level_begin[l] * kFanout;
    const std::size_t nodes = (nodes_below + kFanout - 1) / kFanout;
    std::fill_n(own, nodes * kFanout, 0);
    for (std::size_t n = 0; n < nodes_below * kFanout; ++n) {
      own[n / kFanout] |= node_masks[tall.level_begin[l - 1] * kFanout + n];
    }
    nodes_below = nodes;
  }
}

}  // namespace

std::uint64_t compact_bits(std::uint64_t mask, std::uint64_t used) noexcept {
  std::uint64_t compact = 0;
  std::uint32_t to = 0;
  for (std::uint64_t rest = used; rest != 0; rest &= rest - 1, ++to) {
    compact |= (mask >> std::countr_zero(rest) & 1) << to;
  }
  return compact;
}

RankedView subset_view(const RankedView& whole, std::size_t points, const TreeView& tree,
                       const ListView& lists) noexcept {
  RankedView view = whole;
  view.size = points;
  view.whole_size = whole.size;
  view.grid_share = static_cast<double>(points) / static_cast<double>(whole.size);
  view.tall = view.flat = tree;
  view.lists = lists;
  view.levels = {};
  view.categories = {};
  view.values = {};
  view.best = {};
  view.gradient = Gradient::kNone;
  return view;
}

CategoryPlace place_of(std::span<const std::uint32_t> counts) noexcept {
  CategoryPlace place;
  for (const std::uint32_t points : counts) {
    const TreeView tree = plan_tree(points);
    const ListView lists = plan_category_lists(points);
    place.leaves += tree.leaf_count;
    place.tops += tree_top_count(tree);
    place.nodes += tree_node_count(tree);
    place.lengths += lists.list_total;
    place.blocks += lists.block_total;
  }
  return place;
}

CategoriesView build_categories(CategoryStore& store, const RankedView& view,
                                std::span<const std::uint64_t> masks, std::span<const std::uint16_t> qx,
                                std::span<const std::uint16_t> qy, const BuildContext& context) {
  CategoriesView categories;
  for (const std::uint64_t mask : masks) {
    categories.used |= mask;
  }
  if (categories.used == 0) {
    return categories;
  }
  const Workspace::Scope scope(context.workspace);
  const auto compact = context.workspace.take<std::uint64_t>(view.size);
  compact_masks(view, masks, categories.used, compact, context.executor);
  const std::size_t count = categories.count();
  const auto counts = context.workspace.take<std::uint32_t>(count);
  std::ranges::fill(counts, 0U);
  for (const std::uint64_t mask : compact) {
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
      ++counts[static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
  const CategoryPlace end = place_of(counts);
  store.trees.leaves.resize_discard(end.leaves);
  store.trees.tops.resize_discard(end.tops);
  store.trees.nodes.resize_discard(end.nodes);
  store.lists.lengths.resize_discard(end.lengths);
  store.lists.blocks.resize_discard(end.blocks);
  store.subsets.resize_discard(count);
  for (std::size_t bit = 0; bit < count; ++bit) {
    const Workspace::Scope of_one(context.workspace);
    const CategoryPlace at = place_of(counts.first(bit));
    const Members members = collect_members(view, compact, bit, counts[bit], qx, qy, context.workspace);
    store.subsets[bit] =
        build_subset({store.trees.leaves.data() + at.leaves, store.trees.tops.data() + at.tops,
                      store.trees.nodes.data() + at.nodes},
                     {store.lists.blocks.data() + at.blocks, store.lists.lengths.data() + at.lengths}, view,
                     members, context);
  }
  fill_tall(store, view.tall, count, compact, context.executor);
  categories.subsets = store.subsets.data();
  categories.leaf_bits = store.leaf_bits.data();
  categories.top_bits = store.top_bits.data();
  categories.node_masks = store.node_masks.data();
  return categories;
}

}  // namespace juxta::ranked_detail
