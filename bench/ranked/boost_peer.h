// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/ranked/record.h"

namespace juxta::bench {

/// Boost.Geometry's R-tree, packed from all points at once, and a heap of the k best it meets. Single calls
/// only: the heap is kept between them.
class BoostPeer {
 public:
  explicit BoostPeer(const classics::RankedColumns& points);
  ~BoostPeer();

  BoostPeer(BoostPeer&&) noexcept;

  struct Place {
    float x, y;
  };
  /// Of the point with this input index.
  void move(std::uint32_t index, const Place& from, const Place& to);
  std::size_t top_ids(const RectF& rect, std::size_t k, std::uint32_t* out);

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
  std::vector<std::uint32_t> input_;  // rank order -> input index
  std::vector<std::uint32_t> place_;  // and back
};

}  // namespace juxta::bench
