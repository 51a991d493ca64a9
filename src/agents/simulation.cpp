// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/simulation.h"

#include <cmath>
#include <string>
#include <utility>

#include "agents/store.h"
#include "agents/world_check.h"

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

Simulation::Simulation(const World& world, std::uint64_t seed, std::pmr::memory_resource* resource) noexcept
    : world_(world), seed_(seed), resource_(resource) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Result<Simulation> Simulation::make(const World& world, std::uint64_t seed,
                                    std::pmr::memory_resource* resource) {
  return agents_detail::check_world(world).map([&] { return Simulation(world, seed, resource); });
}

Result<Population*> Simulation::add_population(std::string_view name) {
  if (name.empty() || find_population(name) != nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                name.empty() ? std::string("a population needs a name")
                             : "there is a population \"" + std::string(name) + "\": take another name");
  }
  auto store = std::make_unique<agents_detail::PopulationStore>(std::string(name), world_, resource_);
  store->family =
      populations_.empty() ? std::make_shared<const int>(0) : populations_.front()->store_->family;
  populations_.push_back(std::unique_ptr<Population>(new Population(std::move(store))));
  return populations_.back().get();
}

const Population* Simulation::find_population(std::string_view name) const noexcept {
  for (const auto& population : populations_) {
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
  reports_.assign(populations_.size(), {});
  for (std::size_t i = 0; i < populations_.size(); ++i) {
    agents_detail::PopulationStore& store = *populations_[i]->store_;
    reports_[i].died = store.bury();
    if (Result<std::size_t> born = store.bear(); born) {
      reports_[i].born = *born;
    } else if (done) {
      done = tl::unexpected(std::move(born.error()));
    }
  }
  // After all deaths; a column is looked at when somebody it may name has died, or when it was written.
  for (std::size_t i = 0; i < populations_.size(); ++i) {
    agents_detail::PopulationStore& store = *populations_[i]->store_;
    for (std::size_t c = 0; c < store.columns.size(); ++c) {
      if (store.columns[c].kind != ColumnKind::kReference) {
        continue;
      }
      for (std::size_t t = 0; t < populations_.size(); ++t) {
        const agents_detail::PopulationStore& target = *populations_[t]->store_;
        if (target.name == store.columns[c].target && (reports_[t].died > 0 || store.columns[c].unchecked)) {
          reports_[i].nulled += store.forget(c, target.ids);
        }
      }
    }
  }
  ++step_;
  return done.map([&] { return std::span<const StepReport>(reports_); });
}

}  // namespace juxta
