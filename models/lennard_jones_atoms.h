// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The atoms of lennard_jones.cpp: their columns, how they begin, and what is summed over them.
#pragma once

#include <array>
#include <cstdint>

#include "juxta/agents/simulation.h"
#include "juxta/core/context.h"
#include "juxta/study/parameters.h"

namespace juxta::models {

/// "atoms" of mass 1 in a cube around 0.
struct Atoms {
  Population* population = nullptr;
  std::array<Column<double>, 3> place, velocity;  // px, py, pz in [-half, half), vx, vy, vz
  std::array<Column<float>, 3> force;             // of place: fx, fy, fz, filled by each pass ...
  Column<float> potential, virial, near;          // ... and these, where energies are asked for
};

/// Half the edge of a cube of so many cells of a crystal, each way, of 4 atoms each. A float: the edge is
/// then twice that, exactly, to the passes as well.
[[nodiscard]] float half_edge(std::size_t cells, double density) noexcept;

/// New atoms, all in one place. Errors: kTooLarge.
[[nodiscard]] Result<Atoms> add_atoms(Simulation& simulation, std::size_t count);
/// Those of a simulation that there is. Errors: kNotFound.
[[nodiscard]] Result<Atoms> find_atoms(Simulation& simulation);

/// A face-centred cubic crystal.
void place_on_lattice(const Atoms& atoms, std::size_t cells, double half);
/// At this temperature, at rest as a whole.
void draw_velocities(const Atoms& atoms, const RandomKey& key, double temperature);
/// Makes all faster or slower by one factor.
void set_temperature(const Atoms& atoms, double temperature);

/// Velocities change by what forces do in a time; places by what velocities do.
void kick(const Atoms& atoms, double time, const Context& context);
void drift(const Atoms& atoms, double time, const Context& context);
/// Forces and, if measured, energies. Errors: kInvalidArgument (atoms that flew apart).
[[nodiscard]] Result<void> find_forces(const Atoms& atoms, const Parameters& parameters, bool measured,
                                       const Context& context);

// Sums, in the order of rows.
[[nodiscard]] double total(const Atoms& atoms, Column<float> column);
[[nodiscard]] double kinetic_energy(const Atoms& atoms);
/// 2/3 of the kinetic energy of an atom, when the motion of the whole is not counted.
[[nodiscard]] double temperature(const Atoms& atoms);
/// How fast the whole moves, times its mass.
[[nodiscard]] double momentum(const Atoms& atoms);

}  // namespace juxta::models
