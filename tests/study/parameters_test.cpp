// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/parameters.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "juxta/study/model.h"
#include "study/pond.h"
#include "support/code_of.h"

namespace juxta {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

Parameters some() {
  return Parameters({{"radius", 1.5, 0.25, 10, false, "how far"}, {"count", 3, 0, 100, true, "how many"}});
}

TEST(StudyParameters, AreTakenWithinTheirRangeEndsIncluded) {
  Parameters all = some();
  EXPECT_EQ(all["radius"], 1.5);
  for (const double value : {0.25, 10.0, 3.0, std::nextafter(10.0, 0.0)}) {
    ASSERT_TRUE(all.set("radius", value));
    EXPECT_EQ(all["radius"], value);
  }
  for (const double value : {std::nextafter(10.0, 11.0), 0.0, -1.0, kNan, kInf, -kInf}) {
    const auto refused = all.set("radius", value);
    ASSERT_FALSE(refused) << value;
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
    EXPECT_NE(refused.error().message.find("a number from 0.25 to 10"), std::string::npos);
    EXPECT_EQ(all["radius"], std::nextafter(10.0, 0.0));  // as it was
  }
  ASSERT_TRUE(all.set("count", 100));
  EXPECT_EQ(all.set("count", 1.5).error().message,
            "count = 1.5 is not allowed: give a whole number from 0 to 100");
  EXPECT_EQ(all.count("count"), 100u);
}

TEST(StudyParameters, ZeroHasNoSign) {
  Parameters all = some();
  ASSERT_TRUE(all.set("count", -0.0));
  EXPECT_FALSE(std::signbit(all["count"]));
}

TEST(StudyParameters, AreReadFromText) {
  Parameters all = some();
  ASSERT_TRUE(all.set("radius=2.75"));
  ASSERT_TRUE(all.set("count=1e1"));
  EXPECT_EQ(all["radius"], 2.75);
  EXPECT_EQ(all.real("radius"), 2.75F);
  EXPECT_EQ(all.count("count"), 10u);
  for (const char* text :
       {"", "radius", "=3", "radius=", "radius=x", "radius=1x", "radius= 1", "radius=1,5"}) {
    const auto refused = all.set(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(test::code_of(refused), ErrorCode::kParse) << text;
  }
  EXPECT_EQ(test::code_of(all.set("radius=11")), ErrorCode::kInvalidArgument);
  const auto unknown = all.set("radios=1");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(test::code_of(unknown), ErrorCode::kNotFound);
  EXPECT_EQ(unknown.error().message, "there is no parameter 'radios': give one of radius, count");
  EXPECT_EQ(all["radius"], 2.75);
}

TEST(StudyParameters, OfNoSuchNameAreNoNumber) {
  const Parameters all = some();
  EXPECT_TRUE(std::isnan(all["radios"]));
  EXPECT_EQ(all.count("radios"), 0u);
  EXPECT_TRUE(std::isnan(all.real("radios")));
  EXPECT_TRUE(Parameters().declared().empty());
  EXPECT_NE(Parameters().set("a", 1).error().message.find("there is no parameter 'a'"), std::string::npos);
}

TEST(StudyParameters, NumbersAreShortAndReadBack) {
  EXPECT_EQ(number_text(3), "3");
  EXPECT_EQ(number_text(-0.1), "-0.1");
  EXPECT_EQ(number_text(1e300), "1e+300");
  for (const double value :
       {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.125, -2.2250738585072014e-308}) {
    const std::string text = number_text(value);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    EXPECT_EQ(back, value);
  }
}

TEST(StudyModel, IsFoundByName) {
  EXPECT_EQ(find_model(test::ponds(), "pond").value(), &test::ponds()[1]);
  const auto none = find_model(test::ponds(), "Pond");
  ASSERT_FALSE(none);
  EXPECT_EQ(test::code_of(none), ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message, "there is no model 'Pond': give one of lake, pond");
}

TEST(StudyModel, ParametersAreThoseOfAPreset) {
  const ModelInfo pond = test::pond();
  EXPECT_EQ(parameters_of(pond)->operator[]("fish"), 12);
  const auto crowd = parameters_of(pond, "crowd");
  ASSERT_TRUE(crowd);
  EXPECT_EQ((*crowd)["fish"], 40);
  EXPECT_EQ((*crowd)["splits_at"], 2);
  EXPECT_EQ((*crowd)["fails_at"], 0);
  const auto none = parameters_of(pond, "desert");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "pond has no preset 'desert': give one of crowd");
  EXPECT_EQ(parameters_of(test::ponds()[0], "crowd").error().message, "lake has no preset 'crowd'");
  // A slip in a preset is told, not swallowed.
  ModelInfo slip = pond;
  slip.presets.push_back({"slip", {{"fish", 1e9}}});
  EXPECT_EQ(test::code_of(parameters_of(slip, "slip")), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace juxta
