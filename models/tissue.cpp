// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A sheet of cells that grows as far as oxygen reaches. Cells consume oxygen, which comes in from the edge of
// the dish. Where there is enough of it, and space, they divide. Where there is too little, they die and
// dissolve. A small colony grows everywhere, a large one at its rim, around a core of dead cells.
//
// That is the common core of models of tumour spheroids: cells as discs that push each other apart, oxygen as
// a field, in the way of Ghaffarizadeh et al., "PhysiCell: an open source physics-based cell simulator for
// 3-D multicellular systems" (2018; docs/sources.md), with far simpler cells. A length of 1 is the diameter
// of a cell, and a cell of the field; 1 is the oxygen at the edge.
//
// Oxygen is much faster than cells, so that a step has several rounds:
//
//   oxygen += diffusion, 8 steps of 0.2      oxygen /= 1 + uptake * (living cells there)      oxygen at the
//   edge = 1
//
// It falls to 1/e over sqrt(1.6 / (uptake * cells per area)) diameters: 12 for an uptake of 0.01.
#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/agents/fields.h"
#include "juxta/agents/see.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "juxta/study/draw.h"
#include "models/models.h"
#include "models/tissue_rules.h"

namespace juxta::models {
namespace {

enum Purpose : std::uint32_t { kPlace, kLot };  // what random numbers are for
enum Component : std::uint32_t { kOxygen, kCells };
constexpr Diffusion kSpread{.amount = 0.2F, .steps = 8, .component = kOxygen};
constexpr const char* kColumns[] = {"alive", "oxygen", "push_x", "push_y", "pressure"};

class Tissue final : public Model {
 public:
  Tissue(const Parameters& p, Simulation& simulation, Population& cells,
         const std::array<Column<float>, 5>& columns, Field& medium)
      : rounds_(p.count("rounds")),
        uptake_(p.real("uptake")),
        enough_(p.real("enough")),
        starving_(p.real("starving")),
        divide_(p.real("divide")),
        die_(p.real("die")),
        dissolve_(p.real("dissolve")),
        crowded_(p.real("crowded")),
        edge_(simulation.world().hi.x),
        simulation_(simulation),
        cells_(cells),
        medium_(medium),
        columns_(columns) {}

  Result<void> step(const Context& context) override {
    JUXTA_TRY(cells_.sort({.radius = 1}, context));
    JUXTA_TRY(see(cells_, cells_, 1, Press{}, {}, context));
    JUXTA_TRY(breathe(context));
    const Spans all{cells_.write(columns_[0]),       cells_.read(columns_[1]),
                    cells_.read(columns_[2]),        cells_.read(columns_[3]),
                    cells_.read(columns_[4]),        cells_.write(cells_.position(0)),
                    cells_.write(cells_.position(1))};
    JUXTA_TRY(
        cells_.for_each([&](std::uint32_t row, Changes& changes) { live(all, row, changes); }, context));
    JUXTA_TRY(simulation_.end_step());
    return {};
  }

  void declare(Collector& collector) const override {
    collector.add("living", [this] { return count_with(cells_, columns_[0], 1.0F); });
    collector.add("dead", [this] { return count_with(cells_, columns_[0], 0.0F); });
    collector.add("radius", [this] { return radius(); });
    collector.add("least_oxygen", [this] {
      const auto oxygen = std::as_const(medium_).values(kOxygen);
      return static_cast<double>(*std::ranges::min_element(oxygen));
    });
  }

  void draw(Raster& image) const override {
    const auto edge = static_cast<double>(edge_);
    image.show({-edge, -edge, edge, edge});
    draw_field(image, medium_,
               {.component = kOxygen, .colour = [](double oxygen) {
                  const auto part = static_cast<std::uint8_t>(150 * std::clamp(oxygen, 0.0, 1.0));
                  return Rgb{static_cast<std::uint8_t>(90 + part), static_cast<std::uint8_t>(80 + part), 240};
                }});
    const auto alive = cells_.read(columns_[0]), oxygen = cells_.read(columns_[1]);
    draw_agents(image, cells_, 0.48, [&](std::uint32_t row) {
      return alive[row] == 0          ? Rgb{70, 50, 50}
             : oxygen[row] >= enough_ ? Rgb{210, 60, 70}
                                      : Rgb{230, 160, 120};
    });
  }

 private:
  struct Spans {
    std::span<float> alive;
    std::span<const float> oxygen, push_x, push_y, pressure;
    std::span<float> x, y;
  };

  /// Oxygen spreads and is consumed; then each cell knows how much there is.
  Result<void> breathe(const Context& context) {
    JUXTA_TRY(medium_.fill(0, kCells));
    JUXTA_TRY(deposit(cells_, medium_, cells_.read(columns_[0]), {.component = kCells}));
    const std::size_t nx = medium_.options().cells[0], ny = medium_.options().cells[1];
    for (std::size_t round = 0; round < rounds_; ++round) {
      JUXTA_TRY(medium_.diffuse(kSpread, context));
      const auto oxygen = medium_.values(kOxygen), cells = medium_.values(kCells);
      for (std::size_t i = 0; i < oxygen.size(); ++i) {
        const std::size_t cell = medium_.first_cell() + i, x = cell % nx, y = cell / nx;
        const bool edge = x == 0 || y == 0 || x + 1 == nx || y + 1 == ny;
        oxygen[i] = edge ? 1 : oxygen[i] / (1 + uptake_ * cells[i]);
      }
    }
    return sample(cells_, medium_, cells_.write(columns_[1]), {.component = kOxygen}, context);
  }

  /// One cell's step: writes this row alone, for others are at work on theirs.
  void live(const Spans& all, std::uint32_t row, Changes& changes) const {
    const auto lot = random_block(simulation_.key(kLot), random_id(cells_.id_of(row)));
    const auto part = [&](std::size_t i) { return random_fraction(lot[i]); };
    const auto moved = [&](float at, float push) {
      return std::clamp(at + std::clamp(push / 4, -0.25F, 0.25F), -edge_, edge_);
    };
    all.x[row] = moved(all.x[row], all.push_x[row]);
    all.y[row] = moved(all.y[row], all.push_y[row]);
    if (all.alive[row] == 0) {
      if (part(0) < dissolve_) {
        changes.kill(row);
      }
    } else if (all.oxygen[row] < starving_) {
      all.alive[row] = part(0) < die_ ? 0.0F : 1.0F;
    } else if (all.oxygen[row] >= enough_ && all.pressure[row] < crowded_ && part(0) < divide_) {
      const auto beside = [&](float at, std::size_t i) {
        return std::clamp(at + part(i) - 0.5F, -edge_, edge_);
      };
      changes.spawn_like(row)
          .set(cells_.position(0), beside(all.x[row], 1))
          .set(cells_.position(1), beside(all.y[row], 2));
    }
  }

  /// Of a disc in which cells would be as far from the middle, on average.
  [[nodiscard]] double radius() const {
    const auto x = cells_.read(cells_.position(0)), y = cells_.read(cells_.position(1));
    double sum = 0;
    for (std::size_t row = 0; row < x.size(); ++row) {
      const auto dx = static_cast<double>(x[row]), dy = static_cast<double>(y[row]);
      sum += dx * dx + dy * dy;
    }
    return x.empty() ? 0 : std::sqrt(2 * sum / static_cast<double>(x.size()));
  }

  std::size_t rounds_;
  float uptake_, enough_, starving_, divide_, die_, dissolve_, crowded_, edge_;
  Simulation& simulation_;
  Population& cells_;
  Field& medium_;
  std::array<Column<float>, 5> columns_;
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const auto size = static_cast<std::uint32_t>(p.count("size"));
  const float edge = static_cast<float>(size) / 2;
  const World world{
      .dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .lo = {-edge, -edge}, .hi = {edge, edge}};
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(world, seed));
  JUXTA_TRY_LET(Field* const medium,
                simulation.add_field("medium", {.world = world, .cells = {size, size, 1}, .components = 2}));
  JUXTA_TRY(medium->fill(1, kOxygen));
  JUXTA_TRY_LET(Population* const cells, simulation.add_population("cells"));
  JUXTA_TRY_LET(const auto alive, cells->add_column<float>("alive", 1.0F));
  JUXTA_TRY(cells->add_column<float>("oxygen", 1.0F));
  JUXTA_TRY(add_results_of<Press>(*cells));
  JUXTA_TRY(cells->insert(p.count("cells")));
  // In a square of as many places as there are cells.
  const float side = std::sqrt(static_cast<float>(cells->size()));
  for (std::uint32_t row = 0; row < cells->size(); ++row) {
    const auto lot = random_block(simulation.key(kPlace), row);
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      const float at = (random_fraction(lot[axis]) - 0.5F) * side;
      cells->write(cells->position(axis))[row] = std::clamp(at, -edge, edge);
    }
    cells->write(alive)[row] = 1;
  }
  return simulation;
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  JUXTA_TRY_LET(Population* const cells, require_population(simulation, "cells"));
  JUXTA_TRY_LET(const auto columns, find_columns<float>(*cells, kColumns));
  Field* const medium = simulation.find_field("medium");
  if (medium == nullptr || medium->options().components != 2 ||
      medium->options().cells[0] != p.count("size") || medium->options().cells[1] != p.count("size")) {
    return fail(ErrorCode::kNotFound, "no field \"medium\" of this size: not a state of this model");
  }
  return Owned<Model>(new Tissue(p, simulation, *cells, columns, *medium));
}

}  // namespace

ModelInfo tissue() {
  return {.name = "tissue",
          .what = "cells grow as far as oxygen reaches, around a core of dead ones",
          .parameters = {{"size", 120, 8, 8192, true, "edge of the dish, in diameters of a cell"},
                         {"cells", 60, 0, 1e7, true, "at the start"},
                         {"rounds", 6, 1, 1000, true, "of diffusion and uptake, a step", true},
                         {"uptake", 0.01, 0, 10, false, "of a cell, a round, as a part of the oxygen there",
                          true},
                         {"enough", 0.4, 0, 1, false, "oxygen that a cell needs to divide", true},
                         {"starving", 0.15, 0, 1, false, "oxygen below which cells die", true},
                         {"divide", 0.04, 0, 1, false, "probability, a step", true},
                         {"die", 0.05, 0, 1, false, "probability, a step, of cells without oxygen", true},
                         {"dissolve", 0.005, 0, 1, false, "probability, a step, of dead cells", true},
                         {"crowded", 1.5, 0, 100, false, "sum of overlaps at which a cell does not divide",
                          true}},
          .presets = {{"small", {{"size", 80}}}, {"large", {{"size", 600}, {"cells", 4000}}, 600}},
          .steps = 400,
          .begin = begin,
          .open = open,
          .one_machine = ""};
}

}  // namespace juxta::models
