// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Birds that fly towards those near them, with them, and not into them. In every step each bird acts once, in
// a random order, and sees what the earlier ones did.
//
// The rules are those of the field's comparison of frameworks (docs/sources.md), in doubles. At the start of
// a step the birds are filed by cells as wide as a bird sees and flies, in the order of their numbers; a
// kernel lets them act (flocking_kernel.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "models/flocking_kernel.h"
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
      : rules_{p["size"], p["radius"], p["cohere"], p["separate"], p["separation"], p["match"], p["speed"]},
        simulation_(simulation),
        birds_(birds),
        columns_(columns),
        order_(birds.size()),
        index_(birds.size()),
        cell_(birds.size()) {
    for (std::vector<double>& values : filed_) {
      values.resize(birds.size() + models_detail::kFlockingLanes);
    }
  }

  Result<void> step(const Context&) override {
    random_order(simulation_.key(kOrder), order_);
    const std::int32_t side = cells_a_side();
    file(side);
    for (std::uint32_t& turn : order_) {
      turn = index_[turn];
    }
    models_detail::fly_in_turn({.rules = rules_,
                                .side = side,
                                .cell_start = cell_start_,
                                .turns = order_,
                                .place = {filed_[0].data(), filed_[1].data()},
                                .velocity = {filed_[2].data(), filed_[3].data()}});
    take_back();
    return simulation_.end_step().map([](auto) {});
  }

  void declare(Collector& collector) const override {
    collector.add("polarisation", [this] { return polarisation(); });
  }

  void draw(Raster& image) const override {
    image.show({0, 0, rules_.size, rules_.size});
    const auto px = birds_.read(columns_[0]), py = birds_.read(columns_[1]);
    const auto vx = birds_.read(columns_[2]), vy = birds_.read(columns_[3]);
    const double length = 0.015 * rules_.size;
    for (std::size_t i = 0; i < px.size(); ++i) {
      image.line(px[i] - length * vx[i], py[i] - length * vy[i], px[i], py[i], {90, 110, 140});
      image.disc(px[i], py[i], 0.3 * length, {20, 60, 130});
    }
  }

 private:
  /// As many as leave a cell as wide as the fastest bird sees and flies, and no more than there are birds.
  /// With less than three, the cells on both sides would be one: then there is one for all.
  [[nodiscard]] std::int32_t cells_a_side() const {
    const auto vx = birds_.read(columns_[2]), vy = birds_.read(columns_[3]);
    double speed2 = 1;  // afterwards it is 1, or what it was for a bird that nothing pulls
    for (std::size_t i = 0; i < vx.size(); ++i) {
      speed2 = std::max(speed2, vx[i] * vx[i] + vy[i] * vy[i]);
    }
    constexpr double kRounding = 1 + 1e-9;
    const double reach = kRounding * (rules_.radius + rules_.speed * std::sqrt(speed2)) + 1e-12 * rules_.size;
    const double side = std::min(rules_.size / reach, std::sqrt(static_cast<double>(birds_.size())));
    return side >= 3 ? static_cast<std::int32_t>(side) : 1;
  }

  /// Copies the birds in the order of their cells, and of their numbers in a cell.
  void file(std::int32_t side) {
    const auto px = birds_.read(columns_[0]), py = birds_.read(columns_[1]);
    const double cells_per_length = side / rules_.size;
    cell_start_.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side) + 1, 0);
    for (std::size_t i = 0; i < cell_.size(); ++i) {
      cell_[i] =
          static_cast<std::uint32_t>(models_detail::flocking_cell(py[i], cells_per_length, side) * side +
                                     models_detail::flocking_cell(px[i], cells_per_length, side));
      ++cell_start_[cell_[i] + 1];
    }
    for (std::size_t cell = 1; cell < cell_start_.size(); ++cell) {
      cell_start_[cell] += cell_start_[cell - 1];
    }
    const std::array<std::span<const double>, 4> columns{px, py, birds_.read(columns_[2]),
                                                         birds_.read(columns_[3])};
    for (std::size_t i = 0; i < cell_.size(); ++i) {
      index_[i] = cell_start_[cell_[i]]++;  // and so ends where the cell ends
      for (std::size_t c = 0; c < 4; ++c) {
        filed_[c][index_[i]] = columns[c][i];
      }
    }
    std::copy_backward(cell_start_.begin(), cell_start_.end() - 1, cell_start_.end());
    cell_start_.front() = 0;
  }

  void take_back() {
    for (std::size_t c = 0; c < 4; ++c) {
      const auto column = birds_.write(columns_[c]);
      for (std::size_t i = 0; i < column.size(); ++i) {
        column[i] = filed_[c][index_[i]];
      }
    }
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      const auto place = birds_.read(columns_[axis]);
      std::copy(place.begin(), place.end(), birds_.write(birds_.position(axis)).begin());
    }
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

  models_detail::FlockingRules rules_;
  Simulation& simulation_;
  Population& birds_;
  std::array<Column<double>, 4> columns_;
  std::vector<std::uint32_t> order_;  // whose turn it is
  // Filed for a step: where a bird is, by number; its cell; where cells begin; px, py, vx, vy by place.
  std::vector<std::uint32_t> index_, cell_, cell_start_;
  std::array<std::vector<double>, 4> filed_;
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
  return {
      .name = "flocking",
      .what = "birds that see, one after the other (the field's comparison of frameworks)",
      .parameters = {{"birds", 200, 0, 100'000, true, "how many"},
                     {"size", 100, 1e-3, 1e6, false, "edge of the periodic square"},
                     {"radius", 5, 0, 1e6, false, "how far a bird sees", true},
                     {"cohere", 0.03, 0, 1e3, false, "how much it flies towards its neighbours", true},
                     {"separate", 0.015, 0, 1e3, false, "how much away from those that are too near", true},
                     {"separation", 1, 0, 1e6, false, "what is too near", true},
                     {"match", 0.05, 0, 1e3, false, "how much it flies with them", true},
                     {"speed", 1, 0, 1e6, false, "length of a step", true}},
      .presets = {{"small", {}}, {"large", {{"birds", 400}, {"size", 150}, {"radius", 15}}}},
      .steps = 100,
      .begin = begin,
      .open = open,
      .one_machine = "birds act one after the other"};
}

}  // namespace juxta::models
