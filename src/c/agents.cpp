// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Simulations: worlds, steps and files; births and deaths.
#include "c/agents.h"

#include <algorithm>
#include <utility>

#include "c/world.h"
#include "juxta/core/try.h"

using namespace juxta::c_detail;
using juxta::Population;
using juxta::Result;

namespace {

/// Errors: kInvalidArgument (a row that is not there, with its place in the list).
Result<void> check_rows(const Population& population, std::span<const std::uint32_t> rows,
                        bool none_is_fine) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= population.size() && !(none_is_fine && rows[i] == JUXTA_NO_ROW)) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "no agent stands in this row", i);
    }
  }
  return {};
}

}  // namespace

juxta_status juxta_simulation_build(const juxta_world* world, uint64_t seed, juxta_simulation** out,
                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const juxta::World given, cpp_world(world));
    JUXTA_TRY_LET(juxta::Simulation made, juxta::Simulation::build(given, seed));
    *out = new juxta_simulation{std::move(made)};
    return {};
  });
}
void juxta_simulation_free(juxta_simulation* simulation) {
  delete simulation;
}
juxta_status juxta_simulation_save(const juxta_simulation* simulation, const char* path, juxta_error* error) {
  return guarded(error, [&] { return simulation->of.save(path); });
}
juxta_status juxta_simulation_load(const char* path, juxta_simulation** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(juxta::Simulation loaded, juxta::Simulation::load(path));
    *out = new juxta_simulation{std::move(loaded)};
    return {};
  });
}

juxta_world juxta_simulation_world(const juxta_simulation* simulation) {
  return c_world(simulation->of.world());
}
uint32_t juxta_simulation_step(const juxta_simulation* simulation) {
  return simulation->of.step();
}
uint64_t juxta_simulation_seed(const juxta_simulation* simulation) {
  return simulation->of.seed();
}

juxta_status juxta_simulation_add_population(juxta_simulation* simulation, const char* name,
                                             juxta_population** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(Population* const made, simulation->of.add_population(name_or_none(name)));
    *out = c_handle(made);
    return {};
  });
}
juxta_population* juxta_simulation_find_population(juxta_simulation* simulation, const char* name) {
  return c_handle(simulation->of.find_population(name_or_none(name)));
}
size_t juxta_simulation_population_count(const juxta_simulation* simulation) {
  return simulation->of.population_count();
}
juxta_population* juxta_simulation_population(juxta_simulation* simulation, size_t index) {
  return index < simulation->of.population_count() ? c_handle(&simulation->of.population(index)) : nullptr;
}
juxta_status juxta_simulation_end_step(juxta_simulation* simulation, juxta_step_report* reports, size_t size,
                                       juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(answers<juxta_step_report>(reports, size));
    JUXTA_TRY_LET(const auto done, simulation->of.end_step());
    std::transform(done.begin(), done.begin() + static_cast<std::ptrdiff_t>(std::min(size, done.size())),
                   reports, [](const juxta::StepReport& one) {
                     return juxta_step_report{one.born, one.died, one.nulled};
                   });
    return {};
  });
}

juxta_id juxta_population_id(const juxta_population* population, uint32_t row) {
  return c_id(row < cpp(population).size() ? cpp(population).id_of(row) : juxta::Id{});
}
uint32_t juxta_population_row(const juxta_population* population, juxta_id id) {
  return cpp(population).row_of(cpp_id(id)).value_or(JUXTA_NO_ROW);
}
void juxta_population_rows(const juxta_population* population, const juxta_id* ids, size_t count,
                           uint32_t* out) {
  static_assert(JUXTA_NO_ROW == Population::kNoRow && sizeof(juxta_id) == sizeof(juxta::Id));
  cpp(population).rows_of({reinterpret_cast<const juxta::Id*>(ids), count}, {out, count});
}

juxta_status juxta_population_insert(juxta_population* population, size_t count, uint32_t* first,
                                     juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const std::uint32_t row, cpp(population).insert(count));
    if (first != nullptr) {
      *first = row;
    }
    return {};
  });
}
juxta_status juxta_population_spawn(juxta_population* population, const uint32_t* parents, size_t count,
                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    Population& of = cpp(population);
    const CallContext call(nullptr);
    const std::size_t given_count = parents != nullptr ? count : 0;
    JUXTA_TRY_LET(const auto given, packed<std::uint32_t>(parents, 0, given_count, call.workspace()));
    JUXTA_TRY(check_rows(of, given, true));
    for (std::size_t i = 0; i < count; ++i) {
      of.changes().spawn_like(given.empty() ? JUXTA_NO_ROW : given[i]);
    }
    return {};
  });
}
juxta_status juxta_population_kill(juxta_population* population, const uint32_t* rows, size_t count,
                                   juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto given, packed<std::uint32_t>(rows, 0, count, call.workspace()));
    JUXTA_TRY(check_rows(cpp(population), given, false));
    for (const std::uint32_t row : given) {
      cpp(population).changes().kill(row);
    }
    return {};
  });
}
