// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a field holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grid/axis.h"
#include "juxta/core/array.h"
#include "juxta/grid/field.h"

namespace juxta::grid_detail {

struct FieldStore {
  FieldStore(const FieldOptions& wanted, std::pmr::memory_resource* resource);

  FieldOptions options;
  Axes axes;
  std::size_t cells;
  std::pmr::memory_resource* memory;
  std::vector<Array<float>> planes;  // one for each component
  std::vector<Array<float>> spare;   // where diffuse() writes: empty until then
};

/// Errors as Field::build() says, but for the CPU.
[[nodiscard]] Result<void> check_options(const FieldOptions& options);
/// Errors: kInvalidArgument.
[[nodiscard]] Result<void> check_component(const FieldStore& store, std::uint32_t component);
/// The first value that is not finite, or `count`.
[[nodiscard]] std::size_t first_not_finite(const float* values, std::size_t count) noexcept;
/// "component 1, cell (3, 4, 0)"
[[nodiscard]] std::string name_of_cell(const FieldStore& store, std::uint32_t component, std::size_t cell);

}  // namespace juxta::grid_detail
