// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/simulation.h"

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "agents/simulation_store.h"
#include "agents/store.h"
#include "agents/world_check.h"
#include "juxta/core/try.h"

namespace juxta {

Result<void> agents_detail::check_world(const World& world) {
  if (world.dimensions != 2 && world.dimensions != 3) {
    return fail(ErrorCode::kInvalidArgument, "a world has 2 or 3 dimensions");
  }
  for (std::uint32_t axis = 0; axis < world.edges.size(); ++axis) {
    const Edge edge = world.edges[axis];
    const float lo = world.lo[axis], hi = world.hi[axis];
    if (edge != Edge::kOpen && edge != Edge::kWall && edge != Edge::kPeriodic) {
      return fail(ErrorCode::kInvalidArgument, "an edge of the world is open, a wall or periodic", axis);
    }
    if (edge == Edge::kOpen || axis >= world.dimensions) {
      continue;
    }
    if (!std::isfinite(lo) || !std::isfinite(hi) || !std::isfinite(hi - lo)) {
      return fail(ErrorCode::kNotFinite, "World::lo, hi and hi - lo must be finite on closed axes", axis);
    }
    if (!(lo < hi)) {
      return fail(ErrorCode::kInvalidArgument, "World::lo must be below hi on closed axes", axis);
    }
  }
  return {};
}

Simulation::Simulation(Owned<agents_detail::SimulationStore> store) noexcept : store_(std::move(store)) {}

Result<Simulation> Simulation::build(const World& world, std::uint64_t seed,
                                     std::pmr::memory_resource* resource) {
  JUXTA_TRY(agents_detail::check_world(world));
  return Simulation(make_owned<agents_detail::SimulationStore>(
      agents_detail::SimulationStore{.world = world, .seed = seed, .resource = resource}));
}

const World& Simulation::world() const noexcept {
  return store_->world;
}
std::uint64_t Simulation::seed() const noexcept {
  return store_->seed;
}
std::uint32_t Simulation::step() const noexcept {
  return store_->step;
}
std::size_t Simulation::population_count() const noexcept {
  return store_->populations.size();
}
Population& Simulation::population(std::size_t index) noexcept {
  return *store_->populations[index];
}
const Population& Simulation::population(std::size_t index) const noexcept {
  return *store_->populations[index];
}

Result<Population*> Simulation::add_population(std::string_view name) {
  if (name.empty() || is_taken(name)) {
    return fail(ErrorCode::kInvalidArgument,
                name.empty() ? std::string("a population needs a name")
                             : "the name \"" + std::string(name) + "\" is taken: take another one");
  }
  auto& populations = store_->populations;
  auto store = make_owned<agents_detail::PopulationStore>(std::string(name), store_->world, store_->resource);
  store->family = populations.empty() ? std::make_shared<const int>(0) : populations.front()->store_->family;
  populations.push_back(std::unique_ptr<Population>(new Population(std::move(store))));
  return populations.back().get();
}

const Population* Simulation::find_population(std::string_view name) const noexcept {
  for (const auto& population : store_->populations) {
    if (population->name() == name) {
      return population.get();
    }
  }
  return nullptr;
}
Population* Simulation::find_population(std::string_view name) noexcept {
  return const_cast<Population*>(std::as_const(*this).find_population(name));
}

Result<std::span<const StepReport>> Simulation::end_step() {
  Result<void> done;
  auto& populations = store_->populations;
  auto& reports = store_->reports;
  reports.assign(populations.size(), {});
  for (std::size_t i = 0; i < populations.size(); ++i) {
    agents_detail::PopulationStore& store = *populations[i]->store_;
    JUXTA_TRY_LET(reports[i].died, store.bury());
    if (Result<std::size_t> born = store.bear(); born) {
      reports[i].born = *born;
    } else if (done) {
      done = tl::unexpected(std::move(born.error()));
    }
  }
  // After all deaths; a column is looked at when somebody it may name has died, or when it was written.
  for (std::size_t i = 0; i < populations.size(); ++i) {
    agents_detail::PopulationStore& store = *populations[i]->store_;
    for (std::size_t c = 0; c < store.columns.size(); ++c) {
      if (store.columns[c].kind != ColumnKind::kReference) {
        continue;
      }
      for (std::size_t t = 0; t < populations.size(); ++t) {
        const agents_detail::PopulationStore& target = *populations[t]->store_;
        if (target.name == store.columns[c].target && (reports[t].died > 0 || store.columns[c].unchecked)) {
          reports[i].nulled += store.forget(c, target.ids);
        }
      }
    }
  }
  if (store_->ranks != nullptr) {  // what all ranks did
    for (StepReport& report : reports) {
      JUXTA_TRY_LET(const std::vector<std::size_t> nulled,
                    agents_detail::all_gather(*store_->ranks, report.nulled));
      report.nulled = std::accumulate(nulled.begin(), nulled.end(), std::size_t{0});
    }
  }
  ++store_->step;
  return done.map([&] { return std::span<const StepReport>(reports); });
}

}  // namespace juxta
