// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/code_of.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

// ctest runs this with JUXTA_ISA set to each word, and to a wrong one.
TEST(IsaEnvironment, IsObeyedOrRefusedByName) {
  const char* const wanted = std::getenv("JUXTA_ISA");
  const auto available = available_isas();
  ASSERT_FALSE(available.empty());
  const auto active = active_isa();
  if (wanted == nullptr || *wanted == '\0') {
    ASSERT_TRUE(active);
    EXPECT_EQ(*active, available.front());
    return;
  }
  const auto named =
      std::find_if(available.begin(), available.end(), [&](Isa isa) { return isa_name(isa) == wanted; });
  if (named != available.end()) {
    ASSERT_TRUE(active) << active.error().message;
    EXPECT_EQ(*active, *named);
    return;
  }
  ASSERT_FALSE(active);
  EXPECT_EQ(test::code_of(active), ErrorCode::kUnsupportedCpu);
  EXPECT_NE(active.error().message.find(wanted), std::string::npos);
  for (const Isa isa : available) {
    EXPECT_NE(active.error().message.find(isa_name(isa)), std::string::npos) << active.error().message;
  }
  ASSERT_TRUE(force_isa(available.back()));  // a program may still choose by itself
  EXPECT_EQ(*active_isa(), available.back());
}

TEST(Isa, ForcedSetsAreActive) {
  test::for_each_isa([](Isa isa) {
    const auto active = active_isa();
    ASSERT_TRUE(active);
    EXPECT_EQ(*active, isa);
  });
}

TEST(Isa, RefusesWhatTheMachineLacks) {
  const auto available = available_isas();
  for (const Isa isa : {Isa::kSse4, Isa::kAvx2, Isa::kAvx3, Isa::kNeon, Isa::kOther, Isa::kSimd128}) {
    if (std::find(available.begin(), available.end(), isa) == available.end()) {
      const auto forced = force_isa(isa);
      ASSERT_FALSE(forced);
      EXPECT_EQ(test::code_of(forced), ErrorCode::kUnsupportedCpu);
    }
  }
}

}  // namespace
}  // namespace juxta
