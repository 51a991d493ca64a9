// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boost.Geometry's R-tree, packed from all boxes at once: its fastest build and its best tree.
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

template <std::size_t D>
using Point = bg::model::point<float, D, bg::cs::cartesian>;
template <std::size_t D>
using Box = bg::model::box<Point<D>>;
template <std::size_t D>
using Value = std::pair<Box<D>, std::uint32_t>;
template <std::size_t D>
using Tree = bgi::rtree<Value<D>, bgi::rstar<8>>;

template <std::size_t D>
Box<D> box_of(const float* sides) {
  if constexpr (D == 2) {
    return {{sides[0], sides[1]}, {sides[2], sides[3]}};
  } else {
    return {{sides[0], sides[1], sides[2]}, {sides[3], sides[4], sides[5]}};
  }
}

template <std::size_t D>
Tree<D>* build(const float* boxes, std::size_t count) {
  std::vector<Value<D>> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = {box_of<D>(boxes + 2 * D * i), static_cast<std::uint32_t>(i)};
  }
  return new Tree<D>(values.begin(), values.end());
}

// Writes {query, box} for every overlap; returns how many there are.
template <std::size_t D>
std::size_t ask(const Tree<D>& tree, const float* boxes, std::size_t count, std::uint32_t* out,
                std::size_t capacity) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    tree.query(bgi::intersects(box_of<D>(boxes + 2 * D * i)),
               boost::make_function_output_iterator([&](const Value<D>& value) {
                 if (found < capacity) {
                   out[2 * found] = static_cast<std::uint32_t>(i);
                   out[2 * found + 1] = value.second;
                 }
                 ++found;
               }));
  }
  return found;
}

}  // namespace

extern "C" {

void* boost_build_2(const float* boxes, std::size_t count) {
  return build<2>(boxes, count);
}
void* boost_build_3(const float* boxes, std::size_t count) {
  return build<3>(boxes, count);
}
std::size_t boost_ask_2(const void* tree, const float* boxes, std::size_t count, std::uint32_t* out,
                        std::size_t capacity) {
  return ask(*static_cast<const Tree<2>*>(tree), boxes, count, out, capacity);
}
std::size_t boost_ask_3(const void* tree, const float* boxes, std::size_t count, std::uint32_t* out,
                        std::size_t capacity) {
  return ask(*static_cast<const Tree<3>*>(tree), boxes, count, out, capacity);
}
void boost_free_2(void* tree) {
  delete static_cast<Tree<2>*>(tree);
}
void boost_free_3(void* tree) {
  delete static_cast<Tree<3>*>(tree);
}

}  // extern "C"
