// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// An epidemic among people who wander about: a model of your own as a program, which runs, collects, draws,
// saves and sweeps it. docs/models.md walks through it. State is in the columns of a Simulation, rules are in
// step().
#include <juxta/agents/see.h>
#include <juxta/core/random.h>
#include <juxta/core/try.h>
#include <juxta/study/columns.h>
#include <juxta/study/program.h>

#include <algorithm>
#include <array>
#include <span>

#include "study_epidemic_rules.h"

namespace {

using namespace juxta;

enum Purpose : std::uint32_t { kPlace, kLot };  // what random numbers are for
constexpr float kEdge = 100, kNever = 0, kRecovered = -1;

/// From a random word, in [0, 1).
float part(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24F;
}

/// Columns of people: `days` that one is still ill, or kNever, or kRecovered; `ill`, 1 when days > 0, is what
/// others see; `ill_near` is filled by the pass.
class Epidemic final : public Model {
 public:
  Epidemic(const Parameters& p, Simulation& simulation, Population& people,
           const std::array<Column<float>, 3>& columns)
      : radius_(p.real("radius")),
        healthy_(1 - p.real("infect")),
        days_(p.real("days")),
        stride_(p.real("stride")),
        simulation_(simulation),
        people_(people),
        columns_(columns) {}

  Result<void> step(const Context& context) override {
    JUXTA_TRY(people_.sort({.radius = radius_}, context));
    JUXTA_TRY(see(people_, people_, radius_, Contacts{}, {}, context));
    const Spans all{people_.write(columns_[0]), people_.write(columns_[1]), people_.read(columns_[2]),
                    people_.write(people_.position(0)), people_.write(people_.position(1))};
    JUXTA_TRY(people_.for_each([&](std::uint32_t row, Changes&) { live(all, row); }, context));
    JUXTA_TRY(simulation_.end_step());
    return {};
  }

  void declare(Collector& collector) const override {
    const auto count = [this](auto is) {
      return static_cast<double>(std::ranges::count_if(people_.read(columns_[0]), is));
    };
    collector.add("susceptible", [=] { return count([](float days) { return days == kNever; }); });
    collector.add("ill", [=] { return count([](float days) { return days > 0; }); });
    collector.add("recovered", [=] { return count([](float days) { return days == kRecovered; }); });
  }

  void draw(Raster& image) const override {
    image.show({0, 0, kEdge, kEdge});
    const auto x = people_.read(people_.position(0)), y = people_.read(people_.position(1));
    for (std::size_t row = 0; row < x.size(); ++row) {
      const float days = people_.read(columns_[0])[row];
      image.disc(x[row], y[row], 0.4,
                 days > 0             ? Rgb{200, 60, 40}
                 : days == kRecovered ? Rgb{160, 160, 160}
                                      : Rgb{40, 90, 140});
    }
  }

 private:
  struct Spans {
    std::span<float> days, ill;
    std::span<const float> ill_near;
    std::span<float> x, y;
  };

  /// One day of one person: reads and writes this row alone, for others are at work on theirs.
  void live(const Spans& all, std::uint32_t row) const {
    const auto lot = random_block(simulation_.key(kLot), random_id(people_.id_of(row)));
    float days = all.days[row];
    if (days > 0) {
      days = days > 1 ? days - 1 : kRecovered;
    } else if (days == kNever) {
      float escapes = 1;
      for (float n = all.ill_near[row]; n > 0; --n) {
        escapes *= healthy_;
      }
      days = part(lot[0]) >= escapes ? days_ : kNever;
    }
    all.days[row] = days;
    all.ill[row] = days > 0 ? 1.0F : 0.0F;
    all.x[row] = std::clamp(all.x[row] + stride_ * (2 * part(lot[1]) - 1), 0.0F, kEdge);
    all.y[row] = std::clamp(all.y[row] + stride_ * (2 * part(lot[2]) - 1), 0.0F, kEdge);
  }

  float radius_, healthy_, days_, stride_;
  Simulation& simulation_;
  Population& people_;
  std::array<Column<float>, 3> columns_;  // days, ill, ill_near
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const World world{.dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .lo = {0, 0}, .hi = {kEdge, kEdge}};
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(world, seed));
  JUXTA_TRY_LET(Population* const added, simulation.add_population("people"));
  Population& people = *added;
  JUXTA_TRY_LET(const auto columns, add_columns<float>(people, {"days", "ill"}));
  JUXTA_TRY(add_results_of<Contacts>(people));
  JUXTA_TRY(people.insert(p.count("people")));
  for (std::uint32_t row = 0; row < people.size(); ++row) {
    const bool ill = row < p.count("first");
    const auto lot = random_block(simulation.key(kPlace), row);
    people.write(people.position(0))[row] = kEdge * part(lot[0]);
    people.write(people.position(1))[row] = kEdge * part(lot[1]);
    people.write(columns[0])[row] = ill ? p.real("days") : kNever;
    people.write(columns[1])[row] = ill ? 1.0F : 0.0F;
  }
  return simulation;
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  JUXTA_TRY_LET(Population* const people, require_population(simulation, "people"));
  JUXTA_TRY_LET(const auto columns, find_columns<float>(*people, {"days", "ill", "ill_near"}));
  return Owned<Model>(new Epidemic(p, simulation, *people, columns));
}

/// People wander about. Who is near the ill may fall ill, and recovers after some days.
ModelInfo epidemic() {
  return {.name = "epidemic",
          .what = "who is near the ill may fall ill, and recovers after some days",
          .parameters = {{"people", 4000, 1, 1e7, true, "how many"},
                         {"first", 5, 0, 1e7, true, "ill at the start"},
                         {"radius", 1, 1e-3, 100, false, "how near is near"},
                         {"infect", 0.2, 0, 1, false, "chance, each day and contact"},
                         {"days", 14, 1, 1000, true, "that one is ill"},
                         {"stride", 2, 0, 100, false, "a day, at most, along each axis"}},
          .presets = {},
          .steps = 150,
          .begin = begin,
          .open = open};
}

}  // namespace

int main(int argc, char** argv) {
  return study_main(argc, argv, {epidemic()});
}
