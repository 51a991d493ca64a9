// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Foxes and hares: two populations that see each other, births, deaths, and references. A fox keeps after one
// hare until somebody has caught it; then its reference is Id{}, and it looks for another one.
#include <juxta/agents/act.h>
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>
#include <juxta/core/executor.h>
#include <juxta/core/random.h>
#include <juxta/core/try.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "agents_predators_rules.h"

namespace {

using juxta::Column;
using juxta::Population;
using juxta::Result;

constexpr float kWorld = 64, kSight = 3, kBite = 0.25F, kStep = 0.1F, kFoxSpeed = 3.2F;
constexpr std::size_t kHares = 3000, kFoxes = 60;
constexpr int kSteps = 150;
/// What random numbers are for.
enum Purpose : std::uint32_t { kPlaceX, kPlaceY, kHop, kBirth };

/// From one to the other by the shorter way around.
float nearest_image(float d) {
  return d > kWorld / 2 ? d - kWorld : d < -kWorld / 2 ? d + kWorld : d;
}

/// What happened in all steps.
struct Tally {
  std::size_t hares_born = 0, hares_caught = 0, foxes_born = 0, foxes_starved = 0, nulled = 0;
  bool consistent = true;  // of every step: sizes add up, and no reference is to the dead
};

class Meadow {
 public:
  Meadow(juxta::Simulation& simulation, const juxta::Context& context)
      : simulation_(simulation), context_(context) {}

  Result<void> fill() {
    auto hares = simulation_.add_population("hares"), foxes = simulation_.add_population("foxes");
    if (!hares || !foxes) {
      return tl::unexpected<juxta::Error>(!hares ? hares.error() : foxes.error());
    }
    hares_ = *hares;
    foxes_ = *foxes;
    auto hare_columns = hares_->add_columns({"vx", "vy", "tag", "company", "away_x", "away_y"});
    auto fox_columns = foxes_->add_columns({"energy", "near2", "who"});
    auto target = foxes_->add_references("target", *hares_);
    if (!hare_columns || !fox_columns || !target) {
      return tl::unexpected<juxta::Error>(!hare_columns  ? hare_columns.error()
                                          : !fox_columns ? fox_columns.error()
                                                         : target.error());
    }
    target_ = *target;
    auto placed = place(*hares_, kHares, 0);
    placed = placed ? place(*foxes_, kFoxes, kHares) : placed;
    std::ranges::fill(foxes_->write(column(*foxes_, "energy")), 5.0F);
    return placed;
  }

  Result<void> step(Tally& tally) {
    JUXTA_TRY(see_all());
    choose_targets();
    JUXTA_TRY(juxta::act(*hares_, meadow::Run{kStep, 0.5F, 3}, context_));
    chase();
    const std::size_t caught = bite();
    multiply();
    const std::size_t hares = hares_->size(), foxes = foxes_->size();
    JUXTA_TRY_LET(const auto ended, simulation_.end_step());
    const juxta::StepReport &h = (ended)[0], &f = (ended)[1];
    tally.hares_born += h.born;
    tally.hares_caught += h.died;
    tally.foxes_born += f.born;
    tally.foxes_starved += f.died;
    tally.nulled += f.nulled;
    tally.consistent = tally.consistent && h.died == caught && hares_->size() == hares + h.born - h.died &&
                       foxes_->size() == foxes + f.born - f.died && no_reference_is_dead();
    return {};
  }

  [[nodiscard]] const Population& hares() const { return *hares_; }
  [[nodiscard]] const Population& foxes() const { return *foxes_; }

 private:
  static Column<float> column(const Population& population, const char* name) {
    return *population.find_column<float>(name);
  }

  Result<void> place(Population& population, std::size_t count, std::uint64_t first) const {
    JUXTA_TRY(population.insert(count));
    const auto x = population.write(population.position(0)), y = population.write(population.position(1));
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = kWorld * juxta::random_float(simulation_.key(kPlaceX), first + i);
      y[i] = kWorld * juxta::random_float(simulation_.key(kPlaceY), first + i);
    }
    return {};
  }

  /// Foxes see hares, hares see hares and foxes: all see the state as it is now.
  Result<void> see_all() {
    for (Population* population : {hares_, foxes_}) {
      JUXTA_TRY(population->sort({.radius = kSight}, context_));
    }
    const auto tag = hares_->write(column(*hares_, "tag"));
    for (std::size_t row = 0; row < tag.size(); ++row) {
      tag[row] = static_cast<float>(row);
    }
    JUXTA_TRY(juxta::see(*foxes_, *hares_, kSight, meadow::Nearest{}, {}, context_));
    JUXTA_TRY(juxta::see(*foxes_, *hares_, kSight, meadow::WhoIsNearest{}, {}, context_));
    JUXTA_TRY(juxta::see(*hares_, *hares_, kSight, meadow::Company{}, {}, context_));
    JUXTA_TRY(juxta::see(*hares_, *foxes_, kSight, meadow::Fear{}, {}, context_));
    return {};
  }

  /// A fox without a target takes the nearest hare that it sees.
  void choose_targets() {
    const auto target = foxes_->write(target_);
    const auto who = foxes_->read(column(*foxes_, "who"));
    foxes_->for_each(
        [&](std::uint32_t row, juxta::Changes&) {
          if (target[row] == juxta::Id{} && std::isfinite(who[row])) {
            target[row] = hares_->id_of(static_cast<std::uint32_t>(who[row]));
          }
        },
        context_);
  }

  /// From fox to its hare; false when it has none.
  bool way_to_target(std::uint32_t fox, float& dx, float& dy) const {
    const auto row = hares_->row_of(foxes_->read(target_)[fox]);
    if (!row) {
      return false;
    }
    dx = nearest_image(hares_->read(hares_->position(0))[*row] - foxes_->read(foxes_->position(0))[fox]);
    dy = nearest_image(hares_->read(hares_->position(1))[*row] - foxes_->read(foxes_->position(1))[fox]);
    return true;
  }

  void chase() {
    const auto x = foxes_->write(foxes_->position(0)), y = foxes_->write(foxes_->position(1));
    const auto energy = foxes_->write(column(*foxes_, "energy"));
    foxes_->for_each(
        [&](std::uint32_t fox, juxta::Changes&) {
          float dx = 0, dy = 0;
          if (way_to_target(fox, dx, dy)) {
            const float distance = std::sqrt(dx * dx + dy * dy);
            const float part = std::min(kFoxSpeed * kStep / std::max(distance, 1e-6F), 1.0F);
            x[fox] += dx * part;
            y[fox] += dy * part;
          }
          energy[fox] -= 0.06F;
        },
        context_);
  }

  /// Two foxes may bite one hare: it dies once, and both have eaten.
  std::size_t bite() {
    const auto energy = foxes_->write(column(*foxes_, "energy"));
    const auto target = foxes_->read(target_);
    std::vector<std::uint32_t> caught;
    for (std::uint32_t fox = 0; fox < foxes_->size(); ++fox) {
      float dx = 0, dy = 0;
      if (way_to_target(fox, dx, dy) && dx * dx + dy * dy <= kBite * kBite) {
        caught.push_back(*hares_->row_of(target[fox]));
        hares_->changes().kill(caught.back());
        energy[fox] += 1;
      }
    }
    std::ranges::sort(caught);
    caught.erase(std::unique(caught.begin(), caught.end()), caught.end());
    return caught.size();
  }

  /// Births and the deaths of the hungry, at the end of the step.
  void multiply() {
    const auto company = hares_->read(column(*hares_, "company"));
    const auto vx = hares_->write(column(*hares_, "vx")), vy = hares_->write(column(*hares_, "vy"));
    const juxta::RandomKey hop = simulation_.key(kHop), birth = simulation_.key(kBirth);
    hares_->for_each(
        [&](std::uint32_t row, juxta::Changes& changes) {
          const std::uint64_t who = juxta::random_id(hares_->id_of(row));
          const auto turn = juxta::random_block(hop, who);
          vx[row] += (juxta::random_fraction(turn[0]) - 0.5F) * 0.8F;
          vy[row] += (juxta::random_fraction(turn[1]) - 0.5F) * 0.8F;
          if (company[row] < 25 && juxta::random_float(birth, who) < 0.012F) {
            changes.spawn_like(row);
          }
        },
        context_);
    const auto energy = foxes_->write(column(*foxes_, "energy"));
    foxes_->for_each(
        [&](std::uint32_t row, juxta::Changes& changes) {
          if (energy[row] <= 0) {
            changes.kill(row);
          } else if (energy[row] > 8) {
            energy[row] /= 2;
            changes.spawn_like(row).set(target_, juxta::Id{});
          }
        },
        context_);
  }

  [[nodiscard]] bool no_reference_is_dead() const {
    return std::ranges::all_of(foxes_->read(target_),
                               [&](juxta::Id id) { return id == juxta::Id{} || hares_->alive(id); });
  }

  juxta::Simulation& simulation_;
  juxta::Context context_;
  Population *hares_ = nullptr, *foxes_ = nullptr;
  Column<juxta::Id> target_;
};

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-56s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

/// All steps; where everybody is at the end.
Result<std::vector<float>> live(const juxta::Executor* executor, Tally& tally) {
  using juxta::Edge;
  auto simulation = juxta::Simulation::build(
      {.dimensions = 2, .edges = {Edge::kPeriodic, Edge::kPeriodic}, .hi = {kWorld, kWorld}}, 7);
  if (!simulation) {
    return tl::unexpected<juxta::Error>(simulation.error());
  }
  Meadow meadow(*simulation, {.executor = executor});
  auto done = meadow.fill();
  for (int i = 0; i < kSteps && done; ++i) {
    done = meadow.step(tally);
    if (executor == nullptr && i % 30 == 29) {
      std::printf("step %3d: %5zu hares, %4zu foxes\n", i + 1, meadow.hares().size(), meadow.foxes().size());
    }
  }
  if (!done) {
    return tl::unexpected<juxta::Error>(done.error());
  }
  std::vector<float> places;
  for (const Population* population : {&meadow.hares(), &meadow.foxes()}) {
    for (const std::uint32_t axis : {0u, 1u}) {
      const auto x = population->read(population->position(axis));
      places.insert(places.end(), x.begin(), x.end());
    }
  }
  return places;
}

}  // namespace

int main() {
  Tally tally, again;
  const auto threads = juxta::TbbExecutor::build(2);  // none in a library built without oneTBB
  const auto alone = live(nullptr, tally);
  const auto together = live(threads ? &*threads : &juxta::serial_executor(), again);
  if (!alone || !together) {
    std::fprintf(stderr, "%s\n", (!alone ? alone : together).error().message.c_str());
    return 1;
  }
  std::printf("%zu hares born, %zu caught; %zu foxes born, %zu starved; %zu lost their hare to another fox\n",
              tally.hares_born, tally.hares_caught, tally.foxes_born, tally.foxes_starved,
              tally.nulled - std::min(tally.nulled, tally.hares_caught));
  check("hares are born and caught", tally.hares_born > 100 && tally.hares_caught > 100);
  check("foxes are born and starve", tally.foxes_born > 0 && tally.foxes_starved > 0);
  check("sizes add up, and nobody is after the dead", tally.consistent && again.consistent);
  check("every catch ended somebody's hunt", tally.nulled >= tally.hares_caught);
  check("two threads give the same bits", *alone == *together);
  return all_well ? 0 : 1;
}
