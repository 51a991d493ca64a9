// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace juxta {

/// A node of a tree as the picture shows it.
struct TreeNode {
  static constexpr std::uint32_t kRoot = ~std::uint32_t{0};

  double x = 0, y = 0;           ///< y grows upwards.
  std::uint32_t parent = kRoot;  ///< Place in the list, anywhere in it; kRoot: none.
  bool marked = false;           ///< Drawn in the colour of the legend's second entry.
  std::string name = {};         ///< UTF-8; empty: not named.
};

struct SvgTreeOptions {
  std::string title = {}, note = {};                   ///< Above and below the picture; empty: none.
  std::string plain = "node", marked = "marked node";  ///< Names of the two kinds in the legend.
  int width = 1200;                                    ///< Pixels, from 200 to 10000.
  std::size_t max_nodes = 20'000;  ///< Bounds the size of the picture: about 100 bytes each.
};

/// Draws a tree: a line from every node to its parent, a dot for every node, and, of up to 200 nodes,
/// the names as far as they fit without touching, the first of the list first. The frame holds all nodes,
/// with one scale for both axes unless the tree is flatter than 1 : 4. Of more than `max_nodes` the first are
/// drawn, and a line below the picture says so. Nodes with NaN or beyond 1e300 are left out, with the lines
/// to them; so is the line to a parent that is not in the list.
[[nodiscard]] std::string svg_tree(std::span<const TreeNode> nodes, const SvgTreeOptions& options = {});

}  // namespace juxta
