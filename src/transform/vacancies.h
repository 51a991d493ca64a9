// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: places where whole trees stood that are gone. Instances of a prefab take those of its shape:
//
//   a block of lanes  | a0 a1 .. a3 a4 a5 a6 a7 | b0 b1 .. b3 b4 b5 b6 b7 |      lane 2 is vacant
//   a block of rows   | a .. c | a a . . c c |                                   and so is the second tree
//
// so that worlds in which trees come and go keep their order, and nothing moves. Those that went last are
// taken first: their lines may still be in the cache.
//
// What is noted need not be so any more: the tile was tidied, or somebody stands there. Whoever takes a place
// looks (VacantRows).
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <span>
#include <vector>

#include "transform/tile.h"

namespace juxta::transform_detail {

struct HierarchyStore;

/// Stands for how many children each node of a tree has, breadth first. Two shapes may have one key.
class ShapeKey {
 public:
  void add(std::uint32_t children) noexcept {
    value_ = (value_ ^ children) * 0x9E3779B97F4A7C15;
    value_ ^= value_ >> 32;
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0;
};

class Vacancies {
 public:
  explicit Vacancies(std::pmr::memory_resource* resource) : places_(resource) {}

  /// Of a shape that was instantiated: from now on its places are noted. Where there are very many shapes,
  /// all begin anew.
  [[nodiscard]] std::pmr::vector<Row>& of(ShapeKey shape) {
    if (places_.size() >= kMostShapes && !places_.contains(shape.value())) {
      places_.clear();
    }
    return places_[shape.value()];
  }
  /// A tree of `nodes` nodes went; its root stood in this row. `rows`: of all tiles in use.
  void note(ShapeKey shape, Row top, std::size_t nodes, std::size_t rows) {
    if (const auto found = places_.find(shape.value()); found != places_.end()) {
      if (found->second.size() >= rows / nodes) {  // so many places there are not: most are taken
        found->second.clear();
      }
      found->second.push_back(top);
    }
  }
  /// By ascending keys; the places that are taken first stand last.
  [[nodiscard]] std::pmr::map<std::uint64_t, std::pmr::vector<Row>>& all() noexcept { return places_; }
  [[nodiscard]] const std::pmr::map<std::uint64_t, std::pmr::vector<Row>>& all() const noexcept {
    return places_;
  }
  /// Shapes, and their places.
  [[nodiscard]] std::size_t records() const noexcept {
    std::size_t count = places_.size();
    for (const auto& one : places_) {
      count += one.second.size();
    }
    return count;
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    std::size_t bytes = 0;
    for (const auto& one : places_) {
      bytes += sizeof one + kMapNode + one.second.capacity() * sizeof(Row);
    }
    return bytes;
  }
  /// Gives back places that are none any more, and shapes that have none: they are known again when they are
  /// instantiated.
  void shrink(std::span<const Tile* const> tiles) {
    for (auto& [shape, places] : places_) {
      std::erase_if(places, [&](Row top) {
        const Tile* const tile = tiles[top / kTileRows];
        return tile == nullptr || tile->live.test(top % kTileRows);
      });
      places.shrink_to_fit();
    }
    std::erase_if(places_, [](const auto& one) { return one.second.empty(); });
  }

 private:
  static constexpr std::size_t kMostShapes = 4096;
  static constexpr std::size_t kMapNode = 32;  // of a tree of the standard library

  std::pmr::map<std::uint64_t, std::pmr::vector<Row>> places_;
};

/// Looks whether a tree still finds its place.
class VacantRows {
 public:
  /// The rows of the tile, breadth first, for a tree whose root stands in `top`; the children of node b are
  /// the nodes first_child[b] to first_child[b + 1]. Empty: there is no such place, or some of it is taken.
  [[nodiscard]] std::span<const std::uint32_t> find(const HierarchyStore& store, Row top,
                                                    std::span<const std::uint32_t> first_child);

 private:
  [[nodiscard]] bool find_lane(const Tile& tile, std::uint32_t top,
                               std::span<const std::uint32_t> first_child);
  [[nodiscard]] bool find_rows(const Tile& tile, std::uint32_t top,
                               std::span<const std::uint32_t> first_child);

  std::vector<std::uint32_t> rows_;
};

}  // namespace juxta::transform_detail
