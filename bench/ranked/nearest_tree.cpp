// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/nearest_tree.h"

#include <array>
#include <nanoflann.hpp>

namespace juxta::bench {
namespace {

struct Columns {
  std::span<const float> xs, ys;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return xs.size(); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t axis) const {
    return static_cast<double>(axis == 0 ? xs[i] : ys[i]);
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Columns>, Columns, 2,
                                                  std::uint32_t>;

}  // namespace

struct NearestTree::Tree {
  Tree(std::span<const float> xs, std::span<const float> ys) : columns{xs, ys}, index(2, columns, {10}) {
    index.buildIndex();
  }
  Columns columns;
  Index index;
};

NearestTree::NearestTree(std::span<const float> xs, std::span<const float> ys)
    : tree_(std::make_unique<Tree>(xs, ys)) {}
NearestTree::~NearestTree() = default;

std::size_t NearestTree::nearest(double x, double y, std::size_t k, std::uint32_t* out) const {
  std::array<double, 64> squares;
  const std::array<double, 2> at{x, y};
  return tree_->index.knnSearch(at.data(), k, out, squares.data());
}

}  // namespace juxta::bench
