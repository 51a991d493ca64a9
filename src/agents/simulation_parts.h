// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a simulation over ranks, saved by all of them. docs/formats/parts.md describes the files.
//
//   manifest   4,096 B header | the simulation without agents | sums of parts |
//              for each population: its record, generations, links | for each field: its record, name
//   part       a simulation's file with the agents of one rank, and columns that say who they are:
//              #slot, #place, and where agents stood when they were sorted if that order is kept; its slabs
//              of the fields
//
// The manifest names its parts by a tag that no other save has, so that an older save stays whole until the
// new manifest takes the place of the old one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "core/flat_file.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/ranks.h"

namespace juxta::agents_detail {

struct PartsHeader {
  std::array<char, 8> magic;
  std::uint32_t format, byte_order;
  std::uint64_t tag;
  std::uint32_t parts, populations;
  std::uint64_t blueprint;  // bytes
  std::uint64_t checksum;   // of the whole manifest, this field taken as 0
  std::uint32_t fields, zero;
};
static_assert(sizeof(PartsHeader) == 56);

/// Of a population, as a section of its own.
struct PartsPopulation {
  std::uint64_t next_number;
  std::uint32_t slots, first_free;
  std::uint32_t skin;  // 1: the order of the last sort may be kept
  float skin_radius;
  std::uint32_t skin_arrangement, zero;
};

inline constexpr core_detail::FlatFormat kPartsFormat = {{'J', 'U', 'X', 'T', 'A', 'P', 'T', '\n'},
                                                         1,
                                                         offsetof(PartsHeader, checksum),
                                                         "the parts of a simulation",
                                                         "resume an older save, or begin anew"};

/// Columns of a part behind those of the population.
enum ExtraColumn : std::size_t { kSlot, kPlace, kStood };

[[nodiscard]] std::string part_path(const std::string& path, std::uint64_t tag, std::uint32_t part);

struct JUXTA_API SimulationParts {
  /// Every rank writes its part beside `path`. The manifest, on all ranks. If it has been written to `path`,
  /// call remove_others() on one rank, else discard() on all. Collective. Errors: kIo.
  [[nodiscard]] static Result<std::vector<std::byte>> save(const Simulation& of, const std::string& path);
  /// Removes the parts of other saves to `path`; of all saves if there is no manifest.
  static void remove_others(std::span<const std::byte> manifest, const std::string& path) noexcept;

  /// Removes this rank's part.
  static void discard(std::span<const std::byte> manifest, const std::string& path,
                      std::uint32_t rank) noexcept;

  [[nodiscard]] static bool is_manifest(std::span<const std::byte> bytes) noexcept;
  /// The simulation over ranks, of which there may be another number now. Collective. Errors: kIo (a part is
  /// missing), kCorruptFile.
  [[nodiscard]] static Result<Simulation> load(Ranks& ranks, std::span<const std::byte> manifest,
                                               const std::string& path, std::pmr::memory_resource* resource);

 private:
  [[nodiscard]] static Result<Simulation> part_of(const Simulation& of);
  [[nodiscard]] static Result<Simulation> without_agents(const Simulation& of);
};

}  // namespace juxta::agents_detail
