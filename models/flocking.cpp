// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Birds that fly towards those near them, with them, and not into them. In every step each bird acts once, in
// a random order, and sees what the earlier ones did.
//
// The rules are those of the field's comparison of frameworks (docs/sources.md), in doubles, to the letter: a
// bird adds up its neighbours in the order of their numbers. Who may be near is found in floats, sixteen at a
// time and with some slack; who is, and all else, is decided in doubles. That is simple and serves about a
// hundred birds; for more, cells a radius wide are faster (tests/models/scalar/flocking_grid.cpp).
#include <array>
#include <cmath>
#include <vector>

#include "juxta/agents/find_near.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "models/models.h"

namespace juxta::models {
namespace {

/// What random numbers are for.
enum Purpose : std::uint32_t { kPlace, kDirection, kOrder };

class Flocking final : public Model {
 public:
  /// Columns px, py, vx, vy of doubles; x and y are px and py as floats. Nothing sorts birds: row is number.
  Flocking(const Parameters& p, Simulation& simulation, Population& birds,
           std::array<Column<double>, 4> columns)
      : size_(p["size"]),
        radius_(p["radius"]),
        cohere_(p["cohere"]),
        separate_(p["separate"]),
        separation_(p["separation"]),
        match_(p["match"]),
        speed_(p["speed"]),
        simulation_(simulation),
        birds_(birds),
        columns_(columns),
        order_(birds.size()),
        near_(birds.size()) {}

  Result<void> step(const Context&) override {
    const Birds birds{birds_.write(birds_.position(0)), birds_.write(birds_.position(1)),
                      birds_.write(columns_[0]),        birds_.write(columns_[1]),
                      birds_.write(columns_[2]),        birds_.write(columns_[3])};
    random_order(simulation_.key(kOrder), order_);
    for (const std::uint32_t bird : order_) {
      act(birds, bird);
    }
    return simulation_.end_step().map([](auto) {});
  }

  void declare(Collector& collector) const override {
    collector.add("polarisation", [this] { return polarisation(); });
  }

  void draw(Raster& image) const override {
    image.show({0, 0, size_, size_});
    const auto px = birds_.read(columns_[0]), py = birds_.read(columns_[1]);
    const auto vx = birds_.read(columns_[2]), vy = birds_.read(columns_[3]);
    const double length = 0.015 * size_;
    for (std::size_t i = 0; i < px.size(); ++i) {
      image.line(px[i] - length * vx[i], py[i] - length * vy[i], px[i], py[i], {90, 110, 140});
      image.disc(px[i], py[i], 0.3 * length, {20, 60, 130});
    }
  }

 private:
  struct Birds {
    std::span<float> x, y;
    std::span<double> px, py, vx, vy;
  };
  /// The nearest image's difference.
  [[nodiscard]] double towards(double from, double to) const {
    const double d = to - from;
    return d > size_ / 2 ? d - size_ : d < -size_ / 2 ? d + size_ : d;
  }
  [[nodiscard]] double inside(double x) const {
    x -= size_ * std::floor(x / size_);
    return x < size_ ? x : 0;
  }

  void act(const Birds& birds, std::uint32_t bird) {
    const double px = birds.px[bird], py = birds.py[bird];
    const auto slack = static_cast<float>(1e-6 * (size_ + radius_));  // of places rounded to floats
    const std::size_t found =
        find_near(birds_, {birds.x[bird], birds.y[bird], 0}, static_cast<float>(radius_) + slack, near_)
            .written;
    double cohere_x = 0, cohere_y = 0, match_x = 0, match_y = 0, separate_x = 0, separate_y = 0, n = 0;
    for (std::size_t i = 0; i < found; ++i) {
      const std::uint32_t other = near_[i];
      const double dx = towards(px, birds.px[other]), dy = towards(py, birds.py[other]);
      const double distance2 = dx * dx + dy * dy;
      if (other != bird && distance2 <= radius_ * radius_) {
        n += 1;
        cohere_x += dx;
        cohere_y += dy;
        match_x += birds.vx[other];
        match_y += birds.vy[other];
        if (distance2 < separation_ * separation_) {
          separate_x -= dx;
          separate_y -= dy;
        }
      }
    }
    n = n > 1 ? n : 1;
    const double vx = birds.vx[bird] + (cohere_x * cohere_ + separate_x * separate_ + match_x * match_) / n;
    const double vy = birds.vy[bird] + (cohere_y * cohere_ + separate_y * separate_ + match_y * match_) / n;
    if (const double norm = std::sqrt(vx * vx + vy * vy); norm > 0) {  // else it flies on
      birds.vx[bird] = vx / norm;
      birds.vy[bird] = vy / norm;
    }
    birds.px[bird] = inside(px + birds.vx[bird] * speed_);
    birds.py[bird] = inside(py + birds.vy[bird] * speed_);
    birds.x[bird] = static_cast<float>(birds.px[bird]);
    birds.y[bird] = static_cast<float>(birds.py[bird]);
  }

  /// 1 when all fly the same way, 0 when they fly everywhere.
  [[nodiscard]] double polarisation() const {
    const auto vx = birds_.read(columns_[2]), vy = birds_.read(columns_[3]);
    double x = 0, y = 0, speed = 0;
    for (std::size_t i = 0; i < vx.size(); ++i) {
      x += vx[i];
      y += vy[i];
      speed += std::sqrt(vx[i] * vx[i] + vy[i] * vy[i]);
    }
    return speed > 0 ? std::sqrt(x * x + y * y) / speed : 0;
  }

  double size_, radius_, cohere_, separate_, separation_, match_, speed_;
  Simulation& simulation_;
  Population& birds_;
  std::array<Column<double>, 4> columns_;
  std::vector<std::uint32_t> order_, near_;
};

constexpr const char* kColumns[] = {"px", "py", "vx", "vy"};

Result<Owned<Model>> open(const Parameters& parameters, Simulation& simulation) {
  return require_population(simulation, "birds").and_then([&](Population* birds) {
    return find_columns<double>(*birds, kColumns).map([&](const auto& columns) {
      return Owned<Model>(new Flocking(parameters, simulation, *birds, columns));
    });
  });
}

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const auto size = p.real("size");
  const World world{2, {Edge::kPeriodic, Edge::kPeriodic}, {}, {size, size}};
  return Simulation::build(world, seed).and_then([&](Simulation simulation) -> Result<Simulation> {
    Population& birds = **simulation.add_population("birds");
    const auto columns = *add_columns<double>(birds, kColumns);
    JUXTA_TRY(birds.insert(p.count("birds")));
    for (std::size_t c = 0; c < 4; ++c) {  // places in [0, size), velocities in [-1, 1)
      const RandomKey key = simulation.key(c < 2 ? kPlace : kDirection);
      for (std::uint32_t bird = 0; bird < birds.size(); ++bird) {
        const double part = random_double(key, 2 * bird + c % 2);
        birds.write(columns[c])[bird] = c < 2 ? part * p["size"] : 2 * part - 1;
        if (c < 2) {
          birds.write(birds.position(static_cast<std::uint32_t>(c)))[bird] =
              static_cast<float>(part * p["size"]);
        }
      }
    }
    return simulation;
  });
}

}  // namespace

ModelInfo flocking() {
  return {.name = "flocking",
          .what = "birds that see, one after the other (the field's comparison of frameworks)",
          .parameters = {{"birds", 200, 0, 100'000, true, "how many"},
                         {"size", 100, 1e-3, 1e6, false, "edge of the periodic square"},
                         {"radius", 5, 0, 1e6, false, "how far a bird sees"},
                         {"cohere", 0.03, 0, 1e3, false, "how much it flies towards its neighbours"},
                         {"separate", 0.015, 0, 1e3, false, "how much away from those that are too near"},
                         {"separation", 1, 0, 1e6, false, "what is too near"},
                         {"match", 0.05, 0, 1e3, false, "how much it flies with them"},
                         {"speed", 1, 0, 1e6, false, "length of a step"}},
          .presets = {{"small", {}}, {"large", {{"birds", 400}, {"size", 150}, {"radius", 15}}}},
          .steps = 100,
          .begin = begin,
          .open = open};
}

}  // namespace juxta::models
