// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// deposit(), sample() and gradient() of a field (juxta/grid/field.h) at the positions of agents.
#pragma once

#include <span>

#include "juxta/agents/population.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/grid/field.h"

namespace juxta {

/// Field::deposit() where the agents are: amounts[row], or one amount for all, added in the order of rows.
///
/// Errors: of Field::deposit(), with the row. Over ranks also kInvalidArgument if agents were born or added
///         after the last sort(): the order in which their ranks have them is not that of one machine.
[[nodiscard]] JUXTA_API Result<void> deposit(const Population& population, Field& field,
                                             std::span<const float> amounts, const FieldAccess& access = {});

/// Field::sample() where the agents are: out[row] is the value there. Errors: those of Field::sample().
[[nodiscard]] JUXTA_API Result<void> sample(const Population& population, const Field& field,
                                            std::span<float> out, const FieldAccess& access = {},
                                            const Context& context = {});

/// Field::gradient() where the agents are. In 2D out_z is empty. Errors: those of Field::gradient().
[[nodiscard]] JUXTA_API Result<void> gradient(const Population& population, const Field& field,
                                              std::span<float> out_x, std::span<float> out_y,
                                              std::span<float> out_z = {}, const FieldAccess& access = {},
                                              const Context& context = {});

}  // namespace juxta
