// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/lennard_jones_atoms.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "juxta/agents/see.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "models/lennard_jones_rules.h"

namespace juxta::models {
namespace {

constexpr std::size_t kGrain = 4096;

/// By Newton, from above: std::cbrt is another number on another machine.
double cube_root(double a) noexcept {
  double x = std::max(a, 1.0);
  for (int i = 0; i < 150; ++i) {
    x = (2 * x + a / (x * x)) / 3;
  }
  return x;
}

/// Positions for the passes.
void show_places(const Atoms& atoms) {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto place = atoms.population->read(atoms.place[axis]);
    std::ranges::transform(place, atoms.population->write(atoms.population->position(axis)).begin(),
                           [](double at) { return static_cast<float>(at); });
  }
}

}  // namespace

float half_edge(std::size_t cells, double density) noexcept {
  return static_cast<float>(0.5 * static_cast<double>(cells) * cube_root(4 / density));
}

Result<Atoms> add_atoms(Simulation& simulation, std::size_t count) {
  JUXTA_TRY_LET(auto population, simulation.add_population("atoms"));
  return add_columns<double>(*population, {"px", "py", "pz", "vx", "vy", "vz"})
      .and_then([&](const auto&) {
        return (population)->add_results({"fx", "fy", "fz", "potential", "virial", "near"});
      })
      .and_then([&] { return (population)->insert(count); })
      .and_then([&](std::uint32_t) { return find_atoms(simulation); });
}

Result<Atoms> find_atoms(Simulation& simulation) {
  JUXTA_TRY_LET(const auto all, require_population(simulation, "atoms"));
  JUXTA_TRY_LET(const auto doubles, find_columns<double>(*all, {"px", "py", "pz", "vx", "vy", "vz"}));
  return find_columns<float>(*all, {"fx", "fy", "fz", "potential", "virial", "near"})
      .map([&](const auto& floats) {
        const auto& d = doubles;
        return Atoms{all,       {d[0], d[1], d[2]}, {d[3], d[4], d[5]}, {floats[0], floats[1], floats[2]},
                     floats[3], floats[4],          floats[5]};
      });
}

void place_on_lattice(const Atoms& atoms, std::size_t cells, double half) {
  constexpr std::array<std::array<double, 3>, 4> kBasis{
      {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
  const double cell = 2 * half / static_cast<double>(cells);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::size_t stride = axis == 0 ? 1 : axis == 1 ? cells : cells * cells;
    const auto place = atoms.population->write(atoms.place[axis]);
    for (std::size_t i = 0; i < place.size(); ++i) {
      place[i] = cell * (static_cast<double>(i / 4 / stride % cells) + kBasis[i % 4][axis]) - half;
    }
  }
  show_places(atoms);
}

void draw_velocities(const Atoms& atoms, const RandomKey& key, double temperature) {
  Population& all = *atoms.population;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto velocity = all.write(atoms.velocity[axis]);
    for (std::uint32_t i = 0; i < velocity.size(); ++i) {
      // The sum of four is close to Maxwell's bell; collisions do the rest in a few dozen steps.
      const auto block = random_block({key.seed, key.step, key.purpose + axis}, random_id(all.id_of(i)));
      velocity[i] = std::accumulate(block.begin(), block.end(), 0.0) / 4294967296.0 - 2;
    }
    const double mean =
        std::accumulate(velocity.begin(), velocity.end(), 0.0) / static_cast<double>(velocity.size());
    for (double& v : velocity) {
      v -= mean;
    }
  }
  set_temperature(atoms, temperature);
}

void set_temperature(const Atoms& atoms, double wanted) {
  const double factor = std::sqrt(wanted / temperature(atoms));
  for (const Column<double> column : atoms.velocity) {
    for (double& v : atoms.population->write(column)) {
      v *= factor;
    }
  }
}

void kick(const Atoms& atoms, double time, const Context& context) {
  Population& all = *atoms.population;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto velocity = all.write(atoms.velocity[axis]);
    const auto force = all.read(atoms.force[axis]);
    executor_or_serial(context.executor)
        .parallel_for(all.size(), kGrain, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            velocity[i] += time * static_cast<double>(force[i]);
          }
        });
  }
}

void drift(const Atoms& atoms, double time, const Context& context) {
  Population& all = *atoms.population;
  const double half = static_cast<double>(all.world().hi[0]), edge = 2 * half;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto place = all.write(atoms.place[axis]);
    const auto velocity = all.read(atoms.velocity[axis]);
    const auto x = all.write(all.position(axis));
    executor_or_serial(context.executor)
        .parallel_for(all.size(), kGrain, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            const double moved = place[i] + time * velocity[i];
            place[i] =
                moved >= -half && moved < half ? moved : moved - edge * std::floor((moved + half) / edge);
            x[i] = static_cast<float>(place[i]);
          }
        });
  }
}

Result<void> find_forces(const Atoms& atoms, const Parameters& parameters, bool measured,
                         const Context& context) {
  Population& all = *atoms.population;
  const float cutoff = parameters.real("cutoff");
  const auto sorted = all.sort({.radius = cutoff, .skin = parameters.real("skin")}, context);
  if (!sorted) {
    return sorted.error().code == ErrorCode::kNotFinite
               ? fail(ErrorCode::kInvalidArgument, "lennard_jones: the atoms flew apart: take a smaller dt")
               : Result<void>(tl::unexpected(sorted.error()));
  }
  const auto seen = measured ? see(all, all, cutoff, LennardJonesMeasured{}, {}, context)
                             : see(all, all, cutoff, LennardJones{}, {}, context);
  JUXTA_TRY(seen);
  return {};
}

double total(const Atoms& atoms, Column<float> column) {
  const auto values = atoms.population->read(column);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double kinetic_energy(const Atoms& atoms) {
  double sum = 0;
  for (const Column<double> column : atoms.velocity) {
    for (const double v : atoms.population->read(column)) {
      sum += v * v;
    }
  }
  return sum / 2;
}

double temperature(const Atoms& atoms) {
  return 2 * kinetic_energy(atoms) / (3 * static_cast<double>(atoms.population->size()) - 3);
}

double momentum(const Atoms& atoms) {
  double squares = 0;
  for (const Column<double> column : atoms.velocity) {
    const auto velocity = atoms.population->read(column);
    const double sum = std::accumulate(velocity.begin(), velocity.end(), 0.0);
    squares += sum * sum;
  }
  return std::sqrt(squares);
}

}  // namespace juxta::models
