// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/c/field.h"

#include <array>
#include <span>
#include <utility>

#include "c/agents.h"
#include "c/call.h"
#include "c/world.h"
#include "juxta/core/try.h"
#include "juxta/grid/field.h"

/// A field that belongs to a simulation is a Field under this name: C only has its address.
struct juxta_field {
  juxta::Field of;
};
static_assert(sizeof(juxta_field) == sizeof(juxta::Field));

namespace juxta::c_detail {
namespace {

juxta_field* c_handle(Field* field) noexcept {
  return reinterpret_cast<juxta_field*>(field);
}

Result<FieldOptions> cpp_options(const juxta_field_options* options) {
  JUXTA_TRY(check_cookie(options, Cookie::kFieldOptions, "juxta_field_options"));
  const juxta_field_options given = options != nullptr ? *options : juxta_default_field_options();
  JUXTA_TRY_LET(const World world, cpp_world(&given.world));
  return FieldOptions{.world = world,
                      .cells = {given.cells[0], given.cells[1], given.cells[2]},
                      .components = given.components};
}

Result<FieldAccess> cpp_access(const juxta_field_access* given) {
  JUXTA_TRY(check_cookie(given, Cookie::kFieldAccess, "juxta_field_access"));
  if (given == nullptr) {
    return FieldAccess{};
  }
  if (given->method > JUXTA_FIELD_LINEAR) {
    return fail(ErrorCode::kInvalidArgument, "the method is none of juxta_field_method");
  }
  return FieldAccess{.component = given->component, .method = static_cast<FieldMethod>(given->method)};
}

/// One array for each axis of the field; nothing beyond. Errors: kInvalidArgument (NULL with a count).
Result<std::array<std::span<const float>, 3>> points_of(const Field& field, std::array<const float*, 3> given,
                                                        std::size_t stride, std::size_t count,
                                                        Workspace& workspace) {
  std::array<std::span<const float>, 3> at;
  for (std::size_t axis = 0; axis < field.options().world.dimensions; ++axis) {
    JUXTA_TRY_LET(at[axis], packed<float>(given[axis], stride, count, workspace));
  }
  return at;
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::Field;
using juxta::Result;

juxta_field_options juxta_default_field_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kFieldOptions), juxta_default_world(), {1, 1, 1}, 1};
}
juxta_diffusion juxta_default_diffusion(void) {
  static_assert(JUXTA_ALL_COMPONENTS == juxta::Diffusion::kAllComponents);
  const juxta::Diffusion none;
  return {static_cast<std::uint32_t>(Cookie::kDiffusion), none.amount, none.decay, none.steps,
          none.component};
}
juxta_field_access juxta_default_field_access(void) {
  static_assert(JUXTA_FIELD_LINEAR == static_cast<int>(juxta::FieldMethod::kLinear));
  return {static_cast<std::uint32_t>(Cookie::kFieldAccess), 0, JUXTA_FIELD_LINEAR};
}

juxta_status juxta_field_build(const juxta_field_options* options, juxta_field** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const juxta::FieldOptions wanted, cpp_options(options));
    JUXTA_TRY_LET(Field made, Field::build(wanted));
    *out = new juxta_field{std::move(made)};
    return {};
  });
}
juxta_status juxta_simulation_add_field(juxta_simulation* simulation, const char* name,
                                        const juxta_field_options* options, juxta_field** out,
                                        juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const juxta::FieldOptions wanted, cpp_options(options));
    JUXTA_TRY_LET(Field* const made, simulation->of.add_field(name_or_none(name), wanted));
    *out = c_handle(made);
    return {};
  });
}
juxta_field* juxta_simulation_find_field(juxta_simulation* simulation, const char* name) {
  return c_handle(simulation->of.find_field(name_or_none(name)));
}
size_t juxta_simulation_field_count(const juxta_simulation* simulation) {
  return simulation->of.field_count();
}
juxta_field* juxta_simulation_field(juxta_simulation* simulation, size_t index) {
  return index < simulation->of.field_count() ? c_handle(&simulation->of.field(index)) : nullptr;
}
void juxta_field_free(juxta_field* field) {
  delete field;
}

juxta_field_options juxta_field_get_options(const juxta_field* field) {
  const juxta::FieldOptions& from = field->of.options();
  juxta_field_options options = juxta_default_field_options();
  options.world = c_world(from.world);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    options.cells[axis] = from.cells[axis];
  }
  options.components = from.components;
  return options;
}
size_t juxta_field_cells(const juxta_field* field) {
  return field->of.cells();
}
float juxta_field_cell_size(const juxta_field* field, uint32_t axis) {
  return field->of.cell_size(axis);
}
float* juxta_field_write(juxta_field* field, uint32_t component) {
  return field->of.values(component).data();
}
const float* juxta_field_read(const juxta_field* field, uint32_t component) {
  return field->of.values(component).data();
}
size_t juxta_field_memory_bytes(const juxta_field* field) {
  return field->of.memory_bytes();
}
uint64_t juxta_field_state_hash(const juxta_field* field) {
  return field->of.state_hash();
}

juxta_status juxta_field_fill(juxta_field* field, uint32_t component, float value, juxta_error* error) {
  return guarded(error, [&] { return field->of.fill(value, component); });
}
juxta_status juxta_field_total(const juxta_field* field, uint32_t component, const juxta_context* context,
                               double* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(*out, field->of.total(component, *call));
    return {};
  });
}
juxta_status juxta_field_diffuse(juxta_field* field, const juxta_diffusion* diffusion,
                                 const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY(check_cookie(diffusion, Cookie::kDiffusion, "juxta_diffusion"));
    const juxta_diffusion given = diffusion != nullptr ? *diffusion : juxta_default_diffusion();
    return field->of.diffuse(
        {.amount = given.amount, .decay = given.decay, .steps = given.steps, .component = given.component},
        *call);
  });
}

juxta_status juxta_field_deposit(juxta_field* field, const float* x, const float* y, const float* z,
                                 size_t stride, size_t count, const float* amounts, size_t amount_stride,
                                 size_t amount_count, const juxta_field_access* access, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const juxta::FieldAccess how, cpp_access(access));
    JUXTA_TRY_LET(const auto at, points_of(field->of, {x, y, z}, stride, count, call.workspace()));
    JUXTA_TRY_LET(const auto given, packed<float>(amounts, amount_stride, amount_count, call.workspace()));
    return field->of.deposit(at[0], at[1], at[2], given, how);
  });
}
juxta_status juxta_field_sample(const juxta_field* field, const float* x, const float* y, const float* z,
                                size_t stride, size_t count, float* out, const juxta_field_access* access,
                                const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const juxta::FieldAccess how, cpp_access(access));
    JUXTA_TRY_LET(const auto at, points_of(field->of, {x, y, z}, stride, count, call.workspace()));
    JUXTA_TRY_LET(const auto to, answers<float>(out, count));
    return field->of.sample(at[0], at[1], at[2], to, how, *call);
  });
}
juxta_status juxta_field_gradient(const juxta_field* field, const float* x, const float* y, const float* z,
                                  size_t stride, size_t count, float* out_x, float* out_y, float* out_z,
                                  const juxta_field_access* access, const juxta_context* context,
                                  juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const juxta::FieldAccess how, cpp_access(access));
    JUXTA_TRY_LET(const auto at, points_of(field->of, {x, y, z}, stride, count, call.workspace()));
    const std::array<float*, 3> given = {out_x, out_y, out_z};
    std::array<std::span<float>, 3> to;
    for (std::size_t axis = 0; axis < field->of.options().world.dimensions; ++axis) {
      JUXTA_TRY_LET(to[axis], answers<float>(given[axis], count));
    }
    return field->of.gradient(at[0], at[1], at[2], to[0], to[1], to[2], how, *call);
  });
}

juxta_status juxta_field_save(const juxta_field* field, const char* path, juxta_error* error) {
  return guarded(error, [&] { return field->of.save(path); });
}
juxta_status juxta_field_load(const char* path, juxta_field** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(Field loaded, Field::load(path));
    *out = new juxta_field{std::move(loaded)};
    return {};
  });
}
