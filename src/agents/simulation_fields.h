// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the fields of a simulation, and how files tell what they are like.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/flat_file.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/ranks.h"
#include "juxta/grid/field.h"

namespace juxta::agents_detail {

struct NamedField {
  std::string name;
  Field field;
};

/// In catalogues, before the name of a field. Dimensions are those of the simulation.
struct FieldRecord {
  std::uint32_t components;
  std::array<std::uint32_t, 3> cells;
  std::array<std::uint32_t, 3> edges;
  std::array<float, 3> lo, hi;
  std::uint32_t name_bytes;
};
static_assert(sizeof(FieldRecord) == 56);

[[nodiscard]] FieldRecord record_of(const NamedField& field) noexcept;
/// Errors: as Field::build(), but for the CPU.
[[nodiscard]] Result<FieldOptions> options_of(const FieldRecord& record, std::uint32_t dimensions);

struct SimulationStore;
/// Fields are spread with their simulation, never alone. Errors: kInvalidArgument (one is on several ranks).
[[nodiscard]] Result<void> check_fields_here(const SimulationStore& simulation);

/// Files hold numbers alone. Errors: kNotFinite (with the cell).
[[nodiscard]] Result<void> check_finite(const NamedField& field);

/// The slabs of this rank as a field of their own; of a rank that has none, one slab of zeros.
[[nodiscard]] Result<Field> own_slabs(const Field& field);
/// A field over ranks from what own_slabs() made of it. This rank has parts [first_part, ...) of `parts`, and
/// each rank the next ones: rank r those from r * parts / ranks on. Collective. Errors: kCorruptFile
/// (`format`; a part with other cells).
[[nodiscard]] Result<Field> join_slabs(const FieldOptions& options, std::span<const Field* const> mine,
                                       std::uint64_t parts, Ranks& ranks,
                                       const core_detail::FlatFormat& format,
                                       std::pmr::memory_resource* resource);

}  // namespace juxta::agents_detail
