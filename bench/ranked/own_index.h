// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// An index of the points that pass a filter, and of no others: what a filter is compared with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "juxta/ranked/ranked_points.h"
#include "scenes/contest.h"

namespace juxta::bench {

/// Keeps the last one that was asked for: two of 10M points would not fit everywhere.
class OwnIndex {
 public:
  /// `passes(i)`: whether point i of the world does. `name` tells the filters apart.
  template <class Passes>
  const RankedPoints& of(const scenes::ContestWorld& world, const std::string& name, Passes passes) {
    if (name_ != name) {
      std::vector<float> x, y;
      std::vector<std::int32_t> rank;
      ids_.clear();
      for (std::size_t i = 0; i < world.x.size(); ++i) {
        if (passes(i)) {
          x.push_back(world.x[i]);
          y.push_back(world.y[i]);
          rank.push_back(world.rank[i]);
          ids_.push_back(static_cast<std::uint32_t>(i));
        }
      }
      index_ = std::make_unique<RankedPoints>(RankedPoints::build(x, y, rank).value());
      name_ = name;
    }
    return *index_;
  }
  /// The point of the world that has this number in the index.
  [[nodiscard]] std::uint32_t id(std::uint32_t own) const { return ids_[own]; }

 private:
  std::unique_ptr<RankedPoints> index_;
  std::vector<std::uint32_t> ids_;
  std::string name_;
};

}  // namespace juxta::bench
