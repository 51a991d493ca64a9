// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of a field. docs/formats/field.md describes it for other readers.
//
//   4,096 B header | component 0 | component 1 | ...     each from a multiple of 64 bytes
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/flat_file.h"

namespace juxta::grid_detail {

struct FieldFileHeader {
  std::array<char, 8> magic;
  std::uint32_t version, byte_order;
  std::uint32_t dimensions;  // 2 or 3
  std::uint32_t components;
  std::array<std::uint32_t, 3> cells;
  std::array<std::uint32_t, 3> edges;  // 0 open, 1 wall, 2 periodic; 0 for z in 2D
  std::array<float, 3> lo, hi;         // 0 for z in 2D
  std::uint64_t checksum;              // of the whole file, this field taken as 0
};
static_assert(sizeof(FieldFileHeader) == 80);

inline constexpr core_detail::FlatFormat kFieldFormat = {{'J', 'U', 'X', 'T', 'A', 'F', 'D', '\n'},
                                                         1,
                                                         offsetof(FieldFileHeader, checksum),
                                                         "a field",
                                                         "save the field again"};

}  // namespace juxta::grid_detail
