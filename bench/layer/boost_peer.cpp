// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Boost.Geometry's R-tree, packed from all boxes at once, which is both its fastest build and its best tree.
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "bench/layer/contenders.h"

namespace juxta::bench {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;
using Point3 = bg::model::point<float, 3, bg::cs::cartesian>;
using Box = bg::model::box<Point3>;
using Value = std::pair<Box, std::uint32_t>;
using Tree = bgi::rtree<Value, bgi::rstar<8>>;

Box box_of(const Aabb3& box) {
  return {Point3(box.lo[0], box.lo[1], box.lo[2]), Point3(box.hi[0], box.hi[1], box.hi[2])};
}

Tree packed(std::span<const Aabb3> boxes, std::vector<Value>& values) {
  values.resize(boxes.size());
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    values[i] = {box_of(boxes[i]), i};
  }
  return {values.begin(), values.end()};
}

class BoostPairs final : public PairFinder {
 public:
  std::size_t pairs(std::span<const Aabb3> boxes, std::span<Pair> out) override {
    tree_ = packed(boxes, values_);
    PairSink sink(out);
    for (std::uint32_t a = 0; a < boxes.size(); ++a) {
      tree_.query(bgi::intersects(values_[a].first),
                  boost::make_function_output_iterator([&sink, a](const Value& value) {
                    if (a < value.second) {
                      sink.add(a, value.second);
                    }
                  }));
    }
    return sink.found();
  }
  // A tree over the fewer boxes costs less to build and stays in the caches.
  std::size_t cross(std::span<const Aabb3> a, std::span<const Aabb3> b, std::span<Pair> out) override {
    const bool swapped = a.size() < b.size();
    const std::span<const Aabb3> many = swapped ? b : a;
    tree_ = packed(swapped ? a : b, values_);
    PairSink sink(out);
    for (std::uint32_t i = 0; i < many.size(); ++i) {
      tree_.query(bgi::intersects(box_of(many[i])),
                  boost::make_function_output_iterator([&sink, i, swapped](const Value& value) {
                    swapped ? sink.add(value.second, i) : sink.add(i, value.second);
                  }));
    }
    return sink.found();
  }

 private:
  std::vector<Value> values_;
  Tree tree_;
};

class BoostBoxes final : public BoxBuilder {
 public:
  explicit BoostBoxes(std::span<const Aabb3> boxes) : tree_(packed(boxes, values_)) {}
  void build(std::span<const Aabb3> boxes) override { tree_ = packed(boxes, values_); }
  std::uint32_t any(const Aabb3& query) override {
    const auto hit = tree_.qbegin(bgi::intersects(box_of(query)));
    return hit == tree_.qend() ? kNoBody : hit->second;
  }
  std::size_t all(const Aabb3& query, std::span<std::uint32_t> out) override {
    std::uint32_t* to = out.data();
    return tree_.query(
        bgi::intersects(box_of(query)),
        boost::make_function_output_iterator([&to](const Value& value) { *to++ = value.second; }));
  }

 private:
  std::vector<Value> values_;
  Tree tree_;
};

}  // namespace

std::unique_ptr<PairFinder> make_boost_pairs() {
  return std::make_unique<BoostPairs>();
}

std::unique_ptr<BoxBuilder> make_boost_boxes(std::span<const Aabb3> boxes) {
  return std::make_unique<BoostBoxes>(boxes);
}

}  // namespace juxta::bench
