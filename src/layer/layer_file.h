// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of a layer. docs/formats/layer.md describes it for other readers.
//
//   4,096 B header | sections in the order of LayerSection
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/flat_file.h"
#include "juxta/core/error.h"
#include "layer/store.h"

namespace juxta::layer_detail {

struct LayerFileHeader {
  std::array<char, 8> magic;
  std::uint32_t version, byte_order;
  std::uint32_t dimensions;  // 2 or 3
  std::uint32_t flags;       // kFileFiltered, kFileHasIds
  std::uint64_t lanes;       // of level 0, spare ones included
  std::uint64_t numbers;     // of bodies, dead ones included: the layer's capacity()
  std::uint32_t bodies, sorted_end, tail_end, lane_end;
  std::uint64_t sorts;
  double edges_at_sort, edges;
  std::uint64_t checksum;    // of the whole file, this field taken as 0
  std::uint32_t first_free;  // body number that insert() gives out next, or kNone
  std::uint32_t strays;      // bodies in lanes from sorted_end on
};
static_assert(sizeof(LayerFileHeader) == 96);

inline constexpr std::uint32_t kFileFiltered = 1, kFileHasIds = 2;
inline constexpr core_detail::FlatFormat kLayerFormat = {{'J', 'U', 'X', 'T', 'A', 'L', 'Y', '\n'},
                                                         1,
                                                         offsetof(LayerFileHeader, checksum),
                                                         "a layer",
                                                         "build and save the layer again"};

enum LayerSection : std::size_t {
  kLayerBlocks,       // all levels, level 0 first
  kLayerBodyOf,       // u32 per lane
  kLayerLaneOf,       // u32 per body number
  kLayerCategory,     // u32 per lane, 0 without a body; with kFileFiltered
  kLayerMask,         // the same
  kLayerGenerations,  // u32 per body number; with kFileHasIds
  kLayerLinks,        // the same
  kLayerSections
};

/// Where everything stands in the file of such a header.
struct LayerFileLayout : core_detail::FlatSections<kLayerSections> {
  explicit LayerFileLayout(const LayerFileHeader& header) noexcept;
};

/// Fills a fresh store from a file, after everything that a query or a change relies on has been checked: the
/// file may come from anyone. Errors: kCorruptFile; then the store may be destroyed only.
template <int D>
[[nodiscard]] Result<void> read_layer(std::span<const std::byte> file, LayerStore<D>& store);

}  // namespace juxta::layer_detail
