// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "c/world.h"

#include "c/call.h"
#include "juxta/core/try.h"

namespace juxta::c_detail {

Result<World> cpp_world(const juxta_world* given) {
  JUXTA_TRY(check_cookie(given, Cookie::kWorld, "juxta_world"));
  if (given == nullptr) {
    return World{};
  }
  World world{.dimensions = given->dimensions,
              .edges = {},
              .lo = {given->lo[0], given->lo[1], given->lo[2]},
              .hi = {given->hi[0], given->hi[1], given->hi[2]}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (given->edges[axis] > JUXTA_EDGE_PERIODIC) {
      return fail(ErrorCode::kInvalidArgument, "an edge of the world is none of juxta_edge");
    }
    world.edges[axis] = static_cast<Edge>(given->edges[axis]);
  }
  return world;
}

juxta_world c_world(const World& world) noexcept {
  juxta_world c = juxta_default_world();
  c.dimensions = world.dimensions;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    c.edges[axis] = static_cast<std::uint32_t>(world.edges[axis]);
    c.lo[axis] = world.lo[axis];
    c.hi[axis] = world.hi[axis];
  }
  return c;
}

}  // namespace juxta::c_detail

juxta_world juxta_default_world(void) {
  return {static_cast<std::uint32_t>(juxta::c_detail::Cookie::kWorld),
          3,
          {JUXTA_EDGE_OPEN, JUXTA_EDGE_OPEN, JUXTA_EDGE_OPEN},
          {},
          {}};
}
