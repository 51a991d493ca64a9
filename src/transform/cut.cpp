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
      : begin(nodes.size() + 2, 0), children(nodes.size()), size(nodes.size(), 1) {
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
        size[nodes[i].parent] += size[i];
      }
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const noexcept {
    return std::span(children).subspan(begin[node], begin[node + 1] - begin[node]);
  }

  std::vector<std::uint32_t> begin, children, size;
};

/// Room that is left in a piece, and how much of it is too much to leave.
struct Room {
  std::uint32_t left, much;
};

class Cutter {
 public:
  Cutter(const Trees& trees, Forest& forest, std::uint32_t room)
      : trees_(trees), forest_(forest), cut_(trees.size.size(), false), room_(room) {}

  /// A tree by itself.
  void add(std::uint32_t root) {
    std::vector<Piece> pieces{{root, Forest::kNone}};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (trees_.size[pieces[i].top] > kWholeTree) {
        choose({room_ < kWholeTree ? kTileRows : room_, kMuchRoom}, i, pieces);
      }
      list(pieces[i]);
    }
  }

  /// Eight trees of one shape. False: their pieces would not fill tiles of lanes, and nothing was done.
  [[nodiscard]] bool add_lanes(std::span<const std::uint32_t> roots) {
    std::vector<Piece> pieces[kGroupRows];
    for (const std::uint32_t most : {even_part(trees_.size[roots[0]]), kTileGroups, kTileGroups / 2}) {
      cut_into(most, roots[0], pieces[0]);
      if (fill_lanes(pieces[0])) {
        for (std::uint32_t lane = 1; lane < kGroupRows; ++lane) {
          cut_into(most, roots[lane], pieces[lane]);
        }
        for (std::size_t i = 0; i < pieces[0].size(); ++i) {
          for (const std::vector<Piece>& lane : pieces) {
            list(lane[i]);
          }
        }
        return true;
      }
      for (const Piece& piece : pieces[0]) {
        cut_[piece.top] = false;
      }
    }
    return false;
  }

 private:
  static constexpr std::uint32_t kMuchRoom = 128;

  struct Piece {
    std::uint32_t top;
    std::uint32_t parent;  // kNone: it is the top of the tree
    std::uint32_t count = 0;
  };

  /// Marks what the piece below a top leaves out, and adds it to the list.
  void choose(Room room, std::size_t piece, std::vector<Piece>& pieces) {
    --room.left;
    parts_.assign(1, pieces[piece].top);
    std::uint32_t count = 1;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::uint32_t part = parts_[i];
      const std::span<const std::uint32_t> children = trees_.of(part);
      for (const std::uint32_t child : children) {
        if (trees_.size[child] <= room.left) {
          room.left -= trees_.size[child];
          count += trees_.size[child];
        } else if (room.left >= room.much || (room.left > 0 && children.size() == 1)) {
          --room.left;
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

  /// Pieces as equal as they can be, if it is a chain.
  [[nodiscard]] static std::uint32_t even_part(std::uint32_t size) noexcept {
    const std::uint32_t parts = (size + kTileGroups - 1) / kTileGroups;
    return (size + parts - 1) / parts;
  }
  void cut_into(std::uint32_t most, std::uint32_t root, std::vector<Piece>& pieces) {
    pieces.assign(1, {root, Forest::kNone});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      choose({most, most / 2}, i, pieces);
    }
  }
  /// Links are few, and few nodes stand in pieces that would leave much of a tile empty.
  [[nodiscard]] static bool fill_lanes(std::span<const Piece> pieces) noexcept {
    std::size_t nodes = 0, others = 0;
    for (const Piece& piece : pieces) {
      nodes += piece.count;
      others += fits_lanes(piece.count) ? 0 : piece.count;
    }
    return pieces.size() * kFewestNodes <= nodes && others * 8 <= nodes;
  }
  static constexpr std::size_t kFewestNodes = 40;  // of a piece, on average

  void list(const Piece& piece) {
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
    room_ = count <= room_ ? room_ - count : kTileRows - std::min(count, kTileRows);
  }

  const Trees& trees_;
  Forest& forest_;
  std::vector<bool> cut_;
  std::uint32_t room_;                // what will be left in the tile
  std::vector<std::uint32_t> parts_;  // nodes that are in a piece without all that is below them
};

/// Two trees have one shape.
class Shapes {
 public:
  explicit Shapes(const Trees& trees) : trees_(trees) {}

  [[nodiscard]] bool same(std::uint32_t a, std::uint32_t b) {
    if (trees_.size[a] != trees_.size[b]) {
      return false;
    }
    pairs_.assign(1, {a, b});
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto children_a = trees_.of(pairs_[i].first), children_b = trees_.of(pairs_[i].second);
      if (children_a.size() != children_b.size()) {
        return false;
      }
      for (std::size_t c = 0; c < children_a.size(); ++c) {
        pairs_.emplace_back(children_a[c], children_b[c]);
      }
    }
    return true;
  }
  /// Eight roots of large trees of one shape.
  [[nodiscard]] bool same_large(std::span<const std::uint32_t> roots) {
    return trees_.size[roots[0]] > kTileGroups &&
           std::ranges::all_of(roots.subspan(1), [&](std::uint32_t root) { return same(roots[0], root); });
  }

 private:
  const Trees& trees_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace

Forest cut_trees(std::span<const NodeDescription> nodes, std::uint32_t room, bool side_by_side) {
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
  Cutter cutter(trees, forest, room);
  Shapes shapes(trees);
  for (std::size_t i = 0; i < roots.size();) {
    const std::span<const std::uint32_t> eight =
        std::span(roots).subspan(i, std::min<std::size_t>(kGroupRows, roots.size() - i));
    if (side_by_side && eight.size() == kGroupRows && shapes.same_large(eight) && cutter.add_lanes(eight)) {
      i += kGroupRows;
    } else {
      cutter.add(roots[i++]);
    }
  }
  return forest;
}

std::optional<Forest> cut_eight(std::span<const NodeDescription> tree) {
  std::vector<NodeDescription> nodes;
  std::vector<std::uint32_t> roots;
  for (std::uint32_t lane = 0; lane < kGroupRows; ++lane) {
    const auto first = static_cast<std::uint32_t>(nodes.size());
    roots.push_back(first);
    for (const NodeDescription& node : tree) {
      nodes.push_back({.parent = node.parent == NodeDescription::kRoot ? node.parent : first + node.parent});
    }
  }
  const Trees trees(nodes);
  Forest forest;
  return Cutter(trees, forest, 0).add_lanes(roots) ? std::optional(std::move(forest)) : std::nullopt;
}

}  // namespace juxta::transform_detail
