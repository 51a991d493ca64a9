// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/cut.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace juxta::transform_detail {
namespace {

/// The children of every node of a list, and how many nodes its tree has.
struct Trees {
  explicit Trees(std::span<const NodeDescription> nodes)
      : begin(nodes.size() + 2, 0), children(nodes.size()), sizes(nodes.size(), 1) {
    // begin[p + 2] counts, then begin[p + 1] is where the children of p begin, and moves to their end.
    for (const NodeDescription& node : nodes) {
      if (node.parent != NodeDescription::kRoot) {
        ++begin[node.parent + 2];
      }
    }
    for (std::size_t i = 2; i < begin.size(); ++i) {
      begin[i] += begin[i - 1];
    }
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].parent != NodeDescription::kRoot) {
        children[begin[nodes[i].parent + 1]++] = i;
      }
    }
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (nodes[i].parent != NodeDescription::kRoot) {
        sizes[nodes[i].parent] += sizes[i];
      }
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const noexcept {
    return std::span(children).subspan(begin[node], begin[node + 1] - begin[node]);
  }

  std::vector<std::uint32_t> begin, children, sizes;
};

/// How far a piece grows.
struct Limit {
  std::uint32_t nodes;     // that it takes at most
  std::uint32_t to_begin;  // with so many left, it takes the root of a subtree that does not fit
};

class Cutter {
 public:
  Cutter(const Trees& trees, Forest& forest, std::uint32_t rows_left)
      : trees_(trees), forest_(forest), cut_(trees.sizes.size(), false), rows_left_(rows_left) {}

  /// A tree by itself.
  void add(std::uint32_t root) {
    std::vector<Piece> pieces{{root, Forest::kNone}};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (trees_.sizes[pieces[i].top] > kWholeTree) {
        choose({rows_left_ < kWholeTree ? kTileRows : rows_left_, kToBegin}, i, pieces);
      }
      list(pieces[i], false);
    }
  }

  /// Trees of one shape, by eights. How many: none, if their pieces would not fill tiles of lanes.
  [[nodiscard]] std::size_t add_by_eights(std::span<const std::uint32_t> roots) {
    const std::optional<std::uint32_t> most = lane_piece(roots[0]);
    std::vector<Piece> pieces[kGroupRows];
    std::size_t first = 0;
    for (; most && first + kGroupRows <= roots.size(); first += kGroupRows) {
      for (std::size_t lane = 0; lane < kGroupRows; ++lane) {
        cut_into(*most, roots[first + lane], pieces[lane]);
      }
      for (std::size_t i = 0; i < pieces[0].size(); ++i) {
        const bool side_by_side = fits_lanes(pieces[0][i].count);
        for (std::size_t lane = 0; lane < kGroupRows; ++lane) {
          list(pieces[lane][i], side_by_side);
          forest_.trees.back().first_of_eight = side_by_side && lane == 0;
        }
      }
    }
    return first;
  }

 private:
  static constexpr std::uint32_t kToBegin = 128;

  struct Piece {
    std::uint32_t top;
    std::uint32_t parent;  // kNone: it is the top of the tree
    std::uint32_t count = 0;
  };

  /// Marks what the piece below a top leaves out, and adds it to the list.
  void choose(const Limit& limit, std::size_t piece, std::vector<Piece>& pieces) {
    parts_.assign(1, pieces[piece].top);
    std::uint32_t count = 1;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::uint32_t part = parts_[i];
      const std::span<const std::uint32_t> children = trees_.of(part);
      for (const std::uint32_t child : children) {
        const std::uint32_t left = limit.nodes - count;
        if (trees_.sizes[child] <= left) {
          count += trees_.sizes[child];
        } else if (left >= limit.to_begin || (left > 0 && children.size() == 1)) {
          ++count;
          parts_.push_back(child);
        } else {
          cut_[child] = true;
          pieces.push_back({child, part});
        }
      }
    }
    pieces[piece].count = count;
  }

  /// How large the pieces of this tree and of those like it may be.
  [[nodiscard]] std::optional<std::uint32_t> lane_piece(std::uint32_t root) {
    const std::uint32_t size = trees_.sizes[root], parts = (size + kTileGroups - 1) / kTileGroups;
    std::vector<Piece> pieces;
    for (const std::uint32_t most : {(size + parts - 1) / parts, kTileGroups}) {  // equal parts of a chain
      cut_into(most, root, pieces);
      for (const Piece& piece : pieces) {
        cut_[piece.top] = false;
      }
      if (fill_lanes(pieces)) {
        return most;
      }
    }
    return std::nullopt;
  }
  void cut_into(std::uint32_t most, std::uint32_t root, std::vector<Piece>& pieces) {
    pieces.assign(1, {root, Forest::kNone});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      choose({most, 1}, i, pieces);
    }
  }
  /// Few nodes stand in pieces that would leave much of a tile empty; and a piece nearly fills a tile, so
  /// that a tile belongs to one round of propagation.
  [[nodiscard]] static bool fill_lanes(std::span<const Piece> pieces) noexcept {
    std::size_t nodes = 0, others = 0;
    for (const Piece& piece : pieces) {
      nodes += piece.count;
      others += fits_lanes(piece.count) ? 0 : piece.count;
    }
    return pieces.size() * kFewestNodes <= nodes && others * 8 <= nodes;
  }
  static constexpr std::size_t kFewestNodes = 100;  // of a piece, on average

  /// `side_by_side`: it goes elsewhere than into the tile that is being filled.
  void list(const Piece& piece, bool side_by_side) {
    const auto first = static_cast<std::uint32_t>(forest_.sources.size());
    forest_.sources.push_back(piece.top);
    for (std::size_t i = first; i < forest_.sources.size(); ++i) {
      std::uint32_t count = 0;
      for (const std::uint32_t child : trees_.of(forest_.sources[i])) {
        if (!cut_[child]) {
          forest_.sources.push_back(child);
          ++count;
        }
      }
      forest_.children.push_back(count);
    }
    const auto count = static_cast<std::uint32_t>(forest_.sources.size()) - first;
    forest_.trees.push_back({first, count, piece.parent});
    if (side_by_side) {
      return;
    }
    rows_left_ = count <= rows_left_ ? rows_left_ - count : kTileRows - std::min(count, kTileRows);
  }

  const Trees& trees_;
  Forest& forest_;
  std::vector<bool> cut_;
  std::uint32_t rows_left_;           // in the tile that is being filled
  std::vector<std::uint32_t> parts_;  // nodes that are in a piece without all that is below them
};

/// Large trees that are narrow enough for it to be worth while to cut them alike. In wide ones, eight nodes
/// of one tree are computed at once.
class Narrow {
 public:
  Narrow(const Trees& trees, std::span<const NodeDescription> nodes) : trees_(trees) {
    std::vector<std::uint32_t> depth(nodes.size(), 1);
    levels_.resize(nodes.size());
    std::vector<std::uint32_t> root(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t parent = nodes[i].parent;
      root[i] = parent == NodeDescription::kRoot ? i : root[parent];
      depth[i] += parent == NodeDescription::kRoot ? 0 : depth[parent];
      levels_[root[i]] = std::max(levels_[root[i]], depth[i]);
    }
  }

  /// How many of these trees, from the first on, are of its shape; 0: the first is not large and narrow.
  [[nodiscard]] std::size_t alike(std::span<const std::uint32_t> roots) {
    const std::uint32_t size = trees_.sizes[roots[0]];
    if (size <= kTileGroups || size > levels_[roots[0]] * kWidest) {
      return 0;
    }
    std::size_t count = 1;
    while (count < roots.size() && same(roots[0], roots[count])) {
      ++count;
    }
    return count;
  }

 private:
  static constexpr std::uint32_t kWidest = 3;  // nodes of a level, on average

  [[nodiscard]] bool same(std::uint32_t a, std::uint32_t b) {
    if (trees_.sizes[a] != trees_.sizes[b]) {
      return false;
    }
    pairs_.assign(1, {a, b});
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto of_a = trees_.of(pairs_[i].first), of_b = trees_.of(pairs_[i].second);
      if (of_a.size() != of_b.size()) {
        return false;
      }
      for (std::size_t c = 0; c < of_a.size(); ++c) {
        pairs_.emplace_back(of_a[c], of_b[c]);
      }
    }
    return true;
  }

  const Trees& trees_;
  std::vector<std::uint32_t> levels_;  // by root
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace

Forest cut_trees(std::span<const NodeDescription> nodes, std::uint32_t rows_left, bool side_by_side) {
  const Trees trees(nodes);
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent == NodeDescription::kRoot) {
      roots.push_back(i);
    }
  }
  Forest forest;
  forest.sources.reserve(nodes.size());
  forest.children.reserve(nodes.size());
  Cutter cutter(trees, forest, rows_left);
  std::optional<Narrow> narrow;
  for (std::size_t i = 0; i < roots.size();) {
    std::size_t alike = 1;
    if (side_by_side && trees.sizes[roots[i]] > kTileGroups) {
      if (!narrow) {
        narrow.emplace(trees, nodes);
      }
      alike = std::max<std::size_t>(narrow->alike(std::span(roots).subspan(i)), 1);
    }
    const std::span<const std::uint32_t> run = std::span(roots).subspan(i, alike);
    std::size_t done = alike < kGroupRows ? 0 : cutter.add_by_eights(run);
    for (; done < run.size(); ++done) {
      cutter.add(run[done]);
    }
    i += alike;
  }
  return forest;
}

}  // namespace juxta::transform_detail
