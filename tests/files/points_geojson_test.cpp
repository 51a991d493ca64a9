// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// GeoJSON points: what is read, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "juxta/files/read_points.h"

namespace juxta {
namespace {

std::string collection(const std::string& features) {
  return R"({"type": "FeatureCollection", "features": [)" + features + "]}";
}

std::string feature(const std::string& coordinates, const std::string& properties,
                    const char* type = "Point") {
  return R"({"type": "Feature", "geometry": {"coordinates": )" + coordinates + R"(, "type": ")" + type +
         R"("}, "properties": )" + properties + "}";
}

Error refused(const std::string& text, const PointColumns& columns = {}) {
  const auto table = parse_points_geojson(text, columns);
  EXPECT_FALSE(table.has_value()) << text;
  return table ? Error{} : table.error();
}

TEST(PointsGeojson, ReadsPointsRanksAndNames) {
  const auto t = parse_points_geojson(collection(
      feature("[10.5, 59, 7]", R"({"name": "Oslo \u00e5", "pop": 5, "more": {"rank": 9, "list": [[1]]}})") +
      "," + feature("[-1, 2e0]", R"({"pop": -7.5, "name": "Rome"})")));
  ASSERT_TRUE(t.has_value()) << t.error().message;
  ASSERT_EQ(t->size(), 2u);
  EXPECT_EQ(t->x[0], 10.5);
  EXPECT_EQ(t->y[1], 2);
  EXPECT_EQ(t->rank[1], -7.5);
  EXPECT_EQ(t->name(0), "Oslo å");
  EXPECT_EQ(t->name(1), "Rome");
  EXPECT_EQ(t->rank_title, "pop");
  EXPECT_TRUE(t->descending);
}

TEST(PointsGeojson, PropertiesCanBeGiven) {
  const auto t =
      parse_points_geojson(collection(feature("[1, 2]", R"({"a": 3, "rank": 4, "b": "B", "name": "N"})")),
                           {.rank = "a", .name = "b"});
  ASSERT_TRUE(t.has_value()) << t.error().message;
  EXPECT_EQ(t->rank[0], 3);
  EXPECT_EQ(t->name(0), "B");
}

TEST(PointsGeojson, RankMayBeMissingOnlyWhenItIsNotRequired) {
  const std::string text = collection(feature("[1, 2]", "null"));
  EXPECT_EQ(refused(text).code, ErrorCode::kNotFound);
  const auto t = parse_points_geojson(text, {.rank_required = false});
  ASSERT_TRUE(t.has_value()) << t.error().message;
  EXPECT_TRUE(t->rank.empty());
  EXPECT_FALSE(t->has_names());
}

TEST(PointsGeojson, SaysWhichFeatureIsWrong) {
  const std::string good = feature("[1, 2]", R"({"rank": 1})");
  for (const std::string& bad :
       {feature("[1]", R"({"rank": 1})"), feature("[[1, 2]]", R"({"rank": 1})"), feature("[1, 2]", "{}"),
        feature("[1, 2]", R"({"rank": null})"), feature("[1, 2]", R"({"rank": 1})", "LineString"),
        std::string(R"({"geometry": null, "properties": {"rank": 1}})")}) {
    const Error error = refused(collection(good + "," + bad));
    EXPECT_EQ(error.index, 1u) << bad;
    EXPECT_NE(error.message.find("feature 2"), std::string::npos) << error.message;
  }
}

TEST(PointsGeojson, SaysWhereTheSyntaxBreaks) {
  const Error error = refused("{\n\"features\": [\n{]\n}");
  EXPECT_EQ(error.code, ErrorCode::kParse);
  EXPECT_EQ(error.line, 3u);
  EXPECT_EQ(refused("{\"features\": [").code, ErrorCode::kParse);
  EXPECT_EQ(refused("{\"features\": [1e999]}").code, ErrorCode::kParse);
}

TEST(PointsGeojson, RefusesWhatIsNoCollection) {
  EXPECT_EQ(refused("{}").code, ErrorCode::kParse);
  EXPECT_EQ(refused("[1, 2]").code, ErrorCode::kParse);
  EXPECT_EQ(refused("7").code, ErrorCode::kParse);
  EXPECT_EQ(refused("{\"features\": []}", {.x = "lon"}).code, ErrorCode::kInvalidArgument);
}

TEST(PointsGeojson, DeepNestingIsNoTrap) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const auto t = parse_points_geojson(collection(feature("[1, 2]", R"({"rank": 1, "deep": )" + deep + "}")));
  ASSERT_TRUE(t.has_value()) << t.error().message;
  EXPECT_EQ(t->size(), 1u);
}

}  // namespace
}  // namespace juxta
