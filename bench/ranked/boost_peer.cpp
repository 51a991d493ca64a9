// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/boost_peer.h"

#include <algorithm>
#include <boost/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <utility>

#include "classics/ranked/rank_order.h"

namespace juxta::bench {

namespace bg = boost::geometry;
using Point = bg::model::point<float, 2, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Value = std::pair<Point, std::uint32_t>;  // with the position in rank order

struct BoostPeer::Tree {
  bg::index::rtree<Value, bg::index::linear<16>> values;
};

BoostPeer::BoostPeer(const classics::RankedColumns& points)
    : input_(classics::rank_order(points.rank)), place_(input_.size()) {
  std::vector<Value> values(input_.size());
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    values[i] = {Point(points.x[input_[i]], points.y[input_[i]]), i};
    place_[input_[i]] = i;
  }
  tree_.reset(new Tree{decltype(Tree::values)(values.begin(), values.end())});
}

BoostPeer::~BoostPeer() = default;
BoostPeer::BoostPeer(BoostPeer&&) noexcept = default;

void BoostPeer::move(std::uint32_t index, const Place& from, const Place& to) {
  tree_->values.remove(Value(Point(from.x, from.y), place_[index]));
  tree_->values.insert(Value(Point(to.x, to.y), place_[index]));
}

std::size_t BoostPeer::top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) {
  if (rect.empty() || k == 0) {
    return 0;
  }
  std::size_t n = 0;
  const auto keep = [&](const Value& value) {
    if (n < k) {
      out[n++] = value.second;
      std::push_heap(out, out + n);
    } else if (value.second < out[0]) {
      std::pop_heap(out, out + n);
      out[n - 1] = value.second;
      std::push_heap(out, out + n);
    }
  };
  tree_->values.query(bg::index::intersects(Box(Point(rect.lx, rect.ly), Point(rect.hx, rect.hy))),
                      boost::make_function_output_iterator(keep));
  std::sort_heap(out, out + n);
  std::transform(out, out + n, out, [this](std::uint32_t position) { return input_[position]; });
  return n;
}

}  // namespace juxta::bench
