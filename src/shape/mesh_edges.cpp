// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/mesh_edges.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>

#include "shape/mesh_places.h"
#include "shape/triangle_tree.h"

namespace juxta::shape_detail {
namespace {

constexpr std::uint32_t kFree = ~std::uint32_t{0};

std::uint64_t mixed(std::uint64_t x) noexcept {
  x *= 0x9E3779B97F4A7C15ULL;
  return x ^ x >> 32;
}

/// Numbers by a key, through a table that is at most half full.
class Table {
 public:
  explicit Table(std::size_t count) : slots_(std::bit_ceil(2 * count + 1), kFree), mask_(slots_.size() - 1) {}

  /// The first number that was added with the same key; `number` itself, which is kept, if there is none.
  template <class Same>
  std::uint32_t first_with(std::uint64_t hash, std::uint32_t number, Same&& same) {
    std::size_t slot = static_cast<std::size_t>(hash) & mask_;
    while (slots_[slot] != kFree && !same(slots_[slot])) {
      slot = (slot + 1) & mask_;
    }
    if (slots_[slot] == kFree) {
      slots_[slot] = number;
    }
    return slots_[slot];
  }

 private:
  std::vector<std::uint32_t> slots_;
  std::size_t mask_;
};

}  // namespace

std::vector<EdgeNeighbours> edge_neighbours(std::span<const Vec3> vertices,
                                            std::span<const std::array<std::uint32_t, 3>> triangles) {
  std::vector<std::uint32_t> place(vertices.size());
  {
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * vertices.size() + 1));
    find_places(vertices, slots, place);
  }
  std::vector<EdgeNeighbours> out(triangles.size(), {kNoNeighbour, kNoNeighbour, kNoNeighbour});
  Table table(triangles.size() * 3);
  std::vector<std::uint8_t> many(
      triangles.size());  // bit i: the edge whose first is (t, i) has three or more
  const auto ends_of = [&](std::uint32_t edge) {
    const auto& t = triangles[edge / 3];
    const std::uint32_t p = place[t[edge % 3]], q = place[t[(edge % 3 + 1) % 3]];
    return std::uint64_t{std::min(p, q)} << 32 | std::max(p, q);
  };
  for (std::uint32_t edge = 0; edge < 3 * triangles.size(); ++edge) {
    const std::uint64_t ends = ends_of(edge);
    const auto& corners = triangles[edge / 3];
    const std::uint32_t p = place[corners[0]], q = place[corners[1]], r = place[corners[2]];
    if (p == q || q == r || r == p) {  // no triangle: two of its edges are one, and would be neighbours
      continue;
    }
    const std::uint32_t first =
        table.first_with(mixed(ends), edge, [&](std::uint32_t other) { return ends_of(other) == ends; });
    if (first == edge) {
      continue;
    }
    std::uint32_t& beside = out[first / 3][first % 3];
    std::uint8_t& flags = many[first / 3];
    const auto bit = static_cast<std::uint8_t>(1U << first % 3);
    if (beside == kNoNeighbour && (flags & bit) == 0) {
      beside = edge / 3;
      out[edge / 3][edge % 3] = first / 3;
    } else if ((flags & bit) == 0) {  // the third
      flags = static_cast<std::uint8_t>(flags | bit);
      for (std::uint32_t i = 0; i < 3; ++i) {  // the second's side of it
        if (ends_of(3 * beside + i) == ends) {
          out[beside][i] = kNoNeighbour;
        }
      }
      beside = kNoNeighbour;
    }
  }
  return out;
}

const std::vector<EdgeNeighbours>& MeshEdges::of(const TriangleTree& tree) const {
  const std::vector<EdgeNeighbours>* known = found_.load(std::memory_order_acquire);
  if (known == nullptr) {
    auto made = std::make_unique<const std::vector<EdgeNeighbours>>(
        edge_neighbours(tree.vertices.span(), tree.triangles.span()));
    // Another thread may have been faster: its list is the same.
    if (found_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) {
      known = made.release();
    }
  }
  return *known;
}

std::size_t MeshEdges::memory_bytes() const noexcept {
  const std::vector<EdgeNeighbours>* known = found_.load(std::memory_order_acquire);
  return known == nullptr ? 0 : known->capacity() * sizeof(EdgeNeighbours);
}

}  // namespace juxta::shape_detail
