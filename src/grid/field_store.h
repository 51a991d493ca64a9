// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a field holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grid/axis.h"
#include "grid/field_ranks.h"
#include "juxta/core/array.h"
#include "juxta/grid/field.h"

namespace juxta::grid_detail {

struct FieldStore {
  FieldStore(const FieldOptions& wanted, std::pmr::memory_resource* resource);

  FieldOptions options;
  Axes axes;
  std::size_t cells;
  std::pmr::memory_resource* memory;
  std::vector<Array<float>> planes;            // one for each component
  std::vector<Array<float>> spare;             // where diffuse() writes: empty until then
  std::unique_ptr<FieldRanks> over = nullptr;  // null: all cells are here

  /// The last axis: its cells are slabs, rows in 2D and planes in 3D.
  [[nodiscard]] const Axis& slab_axis() const noexcept { return axes[options.world.dimensions - 1]; }
  [[nodiscard]] std::size_t slabs() const noexcept { return static_cast<std::size_t>(slab_axis().cells); }
  [[nodiscard]] std::size_t cell_of_slab(std::int64_t slab) const noexcept {
    return static_cast<std::size_t>(slab) * static_cast<std::size_t>(slab_axis().stride);
  }
  /// Those that this rank has: all of them on one machine.
  [[nodiscard]] Slabs own() const noexcept {
    return over ? over->own() : Slabs{0, static_cast<std::int64_t>(slabs())};
  }
};

/// What must be the same on all ranks.
[[nodiscard]] std::array<std::uint32_t, 14> shape_of(const FieldStore& store) noexcept;

/// Errors as Field::build() says, but for the CPU.
[[nodiscard]] Result<void> check_options(const FieldOptions& options);
/// Errors: kInvalidArgument.
[[nodiscard]] Result<void> check_component(const FieldStore& store, std::uint32_t component);
/// The first value that is not finite, or `count`.
[[nodiscard]] std::size_t first_not_finite(const float* values, std::size_t count) noexcept;
/// "component 1, cell (3, 4, 0)"
[[nodiscard]] std::string name_of_cell(const FieldStore& store, std::uint32_t component, std::size_t cell);

}  // namespace juxta::grid_detail
