// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A cloth falls onto a ball. Its particles are agents, and its springs are columns of references: sort()
// moves every particle in memory, step after step, and each still knows to whom it is tied. At the end moths
// eat some particles: the springs to them become Id{}, and nobody has to look for them.
//
//   o--o--o--o      each particle refers to those to its right and below, and to both diagonals between:
//   |\/|\/|\/|      four columns of Id, each spring in one of its two ends
//   o--o--o--o
#include <juxta/agents/act.h>
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>
#include <juxta/core/try.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "agents_cloth_rules.h"

namespace {

using juxta::Population;
using juxta::Result;

constexpr std::uint32_t kSide = 36;
constexpr float kThickness = 0.7F, kStiffness = 300, kBall = 8;
constexpr cloth::Fall kFall{
    .time_step = 0.02F, .gravity = 0.5F, .apart = 60, .air = 0.4F, .ball = kBall, .grip = 0.9F};
constexpr int kSteps = 1200;

/// From a particle to the other end of its spring, in places of the woven cloth.
struct Tie {
  const char* name;
  int right, down;
  float length;
};
constexpr std::array<Tie, 4> kTies{{{"right", 1, 0, 1},
                                    {"below", 0, 1, 1},
                                    {"below_right", 1, 1, 1.41421356F},
                                    {"below_left", -1, 1, 1.41421356F}}};

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-56s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

class Cloth {
 public:
  explicit Cloth(juxta::Simulation& simulation) : simulation_(simulation) {}

  /// Woven flat, above the ball.
  Result<void> weave() {
    JUXTA_TRY_LET(auto added, simulation_.add_population("cloth"));
    cloth_ = added;
    auto columns = cloth_->add_columns({"vx", "vy", "vz"});
    auto results = cloth_->add_results({"pull_x", "pull_y", "pull_z", "away_x", "away_y", "away_z"});
    auto place = cloth_->add_column<std::uint32_t>("place");
    if (!columns || !results || !place) {
      return tl::unexpected<juxta::Error>(!columns   ? columns.error()
                                          : !results ? results.error()
                                                     : place.error());
    }
    place_ = *place;
    for (std::size_t i = 0; i < kTies.size(); ++i) {
      JUXTA_TRY_LET(const auto tie, cloth_->add_references(kTies[i].name, *cloth_));
      ties_[i] = tie;
    }
    JUXTA_TRY(cloth_->insert(std::size_t{kSide} * kSide));
    const auto x = cloth_->write(cloth_->position(0)), y = cloth_->write(cloth_->position(1));
    const auto z = cloth_->write(cloth_->position(2));
    const auto places = cloth_->write(place_);
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      places[i] = i;
      x[i] = static_cast<float>(i % kSide) - 0.5F * (kSide - 1);
      y[i] = 0.5F * (kSide - 1) - static_cast<float>(i / kSide);
      z[i] = kBall + 1;
    }
    tie_all();
    return {};
  }

  Result<void> step(const juxta::Executor* executor) {
    JUXTA_TRY(cloth_->sort({.radius = kThickness}, {.executor = executor}));
    if (auto seen = juxta::see(*cloth_, *cloth_, kThickness, cloth::KeepApart{kThickness}, {},
                               {.executor = executor});
        !seen) {
      return tl::unexpected<juxta::Error>(seen.error());
    }
    pull();
    JUXTA_TRY(juxta::act(*cloth_, kFall, {.executor = executor}));
    return simulation_.end_step().map([](auto) {});
  }

  /// Particles of one small square die. How many references that set to Id{}.
  Result<std::size_t> eat_a_hole() {
    const auto places = cloth_->read(place_);
    for (std::uint32_t row = 0; row < places.size(); ++row) {
      const std::uint32_t across = places[row] % kSide, down = places[row] / kSide;
      if (across >= 4 && across < 7 && down >= 4 && down < 7) {
        cloth_->changes().kill(row);
      }
    }
    return simulation_.end_step().map([](auto reports) { return reports[0].nulled; });
  }

  /// How many springs there are.
  [[nodiscard]] std::size_t springs() const {
    std::size_t springs = 0;
    for_each_spring([&](std::uint32_t, std::uint32_t, const Tie&) { ++springs; });
    return springs;
  }
  /// Every spring ends at the particle that it was tied to, by the places of the woven cloth.
  [[nodiscard]] bool well_tied() const {
    const auto places = cloth_->read(place_);
    bool well = true;
    for_each_spring([&](std::uint32_t from, std::uint32_t to, const Tie& tie) {
      well = well && static_cast<int>(places[to]) ==
                         static_cast<int>(places[from]) + tie.right + tie.down * int{kSide};
    });
    return well;
  }
  /// The longest spring, in units of its length at rest.
  [[nodiscard]] float most_stretched() const {
    float most = 0;
    for_each_spring([&](std::uint32_t from, std::uint32_t to, const Tie& tie) {
      most = std::max(most, distance(from, to) / tie.length);
    });
    return most;
  }
  [[nodiscard]] const Population& particles() const { return *cloth_; }

 private:
  void tie_all() {
    for (std::size_t i = 0; i < kTies.size(); ++i) {
      const auto tie = cloth_->write(ties_[i]);
      for (std::uint32_t row = 0; row < tie.size(); ++row) {
        const int across = static_cast<int>(row % kSide) + kTies[i].right;
        const int down = static_cast<int>(row / kSide) + kTies[i].down;
        if (across >= 0 && across < int{kSide} && down < int{kSide}) {
          tie[row] =
              cloth_->id_of(static_cast<std::uint32_t>(down) * kSide + static_cast<std::uint32_t>(across));
        }
      }
    }
  }

  /// f(row of one end, row of the other, which tie) for all springs whose ends are alive.
  template <class F>
  void for_each_spring(const F& f) const {
    std::vector<std::uint32_t> rows(cloth_->size());
    for (std::size_t i = 0; i < kTies.size(); ++i) {
      cloth_->rows_of(cloth_->read(ties_[i]), rows);
      for (std::uint32_t row = 0; row < rows.size(); ++row) {
        if (rows[row] != Population::kNoRow) {
          f(row, rows[row], kTies[i]);
        }
      }
    }
  }
  [[nodiscard]] float distance(std::uint32_t a, std::uint32_t b) const {
    float d2 = 0;
    for (const std::uint32_t axis : {0U, 1U, 2U}) {
      const auto x = cloth_->read(cloth_->position(axis));
      d2 += (x[b] - x[a]) * (x[b] - x[a]);
    }
    return std::sqrt(d2);
  }

  /// Springs pull at both of their ends: both are written, so this is one thread's work.
  void pull() {
    constexpr std::array<const char*, 3> kPull{"pull_x", "pull_y", "pull_z"};
    std::array<std::span<float>, 3> pulls;
    std::array<std::span<const float>, 3> x;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      pulls[axis] = cloth_->write(*cloth_->find_column<float>(kPull[axis]));
      std::ranges::fill(pulls[axis], 0.0F);
      x[axis] = cloth_->read(cloth_->position(axis));
    }
    for_each_spring([&](std::uint32_t from, std::uint32_t to, const Tie& tie) {
      const float strength = kStiffness * (1 - tie.length / std::max(distance(from, to), 1e-6F));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float force = strength * (x[axis][to] - x[axis][from]);
        pulls[axis][from] += force;
        pulls[axis][to] -= force;
      }
    });
  }

  juxta::Simulation& simulation_;
  Population* cloth_ = nullptr;
  juxta::Column<std::uint32_t> place_;
  std::array<juxta::Column<juxta::Id>, kTies.size()> ties_;
};

int complain(const juxta::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  auto simulation = juxta::Simulation::build({.dimensions = 3});
  if (!simulation) {
    return complain(simulation.error());
  }
  Cloth cloth(*simulation);
  const auto threads = juxta::TbbExecutor::build(2);  // none in a library built without oneTBB
  auto done = cloth.weave();
  const std::size_t woven = done ? cloth.springs() : 0;
  for (int i = 0; i < kSteps && done; ++i) {
    done = cloth.step(threads ? &*threads : nullptr);
  }
  if (!done) {
    return complain(done.error());
  }

  const Population& particles = cloth.particles();
  const auto x = particles.read(particles.position(0)), y = particles.read(particles.position(1)),
             z = particles.read(particles.position(2));
  float nearest = 1e9F, lowest = 1e9F, highest = -1e9F;
  std::size_t moved = 0;  // particles that are not in the row in which they were woven
  const auto places = particles.read(*particles.find_column<std::uint32_t>("place"));
  for (std::uint32_t row = 0; row < particles.size(); ++row) {
    nearest = std::min(nearest, std::sqrt(x[row] * x[row] + y[row] * y[row] + z[row] * z[row]));
    lowest = std::min(lowest, z[row]);
    highest = std::max(highest, z[row]);
    moved += places[row] != row ? 1 : 0;
  }
  std::printf(
      "%zu particles, %zu springs; from %.2f below the middle of the ball to %.2f above, %zu in other rows\n",
      particles.size(), woven, static_cast<double>(-lowest), static_cast<double>(highest), moved);
  check("the cloth lies on top of the ball", highest < kBall + 0.5F && highest > kBall - 0.5F);
  check("and hangs down on its sides", lowest < 0);
  check("no particle is inside of the ball", nearest > kBall * 0.9999F);
  check("no spring is longer than by a tenth", cloth.most_stretched() < 1.1F);
  check("particles went to other rows", moved > particles.size() / 2);
  check("every spring is tied to whom it was tied", cloth.springs() == woven && cloth.well_tied());

  const auto cut = cloth.eat_a_hole();
  if (!cut) {
    return complain(cut.error());
  }
  // Four springs begin at each of the nine, and die with it. Four end there: 20 of those have both ends in
  // the hole, and the other 16 are references of particles that live on.
  std::printf("moths ate %zu particles; %zu references of others became Id{}\n",
              std::size_t{kSide} * kSide - cloth.particles().size(), *cut);
  check("nine particles are gone, and 52 springs", cloth.springs() + 36 + 16 == woven && *cut == 16);
  check("those that are left are well tied", cloth.well_tied());
  return all_well ? 0 : 1;
}
