// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace juxta::bench {

/// nanoflann's k-d tree of points in the plane, distances in double. The columns stay the caller's. Only
/// where nanoflann is installed.
class NearestTree {
 public:
  NearestTree(std::span<const float> xs, std::span<const float> ys);
  ~NearestTree();
  /// The numbers of the k nearest, nearest first; equal ones in any order.
  std::size_t nearest(double x, double y, std::size_t k, std::uint32_t* out) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace juxta::bench
