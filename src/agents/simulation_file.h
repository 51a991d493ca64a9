// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of a simulation. docs/formats/simulation.md describes it for other readers.
//
//   4,096 B header | catalogue | for each population: generations, links, its columns one by one, its skin
//                              | for each field: its components
//
// Where an array stands follows from the header and the catalogue.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/simulation_fields.h"
#include "agents/store.h"
#include "core/flat_file.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta::agents_detail {

struct SimulationFileHeader {
  std::array<char, 8> magic;
  std::uint32_t format, byte_order;
  std::uint32_t dimensions;
  std::array<std::uint32_t, 3> edges;
  Vec3 lo, hi;  // as given, where nobody looks at them too
  std::uint64_t seed;
  std::uint32_t step;
  std::uint32_t populations;
  std::uint64_t catalogue;  // bytes
  std::uint64_t checksum;   // of the whole file, this field taken as 0
  std::uint32_t fields, zero;
};
static_assert(sizeof(SimulationFileHeader) == 96);

/// In the catalogue, before the name of a population and its columns.
struct PopulationRecord {
  std::uint32_t rows, slots, first_free;
  std::uint32_t extents;  // the first of their columns, or Column<float>::kNone
  std::uint32_t columns;
  std::uint32_t skin;  // 1: where agents stood when they were sorted is behind the columns
  float skin_radius;   // that the sort was asked for
  std::uint32_t skin_arrangement;
  std::uint32_t name_bytes;
};

/// In the catalogue, before the name of a column and its initial value.
struct ColumnRecord {
  std::uint32_t kind;
  std::uint32_t bytes;   // of one value
  std::uint32_t target;  // number of a population, or kNoTarget
  std::uint32_t name_bytes;
};

/// None, or one that a sort can have left. Record: PopulationRecord, or another with the same fields.
template <class Record>
[[nodiscard]] bool skin_is_sound(const Record& record) noexcept {
  return record.skin == 0 ||
         (record.skin == 1 && record.skin_radius > 0 && std::isfinite(record.skin_radius) &&
          record.skin_arrangement <= static_cast<std::uint32_t>(Arrangement::kTree));
}

inline constexpr std::uint32_t kNoTarget = ~std::uint32_t{0};
inline constexpr core_detail::FlatFormat kSimulationFormat = {{'J', 'U', 'X', 'T', 'A', 'S', 'M', '\n'},
                                                              1,
                                                              offsetof(SimulationFileHeader, checksum),
                                                              "a simulation",
                                                              "load an older save, or begin anew"};

/// A catalogue as it is read: what it says points into the file.
struct CatalogueColumn {
  ColumnRecord record;
  std::string_view name;
  std::span<const std::byte> initial;
  std::span<const std::byte> data;
};
struct CataloguePopulation {
  PopulationRecord record;
  std::string_view name;
  std::vector<CatalogueColumn> columns;
  std::span<const std::uint32_t> generations, links;
  std::array<std::span<const float>, 3> skin_position, skin_extents;  // with a skin
};

struct CatalogueField {
  FieldRecord record;
  std::string_view name;
  FieldOptions options;
  std::vector<std::span<const float>> components;
};

/// A file that has been looked at from end to end; nothing in it is out of bounds or contradicts the rest.
/// Only Ids and rows are not compared yet: IdTable::restore() does.
struct SimulationFile {
  SimulationFileHeader header;
  World world;
  std::vector<CataloguePopulation> populations;
  std::vector<CatalogueField> fields;

  /// Errors: kCorruptFile. The spans borrow from `file`, which begins at a multiple of 64.
  [[nodiscard]] static Result<SimulationFile> read(std::span<const std::byte> file);
};

/// A simulation's whole file as a piece of memory or of another file. Borrows.
struct JUXTA_API SimulationImage {
  /// One pass over the simulation, for its checksum.
  explicit SimulationImage(const Simulation& of);

  /// Header and all: bytes() of them, in pieces that are multiples of 8. Errors: of the sink; kNotFinite (a
  /// value of a field).
  [[nodiscard]] Result<void> put(core_detail::FlatSink sink) const;
  /// Everything behind the header.
  [[nodiscard]] Result<void> put_body(core_detail::FlatSink sink) const;
  [[nodiscard]] std::size_t bytes() const noexcept { return size; }
  /// Of the whole state: equal states, equal numbers.
  [[nodiscard]] std::uint64_t checksum() const noexcept { return sum; }

  /// `file` begins at a multiple of 64; nothing borrows from it. Errors: kCorruptFile.
  [[nodiscard]] static Result<Simulation> load(std::span<const std::byte> file,
                                               std::pmr::memory_resource* resource);

  const Simulation& source;
  std::array<std::byte, core_detail::kHeaderBytes> head{};
  std::vector<std::byte> catalogue;
  std::size_t size = core_detail::kHeaderBytes;
  std::uint64_t sum = 0;
};

}  // namespace juxta::agents_detail
