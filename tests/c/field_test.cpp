// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Fields from C have the bits of C++.
#include <gtest/gtest.h>
#include <juxta.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "c/last_page.h"
#include "c/some_threads.h"
#include "grid/fields.h"
#include "tests/support/saved_bytes.h"

namespace juxta {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The same field twice: 2 components, periodic along x, walls along y, open along z.
struct Both {
  explicit Both(std::uint32_t dimensions)
      : cpp(Field::build(test::options_of(dimensions, {9, 7, dimensions == 3 ? 5U : 1U},
                                          {Edge::kPeriodic, Edge::kWall, Edge::kOpen}, 2))
                .value()) {
    juxta_field_options options = juxta_default_field_options();
    const FieldOptions& from = cpp.options();
    options.world.dimensions = dimensions;
    options.components = 2;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      options.world.edges[axis] = static_cast<std::uint32_t>(from.world.edges[axis]);
      options.world.lo[axis] = from.world.lo[axis];
      options.world.hi[axis] = from.world.hi[axis];
      options.cells[axis] = from.cells[axis];
    }
    juxta_error error;
    EXPECT_EQ(juxta_field_build(&options, &c, &error), JUXTA_OK) << error.message;
  }
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;
  ~Both() { juxta_field_free(c); }

  void draw() {
    scenes::Draws draws(3);
    test::draw_values(cpp, draws);
    for (std::uint32_t component = 0; component < 2; ++component) {
      std::memcpy(juxta_field_write(c, component), cpp.values(component).data(), cpp.cells() * sizeof(float));
    }
  }
  void expect_same() const {
    ASSERT_EQ(juxta_field_cells(c), cpp.cells());
    for (std::uint32_t component = 0; component < 2; ++component) {
      EXPECT_EQ(std::memcmp(juxta_field_read(c, component), cpp.values(component).data(),
                            cpp.cells() * sizeof(float)),
                0);
    }
    EXPECT_EQ(juxta_field_state_hash(c), cpp.state_hash());
    EXPECT_EQ(juxta_field_memory_bytes(c), cpp.memory_bytes());
  }

  Field cpp;
  juxta_field* c = nullptr;
};

TEST(CField, IsBuiltAsInCpp) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    const Both both(dimensions);
    both.expect_same();
    const juxta_field_options options = juxta_field_get_options(both.c);
    EXPECT_EQ(options.world.dimensions, dimensions);
    EXPECT_EQ(options.world.edges[1], static_cast<std::uint32_t>(JUXTA_EDGE_WALL));
    EXPECT_EQ(options.world.hi[0], 4);
    EXPECT_EQ(options.cells[1], 7U);
    EXPECT_EQ(options.components, 2U);
    EXPECT_EQ(juxta_field_cell_size(both.c, 0), both.cpp.cell_size(0));
    EXPECT_EQ(juxta_field_cell_size(both.c, 3), 0);
    EXPECT_EQ(juxta_field_read(both.c, 2), nullptr);
    EXPECT_EQ(juxta_field_write(both.c, 2), nullptr);
    juxta_field* again = nullptr;
    ASSERT_EQ(juxta_field_build(&options, &again, nullptr), JUXTA_OK) << "what it tells builds another";
    EXPECT_EQ(juxta_field_state_hash(again), juxta_field_state_hash(both.c));
    juxta_field_free(again);
  }
}

TEST(CField, DiffusesAndSumsAsInCpp) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    Both both(dimensions);
    both.draw();
    const test::SomeThreads threads(2);
    juxta_context context = juxta_default_context();
    context.executor = threads.executor();
    for (const std::uint32_t component : {JUXTA_ALL_COMPONENTS, 1U}) {
      juxta_diffusion diffusion = juxta_default_diffusion();
      diffusion.amount = 0.15F;
      diffusion.decay = 0.01F;
      diffusion.steps = 11;
      diffusion.component = component;
      ASSERT_EQ(juxta_field_diffuse(both.c, &diffusion, &context, nullptr), JUXTA_OK);
      ASSERT_TRUE(both.cpp.diffuse({.amount = 0.15F, .decay = 0.01F, .steps = 11, .component = component}));
      both.expect_same();
    }
    double total = 0;
    ASSERT_EQ(juxta_field_total(both.c, 1, &context, &total, nullptr), JUXTA_OK);
    EXPECT_EQ(total, both.cpp.total(1).value());
    ASSERT_EQ(juxta_field_fill(both.c, 1, 3, nullptr), JUXTA_OK);
    ASSERT_TRUE(both.cpp.fill(3, 1));
    both.expect_same();
    const std::uint64_t before = juxta_field_state_hash(both.c);
    ASSERT_EQ(juxta_field_diffuse(both.c, nullptr, nullptr, nullptr), JUXTA_OK) << "NULL: nothing flows";
    EXPECT_EQ(juxta_field_state_hash(both.c), before);
  }
}

/// A point and an amount, as a program of C may hold them.
struct Ant {
  std::uint32_t number;
  float x, y, z, amount;
};

std::vector<Ant> ants_of(const test::Points& points) {
  std::vector<Ant> ants;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    ants.push_back({number, points.x[i], points.y[i], points.z.empty() ? kNan : points.z[i],
                    static_cast<float>(number) / 7});
  }
  return ants;
}

TEST(CField, TakesPointsAsInCpp) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    Both both(dimensions);
    both.draw();
    scenes::Draws draws(4);
    const test::Points at = test::draw_points(both.cpp.options(), 500, draws);
    const std::vector<Ant> ants = ants_of(at);
    std::vector<float> amounts;
    for (const Ant& ant : ants) {
      amounts.push_back(ant.amount);
    }
    const Ant& one = ants[0];
    const float* const z = dimensions == 3 ? &one.z : nullptr;
    for (const FieldMethod method : {FieldMethod::kNearest, FieldMethod::kLinear}) {
      const FieldAccess how{.component = 1, .method = method};
      juxta_field_access access = juxta_default_field_access();
      access.component = 1;
      access.method = static_cast<std::uint32_t>(method);
      ASSERT_EQ(juxta_field_deposit(both.c, &one.x, &one.y, z, sizeof(Ant), 500, &one.amount, sizeof(Ant),
                                    500, &access, nullptr),
                JUXTA_OK);
      ASSERT_TRUE(both.cpp.deposit(at.x, at.y, at.z, amounts, how));
      both.expect_same();
      std::vector<std::vector<float>> c(4, std::vector<float>(500)), cpp = c;
      ASSERT_EQ(juxta_field_sample(both.c, &one.x, &one.y, z, sizeof(Ant), 500, c[3].data(), &access, nullptr,
                                   nullptr),
                JUXTA_OK);
      ASSERT_TRUE(both.cpp.sample(at.x, at.y, at.z, cpp[3], how));
      ASSERT_EQ(juxta_field_gradient(both.c, at.x.data(), at.y.data(), at.z.data(), 0, 500, c[0].data(),
                                     c[1].data(), dimensions == 3 ? c[2].data() : nullptr, &access, nullptr,
                                     nullptr),
                JUXTA_OK);
      ASSERT_TRUE(both.cpp.gradient(at.x, at.y, at.z, cpp[0], cpp[1],
                                    dimensions == 3 ? std::span<float>(cpp[2]) : std::span<float>(), how));
      EXPECT_EQ(c, cpp);
    }
    const float half = 0.5F;
    ASSERT_EQ(juxta_field_deposit(both.c, at.x.data(), at.y.data(), at.z.data(), 0, 500, &half, 0, 1, nullptr,
                                  nullptr),
              JUXTA_OK);
    ASSERT_TRUE(both.cpp.deposit(at.x, at.y, at.z, {&half, 1}));
    both.expect_same();
  }
}

TEST(CField, ReadsNothingBehindTheLastPoint) {
  const Both both(2);
  const std::vector<float> ones(100, 1);
  const test::LastPage<float> x(ones, 8), y(std::vector<float>(100, 2), 8), amounts(ones, 12);
  std::vector<float> out(100);
  EXPECT_EQ(juxta_field_deposit(both.c, x.as<float>(), y.as<float>(), nullptr, 8, 100, amounts.as<float>(),
                                12, 100, nullptr, nullptr),
            JUXTA_OK);
  EXPECT_EQ(juxta_field_sample(both.c, x.as<float>(), y.as<float>(), nullptr, 8, 100, out.data(), nullptr,
                               nullptr, nullptr),
            JUXTA_OK);
  EXPECT_GT(out[99], 0);
}

TEST(CField, SavedAndLoadedItGoesOn) {
  Both both(3);
  both.draw();
  const test::ScratchFile file;
  const std::string path = file.path().string();
  ASSERT_EQ(juxta_field_save(both.c, path.c_str(), nullptr), JUXTA_OK);
  juxta_field* loaded = nullptr;
  ASSERT_EQ(juxta_field_load(path.c_str(), &loaded, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_field_state_hash(loaded), juxta_field_state_hash(both.c));
  EXPECT_EQ(juxta_field_get_options(loaded).components, 2U);
  juxta_field_free(loaded);
  loaded = nullptr;
  juxta_error error;
  EXPECT_EQ(juxta_field_load("/nowhere/field", &loaded, &error), JUXTA_IO);
  EXPECT_EQ(juxta_field_save(both.c, "/nowhere/field", &error), JUXTA_IO);
  EXPECT_EQ(loaded, nullptr);
}

TEST(CField, OfASimulationIsSavedWithIt) {
  juxta_world world = juxta_default_world();
  world.dimensions = 2;
  world.edges[0] = world.edges[1] = JUXTA_EDGE_WALL;
  world.hi[0] = world.hi[1] = 8;
  juxta_error error;
  juxta_simulation* simulation = nullptr;
  ASSERT_EQ(juxta_simulation_build(&world, 1, &simulation, &error), JUXTA_OK) << error.message;
  juxta_field_options options = juxta_default_field_options();
  options.world = juxta_simulation_world(simulation);
  options.cells[0] = options.cells[1] = 4;
  juxta_field* scent = nullptr;
  ASSERT_EQ(juxta_simulation_add_field(simulation, "scent", &options, &scent, &error), JUXTA_OK)
      << error.message;
  EXPECT_EQ(juxta_simulation_find_field(simulation, "scent"), scent);
  EXPECT_EQ(juxta_simulation_find_field(simulation, "smell"), nullptr);
  EXPECT_EQ(juxta_simulation_field_count(simulation), 1U);
  EXPECT_EQ(juxta_simulation_field(simulation, 0), scent);
  EXPECT_EQ(juxta_simulation_field(simulation, 1), nullptr);
  juxta_field* twice = nullptr;
  EXPECT_EQ(juxta_simulation_add_field(simulation, "scent", &options, &twice, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(twice, nullptr);
  ASSERT_EQ(juxta_field_fill(scent, 0, 3, &error), JUXTA_OK);
  const test::ScratchFile file;
  ASSERT_EQ(juxta_simulation_save(simulation, file.path().c_str(), &error), JUXTA_OK) << error.message;
  juxta_simulation* loaded = nullptr;
  ASSERT_EQ(juxta_simulation_load(file.path().c_str(), &loaded, &error), JUXTA_OK) << error.message;
  EXPECT_EQ(juxta_field_state_hash(juxta_simulation_find_field(loaded, "scent")),
            juxta_field_state_hash(scent));
  juxta_simulation_free(loaded);
  juxta_simulation_free(simulation);
}

TEST(CField, MistakesInOptionsHaveAReason) {
  juxta_field* field = nullptr;
  juxta_error error;
  EXPECT_EQ(juxta_field_build(nullptr, &field, &error), JUXTA_INVALID_ARGUMENT) << "the world has no size";
  juxta_field_options options = juxta_default_field_options();
  options.world.hi[0] = options.world.hi[1] = options.world.hi[2] = 1;
  options.cells[1] = 0;
  EXPECT_EQ(juxta_field_build(&options, &field, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
  options.cells[1] = 1;
  options.world.edges[2] = 3;
  EXPECT_EQ(juxta_field_build(&options, &field, &error), JUXTA_INVALID_ARGUMENT);
  options.world.edges[2] = JUXTA_EDGE_OPEN;
  options.world.cookie = 7;
  EXPECT_EQ(juxta_field_build(&options, &field, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("juxta_world"), std::string::npos);
  options.world = juxta_default_world();
  options.cookie = 7;
  EXPECT_EQ(juxta_field_build(&options, &field, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(field, nullptr);
  juxta_field_free(nullptr);
}

TEST(CField, MistakesInCallsHaveAReason) {
  const Both both(2);
  juxta_error error;
  juxta_diffusion diffusion = juxta_default_diffusion();
  diffusion.amount = 0.3F;
  EXPECT_EQ(juxta_field_diffuse(both.c, &diffusion, nullptr, &error), JUXTA_INVALID_ARGUMENT);
  diffusion.amount = 0.1F;
  diffusion.cookie = 0;
  EXPECT_EQ(juxta_field_diffuse(both.c, &diffusion, nullptr, &error), JUXTA_INVALID_ARGUMENT);
  juxta_context context = juxta_default_context();
  context.cookie = 0;
  double total = 0;
  EXPECT_EQ(juxta_field_diffuse(both.c, nullptr, &context, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_field_total(both.c, 0, &context, &total, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_field_total(both.c, 2, nullptr, &total, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_field_fill(both.c, 0, kNan, &error), JUXTA_NOT_FINITE);
  const float x[3] = {0, 1, kNan}, y[3] = {2, 2, 2}, amount = 1;
  float out[3];
  const auto deposit = [&](const float* ys, std::size_t amounts, const juxta_field_access* access) {
    return juxta_field_deposit(both.c, x, ys, nullptr, 0, 3, &amount, 0, amounts, access, &error);
  };
  const auto sample = [&](const juxta_field_access* access, float* to) {
    return juxta_field_sample(both.c, x, y, nullptr, 0, 3, to, access, nullptr, &error);
  };
  EXPECT_EQ(deposit(y, 1, nullptr), JUXTA_NOT_FINITE);
  EXPECT_EQ(error.index, 2U);
  EXPECT_EQ(sample(nullptr, out), JUXTA_NOT_FINITE);
  EXPECT_EQ(error.index, 2U);
  EXPECT_EQ(deposit(nullptr, 1, nullptr), JUXTA_INVALID_ARGUMENT) << "no y";
  EXPECT_EQ(deposit(y, 0, nullptr), JUXTA_INVALID_ARGUMENT) << "no amounts";
  EXPECT_EQ(sample(nullptr, nullptr), JUXTA_INVALID_ARGUMENT) << "no place for answers";
  EXPECT_EQ(
      juxta_field_gradient(both.c, x, y, nullptr, 0, 2, out, nullptr, nullptr, nullptr, nullptr, &error),
      JUXTA_INVALID_ARGUMENT);
  juxta_field_access access = juxta_default_field_access();
  access.method = 2;
  EXPECT_EQ(sample(&access, out), JUXTA_INVALID_ARGUMENT);
  access.cookie = 0;
  EXPECT_EQ(deposit(y, 1, &access), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(both.cpp.state_hash(), juxta_field_state_hash(both.c)) << "nothing was changed";
}

}  // namespace
}  // namespace juxta
