// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The flock of Tay's demonstration: birds in open space that go by those ahead of them. All see the same
// moment, then all move: the passes of docs/interactions.md do the work.
#include <array>
#include <cmath>

#include "juxta/agents/act.h"
#include "juxta/agents/see.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "models/flock_3d_rules.h"
#include "models/models.h"

namespace juxta::models {
namespace {

/// What random numbers are for.
enum Purpose : std::uint32_t { kPlace, kDirection };

constexpr const char* kDirections[] = {"ux", "uy", "uz"};

class Flock3d final : public Model {
 public:
  Flock3d(const Parameters& p, Simulation& simulation, Population& birds,
          std::array<Column<float>, 3> directions)
      : see_{p.real("radius"), p.real("separation")},
        turn_{p.real("align"), p.real("separate"), p.real("cohere"),
              p.real("home"),  p.real("pull"),     p.real("speed")},
        edge_(p["edge"]),
        simulation_(simulation),
        birds_(birds),
        directions_(directions) {}

  Result<void> step(const Context& context) override {
    JUXTA_TRY(birds_.sort({.radius = see_.radius}, context));
    JUXTA_TRY(see(birds_, birds_, see_.radius, see_, {}, context));
    JUXTA_TRY(act(birds_, turn_, context));
    JUXTA_TRY(simulation_.end_step());
    return {};
  }

  void declare(Collector& collector) const override {
    collector.add("polarisation", [this] { return polarisation(); });
    collector.add("in_step", [this] { return in_step(); });
    collector.add("seen_ahead", [this] { return mean("ahead"); });
  }

  /// From above; the higher a bird flies, the brighter.
  void draw(Raster& image) const override {
    image.fill({12, 16, 28});
    image.show({-edge_, -edge_, edge_, edge_});
    const auto x = birds_.read(birds_.position(0)), y = birds_.read(birds_.position(1));
    const auto z = birds_.read(birds_.position(2));
    for (std::size_t i = 0; i < birds_.size(); ++i) {
      const auto height = (static_cast<double>(z[i]) + edge_) / (2 * edge_);
      image.disc(static_cast<double>(x[i]), static_cast<double>(y[i]), edge_ / 300, colour_of(height));
    }
  }

 private:
  [[nodiscard]] double mean(const char* column) const {
    double sum = 0;
    for (const float value : birds_.read(*birds_.find_column<float>(column))) {
      sum += static_cast<double>(value);
    }
    return birds_.size() == 0 ? 0 : sum / static_cast<double>(birds_.size());
  }
  /// 1 when all fly the same way, 0 when they fly everywhere.
  [[nodiscard]] double polarisation() const {
    const double x = mean("ux"), y = mean("uy"), z = mean("uz");
    return std::sqrt(x * x + y * y + z * z);
  }

  /// How much those ahead fly a bird's own way: 1 when they all do, 0 when everywhere.
  [[nodiscard]] double in_step() const {
    const auto read = [&](const char* name) { return birds_.read(*birds_.find_column<float>(name)); };
    double sum = 0, ahead = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto with = read(std::array{"with_x", "with_y", "with_z"}[axis]),
                 u = birds_.read(directions_[axis]);
      for (std::size_t i = 0; i < u.size(); ++i) {
        sum += static_cast<double>(with[i] * u[i]);
      }
    }
    for (const float n : read("ahead")) {
      ahead += static_cast<double>(n);
    }
    return ahead > 0 ? sum / ahead : 0;
  }

  Ahead see_;
  Turn turn_;
  double edge_;
  Simulation& simulation_;
  Population& birds_;
  std::array<Column<float>, 3> directions_;
};

Result<Owned<Model>> open(const Parameters& parameters, Simulation& simulation) {
  return require_population(simulation, "birds").and_then([&](Population* birds) {
    return find_columns<float>(*birds, kDirections).map([&](const auto& directions) {
      return Owned<Model>(new Flock3d(parameters, simulation, *birds, directions));
    });
  });
}

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  return Simulation::build({.dimensions = 3}, seed)
      .and_then([&](Simulation simulation) -> Result<Simulation> {
        Population& birds = **simulation.add_population("birds");
        const auto directions = *add_columns<float>(birds, kDirections);
        if (auto added =
                add_results_of<Ahead>(birds).and_then([&] { return birds.insert(p.count("birds")); });
            !added) {
          return tl::unexpected<Error>(added.error());
        }
        for (std::uint32_t bird = 0; bird < birds.size(); ++bird) {
          Vec3 u{};
          for (std::uint32_t axis = 0; axis < 3; ++axis) {
            const float place = random_float(simulation.key(kPlace), 3 * std::uint64_t{bird} + axis);
            birds.write(birds.position(axis))[bird] = (2 * place - 1) * p.real("start");
            u[axis] = 2 * random_float(simulation.key(kDirection), 3 * std::uint64_t{bird} + axis) - 1;
          }
          const float norm = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
          for (std::size_t axis = 0; axis < 3; ++axis) {
            birds.write(directions[axis])[bird] = norm > 0 ? u[axis] / norm : (axis == 0 ? 1.0F : 0.0F);
          }
        }
        return simulation;
      });
}

}  // namespace

ModelInfo flock_3d() {
  return {.name = "flock_3d",
          .what = "birds in open space that go by those ahead of them (Tay's demonstration)",
          .parameters = {{"birds", 30'000, 0, 10'000'000, true, "how many"},
                         {"start", 300, 1, 1e5, false, "half the edge of the cube that they start in"},
                         {"radius", 20, 1e-3, 1e5, false, "how far a bird sees", true},
                         {"separation", 10, 0, 1e5, false, "what is too near", true},
                         {"align", 0.02, 0, 10, false, "how much it turns into the direction of those ahead",
                          true},
                         {"separate", 0.02, 0, 10, false, "how much away from those that are too near", true},
                         {"cohere", 0.001, 0, 10, false, "how much towards those ahead", true},
                         {"home", 400, 0, 1e6, false,
                          "distance from the middle from which on it is drawn back", true},
                         {"pull", 1e-5, 0, 1, false, "how much, per unit beyond", true},
                         {"speed", 1, 0, 1e3, false, "length of a step", true},
                         {"edge", 500, 1, 1e6, false, "half the edge of the square that pictures show"}},
          .presets = {{"small", {{"birds", 3000}, {"start", 140}, {"home", 190}, {"edge", 230}}}},
          .steps = 300,
          .begin = begin,
          .open = open,
          .one_machine = ""};
}

}  // namespace juxta::models
