// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/plan_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// More cells than this for each agent would cost more to count than they spare.
constexpr double kCellsPerAgent = 4;
constexpr double kMostCells = 0x1p31;
/// A curve whose cells would have to be this much wider than asked for is absurd. population.h says so.
constexpr double kAbsurd = 32;
/// Widths whose inverse is a float, and that are floats.
constexpr double kThinnest = 0x1p-126, kWidest = 0x1p127;
/// Agents are of unlike sizes when the largest is this many times the mean.
constexpr float kUnlike = 4;

using Widths = std::array<double, 3>;

double length(const Extent& extent, std::uint32_t axis) noexcept {
  return std::max(static_cast<double>(extent.bounds.hi[axis]) - extent.bounds.lo[axis], 0.0);
}

/// By basic operations alone: the libraries of two machines may differ in the last bit of a power.
double root(double x, std::uint32_t dimensions) noexcept {
  if (dimensions == 2) {
    return std::sqrt(x);
  }
  double y = std::ldexp(1.0, std::ilogb(x) / 3 + 1);
  for (int i = 0; i < 8; ++i) {
    y -= (y - x / (y * y)) / 3;
  }
  return y;
}

/// Widens cells until counted(widths) are few enough for a table; by how much.
template <class Count>
double widen(const Extent& extent, std::uint32_t dimensions, Widths& width, Count&& counted) noexcept {
  const double most = std::min(kFewCells + kCellsPerAgent * static_cast<double>(extent.agents), kMostCells);
  double by = 1;
  double cells = counted(width);
  while (cells > most) {
    const double coarser = std::max(1.01, root(cells / most, dimensions));
    for (double& w : width) {
      w *= coarser;
    }
    by *= coarser;
    cells = counted(width);
  }
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    width[a] = std::max(width[a], length(extent, a) / kMostOnAxis);
  }
  return by;
}

/// Cells of at least `width` on one axis, a multiple of `brick`.
GridAxis axis_of(const World& world, const Extent& extent, std::uint32_t a, double width,
                 double brick) noexcept {
  const double whole = std::floor(length(extent, a) / width);
  GridAxis axis;
  axis.origin = extent.bounds.lo[a];
  // Nobody is nowhere: an empty population has no extent to go round.
  axis.periodic = world.edges[a] == Edge::kPeriodic && length(extent, a) > 0;
  // A periodic axis is cut into whole cells; another one ends in a cell of its own.
  const double cells = axis.periodic ? std::max(std::floor(whole / brick), 1.0) * brick
                                     : std::ceil((whole + 1) / brick) * brick;
  axis.cells = static_cast<std::uint32_t>(cells);
  axis.most = static_cast<float>(cells - 1);
  axis.width = static_cast<float>(axis.periodic ? length(extent, a) / cells : width);
  axis.inverse = 1 / axis.width;
  return axis;
}

Grid grid_of(const World& world, const Extent& extent, const Widths& width, double brick = 1) noexcept {
  Grid grid;
  grid.dimensions = world.dimensions;
  for (std::uint32_t a = 0; a < world.dimensions; ++a) {
    grid.axis[a] = axis_of(world, extent, a, width[a], brick);
  }
  return grid;
}

/// One cell, the world: for those that only ask what lies across an edge.
Grid whole_world(const World& world, const Extent& extent) noexcept {
  Grid grid;
  grid.dimensions = world.dimensions;
  for (std::uint32_t a = 0; a < 3; ++a) {
    // Nobody is nowhere: an empty population has no extent to cut.
    if (a < world.dimensions && world.edges[a] == Edge::kPeriodic && length(extent, a) > 0) {
      grid.axis[a] = axis_of(world, extent, a, length(extent, a), 1);
    }
  }
  return grid;
}

/// Cells as a radius asks for: rows a little higher than half a radius (in space: a radius), so that what is
/// exactly a radius away is not one row further.
double height_of(const World& world, float radius) noexcept {
  return radius * (world.dimensions == 2 ? 0.5 : 1.0) * 1.0001;
}

Widths row_widths(const World& world, float radius) noexcept {
  return {radius * 0.25, height_of(world, radius), height_of(world, radius)};
}

/// A brick has an eighth to a quarter of the cells of the shortest side: what the last brick leaves empty is
/// little.
std::uint32_t brick_bits(const Extent& extent, std::uint32_t dimensions, double width) noexcept {
  double shortest = kMostOnAxis;
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    shortest = std::min(shortest, std::floor(length(extent, a) / width) + 1);
  }
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(shortest))) - 3;
  return static_cast<std::uint32_t>(std::clamp(bits, 0, dimensions == 2 ? 12 : 8));
}

double plan_curve(const World& world, const Extent& extent, float radius, Plan& plan) noexcept {
  Widths width;
  width.fill(height_of(world, radius));
  const double wider = widen(extent, world.dimensions, width, [&](const Widths& widths) {
    const double brick = std::ldexp(1.0, static_cast<int>(brick_bits(extent, world.dimensions, widths[0])));
    double cells = 1;
    for (std::uint32_t a = 0; a < world.dimensions; ++a) {
      cells *= std::ceil((std::floor(length(extent, a) / widths[a]) + 1) / brick) * brick;
    }
    return cells;
  });
  double widest = 0;  // widen() may have taken care of one axis alone; squares stay squares
  for (std::uint32_t a = 0; a < world.dimensions; ++a) {
    widest = std::max(widest, width[a]);
  }
  width.fill(widest);
  plan.brick_bits = brick_bits(extent, world.dimensions, widest);
  plan.grid = grid_of(world, extent, width, std::ldexp(1.0, static_cast<int>(plan.brick_bits)));
  return wider;
}

void plan_hashed(const World& world, const Extent& extent, float radius, Plan& plan) noexcept {
  const Widths width = row_widths(world, radius);
  plan.key_bits = world.dimensions == 2 ? 30 : 21;
  const double most = std::ldexp(1.0, static_cast<int>(plan.key_bits)) - 1;
  for (std::uint32_t a = 0; a < world.dimensions; ++a) {
    WideAxis& axis = plan.wide[a];
    const double wanted = std::max(width[a], length(extent, a) / (most - 1));
    const double whole = std::floor(length(extent, a) / wanted);
    axis.origin = extent.bounds.lo[a];
    axis.periodic = world.edges[a] == Edge::kPeriodic && length(extent, a) > 0;
    const double cells = axis.periodic ? std::max(whole, 1.0) : whole + 1;
    axis.cells = static_cast<std::uint32_t>(cells);
    axis.width = axis.periodic ? length(extent, a) / cells : wanted;
    axis.inverse = 1 / axis.width;
  }
}

bool are_unlike(const Extent& extent, float radius) noexcept {
  for (std::size_t a = 0; a < 3; ++a) {
    // Whoever is small beside the radius costs little.
    if (extent.largest[a] > kUnlike * extent.mean[a] && extent.largest[a] > 0.5F * radius) {
      return true;
    }
  }
  return false;
}

tl::unexpected<Error> absurd() {
  return fail(ErrorCode::kInvalidArgument,
              "sort: a table of cells for this radius would be absurdly large for so few agents: take kAuto "
              "or kHashed");
}

}  // namespace

double room_of_sixteen(const Extent& extent, std::uint32_t dimensions, double agents) noexcept {
  std::array<bool, 3> flat{};
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    flat[a] = !(length(extent, a) > 0);
  }
  for (double edge = 0;;) {
    double volume = 16 / agents;
    std::uint32_t axes = 0;
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      volume *= flat[a] ? 1 : length(extent, a);
      axes += flat[a] ? 0 : 1;
    }
    if (axes == 0) {
      return edge;
    }
    edge = axes == 1 ? volume : root(volume, axes);
    bool done = true;
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      if (!flat[a] && length(extent, a) < edge) {
        flat[a] = true;
        done = false;
      }
    }
    if (done) {
      return edge;
    }
  }
}

RowPlan plan_rows(const World& world, const Extent& extent, const Unevenness& uneven) noexcept {
  constexpr double kAgentsInRow = 16;
  const auto agents = std::max(static_cast<double>(extent.agents), 1.0);
  const double most = std::min(kFewCells + kCellsPerAgent * agents, kMostCells);
  // Where a table cannot have cells of one agent each, square cells are best.
  const double dense = std::min(agents * uneven.denser, most * kAgentsInRow);
  const double edge = std::max(room_of_sixteen(extent, world.dimensions, dense), uneven.lowest);
  RowPlan plan;
  plan.height = static_cast<float>(edge);
  plan.grid.dimensions = world.dimensions;
  double rows = 1;
  for (std::uint32_t a = 1; a < world.dimensions; ++a) {
    const double long_side = length(extent, a);
    const double width = long_side > edge ? std::max(edge, long_side / kMostOnAxis) : 2 * long_side + edge;
    plan.grid.axis[a] = axis_of(world, extent, a, std::clamp(width, kThinnest, kWidest), 1);
    rows *= plan.grid.axis[a].cells;
  }
  const double columns = std::clamp(
      std::floor(std::min(agents * uneven.denser, most) / (rows * uneven.share)), 1.0, kMostOnAxis - 1);
  // Rounding may not add a column to those of an axis that ends in a cell of its own.
  const double width = length(extent, 0) / columns * (1 + 0x1p-20);
  plan.grid.axis[0] = axis_of(world, extent, 0, std::clamp(width, kThinnest, kWidest), 1);
  return plan;
}

Result<Plan> plan(const World& world, const Extent& extent, const SortOptions& options) {
  // Only bounds of a tree have the extents in them; elsewhere a search is widened by the largest.
  const float reach = options.radius + std::max({extent.largest[0], extent.largest[1], extent.largest[2]});
  const bool free = options.arrangement == Arrangement::kAuto;
  Plan plan;
  plan.arrangement = !free                                ? options.arrangement
                     : are_unlike(extent, options.radius) ? Arrangement::kTree
                                                          : Arrangement::kRows;
  plan.world = world;
  plan.extent = extent;
  plan.whole = whole_world(world, extent);
  plan.reach = reach;
  double wider = 1;
  if (plan.arrangement == Arrangement::kRows) {
    const RowPlan rows = plan_rows(world, extent);
    plan.grid = rows.grid;
    plan.height = rows.height;
    plan.lowest = height_of(world, reach);  // agents that stand alone look into many rows by themselves
    plan.unsure = free;
  } else if (plan.arrangement == Arrangement::kMorton || plan.arrangement == Arrangement::kHilbert) {
    wider = plan_curve(world, extent, reach, plan);
  }
  if (plan.arrangement == Arrangement::kHashed || plan.unsure) {
    plan_hashed(world, extent, reach, plan);
  }
  if (plan.arrangement == Arrangement::kHashed) {
    plan.grid = plan.whole;
  } else if (plan.arrangement == Arrangement::kTree) {
    JUXTA_TRY(active_isa());
    plan.grid = plan.whole;
  } else if (wider > kAbsurd) {
    return absurd();
  }
  return plan;
}

}  // namespace juxta::agents_detail
