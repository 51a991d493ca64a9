// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Neighbours among agents that move one by one.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "agents/directory.h"
#include "agents/store.h"
#include "agents/strays.h"
#include "agents/wrap.h"
#include "juxta/agents/sequential.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

constexpr std::uint8_t kStray = 1, kDead = 2;
constexpr std::uint32_t kNobody = ~std::uint32_t{0};

tl::unexpected<Error> refuse(const char* what, std::uint64_t index = Error::kNowhere) {
  return fail(ErrorCode::kInvalidArgument, what, index);
}

}  // namespace

struct NeighboursStore {
  NeighboursStore(PopulationStore& from, std::pmr::memory_resource* resource)
      : population(from),
        origin{Array<float>(resource), Array<float>(resource), Array<float>(resource)},
        state(resource),
        strays(resource) {}

  [[nodiscard]] Point position_of(std::uint32_t row) const noexcept {
    Point position{};
    for (std::uint32_t axis = 0; axis < population.world.dimensions; ++axis) {
      position[axis] = population.position(axis)[row];
    }
    return position;
  }
  /// To where `row` is now, in the nearest image.
  [[nodiscard]] Point difference(const Point& from, const Point& to) const noexcept {
    Point d{};
    const World& world = population.world;
    for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
      d[axis] = to[axis] - from[axis];
      if (world.edges[axis] == Edge::kPeriodic) {
        d[axis] = nearest_image(d[axis], world.hi[axis] - world.lo[axis]);
      }
    }
    return d;
  }
  [[nodiscard]] float square(const Point& d) const noexcept {
    const float flat = d[0] * d[0] + d[1] * d[1];
    return population.world.dimensions == 2 ? flat : flat + d[2] * d[2];
  }
  [[nodiscard]] bool current() const noexcept {
    return state.size() == population.size() && changed == population.changed;
  }
  [[nodiscard]] Result<void> check(float radius) const;
  [[nodiscard]] QueryResult search(const Point& point, std::uint32_t self, float radius,
                                   const Neighbours::Visitor& visitor);
  template <bool kDeep, bool kBall>
  [[nodiscard]] QueryResult search(const Point& point, std::uint32_t self, float radius,
                                   const Neighbours::Visitor& visitor);
  [[nodiscard]] Result<Point> placed(const Point& wanted) const;

  PopulationStore& population;
  NeighboursOptions options;
  std::array<Array<float>, 3> origin;  // where everyone stood at begin()
  Array<std::uint8_t> state;           // by row
  Strays strays;
  std::uint64_t changed = 0;  // PopulationStore::changed, if only move() raised it since begin()
  // Of the last search: a Reach takes dozens of roots to compute.
  std::optional<Reach> reach;
  float reach_radius = 0;
};

Result<void> NeighboursStore::check(float radius) const {
  if (!current()) {
    return refuse("the population changed by other means than move(): sort() and begin() first");
  }
  if (!std::isfinite(radius * radius) || !(radius > 0)) {
    return refuse("a search radius must be above 0 and at most 1.8e19, so that its square is a float");
  }
  return {};
}

/// One search: what the loop over rows needs, at hand.
template <bool kDeep, bool kBall>
struct NeighbourSearch {
  NeighbourSearch(const NeighboursStore& store, const Point& from, std::uint32_t who, float how_far,
                  const Neighbours::Visitor& calls)
      : point(from), self(who), radius(how_far), radius2(how_far * how_far), visitor(calls) {
    const World& world = store.population.world;
    for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
      x[axis] = store.population.position(axis);
      // No difference is above an infinite half: no other image.
      const bool periodic = world.edges[axis] == Edge::kPeriodic;
      period[axis] = periodic ? world.hi[axis] - world.lo[axis] : std::numeric_limits<float>::infinity();
    }
  }

  [[nodiscard]] float difference(std::uint32_t axis, std::uint32_t row) const noexcept {
    return nearest_image(x[axis][row] - point[axis], period[axis]);
  }
  void meet(std::uint32_t row) {
    const float dx = difference(0, row), dy = difference(1, row);
    const float dz = kDeep ? difference(2, row) : 0;
    const float flat = dx * dx + dy * dy;
    const float distance2 = kDeep ? flat + dz * dz : flat;
    const bool near = kBall ? distance2 <= radius2
                            : std::abs(dx) <= radius && std::abs(dy) <= radius && std::abs(dz) <= radius;
    tested += row != self;
    if (near && row != self) {
      ++met;
      visitor(row, dx, dy, dz, distance2);
    }
  }

  const Point point;
  const std::uint32_t self;
  const float radius, radius2;
  const Neighbours::Visitor& visitor;
  std::array<const float*, 3> x{};
  Point period{};
  std::size_t met = 0, tested = 0;
};

template <bool kDeep, bool kBall>
QueryResult NeighboursStore::search(const Point& point, std::uint32_t self, float radius,
                                    const Neighbours::Visitor& visitor) {
  NeighbourSearch<kDeep, kBall> search(*this, point, self, radius, visitor);
  if (!reach || reach_radius != radius) {
    reach.emplace(population.directory, radius + options.slack * (1 + 0x1p-20F), kBall);
    reach_radius = radius;
  }
  for_each_run(population.directory, Bounds{point, point}, *reach, [&](const Run& run) {
    for (std::uint32_t row = run.first; row < run.last; ++row) {
      if (state[row] == 0) {
        search.meet(row);
      }
    }
  });
  if (strays.size() > 0) {
    strays.for_each(
        point, radius, [&](std::uint32_t row) { return position_of(row); },
        [&](std::uint32_t row) {
          if ((state[row] & kDead) == 0) {
            search.meet(row);
          }
        });
  }
  return {.found = search.met, .written = search.met, .tested = search.tested};
}

QueryResult NeighboursStore::search(const Point& point, std::uint32_t self, float radius,
                                    const Neighbours::Visitor& visitor) {
  if (population.size() == 0) {
    return {};
  }
  const bool deep = population.world.dimensions == 3;
  if (options.metric == Metric::kBall) {
    return deep ? search<true, true>(point, self, radius, visitor)
                : search<false, true>(point, self, radius, visitor);
  }
  return deep ? search<true, false>(point, self, radius, visitor)
              : search<false, false>(point, self, radius, visitor);
}

Result<Point> NeighboursStore::placed(const Point& wanted) const {
  const World& world = population.world;
  Point place{};
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    place[axis] = wanted[axis];
    if (!std::isfinite(place[axis])) {
      return fail(ErrorCode::kNotFinite, "a coordinate is not a finite number", axis);
    }
    if (world.edges[axis] == Edge::kPeriodic) {
      place[axis] = wrapped(place[axis], world.lo[axis], world.hi[axis]);
    }
  }
  return place;
}

}  // namespace agents_detail

Neighbours::Neighbours(Population& population, std::pmr::memory_resource* resource)
    : store_(make_owned<agents_detail::NeighboursStore>(agents_detail::PopulationStore::of(population),
                                                        resource)) {}
Result<void> Neighbours::begin(const NeighboursOptions& options) {
  agents_detail::PopulationStore& population = store_->population;
  if (!std::isfinite(options.radius) || !(options.radius > 0) || !std::isfinite(options.slack)) {
    return agents_detail::refuse(
        "the radius of begin() must be a finite number above 0, and the "
        "slack finite");
  }
  JUXTA_TRY(agents_detail::check_whole(population, "Neighbours::begin"));
  if (population.sorted_at != population.changed) {
    return agents_detail::refuse("the population is not in the order of space: sort() first");
  }
  if (population.extents != Column<float>::kNone) {
    return agents_detail::refuse("agents with extents are not searched one by one: use see()");
  }
  store_->options = options;
  store_->options.slack = options.slack < 0 ? 0.25F * options.radius : options.slack;
  for (std::uint32_t axis = 0; axis < population.world.dimensions; ++axis) {
    store_->origin[axis].resize_discard(population.size());
    std::copy_n(population.position(axis), population.size(), store_->origin[axis].begin());
  }
  store_->state.resize_discard(population.size());
  std::fill(store_->state.begin(), store_->state.end(), std::uint8_t{0});
  const auto links = population.ids.state().links;
  population.for_each_changes([&](const Changes& noted) {
    for (const std::uint32_t slot : agents_detail::PopulationStore::dying(noted)) {
      store_->state[links[slot]] = agents_detail::kDead;
    }
  });
  store_->strays.begin(population.world, population.size(), options.radius);
  store_->changed = population.changed;
  store_->reach.reset();
  return {};
}

Result<QueryResult> Neighbours::visit(std::uint32_t row, float radius, Visitor visitor) {
  return store_->check(radius).and_then([&]() -> Result<QueryResult> {
    if (row >= store_->state.size()) {
      return agents_detail::refuse("there is no such row", row);
    }
    return store_->search(store_->position_of(row), row, radius, visitor);
  });
}

Result<QueryResult> Neighbours::visit_at(const Vec3& point, float radius, Visitor visitor) {
  return store_->check(radius).and_then([&] { return store_->placed(point); }).map([&](const auto& place) {
    return store_->search(place, agents_detail::kNobody, radius, visitor);
  });
}

Result<void> Neighbours::move(std::uint32_t row, const Vec3& position) {
  JUXTA_TRY(store_->check(1));
  if (row >= store_->state.size()) {
    return agents_detail::refuse("there is no such row", row);
  }
  JUXTA_TRY_LET(const agents_detail::Point place, store_->placed(position));
  agents_detail::PopulationStore& population = store_->population;
  const World& world = population.world;
  agents_detail::Point origin{};
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    if (world.edges[axis] == Edge::kWall &&
        !(place[axis] >= world.lo[axis] && place[axis] <= world.hi[axis])) {
      return agents_detail::refuse("a position outside the walls: keep agents inside", axis);
    }
    origin[axis] = store_->origin[axis][row];
  }
  std::uint8_t& state = store_->state[row];
  if ((state & agents_detail::kStray) != 0) {
    store_->strays.remove(row, store_->position_of(row));
  }
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    population.columns[axis].as<float>()[row] = place[axis];
  }
  const float slack = store_->options.slack;
  const bool strays = !(store_->square(store_->difference(origin, place)) <= slack * slack);
  state = static_cast<std::uint8_t>((state & ~agents_detail::kStray) | (strays ? agents_detail::kStray : 0));
  if (strays) {
    store_->strays.add(row, place);
  }
  store_->changed = ++population.changed;
  return {};
}

void Neighbours::kill(std::uint32_t row) {
  if (row < store_->state.size()) {
    store_->population.changes.kill(row);
    store_->state[row] = static_cast<std::uint8_t>(store_->state[row] | agents_detail::kDead);
  }
}

bool Neighbours::killed(std::uint32_t row) const noexcept {
  return row < store_->state.size() && (store_->state[row] & agents_detail::kDead) != 0;
}

std::size_t Neighbours::strays() const noexcept {
  return store_->strays.size();
}

}  // namespace juxta
