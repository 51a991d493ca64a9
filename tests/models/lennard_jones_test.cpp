// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The melt beside the same rules in doubles with lists of neighbours, and what physics asks of it. Published
// figures that take longer are in lennard_jones_long_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "models/lennard_jones_rules.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "tests/models/melt.h"

namespace juxta {
namespace {

using scalar::Vector;
using test::furthest;
using test::Melt;
using test::melt_parameters;

double root_mean_square(const std::vector<Vector>& all) {
  double sum = 0;
  for (const Vector& v : all) {
    sum += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  }
  return std::sqrt(sum / static_cast<double>(all.size()));
}

/// What one atom at 0 finds of one at this distance along x.
models::LennardJonesMeasured::Found<float> found_at(float distance) {
  models::LennardJonesMeasured::Found<float> found;
  for (Sum<float>* field : {&found.fx, &found.fy, &found.fz, &found.potential, &found.virial, &found.near}) {
    *field = {Sum<float>::kNobody, true};
  }
  models::LennardJonesMeasured{}(Neighbour<float>{distance, 0, 0, distance * distance}, {}, {}, found);
  return found;
}

TEST(LennardJones, PairsAreThoseOfThePotential) {
  const auto at_one = found_at(1);  // V = 0, -dV/dr = 24: away from the other
  EXPECT_EQ(at_one.potential.total, 0);
  EXPECT_EQ(at_one.fx.total, -24);
  EXPECT_EQ(at_one.virial.total, 12);
  const auto at_the_bottom = found_at(1.122462F);  // 2^(1/6): V = -1
  EXPECT_NEAR(at_the_bottom.potential.total, -0.5, 1e-6);
  EXPECT_NEAR(at_the_bottom.fx.total, 0, 1e-5);
  const auto beyond = found_at(1.5F);  // drawn towards it
  const double over6 = std::pow(1.5, -6);
  EXPECT_NEAR(beyond.potential.total, 2 * (over6 - 1) * over6, 1e-7);
  EXPECT_NEAR(beyond.fx.total, (24 - 48 * over6) * over6 / 1.5, 1e-6);
  EXPECT_NEAR(beyond.virial.total, -1.5 * (24 - 48 * over6) * over6 / 1.5 / 2, 1e-6);
}

// As LAMMPS has always printed it for its benchmark in.lj: step 0, T 1.44, E_pair -6.7733681,
// Press -5.0197073. The edge of the world is a float here, which is 2e-7 of the density.
TEST(LennardJones, BeginsAsThePublishedBenchmark) {
  const Melt melt(melt_parameters({}, "melt"));
  EXPECT_EQ(melt.size(), 32000U);
  EXPECT_NEAR(2 * melt.half(), 33.5919, 1e-4);
  EXPECT_NEAR(melt.last("temperature"), 1.44, 1e-12);
  EXPECT_NEAR(melt.last("potential"), -6.7733681, 2e-6);
  EXPECT_NEAR(melt.last("energy"), -4.6134356, 2e-6);
  EXPECT_NEAR(melt.last("pressure"), -5.0197073, 5e-6);
  EXPECT_LT(melt.last("momentum"), 1e-10);
}

TEST(LennardJones, HasTheForcesOfTheScalarForm) {
  Melt melt(melt_parameters({}));
  for (int i = 0; i < 4; ++i) {
    melt.run(25);
    const auto scalar = melt.in_scalar();
    const auto expected = scalar.force;
    std::vector<Vector> difference = melt.forces();
    ASSERT_LE(difference.size(), expected.size());
    for (std::size_t atom = 0; atom < difference.size(); ++atom) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        difference[atom][axis] -= expected[atom][axis];
      }
    }
    // Places as floats are 5e-7 off, and forces between atoms that touch rise by some 500 a unit. At worst a
    // pair stands at the cutoff itself, in for the one and out for the other: its force is 0.039.
    const auto of_atoms = std::vector<Vector>(expected.begin(), expected.begin() + 4000);
    EXPECT_LT(root_mean_square(difference), 1e-5 * root_mean_square(of_atoms));
    EXPECT_LT(furthest(melt.forces(), of_atoms), 0.05);
    EXPECT_NEAR(melt.last("potential") * 4000, scalar.potential, 0.05);
  }
}

// Two paths part by a factor of e in about 0.7 of time: 100 steps are 0.5, in which 1e-6 becomes 1e-5, more
// where three atoms meet. Measured: 5e-5.
TEST(LennardJones, GoesTheWayOfTheScalarForm) {
  Melt melt(melt_parameters({}));
  auto scalar = melt.in_scalar();
  for (int step = 1; step <= 100; ++step) {
    melt.run(1);
    scalar::step_lennard_jones(scalar, true);
    const double atoms = static_cast<double>(melt.size());
    ASSERT_NEAR(melt.last("potential"), scalar.potential / atoms, 1e-5) << step;
    ASSERT_NEAR(melt.last("energy"), (scalar.potential + scalar::kinetic_energy(scalar)) / atoms, 1e-5)
        << step;
    ASSERT_NEAR(melt.last("pressure"),
                (2 * scalar::kinetic_energy(scalar) + scalar.virial) / 3 / (8 * std::pow(melt.half(), 3)),
                1e-4)
        << step;
  }
  EXPECT_GT(scalar.lists, 5U);
  EXPECT_LT(furthest(melt.places(), scalar.place, 2 * melt.half()), 5e-4);
  EXPECT_LT(furthest(melt.velocities(), scalar.velocity), 5e-3);
}

// By then every atom is elsewhere than in the other form; what both conserve, and the mean, is the same.
TEST(LennardJones, HasTheEnergiesOfTheScalarForm) {
  Melt melt(melt_parameters({"cells=6"}));
  auto scalar = melt.in_scalar();
  const double atoms = static_cast<double>(melt.size());
  const double over6 = std::pow(2.5, -6), at_cutoff = 4 * (over6 - 1) * over6;
  double temperature = 0;
  for (int step = 1; step <= 1000; ++step) {
    melt.run(1);
    scalar::step_lennard_jones(scalar, step == 1000);
    temperature += step > 500 ? 2 * scalar::kinetic_energy(scalar) / (3 * atoms - 3) / 500 : 0;
  }
  const double conserved =
      scalar.potential + scalar::kinetic_energy(scalar) - at_cutoff * static_cast<double>(scalar.pairs);
  EXPECT_NEAR(melt.last("conserved"), conserved / atoms, 3e-4);
  EXPECT_NEAR(melt.mean("temperature", 500), temperature, 0.02);
}

// A cutoff ends the force with a jump, which no step can follow: at 0.005 some 1e-4 of an atom's energy is
// gained or lost in 50 units of time. Smaller steps: lennard_jones_long_test.cpp.
TEST(LennardJones, KeepsItsEnergyForTenThousandSteps) {
  Melt melt(melt_parameters({"cells=6", "measure=20"}));
  melt.run(10000);
  const auto [drift, noise] = test::drift_of(melt.measured("conserved"));
  EXPECT_LT(std::abs(drift), 5e-4);
  EXPECT_LT(noise, 3e-4);
  EXPECT_LT(melt.last("momentum"), 1e-4);  // of 864 atoms, each with 1.4 at first
}

TEST(LennardJones, GivesForcesThatCancel) {
  Melt melt(melt_parameters({}));
  for (int i = 0; i < 5; ++i) {
    melt.run(20);
    Vector sum{};
    for (const Vector& force : melt.forces()) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sum[axis] += force[axis];
      }
    }
    // 4000 sums of some 50 floats up to 100: each 1e-6 off, together 60 times that and a little more.
    for (const double s : sum) {
      EXPECT_LT(std::abs(s), 2e-3);
    }
  }
  EXPECT_LT(melt.last("momentum"), 1e-4);
}

TEST(LennardJones, KeepsPlacesInTheWorld) {
  Melt melt(melt_parameters({"cells=6", "temperature=5"}));
  const auto before = melt.places();
  melt.run(200);
  double furthest_out = 0;
  for (const Vector& place : melt.places()) {
    for (const double x : place) {
      furthest_out = std::max(furthest_out, std::abs(x));
    }
  }
  EXPECT_LE(furthest_out, melt.half());
  EXPECT_GT(furthest(melt.places(), before), melt.half());  // somebody went around
  const Population& atoms = melt.simulation().population(0);
  const auto x = atoms.read(atoms.position(0));
  const auto px = atoms.read(*atoms.find_column<double>("px"));
  for (std::size_t row = 0; row < x.size(); ++row) {
    const double off = std::abs(static_cast<double>(x[row]) - px[row]);
    EXPECT_LT(std::min(off, std::abs(2 * melt.half() - off)), 1e-6);
  }
}

TEST(LennardJones, CountsWhatIsBeyondTheCutoffWhenAsked) {
  const Melt bare(melt_parameters({"cutoff=3"})), tail(melt_parameters({"cutoff=3", "tail=1"}));
  const double density = 4000 / (8 * std::pow(bare.half(), 3)), over3 = 1.0 / 27;
  EXPECT_NEAR(tail.last("potential") - bare.last("potential"),
              8 * std::numbers::pi / 3 * density * (std::pow(over3, 3) / 3 - over3), 1e-9);
  EXPECT_NEAR(tail.last("pressure") - bare.last("pressure"),
              16 * std::numbers::pi / 3 * density * density * (2 * std::pow(over3, 3) / 3 - over3), 1e-9);
}

TEST(LennardJones, HoldsTheTemperatureForAsLongAsAsked) {
  Melt melt(melt_parameters({"cells=6", "temperature=0.9", "hold=100"}));
  melt.run(100);
  EXPECT_NEAR(melt.last("temperature"), 0.9, 1e-9);
  EXPECT_NEAR(melt.reported("temperature")[50], 0.9, 1e-9);
  EXPECT_GT(std::abs(melt.reported("temperature")[55] - 0.9), 1e-4);
  melt.run(10);
  EXPECT_GT(std::abs(melt.last("temperature") - 0.9), 1e-4);
}

TEST(LennardJones, MeasuresAsOftenAsAsked) {
  Melt often(melt_parameters({"cells=6"})), seldom(melt_parameters({"cells=6", "measure=7"}));
  often.run(14);
  seldom.run(14);
  for (std::size_t step = 0; step <= 14; ++step) {
    EXPECT_EQ(seldom.reported("temperature")[step], often.reported("temperature")[step]);
    for (const char* name : {"potential", "energy", "conserved", "pressure"}) {
      const double value = seldom.reported(name)[step];
      EXPECT_TRUE(step % 7 == 0 ? value == often.reported(name)[step] : std::isnan(value)) << name << step;
    }
  }
}

TEST(LennardJones, IsTheSameOnAnyThreadsAndInstructionSet) {
  const auto state = [](const Executor* executor) {
    Melt melt(melt_parameters({"cells=6"}));
    melt.run(60, executor);
    return std::pair(melt.places(), melt.velocities());
  };
  const auto expected = state(nullptr);
  test::for_each_isa([&](Isa) { EXPECT_EQ(state(nullptr), expected); });
  test::for_each_executor([&](const Executor* executor) { EXPECT_EQ(state(executor), expected); });
}

TEST(LennardJones, GoesOnFromAFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "lennard_jones_test.juxta";
  const Parameters parameters = melt_parameters({"cells=6"});
  Melt whole(parameters), begun(parameters);
  whole.run(60);
  begun.run(33);  // in the middle of a skin
  ASSERT_TRUE(begun.simulation().save(path.string()));
  auto loaded = Simulation::load(path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(loaded) << loaded.error().message;
  Melt rest(parameters, std::move(*loaded));
  for (const char* name : {"temperature", "potential", "pressure", "momentum"}) {
    EXPECT_EQ(rest.last(name), begun.last(name)) << name;
  }
  rest.run(27);
  for (const char* name : {"temperature", "potential", "energy", "conserved", "pressure", "momentum"}) {
    EXPECT_EQ(rest.last(name), whole.last(name)) << name;
  }
}

TEST(LennardJones, StartsOfOtherSeedsDiffer) {
  const Parameters parameters = melt_parameters({"cells=6"});
  const Melt one(parameters, 1), same(parameters, 1), other(parameters, 2);
  EXPECT_EQ(one.velocities(), same.velocities());
  EXPECT_GT(furthest(one.velocities(), other.velocities()), 0.1);
  // Close to Maxwell's: of the three moments of a component, 0, T, and 3 T^2 less 30 % for the sum of four.
  double fourth = 0, square = 0;
  for (const Vector& v : one.velocities()) {
    square += v[0] * v[0] / 864;
    fourth += std::pow(v[0], 4) / 864;
  }
  EXPECT_NEAR(square, 1.44, 0.2);
  EXPECT_NEAR(fourth / (square * square), 2.7, 0.4);
}

TEST(LennardJones, RefusesWhatCannotBe) {
  const ModelInfo info = models::lennard_jones();
  const auto narrow = info.begin(melt_parameters({"cells=2"}), 1);
  ASSERT_FALSE(narrow);
  EXPECT_EQ(test::code_of(narrow), ErrorCode::kInvalidArgument);
  EXPECT_NE(narrow.error().message.find("more cells"), std::string::npos);
  Simulation empty = Simulation::build({}).value();
  EXPECT_EQ(test::code_of(info.open(melt_parameters({}), empty)), ErrorCode::kNotFound);
  ASSERT_TRUE(empty.add_population("atoms"));
  EXPECT_EQ(test::code_of(info.open(melt_parameters({}), empty)), ErrorCode::kNotFound);
}

TEST(LennardJones, SaysWhenAtomsFlyApart) {
  Melt melt(melt_parameters({"cells=6"}));
  Population& atoms = melt.simulation().population(0);
  atoms.write(*atoms.find_column<double>("vx"))[5] = 1e300;
  Result<void> done = melt.model().step({});
  for (int i = 0; i < 3 && done; ++i) {
    done = melt.model().step({});
  }
  ASSERT_FALSE(done);
  EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
  EXPECT_NE(done.error().message.find("smaller dt"), std::string::npos) << done.error().message;
}

}  // namespace
}  // namespace juxta
