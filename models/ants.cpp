// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ants look for food, bring it home, and leave a scent on the way, which spreads and fades and which others
// follow. Trails form, and vanish when a heap is gone.
//
// The rules are those of Wilensky's "Ants" (NetLogo, 1997; docs/sources.md). Four things differ: scent
// spreads to the 4 cells beside a cell, as fast as there to 8; what reaches the edge is lost; all ants smell
// the same moment; and headings are whole degrees.
#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/agents/fields.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "juxta/study/draw.h"
#include "models/models.h"

namespace juxta::models {
namespace {

enum Purpose : std::uint32_t { kHeading, kFood, kWiggle };  // what random numbers are for
constexpr std::uint32_t kWiggleDegrees = 40;
constexpr float kNestRadius = 5, kDrop = 60, kFaint = 0.05F, kStrong = 2;

struct Step {
  float x, y;
};

/// The unit step into each whole degree, turned on degree by degree: the same bits on every machine.
std::array<Step, 360> make_steps() {
  constexpr double kCos = 0.99984769515639123916, kSin = 0.017452406437283512819;  // of one degree
  std::array<Step, 360> steps{};
  double x = 1, y = 0;
  for (Step& step : steps) {
    step = {static_cast<float>(x), static_cast<float>(y)};
    const double turned = x * kCos - y * kSin;
    y = x * kSin + y * kCos;
    x = turned;
  }
  return steps;
}

class Ants final : public Model {
 public:
  Ants(const Parameters& p, Simulation& simulation, Population& ants, Field& scent, Field& food)
      : spread_{.amount = p.real("spread"), .decay = p.real("fade")},
        size_(static_cast<std::int32_t>(p.count("size"))),
        half_(static_cast<float>(size_) / 2),
        simulation_(simulation),
        ants_(ants),
        scent_(scent),
        food_(food),
        heading_(ants.find_column<std::int32_t>("heading").value_or(Column<std::int32_t>{})),
        carries_(ants.find_column<std::uint8_t>("carries").value_or(Column<std::uint8_t>{})),
        brought_(ants.find_column<std::uint32_t>("brought").value_or(Column<std::uint32_t>{})),
        drops_(ants.size()) {
    std::fill(smells_.begin(), smells_.end(), std::vector<float>(ants.size()));
  }

  /// A state of this model and size.
  [[nodiscard]] bool fits() const {
    const auto inside = [&](float at) { return std::abs(at) < half_; };
    const std::array<std::uint32_t, 3> cells = {static_cast<std::uint32_t>(size_),
                                                static_cast<std::uint32_t>(size_), 1};
    return heading_.index != heading_.kNone && carries_.index != carries_.kNone &&
           brought_.index != brought_.kNone && scent_.options().cells == cells &&
           food_.options().cells == cells &&
           std::ranges::all_of(ants_.read(heading_), [](std::int32_t h) { return h >= 0 && h < 360; }) &&
           std::ranges::all_of(ants_.read(ants_.position(0)), inside) &&
           std::ranges::all_of(ants_.read(ants_.position(1)), inside);
  }

  Result<void> step(const Context& context) override {
    JUXTA_TRY(smell(context));
    for (std::uint32_t row = 0; row < ants_.size(); ++row) {
      drops_[row] = row < simulation_.step() ? live(row) : 0;  // they leave one after the other
    }
    JUXTA_TRY(deposit(ants_, scent_, drops_, {.method = FieldMethod::kNearest}));
    JUXTA_TRY(scent_.diffuse(spread_, context));
    for (std::uint32_t row = 0; row < std::min<std::size_t>(simulation_.step(), ants_.size()); ++row) {
      walk(row);
    }
    JUXTA_TRY(simulation_.end_step());
    return {};
  }

  void declare(Collector& collector) const override {
    const auto food = [this] { return food_.total().value_or(0); };
    collector.add("food", food);
    collector.add("carried", [this] { return sum_of(ants_, carries_); });
    collector.add("brought", [this] { return sum_of(ants_, brought_); });
    collector.add("all_food",
                  [=, this] { return food() + sum_of(ants_, carries_) + sum_of(ants_, brought_); },
                  {.tolerance = 1e-9});
    collector.add("scent", [this] { return scent_.total().value_or(0); });
  }

  void draw(Raster& image) const override {
    const auto edge = static_cast<double>(half_);
    image.show({-edge, -edge, edge, edge});
    draw_field(
        image, scent_,
        {.hi = 4, .colour = [](double value) {
           const auto part = static_cast<std::uint8_t>(200 * std::clamp(value, 0.0, 1.0));
           return Rgb{static_cast<std::uint8_t>(250 - part), 248, static_cast<std::uint8_t>(245 - part / 2)};
         }});
    image.disc(0, 0, static_cast<double>(kNestRadius), {150, 110, 170});
    const std::span<const float> food = std::as_const(food_).values();
    for (std::size_t cell = 0; cell < food.size(); ++cell) {
      const double x = static_cast<double>(cell % static_cast<std::size_t>(size_)) - edge,
                   y = static_cast<double>(cell / static_cast<std::size_t>(size_)) - edge;
      if (food[cell] > 0) {
        image.rect(x, y, x + 1, y + 1, {40, 110, 200});
      }
    }
    draw_agents(image, ants_, 0.45, [&, carries = ants_.read(carries_)](std::uint32_t row) {
      return carries[row] != 0 ? Rgb{230, 120, 20} : Rgb{140, 20, 20};
    });
  }

 private:
  enum Where : std::size_t { kHere, kAhead, kLeft, kRight };

  static std::int32_t turned(std::int32_t heading, std::int32_t by) { return (heading + by + 720) % 360; }
  [[nodiscard]] Step ahead_of(std::uint32_t row, std::int32_t by) const {
    const Step step = steps_[static_cast<std::size_t>(turned(ants_.read(heading_)[row], by))];
    return {ants_.read(ants_.position(0))[row] + step.x, ants_.read(ants_.position(1))[row] + step.y};
  }

  /// The scent where each ant is, and a step ahead, to the left and to the right.
  Result<void> smell(const Context& context) {
    constexpr std::array<std::int32_t, 4> kTurns = {0, 0, 45, -45};
    std::vector<float> x(ants_.size()), y(ants_.size());
    JUXTA_TRY(sample(ants_, scent_, smells_[kHere], {.method = FieldMethod::kNearest}, context));
    for (const std::size_t where : {kAhead, kLeft, kRight}) {
      for (std::uint32_t row = 0; row < ants_.size(); ++row) {
        const Step there = ahead_of(row, kTurns[where]);
        x[row] = there.x;
        y[row] = there.y;
      }
      JUXTA_TRY(scent_.sample(x, y, {}, smells_[where], {.method = FieldMethod::kNearest}, context));
    }
    return {};
  }

  /// Takes, brings or turns; how much scent the ant leaves. One after the other: a heap may be empty.
  float live(std::uint32_t row) {
    const float x = ants_.read(ants_.position(0))[row], y = ants_.read(ants_.position(1))[row];
    std::int32_t& heading = ants_.write(heading_)[row];
    std::uint8_t& carries = ants_.write(carries_)[row];
    const auto cell = [&](float at) {
      return std::min(static_cast<std::size_t>(at + half_), static_cast<std::size_t>(size_) - 1);
    };
    float& heap = food_.values()[cell(x) + static_cast<std::size_t>(size_) * cell(y)];
    if (carries == 0 && heap > 0) {
      heap -= 1;
      carries = 1;
      heading = turned(heading, 180);
    } else if (carries == 0) {
      const float here = smells_[kHere][row];
      heading = here >= kFaint && here < kStrong
                    ? towards(heading, smells_[kAhead][row], smells_[kLeft][row], smells_[kRight][row])
                    : heading;
    } else if (x * x + y * y < kNestRadius * kNestRadius) {
      carries = 0;
      ++ants_.write(brought_)[row];
      heading = turned(heading, 180);
    } else {
      const auto home = [&](std::int32_t by) {
        const Step at = ahead_of(row, by);
        return -(at.x * at.x + at.y * at.y);
      };
      heading = towards(heading, home(0), home(45), home(-45));
      return kDrop;
    }
    return 0;
  }

  static std::int32_t towards(std::int32_t heading, float ahead, float left, float right) {
    return left > ahead || right > ahead ? turned(heading, right > left ? -45 : 45) : heading;
  }

  /// A wiggle, and a step on, or back at the edge.
  void walk(std::uint32_t row) {
    const auto lot = random_block(simulation_.key(kWiggle), row);
    const auto degrees = [](std::uint32_t word) {
      return static_cast<std::int32_t>(random_below(word, kWiggleDegrees));
    };
    std::int32_t& heading = ants_.write(heading_)[row];
    heading = turned(heading, degrees(lot[0]) - degrees(lot[1]));
    const auto outside = [&](Step at) { return std::max(std::abs(at.x), std::abs(at.y)) >= half_; };
    heading = outside(ahead_of(row, 0)) ? turned(heading, 180) : heading;
    const Step to = ahead_of(row, 0);
    if (!outside(to)) {
      ants_.write(ants_.position(0))[row] = to.x;
      ants_.write(ants_.position(1))[row] = to.y;
    }
  }

  Diffusion spread_;
  std::int32_t size_;
  float half_;
  Simulation& simulation_;
  Population& ants_;
  Field &scent_, &food_;
  Column<std::int32_t> heading_;
  Column<std::uint8_t> carries_;
  Column<std::uint32_t> brought_;
  std::array<Step, 360> steps_ = make_steps();
  std::array<std::vector<float>, 4> smells_;
  std::vector<float> drops_;
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const auto size = static_cast<std::uint32_t>(p.count("size"));
  const float half = static_cast<float>(size) / 2;
  const World world{.dimensions = 2, .lo = {-half, -half}, .hi = {half, half}};
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(world, seed));
  JUXTA_TRY(simulation.add_field("scent", {.world = world, .cells = {size, size, 1}}));
  JUXTA_TRY_LET(Field* const food, simulation.add_field("food", {.world = world, .cells = {size, size, 1}}));
  JUXTA_TRY_LET(Population* const ants, simulation.add_population("ants"));
  JUXTA_TRY_LET(const auto heading, ants->add_column<std::int32_t>("heading"));
  JUXTA_TRY(ants->add_column<std::uint8_t>("carries"));
  JUXTA_TRY(ants->add_column<std::uint32_t>("brought"));
  JUXTA_TRY(ants->insert(p.count("ants")));
  for (std::uint32_t row = 0; row < ants->size(); ++row) {
    const std::uint32_t word = random_u32(simulation.key(kHeading), row);
    ants->write(heading)[row] = static_cast<std::int32_t>(random_below(word, 360));
  }
  constexpr std::array<Step, 3> kHeaps = {Step{0.6F, 0}, {-0.6F, -0.6F}, {-0.8F, 0.8F}};
  for (std::uint32_t cell = 0; cell < food->cells(); ++cell) {
    const float x = static_cast<float>(cell % size) + 0.5F - half,
                y = static_cast<float>(cell / size) + 0.5F - half;
    for (const Step& heap : kHeaps) {
      const float dx = x - heap.x * half, dy = y - heap.y * half;
      if (dx * dx + dy * dy < 25) {
        food->values()[cell] = random_u32(simulation.key(kFood), cell) >> 31 == 0 ? 1.0F : 2.0F;
      }
    }
  }
  return simulation;
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  JUXTA_TRY_LET(Population* const ants, require_population(simulation, "ants"));
  Field *const scent = simulation.find_field("scent"), *const food = simulation.find_field("food");
  auto* const model =
      scent == nullptr || food == nullptr ? nullptr : new Ants(p, simulation, *ants, *scent, *food);
  Owned<Model> owned(model);
  if (model == nullptr || !model->fits()) {
    return fail(ErrorCode::kNotFound,
                "no fields \"scent\" and \"food\" of this size, or no columns of ants: not a "
                "state of this model");
  }
  return owned;
}

}  // namespace

ModelInfo ants() {
  return {.name = "ants",
          .what = "ants bring food home on trails of scent",
          .parameters = {{"size", 71, 20, 4096, true, "cells along an edge"},
                         {"ants", 125, 0, 1e7, true, "how many"},
                         {"spread", 0.1875, 0, 0.25, false,
                          "part of the difference of scent that flows, a step", true},
                         {"fade", 0.1, 0, 1, false, "part of the scent that is lost, a step", true}},
          .presets = {{"small", {{"size", 71}, {"ants", 125}}},
                      {"large", {{"size", 400}, {"ants", 20'000}}, 3000}},
          .steps = 1000,
          .begin = begin,
          .open = open,
          .one_machine = "ants take food one after the other"};
}

}  // namespace juxta::models
