// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes: fields are the same on every compiler, instruction set and executor.
#include <gtest/gtest.h>

#include <vector>

#include "grid/fields.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta {
namespace {

std::uint64_t hash_of(std::uint32_t dimensions, const Executor* executor) {
  const Context context{.executor = executor};
  const test::Shape cells = dimensions == 2 ? test::Shape{67, 45, 1} : test::Shape{33, 12, 20};
  scenes::Draws draws(31);
  std::uint64_t hash = test::fnv(std::span<const int>{});
  for (const Edge edge : test::kEdges) {
    Field field = test::draw_field(test::options_of(dimensions, cells, {edge, edge, edge}, 2), draws);
    const test::Points points = test::draw_points(field.options(), 777, draws);
    std::vector<float> out(777), slope[3];
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      slope[axis].resize(777);
    }
    for (const FieldMethod method : {FieldMethod::kNearest, FieldMethod::kLinear}) {
      const FieldAccess access{.component = 1, .method = method};
      const std::vector<float> amount(1, 0.375F);
      EXPECT_TRUE(field.deposit(points.x, points.y, points.z, amount, access));
      EXPECT_TRUE(field.diffuse({.amount = 0.15F, .decay = 0.01F, .steps = 9}, context));
      EXPECT_TRUE(field.diffuse({.amount = 0.01F, .decay = 0}, context));
      EXPECT_TRUE(field.sample(points.x, points.y, points.z, out, access, context));
      EXPECT_TRUE(
          field.gradient(points.x, points.y, points.z, slope[0], slope[1], slope[2], access, context));
      hash = test::fnv(std::span<const float>(out), hash);
      for (const std::vector<float>& one : slope) {
        hash = test::fnv(std::span<const float>(one), hash);
      }
      const double total = field.total(1, context).value();
      hash = test::fnv(std::span<const double>(&total, 1), hash);
    }
    const std::uint64_t state = field.state_hash();
    hash = test::fnv(std::span<const std::uint64_t>(&state, 1), hash);
  }
  return hash;
}

TEST(GridGolden, FieldsAreTheSameEverywhere) {
  test::for_each_isa([](Isa) {
    test::for_each_executor([](const Executor* executor) {
      EXPECT_EQ(hash_of(2, executor), 0x39fd1e4a9f049c3fU);
      EXPECT_EQ(hash_of(3, executor), 0xa5799371cabcdda7U);
    });
  });
}

}  // namespace
}  // namespace juxta
