// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes: random numbers are the same for every compiler, optimisation and machine.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/core/random.h"
#include "support/fnv.h"

namespace juxta {
namespace {

template <class T>
std::uint64_t hash_of_numbers() {
  std::vector<T> numbers(100'000);
  fill_random({.seed = 0x1234'5678'9ABC'DEF0U, .step = 17, .purpose = 3}, 0xFFFF'0000U, std::span(numbers));
  return test::fnv(std::span<const T>(numbers));
}

TEST(RandomGolden, Numbers) {
  EXPECT_EQ(hash_of_numbers<std::uint32_t>(), 0x9d7f574400a60c5fU);
  EXPECT_EQ(hash_of_numbers<std::uint64_t>(), 0x9e13aad34496c33aU);
  EXPECT_EQ(hash_of_numbers<float>(), 0x995c8759ef8fef94U);
  EXPECT_EQ(hash_of_numbers<double>(), 0x89e61c406ef24ad4U);
}

}  // namespace
}  // namespace juxta
