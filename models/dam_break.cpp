// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Water behind a dam that is gone: weakly compressible smoothed particles (Monaghan 1994) between walls of
// particles. y is upwards; in 3D the tank goes on for ever along z (a periodic world). SI units.
#include <juxta/agents/act.h>
#include <juxta/agents/see.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "juxta/core/try.h"
#include "models/dam_break_rules.h"
#include "models/dam_break_tank.h"
#include "models/models.h"

namespace juxta::models {
namespace {

/// The order is kept until somebody has moved by half of this part of the reach: some eight steps.
constexpr double kSkin = 0.1;

class DamBreak final : public Model {
 public:
  DamBreak(const Parameters& parameters, Simulation& simulation, Population& particles)
      : tank_(parameters), simulation_(simulation), particles_(particles) {}

  Result<void> step(const Context& context) override {
    JUXTA_TRY(tank_.dimensions == 2 ? passes<See2D, Step2D>(context) : passes<See3D, Step3D>(context));
    JUXTA_TRY(simulation_.end_step());
    return {};
  }

  void declare(Collector& collector) const override {
    const auto count = total([](std::size_t) { return 1; });
    collector.add("time", [this] { return static_cast<double>(tank_.step.time_step) * simulation_.step(); });
    collector.add("front", [this] { return largest(x_) + tank_.spacing / 2; });
    collector.add("highest", [this] { return largest(y_) + tank_.spacing / 2; });
    const auto energies = [=, this](const auto& of) { return [=, this] { return total(of) / count; }; };
    const auto kinetic = [this](std::size_t i) { return speed2(i) / 2; };
    const auto potential = [this](std::size_t i) { return tank_.gravity * value(y_, i); };
    const auto elastic = [this](std::size_t i) { return tank_.elastic(value(compression_, i)); };
    collector.add("kinetic", energies(kinetic));
    collector.add("potential", energies(potential));
    collector.add("elastic", energies(elastic));
    collector.add("lost",
                  [=, this] {
                    return 1 - total([&](std::size_t i) { return kinetic(i) + potential(i) + elastic(i); }) /
                                   count / tank_.energy();
                  },
                  {.tolerance = 1, .scale = 1, .advice = "give a smaller cfl"});
    collector.add("compression",
                  [=, this] { return total([&](std::size_t i) { return value(compression_, i); }) / count; });
    collector.add("outside", [this] {  // in or behind the particles of the walls that come first
      const double edge = tank_.spacing / 2, end = tank_.length * tank_.spacing + edge;
      return total([&](std::size_t i) {
        return value(x_, i) > -edge && value(x_, i) < end && value(y_, i) > -edge ? 0 : 1;
      });
    });
  }

  void draw(Raster& image) const override {
    const double d = tank_.spacing, edge = tank_.layers * d,
                 fast = std::sqrt(2 * tank_.gravity * tank_.high * d);
    image.show({-edge, -edge, tank_.length * d + edge, tank_.wall * d});
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      const Rgb colour = is_water(i) ? colour_of(std::sqrt(speed2(i)) / fast) : Rgb{120, 120, 120};
      image.disc(value(x_, i), value(y_, i), d / 2, colour);
    }
  }

 private:
  template <class See, class Step>
  Result<void> passes(const Context& context) {
    const auto reach = static_cast<float>(2 * tank_.h), skin = static_cast<float>(kSkin * 2 * tank_.h);
    JUXTA_TRY(particles_.sort({.radius = reach, .skin = skin}, context));
    JUXTA_TRY(see(particles_, particles_, reach, Touch{tank_.see}, {.radii = touch_}, context));
    JUXTA_TRY(act(particles_, Carry{tank_.step}, context));
    JUXTA_TRY(see(particles_, particles_, reach, See{tank_.see}, {}, context));
    return act(particles_, Step{tank_.step}, context);
  }

  [[nodiscard]] Column<float> column(const char* name) const { return *particles_.find_column<float>(name); }
  [[nodiscard]] double value(Column<float> column, std::size_t i) const {
    return static_cast<double>(particles_.read(column)[i]);
  }
  [[nodiscard]] bool is_water(std::size_t i) const { return value(water_, i) > 0; }
  [[nodiscard]] double speed2(std::size_t i) const {
    const double vx = value(vx_, i), vy = value(vy_, i), vz = tank_.dimensions == 3 ? value(vz_, i) : 0;
    return vx * vx + vy * vy + vz * vz;
  }
  template <class Of>
  [[nodiscard]] double total(const Of& of) const {
    double sum = 0;
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      sum += is_water(i) ? of(i) : 0;
    }
    return sum;
  }
  [[nodiscard]] double largest(Column<float> column) const {
    double most = 0;
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      most = is_water(i) ? std::max(most, value(column, i)) : most;
    }
    return most;
  }

  Tank tank_;
  Simulation& simulation_;
  Population& particles_;
  Column<float> x_ = particles_.position(0), y_ = particles_.position(1), water_ = column("water"),
                touch_ = column("touch"), compression_ = column("compression"), vx_ = column("vx"),
                vy_ = column("vy"), vz_ = tank_.dimensions == 3 ? column("vz") : Column<float>{};
};

Result<Owned<Model>> open(const Parameters& parameters, Simulation& simulation) {
  Population* const particles = simulation.find_population("particles");
  if (particles == nullptr) {
    return fail(ErrorCode::kNotFound, "dam_break: there is no population 'particles' in this simulation");
  }
  if (parameters.count("dimensions") != simulation.world().dimensions) {
    return fail(ErrorCode::kNotFound,
                "dam_break: this simulation has other dimensions than its parameters say");
  }
  for (const char* name :
       {"water", "touch", "compression", "vx", "vy", simulation.world().dimensions == 3 ? "vz" : "vy"}) {
    JUXTA_TRY(particles->find_column<float>(name));
  }
  return Owned<Model>(new DamBreak(parameters, simulation, *particles));
}

}  // namespace

ModelInfo dam_break() {
  return {
      .name = "dam_break",
      .what = "water behind a dam that is gone: smoothed particles, in 2D or in 3D",
      .parameters = {{"dimensions", 2, 2, 3, true, "2 or 3"},
                     {"width", 0.05715, 1e-3, 1e3, false, "of the water, in metres"},
                     {"across", 30, 8, 2000, true, "particles across this width"},
                     {"height", 2, 0.25, 4, false, "of the water, in widths"},
                     {"tank", 5, 1, 20, false, "its length, in widths; 1: the water stays"},
                     {"wall", 3, 1, 8, false, "height of the walls, in widths"},
                     {"depth", 16, 8, 500, true, "in 3D: particles along z before all repeats"},
                     {"smoothing", 2, 1.2, 2, false, "h of the kernel, in spacings; it reaches 2 h"},
                     {"disorder", 0.1, 0, 0.2, false, "how far off its lattice water begins, in spacings"},
                     {"gravity", 9.81, 0.1, 100, false, "m/s2"},
                     {"sound", 15, 10, 50, false,
                      "speed of sound over that of a wave, sqrt(gravity * height)"},
                     {"viscosity", 0.05, 0, 1, false, "alpha of Monaghan's artificial viscosity"},
                     {"diffusion", 0.1, 0, 0.2, false, "delta of the diffusion of density"},
                     {"cfl", 0.2, 0.01, 0.3, false, "time step, in h over the speed of sound"}},
      .presets = {{"small", {}},
                  {"2d", {{"across", 215}}},
                  {"3d", {{"dimensions", 3}, {"across", 32}, {"depth", 32}, {"smoothing", 1.3}}}},
      .steps = 2000,
      .begin = begin_dam_break,
      .open = open,
      .one_machine = ""};
}

}  // namespace juxta::models
