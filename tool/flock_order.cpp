// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The order of a flock: sums over all boids, and one pass in which a population of the same boids sees
// itself.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "juxta/agents/see.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/try.h"
#include "tool/flock.h"
#include "tool/flock_rules.h"

namespace juxta::tool {
namespace {

using Vector = std::array<double, 3>;

double length(const Vector& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

Vector unit(Vector v) {
  const double size = length(v);
  for (double& part : v) {
    part = size > 0 ? part / size : 0;
  }
  return v;
}

void add(Vector& sum, const Vector& v) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sum[axis] += v[axis];
  }
}

/// The rows of a flock.
class Rows {
 public:
  explicit Rows(const Flock& flock) : dimensions_(flock.options().dimensions), size_(flock.size()) {
    for (std::uint32_t axis = 0; axis < dimensions_; ++axis) {
      position_[axis] = flock.position(axis);
      velocity_[axis] = flock.velocity(axis);
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Vector position(std::size_t row) const { return vector(position_, row); }
  [[nodiscard]] Vector velocity(std::size_t row) const { return vector(velocity_, row); }

 private:
  using Spans = std::array<std::span<const float>, 3>;
  [[nodiscard]] Vector vector(const Spans& spans, std::size_t row) const {
    Vector v{};
    for (std::uint32_t axis = 0; axis < dimensions_; ++axis) {
      v[axis] = static_cast<double>(spans[axis][row]);
    }
    return v;
  }

  std::uint32_t dimensions_;
  std::size_t size_;
  Spans position_, velocity_;
};

World world_of(const FlockOptions& options) {
  World world;
  world.dimensions = options.dimensions;
  for (std::size_t axis = 0; axis < options.dimensions; ++axis) {
    world.edges[axis] = options.periodic ? Edge::kPeriodic : Edge::kWall;
    world.lo[axis] = -options.half_size;
    world.hi[axis] = options.half_size;
  }
  return world;
}

/// Speeds and directions, in the order of memory, which is the same for any number of threads.
void measure_velocities(const Rows& rows, FlockOrder& order) {
  const double count = static_cast<double>(rows.size());
  Vector heading{};
  double speeds = 0, squares = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Vector v = rows.velocity(row);
    add(heading, unit(v));
    speeds += length(v);
    squares += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  }
  order.polarisation = length(heading) / count;
  order.speed_mean = speeds / count;
  order.speed_deviation = std::sqrt(std::max(squares / count - order.speed_mean * order.speed_mean, 0.0));
}

/// Turning about the centre of mass, and the distance from it.
void measure_positions(const Rows& rows, FlockOrder& order) {
  const double count = static_cast<double>(rows.size());
  Vector centre{}, turning{};
  double squares = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    add(centre, rows.position(row));
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Vector r = rows.position(row);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      r[axis] -= centre[axis] / count;
    }
    squares += r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    r = unit(r);
    const Vector u = unit(rows.velocity(row));
    add(turning, {r[1] * u[2] - r[2] * u[1], r[2] * u[0] - r[0] * u[2], r[0] * u[1] - r[1] * u[0]});
  }
  order.milling = length(turning) / count;
  order.spread = std::sqrt(squares / count);
}

}  // namespace

struct FlockMeter::Company {
  Simulation simulation;
  Population* boids = nullptr;
  std::array<Column<float>, 3> heading{}, sum{};
  Column<float> n{};

  Result<void> find_columns() {
    constexpr std::array<const char*, 3> kHeading = {"ux", "uy", "uz"}, kSum = {"sum_ux", "sum_uy", "sum_uz"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const auto& [name, column] :
           {std::pair{kHeading[axis], &heading[axis]}, {kSum[axis], &sum[axis]}}) {
        JUXTA_TRY_LET(auto added, boids->add_column<float>(name));
        *column = added;
      }
    }
    JUXTA_TRY_LET(auto added, boids->add_column<float>("n"));
    n = added;
    return {};
  }

  /// The flock's rows as they stand now.
  Result<void> copy(const Flock& flock) {
    if (flock.size() > boids->size()) {
      JUXTA_TRY(boids->insert(flock.size() - boids->size()));
    }
    for (std::uint32_t axis = 0; axis < flock.options().dimensions; ++axis) {
      std::ranges::copy(flock.position(axis), boids->write(boids->position(axis)).begin());
    }
    const std::array<std::span<float>, 3> to = {boids->write(heading[0]), boids->write(heading[1]),
                                                boids->write(heading[2])};
    const Rows rows(flock);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Vector u = unit(rows.velocity(row));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        to[axis][row] = static_cast<float>(u[axis]);
      }
    }
    return {};
  }

  /// Averages of what each one saw.
  void measure(FlockOrder& order) const {
    const double count = static_cast<double>(boids->size());
    std::array<std::span<const float>, 3> own, others;
    const auto near = boids->read(n);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      own[axis] = boids->read(heading[axis]);
      others[axis] = boids->read(sum[axis]);
    }
    for (std::size_t row = 0; row < near.size(); ++row) {
      Vector together{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        together[axis] = static_cast<double>(own[axis][row]) + static_cast<double>(others[axis][row]);
      }
      const double several = static_cast<double>(near[row]);
      order.neighbours += several / count;
      order.local_polarisation += length(together) / (several + 1) / count;
    }
  }
};

FlockMeter::FlockMeter(std::unique_ptr<Company> company) noexcept : company_(std::move(company)) {}
FlockMeter::FlockMeter(FlockMeter&&) noexcept = default;
FlockMeter::~FlockMeter() = default;

Result<FlockMeter> FlockMeter::make(const Flock& flock) {
  JUXTA_TRY_LET(auto simulation, Simulation::build(world_of(flock.options())));
  auto company = std::make_unique<Company>(Company{std::move(simulation)});
  JUXTA_TRY_LET(auto boids, company->simulation.add_population("boids"));
  company->boids = boids;
  JUXTA_TRY(company->find_columns());
  return FlockMeter(std::move(company));
}

Result<FlockOrder> FlockMeter::measure(const Flock& flock, const Executor* executor) {
  FlockOrder order;
  order.step = flock.steps();
  order.seconds = static_cast<double>(flock.steps()) * static_cast<double>(flock.options().rules.time_step);
  measure_velocities(Rows(flock), order);
  if (!flock.options().periodic) {
    measure_positions(Rows(flock), order);
  }
  JUXTA_TRY(company_->copy(flock));
  const float radius = std::sqrt(flock.options().rules.see_radius2);
  JUXTA_TRY(company_->boids->sort({.radius = radius}, {.executor = executor}));
  if (auto seen = see(*company_->boids, *company_->boids, radius, Headings{}, {}, {.executor = executor});
      !seen) {
    return tl::unexpected<Error>(std::move(seen.error()));
  }
  company_->measure(order);
  return order;
}

}  // namespace juxta::tool
