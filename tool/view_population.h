// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The agents of a population as things to look at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "juxta/agents/population.h"
#include "juxta/view/viewed_world.h"

namespace juxta::tool {

/// Names of its columns of numbers, but for positions.
[[nodiscard]] std::vector<std::string> viewed_columns(const Population& population);
/// Positions, these columns, and vx, vy (and vz) as headings when they are floats.
[[nodiscard]] ViewThings viewed_things(const Population& population);
/// An Id as one number: generation * 2^32 + slot.
[[nodiscard]] std::uint64_t number_of(Id id) noexcept;
[[nodiscard]] std::optional<std::size_t> row_of_number(const Population& population, std::uint64_t number);

}  // namespace juxta::tool
