// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/fields.h"

#include <array>
#include <string>

#include "agents/distribution.h"
#include "agents/store.h"
#include "juxta/core/try.h"

namespace juxta {
namespace {

/// Positions along x, y and z; none along z in 2D.
std::array<std::span<const float>, 3> positions_of(const Population& population) {
  std::array<std::span<const float>, 3> at;
  for (std::uint32_t axis = 0; axis < population.world().dimensions; ++axis) {
    at[axis] = population.read(population.position(axis));
  }
  return at;
}

Result<void> check_order(const Population& population) {
  const auto& store = agents_detail::PopulationStore::of(population);
  if (!store.distribution) {
    return {};
  }
  return agree(store.distribution->ranks,
               store.distribution->ordered == store.size()
                   ? Result<void>()
                   : fail(ErrorCode::kInvalidArgument,
                          "deposit: '" + store.name +
                              "' has agents that were born after the last sort(): sort it first"));
}

}  // namespace

Result<void> deposit(const Population& population, Field& field, std::span<const float> amounts,
                     const FieldAccess& access) {
  JUXTA_TRY(check_order(population));
  const auto [x, y, z] = positions_of(population);
  return field.deposit(x, y, z, amounts, access);
}

Result<void> sample(const Population& population, const Field& field, std::span<float> out,
                    const FieldAccess& access, const Context& context) {
  const auto [x, y, z] = positions_of(population);
  return field.sample(x, y, z, out, access, context);
}

Result<void> gradient(const Population& population, const Field& field, std::span<float> out_x,
                      std::span<float> out_y, std::span<float> out_z, const FieldAccess& access,
                      const Context& context) {
  const auto [x, y, z] = positions_of(population);
  return field.gradient(x, y, z, out_x, out_y, out_z, access, context);
}

}  // namespace juxta
