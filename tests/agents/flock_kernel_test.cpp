// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The flock's kernel against its plain twin: the same bytes, on every instruction set.
#include "agents/flock_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory_resource>
#include <string>
#include <vector>

#include "agents/flock_states.h"
#include "agents/flock_store.h"
#include "scenes/draws.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using agents_detail::FlockStore;
using agents_detail::FlockSweep;
using scenes::Draws;
using test::Boids;
using test::Crowding;

/// What no boid becomes: rows that were not asked for keep it.
constexpr float kUntouched = -12345;

struct Case {
  std::uint32_t dimensions;
  bool periodic, folds;
  float half_size = 2;
  float see_radius = 0.3714835F;
  double cell_width = 0.125;  // in heights of rows
  double taller = 1;          // than rows must be
};

std::string words(const Case& c) {
  return std::to_string(c.dimensions) + "D" + (c.periodic ? " periodic" : " walls") +
         (c.folds ? " folds, half " : ", half ") + std::to_string(c.half_size) + ", sees " +
         std::to_string(c.see_radius) + ", cells of " + std::to_string(c.cell_width) + ", rows of " +
         std::to_string(c.taller);
}
std::vector<Case> kinds() {
  std::vector<Case> all;
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const bool periodic : {false, true}) {
      for (const bool folds : {false, true}) {
        all.push_back({dimensions, periodic, folds});
      }
    }
  }
  return all;
}

FlockOptions options_of(const Case& c) {
  FlockOptions options;
  options.dimensions = c.dimensions;
  options.periodic = c.periodic;
  options.half_size = c.half_size;
  options.rules.see_radius2 = c.see_radius * c.see_radius;
  options.rules.avoid_radius2 = options.rules.see_radius2 / 5;
  return options;
}

/// Cells of at least `width`; the flock's own are planned in flock.cpp.
agents_detail::GridAxis axis_of(const FlockOptions& options, double width) {
  const double length = 2.0 * options.half_size;
  const double cells = std::max(std::floor(length / width), 1.0) + (options.periodic ? 0 : 1);
  agents_detail::GridAxis axis;
  axis.origin = -options.half_size;
  axis.width = static_cast<float>(options.periodic ? length / cells : width);
  axis.inverse = 1 / axis.width;
  axis.cells = static_cast<std::uint32_t>(cells);
  axis.most = static_cast<float>(cells - 1);
  axis.periodic = options.periodic;
  return axis;
}

/// Sorted boids, and what kernel and twin make of them.
class Sorted {
 public:
  Sorted(const Case& c, const Boids& boids)
      : store_(options_of(c), std::pmr::get_default_resource()), folds_(c.folds) {
    store_.resize(boids.size());
    for (std::uint32_t a = 0; a < c.dimensions; ++a) {
      std::copy(boids.position[a].begin(), boids.position[a].end(), store_.now.position[a].data());
      std::copy(boids.velocity[a].begin(), boids.velocity[a].end(), store_.now.velocity[a].data());
    }
    std::fill_n(store_.now.number.data(), boids.size(), 0U);
    make_cells(c);
    if (boids.size() != 0) {
      sort_flock(store_, executor_or_serial(nullptr));
    }
    make_pulls();
  }

  /// Velocities, then positions, axis by axis, after `move` was given the rows [first, last).
  template <class Move>
  std::vector<float> moved(std::uint32_t first, std::uint32_t last, Move&& move) {
    const std::uint32_t dimensions = store_.options.dimensions;
    std::vector<float> all(2 * dimensions * store_.count, kUntouched);
    const agents_detail::Reach reach = reach_of();
    FlockSweep flock{
        store_.options, store_.directory, reach, {}, {}, {}, store_.pull_of_position(), folds_, {}, {}};
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      flock.position[a] = store_.sorted.position[a].data();
      flock.velocity[a] = store_.sorted.velocity[a].data();
      flock.pull[a] = store_.pull[a].data();
      flock.next_velocity[a] = all.data() + a * store_.count;
      flock.next_position[a] = all.data() + (dimensions + a) * store_.count;
    }
    move(flock, first, last);
    return all;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(store_.count); }

 private:
  agents_detail::Reach reach_of() const {
    return {store_.directory, std::sqrt(store_.options.rules.see_radius2), true};
  }
  void make_cells(const Case& c) {
    agents_detail::Directory& directory = store_.directory;
    directory.arrangement = Arrangement::kRows;
    directory.magnitude = c.half_size;
    directory.grid = {};
    directory.grid.dimensions = c.dimensions;
    const double height =
        (std::sqrt(store_.options.rules.see_radius2) + 2.0 * reach_of().slack) * 1.0001 * c.taller;
    directory.grid.axis[0] = axis_of(store_.options, c.cell_width * height);
    for (std::uint32_t a = 1; a < c.dimensions; ++a) {
      directory.grid.axis[a] = axis_of(store_.options, height);
    }
  }
  /// As FlockSweep says, folded in worlds of any size.
  void make_pulls() {
    const float of_position = folds_ ? store_.pull_of_position() : 0;
    for (std::uint32_t a = 0; a < store_.options.dimensions; ++a) {
      for (std::size_t i = 0; i < store_.count; ++i) {
        store_.pull[a][i] = store_.options.rules.align * store_.sorted.velocity[a][i] +
                            of_position * store_.sorted.position[a][i];
      }
    }
  }

  FlockStore store_;
  bool folds_;
};

/// The first row that differs in a bit.
std::string compare(const std::vector<float>& right, const std::vector<float>& got, std::size_t count) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (std::memcmp(&right[i], &got[i], sizeof(float)) != 0) {
      return "column " + std::to_string(i / count) + ", row " + std::to_string(i % count) + " of " +
             std::to_string(count) + ": " + std::to_string(got[i]) + " is off by " +
             std::to_string(static_cast<double>(got[i]) - static_cast<double>(right[i]));
    }
  }
  return {};
}

void expect_same_bytes(const Case& c, const Boids& boids) {
  Sorted sorted(c, boids);
  const std::uint32_t n = sorted.count();
  const std::vector<float> right = sorted.moved(0, n, agents_detail::move_boids_reference);
  ASSERT_EQ(std::count(right.begin(), right.end(), kUntouched), 0);
  test::for_each_isa(
      [&](Isa) { ASSERT_EQ(compare(right, sorted.moved(0, n, agents_detail::move_boids), n), ""); });
}

Boids draw(const Case& c, Crowding crowding, std::size_t count, std::uint64_t seed) {
  Draws draws(seed);
  return test::draw_boids(draws, options_of(c), crowding, count);
}

TEST(FlockKernel, SmallFlocks) {
  for (const Case& c : kinds()) {
    for (const Crowding crowding : test::kCrowdings) {
      for (std::size_t count = 0; count <= 40; ++count) {
        SCOPED_TRACE(words(c) + ", " + std::string(test::name(crowding)) + ", " + std::to_string(count));
        ASSERT_NO_FATAL_FAILURE(expect_same_bytes(c, draw(c, crowding, count, 1 + count)));
      }
    }
  }
}

TEST(FlockKernel, Thousands) {
  for (const Case& c : kinds()) {
    for (const Crowding crowding : test::kCrowdings) {
      SCOPED_TRACE(words(c) + ", " + std::string(test::name(crowding)));
      ASSERT_NO_FATAL_FAILURE(
          expect_same_bytes(c, draw(c, crowding, crowding == Crowding::kUniform ? 2203 : 801, 7)));
    }
  }
}

// Where boids see more than half of a periodic world, or the world is one cell, too.
TEST(FlockKernel, EverySightInEveryCell) {
  for (Case c : kinds()) {
    for (const float see_radius : {0.01F, 0.2F, 0.9F, 1.9F, 2.1F, 5.0F, 100.0F}) {
      for (const double cell_width : {0.03, 0.125, 1.0, 7.0}) {
        c.see_radius = see_radius;
        c.cell_width = see_radius < 0.1F ? std::max(cell_width, 1.0) : cell_width;
        c.taller = see_radius < 0.1F ? 12 : cell_width == 1.0 ? 2.7 : 1;
        for (const Crowding crowding : {Crowding::kUniform, Crowding::kBorders, Crowding::kRing}) {
          SCOPED_TRACE(words(c) + ", " + std::string(test::name(crowding)));
          ASSERT_NO_FATAL_FAILURE(expect_same_bytes(c, draw(c, crowding, 333, 3)));
        }
      }
    }
  }
}

// Far from the middle, where sums lose digits: the same digits for all.
TEST(FlockKernel, LargeWorlds) {
  for (Case c : kinds()) {
    for (const float half_size : {80.0F, 1e3F, 1e5F}) {
      c.half_size = half_size;
      c.see_radius = half_size / 20;
      for (const Crowding crowding : {Crowding::kUniform, Crowding::kClusters, Crowding::kLonely}) {
        SCOPED_TRACE(words(c) + ", " + std::string(test::name(crowding)));
        ASSERT_NO_FATAL_FAILURE(expect_same_bytes(c, draw(c, crowding, 700, 4)));
      }
    }
  }
}

// Signs of zero: boids that stand still in the middle of the world and on its axes, with either zero.
TEST(FlockKernel, ZerosOfBothSigns) {
  for (const Case& c : kinds()) {
    SCOPED_TRACE(words(c));
    Draws draws(5);
    Boids boids;
    const auto zero = [&] { return draws.below(2) == 0 ? 0.0F : -0.0F; };
    for (std::uint32_t a = 0; a < c.dimensions; ++a) {
      for (int i = 0; i < 300; ++i) {
        boids.position[a].push_back(draws.below(3) != 0 ? zero() : test::draw_unit(draws) * 4 - 2);
        boids.velocity[a].push_back(draws.below(3) != 0 ? zero() : test::draw_unit(draws) - 0.5F);
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_bytes(c, boids));
  }
}

// Tasks begin and end anywhere; nobody else is written.
TEST(FlockKernel, AnyRows) {
  for (const Case& c : kinds()) {
    SCOPED_TRACE(words(c));
    Sorted sorted(c, draw(c, Crowding::kUniform, 150, 6));
    const std::uint32_t n = sorted.count();
    const std::vector<float> all = sorted.moved(0, n, agents_detail::move_boids_reference);
    test::for_each_isa([&](Isa) {
      for (std::uint32_t first = 0; first <= n; first += 7) {
        for (const std::uint32_t last : {first, first + 1, first + 5, first + 16, first + 37, n}) {
          if (last > n) {
            continue;
          }
          std::vector<float> right = all;
          for (std::size_t i = 0; i < right.size(); ++i) {
            right[i] = i % n >= first && i % n < last ? right[i] : kUntouched;
          }
          ASSERT_EQ(compare(right, sorted.moved(first, last, agents_detail::move_boids), n), "")
              << "[" << first << ", " << last << ")";
        }
      }
    });
  }
}

// The cells that a flock plans for itself, and its own choice of what to fold.
TEST(FlockKernel, StepsOfAFlock) {
  for (Case c : kinds()) {
    c.half_size = c.folds ? 10.5F : 81;
    c.see_radius = c.folds ? c.see_radius : 3;
    SCOPED_TRACE(words(c));
    test::for_each_isa([&](Isa) {
      auto flock = Flock::build(options_of(c)).value();
      ASSERT_TRUE(flock.scatter(1000, 11));
      for (int step = 0; step < 2; ++step) {
        const Boids before = test::boids_of(flock);
        ASSERT_TRUE(flock.step());
        // Row by row as the step sorted them: a twin of one cell keeps that order.
        Boids rows;
        std::vector<float> now;
        for (std::uint32_t a = 0; a < c.dimensions; ++a) {
          for (const std::uint32_t number : flock.numbers()) {
            rows.position[a].push_back(before.position[a][number]);
            rows.velocity[a].push_back(before.velocity[a][number]);
          }
          now.insert(now.end(), flock.velocity(a).begin(), flock.velocity(a).end());
        }
        for (std::uint32_t a = 0; a < c.dimensions; ++a) {
          now.insert(now.end(), flock.position(a).begin(), flock.position(a).end());
        }
        Case one = c;
        one.taller = 1e6;
        Sorted sorted(one, rows);
        ASSERT_EQ(
            compare(sorted.moved(0, sorted.count(), agents_detail::move_boids_reference), now, flock.size()),
            "")
            << "step " << step;
      }
    });
  }
}

}  // namespace
}  // namespace juxta
