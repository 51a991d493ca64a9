// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/flock.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "agents/flock_kernel.h"
#include "agents/flock_ranks.h"
#include "agents/flock_store.h"
#include "core/meanwhile.h"
#include "juxta/core/executor.h"
#include "juxta/core/isa.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/order/reorder.h"

namespace juxta {
namespace agents_detail {
namespace {

/// Of cells, in radii of sight.
constexpr double kCellWidth = 0.125;
constexpr double kCellsPerBoid = 4;
constexpr double kMostCells = 0x1p31;  // and over ranks one more for each row: numbers of 32 bits
/// Boids per task.
constexpr std::size_t kSeersPerTask = 1024;
/// And between two pokes of messages that are under way.
constexpr std::size_t kBoidsOfPoke = 4096;
/// How far from a wall boids stop.
constexpr float kEdge = 0.01F;

Result<void> check(const FlockOptions& options) {
  const FlockRules& rules = options.rules;
  const struct {
    const char* name;
    float value, least, most;
    bool above;  // `least` itself is too little
  } numbers[] = {
      {"half_size", options.half_size, 2 * kEdge, 1e15F, true},
      {"time_step", rules.time_step, 0, 1e15F, true},
      {"see_radius2", rules.see_radius2, 0, 1e15F, true},
      {"avoid_radius2", rules.avoid_radius2, 0, rules.see_radius2, false},
      {"min_speed", rules.min_speed, 0, 1e15F, false},
      {"max_speed", rules.max_speed, rules.min_speed, 1e15F, false},
      {"wall_distance", rules.wall_distance, 0, 1e15F, false},
      {"wall", rules.wall, -1e15F, 1e15F, false},
      {"avoid", rules.avoid, -1e15F, 1e15F, false},
      {"align", rules.align, -1e15F, 1e15F, false},
      {"cohere", rules.cohere, -1e15F, 1e15F, false},
  };
  if (options.dimensions != 2 && options.dimensions != 3) {
    return fail(ErrorCode::kInvalidArgument, "flock: dimensions must be 2 or 3");
  }
  for (const auto& number : numbers) {
    if (!std::isfinite(number.value)) {
      return fail(ErrorCode::kNotFinite, std::string("flock: ") + number.name + " is not a finite number");
    }
    if (number.value < number.least || number.value > number.most ||
        (number.above && number.value == number.least)) {
      return fail(ErrorCode::kInvalidArgument, std::string("flock: ") + number.name + " must be " +
                                                   (number.above ? "above " : "at least ") +
                                                   std::to_string(number.least) + " and at most " +
                                                   std::to_string(number.most));
    }
  }
  return {};
}

/// How many cells of at least `width` there are from one end of the world to the other.
double cells_of(const FlockOptions& options, double width) noexcept {
  return std::max(std::floor(2.0 * options.half_size / width), 1.0) + (options.periodic ? 0 : 1);
}

GridAxis axis_of(const FlockOptions& options, double width) noexcept {
  const double length = 2.0 * options.half_size, cells = cells_of(options, width);
  GridAxis axis;
  axis.origin = -options.half_size;
  axis.width = static_cast<float>(options.periodic ? length / cells : width);
  axis.inverse = 1 / axis.width;
  axis.cells = static_cast<std::uint32_t>(cells);
  axis.most = static_cast<float>(cells - 1);
  axis.periodic = options.periodic;
  return axis;
}

}  // namespace

/// Rows of cells as high as a boid sees, so that what it sees stands in the next row at most; wider and
/// higher where boids are few.
void plan_cells(FlockStore& store, std::size_t boids) noexcept {
  const FlockOptions& options = store.options;
  Directory& directory = store.directory;
  Grid& grid = directory.grid;
  directory.arrangement = Arrangement::kRows;
  directory.magnitude = options.half_size;
  grid = {};
  grid.dimensions = options.dimensions;
  store.rows.begins.resize_discard(0);  // boids stand in no order of these cells
  const float radius = std::sqrt(options.rules.see_radius2);
  const double height = (radius + 2.0 * Reach(directory, radius, true).slack) * 1.0001;
  const double most = std::min(kFewCells + kCellsPerBoid * static_cast<double>(boids), kMostCells);
  const auto too_many = [&](double wider) {
    const double along = cells_of(options, wider * kCellWidth * height),
                 across = cells_of(options, wider * height);
    return along > kMostOnAxis || along * across * (options.dimensions == 3 ? across : 1) > most;
  };
  double wider = 1;
  while (too_many(wider)) {
    wider *= 1.25;
  }
  grid.axis[0] = axis_of(options, wider * kCellWidth * height);
  for (std::uint32_t a = 1; a < options.dimensions; ++a) {
    grid.axis[a] = axis_of(options, wider * height);
  }
}

void move_flock(FlockStore& store, std::size_t first, std::size_t last, const Executor& executor,
                Ranks* poked) {
  const Reach reach(store.directory, std::sqrt(store.options.rules.see_radius2), true);
  FlockSweep flock{
      store.options, store.directory, reach, {}, {}, {}, store.pull_of_position(), store.folds(), {}, {}};
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    flock.position[a] = store.sorted.position[a].data();
    flock.velocity[a] = store.sorted.velocity[a].data();
    flock.pull[a] = store.pull[a].data();
    flock.next_position[a] = store.now.position[a].data();
    flock.next_velocity[a] = store.now.velocity[a].data();
  }
  const core_detail::Meanwhile meanwhile(poked);
  executor.parallel_for(last - first, kSeersPerTask, [&](std::size_t from, std::size_t to) {
    for (std::size_t end; from < to; from = end) {
      end = poked != nullptr ? std::min(from + kBoidsOfPoke, to) : to;
      move_boids(flock, static_cast<std::uint32_t>(first + from), static_cast<std::uint32_t>(first + end));
      meanwhile.poke();
    }
  });
}

FlockStore::FlockStore(const FlockOptions& how, std::pmr::memory_resource* resource)
    : options(how),
      memory(resource),
      now(resource),
      sorted(resource),
      pull{Array<float>(resource), Array<float>(resource), Array<float>(resource)},
      directory(resource),
      scratch(resource),
      rows(resource) {}
FlockStore::~FlockStore() = default;

}  // namespace agents_detail

using agents_detail::FlockStore;

Flock::Flock(Owned<FlockStore> store) noexcept : store_(std::move(store)) {}

Result<Flock> Flock::build(const FlockOptions& options, std::pmr::memory_resource* resource) {
  JUXTA_TRY(agents_detail::check(options));
  return Flock(make_owned<FlockStore>(options, resource));
}

Result<void> Flock::set_rules(const FlockRules& rules) {
  FlockStore& store = *store_;
  if (store.ranks) {
    return fail(ErrorCode::kInvalidArgument, "flock: it is on several ranks, which keep their rules");
  }
  FlockOptions options = store.options;
  options.rules = rules;
  JUXTA_TRY(agents_detail::check(options));
  const bool other_sight = rules.see_radius2 != store.options.rules.see_radius2;
  store.options = options;
  if (other_sight) {  // cells are as high as a boid sees
    agents_detail::plan_cells(store, store.count);
  }
  return {};
}

Result<void> Flock::scatter(std::size_t count, std::uint64_t seed) {
  if (count > agents_detail::kMostBoids) {
    return fail(ErrorCode::kTooLarge, "flock: at most 2^31 - 1 boids");
  }
  if (store_->ranks) {
    return fail(ErrorCode::kInvalidArgument,
                "flock: it is on several ranks; scatter boids before you distribute it");
  }
  FlockStore& store = *store_;
  const FlockOptions& options = store.options;
  store.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&](std::uint32_t purpose) { return random_float({seed, 0, purpose}, i); };
    Vec3 direction{};
    float length2 = 0;
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      store.now.position[a][i] = 0.9F * options.half_size * (2 * draw(a) - 1);
      direction[a] = 2 * draw(3 + a) - 1;
      length2 += direction[a] * direction[a];
    }
    const FlockRules& rules = options.rules;
    const float speed = 0.5F * (rules.min_speed + (rules.max_speed - rules.min_speed) * draw(6));
    const float scale = length2 > 0 ? speed / std::sqrt(length2) : 0;
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      store.now.velocity[a][i] = direction[a] * scale;
    }
    store.now.number[i] = static_cast<std::uint32_t>(i);
  }
  agents_detail::plan_cells(store, count);
  return {};
}

Result<void> Flock::rebuild(std::span<const Vec3> positions, std::span<const Vec3> velocities) {
  if (store_->ranks) {
    return fail(ErrorCode::kInvalidArgument,
                "flock: it is on several ranks; bring boids before you distribute it");
  }
  FlockStore& store = *store_;
  const std::uint32_t dimensions = store.options.dimensions;
  const std::size_t count = positions.size();
  if (count > agents_detail::kMostBoids) {
    return fail(ErrorCode::kTooLarge, "flock: at most 2^31 - 1 boids");
  }
  if (velocities.size() != count) {
    return fail(ErrorCode::kInvalidArgument, "flock: positions and velocities are not of one length");
  }
  const float size = store.options.half_size;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      const float at = positions[i][a];
      if (!std::isfinite(at) || !std::isfinite(velocities[i][a])) {
        return fail(ErrorCode::kNotFinite,
                    "flock: boid " + std::to_string(i) + " has no finite position or velocity", i);
      }
      if (at < -size || at > size || (store.options.periodic && at == size)) {
        return fail(ErrorCode::kInvalidArgument,
                    "flock: boid " + std::to_string(i) + " stands outside the world", i);
      }
    }
  }
  store.resize(count);
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    for (std::size_t i = 0; i < count; ++i) {
      store.now.position[a][i] = positions[i][a];
      store.now.velocity[a][i] = velocities[i][a];
    }
  }
  identity_order(store.now.number.span());
  agents_detail::plan_cells(store, count);
  return {};
}

Result<void> Flock::step(const Context& context) {
  FlockStore& store = *store_;
  JUXTA_TRY(active_isa());
  const Executor& executor = executor_or_serial(context.executor);
  if (store.ranks) {
    JUXTA_TRY(agents_detail::step_over_ranks(store, executor));
  } else if (store.count != 0 && !agents_detail::step_by_rows(store, executor)) {
    sort_flock(store, executor);
    move_flock(store, 0, store.count, executor);
    std::swap(store.now.number, store.sorted.number);
    if (store.options.dimensions == 2 && store.count >= agents_detail::kManyBoids) {
      agents_detail::keep_rows(store);
    }
  }
  ++store.steps;
  return {};
}

const FlockOptions& Flock::options() const noexcept {
  return store_->options;
}
std::size_t Flock::size() const noexcept {
  return store_->count;
}
std::uint64_t Flock::steps() const noexcept {
  return store_->steps;
}
std::span<const float> Flock::position(std::uint32_t axis) const noexcept {
  return store_->now.position[axis].span().first(store_->count);
}
std::span<const float> Flock::velocity(std::uint32_t axis) const noexcept {
  return store_->now.velocity[axis].span().first(store_->count);
}
std::span<const std::uint32_t> Flock::numbers() const noexcept {
  return store_->now.number.span().first(store_->count);
}
std::size_t Flock::memory_bytes() const noexcept {
  std::size_t bytes =
      store_->directory.begins.memory_bytes() + store_->scratch.memory_bytes() + store_->rows.memory_bytes();
  for (const agents_detail::FlockColumns* columns : {&store_->now, &store_->sorted}) {
    for (std::uint32_t a = 0; a < 3; ++a) {
      bytes += columns->position[a].memory_bytes() + columns->velocity[a].memory_bytes();
    }
    bytes += columns->number.memory_bytes();
  }
  for (const Array<float>& pull : store_->pull) {
    bytes += pull.memory_bytes();
  }
  bytes += store_->ranks ? store_->ranks->memory_bytes() : 0;
  return bytes;
}

}  // namespace juxta
