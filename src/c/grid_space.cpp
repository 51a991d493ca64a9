// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/c/grid_space.h"

#include <array>
#include <span>
#include <utility>

#include "c/call.h"
#include "juxta/core/try.h"
#include "juxta/grid/grid_space.h"

struct juxta_grid_space {
  juxta::GridSpace of;
};

namespace juxta::c_detail {
namespace {

RandomKey cpp_key(juxta_random_key key) noexcept {
  return {.seed = key.seed, .step = key.step, .purpose = key.purpose};
}

Result<GridSpaceOptions> cpp_options(const juxta_grid_space_options* options) {
  JUXTA_TRY(check_cookie(options, Cookie::kGridSpaceOptions, "juxta_grid_space_options"));
  if (options == nullptr) {
    return GridSpaceOptions{};
  }
  GridSpaceOptions made{
      .holds = static_cast<CellHolds>(options->holds),
      .kinds = options->kinds,
      .near = {.radius = options->near.radius, .shape = static_cast<NearShape>(options->near.shape)}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (options->edges[axis] > JUXTA_EDGE_PERIODIC) {
      return fail(ErrorCode::kInvalidArgument, "an edge of the grid is none of juxta_edge");
    }
    made.grid.cells[axis] = options->cells[axis];
    made.grid.edges[axis] = static_cast<Edge>(options->edges[axis]);
  }
  if (options->holds > JUXTA_CELL_HOLDS_MANY) {
    return fail(ErrorCode::kInvalidArgument, "`holds` is none of juxta_cell_holds");
  }
  if (options->near.shape > JUXTA_NEAR_VON_NEUMANN) {
    return fail(ErrorCode::kInvalidArgument, "the shape of what is near is none of juxta_near_shape");
  }
  return made;
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::GridSpace;
using juxta::Result;

static_assert(JUXTA_NO_CELL == GridSpace::kNoCell && JUXTA_NO_ROW == GridSpace::kNoRow);
static_assert(JUXTA_CELL_HOLDS_MANY == static_cast<int>(juxta::CellHolds::kMany) &&
              JUXTA_NEAR_VON_NEUMANN == static_cast<int>(juxta::NearShape::kVonNeumann));

juxta_grid_space_options juxta_default_grid_space_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kGridSpaceOptions),
          {1, 1, 1},
          {JUXTA_EDGE_WALL, JUXTA_EDGE_WALL, JUXTA_EDGE_WALL},
          JUXTA_CELL_HOLDS_ONE,
          0,
          {1, JUXTA_NEAR_MOORE}};
}

juxta_status juxta_grid_space_build(const juxta_grid_space_options* options, juxta_grid_space** out,
                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const juxta::GridSpaceOptions wanted, cpp_options(options));
    JUXTA_TRY_LET(GridSpace made, GridSpace::build(wanted));
    *out = new juxta_grid_space{std::move(made)};
    return {};
  });
}
void juxta_grid_space_free(juxta_grid_space* space) {
  delete space;
}

juxta_grid_space_options juxta_grid_space_get_options(const juxta_grid_space* space) {
  const juxta::GridSpaceOptions& from = space->of.options();
  juxta_grid_space_options options = juxta_default_grid_space_options();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    options.cells[axis] = from.grid.cells[axis];
    options.edges[axis] = static_cast<std::uint32_t>(from.grid.edges[axis]);
  }
  options.holds = static_cast<std::uint32_t>(from.holds);
  options.kinds = from.kinds;
  options.near = {from.near.radius, static_cast<std::uint32_t>(from.near.shape)};
  return options;
}
size_t juxta_grid_space_size(const juxta_grid_space* space) {
  return space->of.size();
}
size_t juxta_grid_space_memory_bytes(const juxta_grid_space* space) {
  return space->of.memory_bytes();
}

juxta_status juxta_grid_space_rebuild(juxta_grid_space* space, const float* x, const float* y, const float* z,
                                      size_t stride, const uint8_t* kinds, size_t kind_stride, size_t count,
                                      juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    const std::array<const float*, 3> given = {x, y, z};
    std::array<std::span<const float>, 3> at;
    for (std::size_t axis = 0; axis < space->of.grid().world().dimensions; ++axis) {
      JUXTA_TRY_LET(at[axis], packed<float>(given[axis], stride, count, call.workspace()));
    }
    std::span<const std::uint8_t> of_kind;
    if (space->of.options().kinds > 0) {
      JUXTA_TRY_LET(of_kind, packed<std::uint8_t>(kinds, kind_stride, count, call.workspace()));
    }
    return space->of.rebuild(at[0], at[1], at[2], of_kind);
  });
}
juxta_status juxta_grid_space_insert(juxta_grid_space* space, uint32_t row, uint32_t cell, uint8_t kind,
                                     juxta_error* error) {
  return guarded(error, [&] { return space->of.insert(row, cell, kind); });
}
juxta_status juxta_grid_space_remove(juxta_grid_space* space, uint32_t row, juxta_error* error) {
  return guarded(error, [&] { return space->of.remove(row); });
}
juxta_status juxta_grid_space_move(juxta_grid_space* space, uint32_t row, uint32_t cell, juxta_error* error) {
  return guarded(error, [&] { return space->of.move(row, cell); });
}
juxta_status juxta_grid_space_move_to_free(juxta_grid_space* space, uint32_t row, juxta_random_key key,
                                           uint32_t* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const std::uint32_t cell, space->of.move_to_free(row, cpp_key(key)));
    if (out != nullptr) {
      *out = cell;
    }
    return {};
  });
}
juxta_status juxta_grid_space_move_below(juxta_grid_space* space, uint32_t enough, juxta_random_key order,
                                         juxta_random_key draws, const uint32_t** out_rows, size_t* out_count,
                                         juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const std::span<const std::uint32_t> moved,
                  space->of.move_below(enough, cpp_key(order), cpp_key(draws)));
    *out_rows = moved.data();
    *out_count = moved.size();
    return {};
  });
}

uint32_t juxta_grid_space_cell_of(const juxta_grid_space* space, uint32_t row) {
  return space->of.cell_of(row);
}
uint8_t juxta_grid_space_kind_of(const juxta_grid_space* space, uint32_t row) {
  return space->of.kind_of(row);
}
uint32_t juxta_grid_space_agent_in(const juxta_grid_space* space, uint32_t cell, uint32_t after) {
  return space->of.agent_in(cell, after);
}
uint32_t juxta_grid_space_count_in(const juxta_grid_space* space, uint32_t cell) {
  return space->of.count_in(cell);
}
size_t juxta_grid_space_agents_near(const juxta_grid_space* space, uint32_t cell, juxta_neighbourhood near,
                                    uint32_t* out, size_t capacity) {
  if (near.shape > JUXTA_NEAR_VON_NEUMANN) {
    return 0;
  }
  const std::span<std::uint32_t> to = answers_or_none<std::uint32_t>(out, capacity);
  std::size_t found = 0;
  space->of.visit_near(cell, {.radius = near.radius, .shape = static_cast<juxta::NearShape>(near.shape)},
                       [&](std::uint32_t row) {
                         if (found < to.size()) {
                           to[found] = row;
                         }
                         ++found;
                       });
  return found;
}

size_t juxta_grid_space_free_count(const juxta_grid_space* space) {
  return space->of.free_count();
}
juxta_status juxta_grid_space_free_cell(const juxta_grid_space* space, juxta_random_key key, uint32_t id,
                                        uint32_t* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(*out, space->of.free_cell(cpp_key(key), id));
    return {};
  });
}
juxta_status juxta_grid_space_nearest_free(const juxta_grid_space* space, uint32_t cell, uint32_t* out,
                                           juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(*out, space->of.nearest_free(cell));
    return {};
  });
}

uint32_t juxta_grid_space_count_near(const juxta_grid_space* space, uint32_t cell, uint8_t kind) {
  return space->of.count_near(cell, kind);
}
uint32_t juxta_grid_space_alike(const juxta_grid_space* space, uint32_t row) {
  return space->of.alike(row);
}
uint32_t juxta_grid_space_unlike(const juxta_grid_space* space, uint32_t row) {
  return space->of.unlike(row);
}
