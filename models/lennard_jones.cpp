// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A crystal of Lennard-Jones atoms that melts: the standard test of molecular dynamics, in reduced units, at
// constant energy (docs/sources.md).
//
//   v += f dt/2    p += v dt    sort    f = forces    v += f dt/2              velocity Verlet
//
// Places and velocities are doubles, so that small steps add up; x, y and z are places as floats, for the
// pass over pairs, around 0, where floats are finest. Rounding of forces is then noise without a direction:
// energy does not drift. The skin keeps the order of atoms for about ten steps.
#include <array>
#include <cmath>
#include <limits>

#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "models/lennard_jones_atoms.h"
#include "models/models.h"

namespace juxta::models {
namespace {

/// How far the conserved energy may drift, as a part of what it was at first.
constexpr double kTolerance = 0.1;
constexpr double kPi = 3.14159265358979323846;

double cube(double x) {
  return x * x * x;
}

class LennardJonesMelt final : public Model {
 public:
  LennardJonesMelt(const Parameters& p, Simulation& simulation, const Atoms& atoms)
      : p_(p), simulation_(simulation), atoms_(atoms) {}

  Result<void> step(const Context& context) override {
    const std::uint32_t next = simulation_.step() + 1;
    const double dt = p_["dt"];
    kick(atoms_, dt / 2, context);
    drift(atoms_, dt, context);
    JUXTA_TRY(find_forces(atoms_, p_, next % p_.count("measure") == 0, context));
    kick(atoms_, dt / 2, context);
    if (next <= p_.count("hold") && next % 10 == 0) {
      set_temperature(atoms_, p_["temperature"]);
    }
    JUXTA_TRY(simulation_.end_step());
    return {};
  }

  /// Energies are of an atom, in the mean.
  void declare(Collector& collector) const override {
    const std::string advice = "Give a smaller dt, a lower temperature or a lower density";
    const bool gaps = p_.count("measure") > 1;
    collector.add("temperature", [this] { return temperature(atoms_); }, {.advice = advice});
    collector.add("potential", [this] { return measured(potential()); }, {.gaps = gaps, .advice = advice});
    collector.add("energy", [this] { return measured(kinetic() + potential()); },
                  {.gaps = gaps, .advice = advice});
    // The energy that the forces conserve: of V shifted to end at 0. With V as it is, an atom that crosses
    // the cutoff makes a jump that no force has worked for.
    // The scale is the depth of a pair's potential. An ordinary melt drifts by 0.03 %, hot and dense ones
    // with the longest dt that they bear by 2 %.
    collector.add("conserved", [this] { return measured(kinetic() + shifted()); },
                  {.gaps = gaps,
                   .tolerance = kTolerance,
                   .scale = 1,
                   .from_step = static_cast<std::uint32_t>(p_.count("hold")),
                   .advice = advice});
    collector.add("pressure", [this] { return measured(pressure()); }, {.gaps = gaps, .advice = advice});
    collector.add("momentum", [this] { return momentum(atoms_); }, {.advice = advice});
  }

  void draw(Raster& image) const override {
    const World& world = simulation_.world();
    image.show({world.lo[0], world.lo[1], world.hi[0], world.hi[1]});
    const Population& all = *atoms_.population;
    const auto px = all.read(atoms_.place[0]), py = all.read(atoms_.place[1]), pz = all.read(atoms_.place[2]);
    const auto vx = all.read(atoms_.velocity[0]), vy = all.read(atoms_.velocity[1]);
    for (std::size_t i = 0; i < px.size(); ++i) {
      if (std::abs(pz[i]) < 0.5) {  // a slice, one atom thick, by how fast they are in it
        image.disc(px[i], py[i], 0.5, colour_of(std::sqrt(vx[i] * vx[i] + vy[i] * vy[i]) / 3));
      }
    }
  }

 private:
  /// Noted every `measure` steps.
  [[nodiscard]] double measured(double value) const {
    return simulation_.step() % p_.count("measure") == 0 ? value : std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] double count() const { return static_cast<double>(atoms_.population->size()); }
  [[nodiscard]] double kinetic() const { return kinetic_energy(atoms_) / count(); }
  [[nodiscard]] double volume() const { return cube(2.0 * static_cast<double>(simulation_.world().hi[0])); }
  /// Of pairs beyond the cutoff, as if they stood anywhere: Allen and Tildesley, Computer Simulation of
  /// Liquids, 2.8.
  [[nodiscard]] double potential() const {
    const double over3 = 1 / cube(p_["cutoff"]);
    const double tail = 8 * kPi / 3 * count() / volume() * (cube(over3) / 3 - over3);
    return total(atoms_, atoms_.potential) / count() + p_["tail"] * tail;
  }
  [[nodiscard]] double pressure() const {
    const double over3 = 1 / cube(p_["cutoff"]), density = count() / volume();
    const double tail = 16 * kPi / 3 * density * density * (2 * cube(over3) / 3 - over3);
    return (2 * kinetic_energy(atoms_) + total(atoms_, atoms_.virial)) / (3 * volume()) + p_["tail"] * tail;
  }
  [[nodiscard]] double shifted() const {
    const double over6 = 1 / cube(p_["cutoff"] * p_["cutoff"]);
    const double at_cutoff = 4 * (over6 - 1) * over6;
    return (total(atoms_, atoms_.potential) - at_cutoff / 2 * total(atoms_, atoms_.near)) / count();
  }

  Parameters p_;
  Simulation& simulation_;
  Atoms atoms_;
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const float half = half_edge(p.count("cells"), p["density"]);
  if (2 * half < 2 * p.real("cutoff")) {
    return fail(
        ErrorCode::kInvalidArgument,
        "lennard_jones: the world is narrower than twice the cutoff: give more cells, or a smaller cutoff");
  }
  constexpr auto kAround = Edge::kPeriodic;
  auto simulation = Simulation::build({.dimensions = 3,
                                       .edges = {kAround, kAround, kAround},
                                       .lo = {-half, -half, -half},
                                       .hi = {half, half, half}},
                                      seed);
  if (!simulation) {
    return simulation;
  }
  auto done = add_atoms(*simulation, 4 * p.count("cells") * p.count("cells") * p.count("cells"))
                  .and_then([&](const Atoms& atoms) {
                    place_on_lattice(atoms, p.count("cells"), half);
                    draw_velocities(atoms, simulation->key(0), p["temperature"]);
                    return find_forces(atoms, p, true, {});
                  });
  return done.map([&] { return std::move(*simulation); });
}

}  // namespace

ModelInfo lennard_jones() {
  return {
      .name = "lennard_jones",
      .what = "a crystal of atoms melts",
      .parameters =
          {{"cells", 20, 1, 200, true, "cells of the crystal along an edge of the world, 4 atoms in each"},
           {"density", 0.8442, 0.01, 1.5, false, "atoms in a unit of volume"},
           {"temperature", 1.44, 0.01, 10, false, "at the start; a crystal that melts cools by about half"},
           {"dt", 0.005, 0.00001, 0.02, false, "time of a step"},
           {"cutoff", 2.5, 1.2, 10, false, "atoms further apart do not act on each other"},
           {"skin", 0.3, 0, 2, false, "atoms are put in order anew when one has moved by half of it"},
           {"hold", 0, 0, 1e9, true, "steps at first in which every tenth sets the temperature anew"},
           {"measure", 1, 1, 1e9, true, "steps from one measurement of energy and pressure to the next"},
           {"tail", 0, 0, 1, true, "1: energy and pressure with what lies beyond the cutoff, in the mean"}},
      .presets = {{"melt", {{"cells", 20}}},
                  {"small", {{"cells", 10}}},
                  {"state",
                   {{"cells", 6},
                    {"density", 0.82},
                    {"temperature", 0.85},
                    {"cutoff", 3},
                    {"hold", 2000},
                    {"tail", 1}}}},
      .steps = 100,
      .begin = &begin,
      .open = [](const Parameters& p, Simulation& simulation) -> Result<Owned<Model>> {
        if (simulation.ranks() != nullptr && p.count("hold") > 0) {
          return fail(
              ErrorCode::kInvalidArgument,
              "lennard_jones: hold adds up the energies of all atoms, which one machine alone can do in "
              "their order: set hold=0");
        }
        return find_atoms(simulation).map([&](const Atoms& atoms) -> Owned<Model> {
          return Owned<Model>(new LennardJonesMelt(p, simulation, atoms));
        });
      },
      .one_machine = ""};
}

}  // namespace juxta::models
