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
       {feature("[1]", R"({"rank": 1})"),
        feature("[[1, 2]]", R"({"rank": 1})"),
        feature("[1, 2]", "{}"),
        feature("[1, 2]", R"({"rank": null})"),
        feature("[1, 2]", R"({"rank": 1})", "LineString"),
        feature(R"(["a", 1, 2])", R"({"rank": 1})"),
        feature("[null, 1, 2]", R"({"rank": 1})"),
        feature("[1, true]", R"({"rank": 1})"),
        feature("[1, 2, {}]", R"({"rank": 1})"),
        feature("[3, [9, 9], 4]", R"({"rank": 1})"),
        feature("[3, [], 4]", R"({"rank": 1})"),
        feature("7", R"({"rank": 1})"),
        feature("null", R"({"rank": 1})"),
        feature("{}", R"({"rank": 1})"),
        feature("[1, 2]", R"({"rank": 1})", "MultiPoint"),
        feature("[[1]]", R"({"rank": 1})", "MultiPoint"),
        feature("[[]]", R"({"rank": 1})", "MultiPoint"),
        feature("[[[1, 2]]]", R"({"rank": 1})", "MultiPoint"),
        feature("[[1, 2], 3]", R"({"rank": 1})", "MultiPoint"),
        feature(R"([[1, 2], "x"])", R"({"rank": 1})", "MultiPoint"),
        feature(R"([1, 2], "coordinates": [3, 4])", R"({"rank": 1})"),
        feature(R"([1, 2])", R"({"rank": 1}, "geometry": null)"),
        std::string("7"),
        std::string("null"),
        std::string("\"x\""),
        std::string("[1, 2]"),
        std::string("[]"),
        std::string("true"),
        std::string(R"({"geometry": 5, "properties": {"rank": 1}})"),
        std::string(R"({"geometry": [1, 2], "properties": {"rank": 1}})"),
        std::string(R"({"geometry": {}, "properties": {"rank": 1}})"),
        std::string(R"({"geometry": {"type": "Point"}, "properties": {"rank": 1}})"),
        std::string(R"({"geometry": {"coordinates": [1, 2]}, "properties": {"rank": 1}})"),
        std::string(R"({"type": "Point", "coordinates": [1, 2], "properties": {"rank": 1}})"),
        std::string(R"({"properties": {"rank": 1}})")}) {
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

PointTable read(const std::string& text, const PointColumns& columns = {}) {
  auto table = parse_points_geojson(text, columns);
  EXPECT_TRUE(table.has_value()) << text << ": " << table.error().message;
  return table ? std::move(*table) : PointTable{};
}

TEST(PointsGeojson, CountsFeaturesWithoutAPlace) {
  const std::string good = feature("[1, 2]", R"({"rank": 1, "name": "A"})");
  const std::string null =
      R"({"type": "Feature", "geometry": null, "properties": {"population": 3, "label": "x"}})";
  const PointTable t = read(collection(null + "," + good + "," + null + "," + feature("[]", "{}") + "," +
                                       feature("[]", "{}", "MultiPoint")));
  EXPECT_EQ(t.size(), 1u);
  EXPECT_EQ(t.without_place, 4u);
  EXPECT_EQ(t.rank_title, "rank");  // a feature without a place chooses no properties
  EXPECT_EQ(t.name(0), "A");
  EXPECT_EQ(read(collection(null)).size(), 0u);
}

TEST(PointsGeojson, EachPositionOfAMultiPointIsAPoint) {
  const PointTable t =
      read(collection(feature("[[1, 2], [3, 4, 5]]", R"({"rank": 7, "name": "M"})", "MultiPoint") + "," +
                      feature("[5, 6]", R"({"rank": 8, "name": "P"})")));
  EXPECT_EQ(t.x, (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(t.y, (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(t.rank, (std::vector<double>{7, 7, 8}));
  EXPECT_EQ(t.name(1), "M");
  EXPECT_EQ(t.name(2), "P");
}

TEST(PointsGeojson, AFeatureOrAGeometryMayStandAlone) {
  const std::string one = feature("[1, 2]", R"({"rank": 3})");
  EXPECT_EQ(read(one).rank, (std::vector<double>{3}));
  const PointColumns any{.rank_required = false};
  EXPECT_EQ(read(R"({"coordinates": [1, 2], "type": "Point"})", any).y, (std::vector<double>{2}));
  EXPECT_EQ(read(R"({"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]})", any).size(), 2u);
  EXPECT_EQ(
      read(R"({"properties": {"rank": 9}, "type": "FeatureCollection", "features": [)" + one + "]}").rank[0],
      3);
  for (const char* bad :
       {R"({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]})",
        R"({"coordinates": [1, 2]})", R"({"type": "GeometryCollection", "geometries": []})",
        R"({"type": "Topology", "objects": {}})", R"({"type": "Feature", "features": []})",
        R"({"type": "FeatureCollection", "features": {}})",
        R"({"type": "FeatureCollection", "features": null})", R"({"type": "FeatureCollection"})",
        R"({"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, "2"]}})"}) {
    EXPECT_EQ(parse_points_geojson(bad, any).has_value(), false) << bad;
  }
}

TEST(PointsGeojson, TextsMayFollowEachOther) {
  const std::string a = feature("[1, 2]", R"({"rank": 3})"), b = feature("[4, 5]", R"({"rank": 6})");
  for (const std::string& text : {a + "\n" + b, a + "\r\n\r\n" + b + "\r\n", "\x1E" + a + "\n\x1E" + b + "\n",
                                  "\x1E\x1E{\n\"type\": \"Feature\"," + a.substr(1) + "\x1E" + collection(b),
                                  "\xEF\xBB\xBF" + collection(a + "," + b), "\xEF\xBB\xBF" + a + "\n" + b}) {
    const auto t = parse_points(text);
    ASSERT_TRUE(t.has_value()) << text << ": " << t.error().message;
    EXPECT_EQ(t->x, (std::vector<double>{1, 4})) << text;
    EXPECT_EQ(t->rank, (std::vector<double>{3, 6})) << text;
  }
  EXPECT_EQ(refused(a + "\n" + b + "\n{\"type\": ").line, 3u);
  EXPECT_EQ(refused(a + "\n7\n").code, ErrorCode::kParse);
  EXPECT_EQ(refused(a + "]").code, ErrorCode::kParse);
  EXPECT_EQ(refused(a + "\n" + feature("[1]", R"({"rank": 3})")).index, 1u);
}

TEST(PointsGeojson, SkipBadIsTheFileWithoutThem) {
  const PointColumns skip{.skip_bad = true};
  const std::string a = feature("[1, 2]", R"({"rank": 3})"), b = feature("[4, 5]", R"({"rank": 6})");
  const std::string bad = feature("[1, \"2\"]", R"({"population": 1, "name": "x"})");
  const PointTable t = read(collection(bad + "," + a + ",7," + b + "," + feature("[8, 9]", "{}")), skip);
  EXPECT_EQ(t.x, (std::vector<double>{1, 4}));
  EXPECT_EQ(t.rank_title, "rank");
  EXPECT_FALSE(t.has_names());
  EXPECT_EQ(t.skipped.count, 3u);
  ASSERT_EQ(t.skipped.first.size(), 3u);
  EXPECT_EQ(t.skipped.first[1].index, 2u);
  EXPECT_NE(t.skipped.first[2].message.find("feature 5"), std::string::npos);

  const PointTable lines =
      read(a + "\n" + b.substr(0, 30) + "\n7\n{\"x\": 1}\n{\"type\": \"Feat\n" + bad + "\n" + b, skip);
  EXPECT_EQ(lines.rank, (std::vector<double>{3, 6}));
  EXPECT_EQ(lines.skipped.count, 5u);
  EXPECT_EQ(lines.skipped.first[0].line, 3u);
  const PointTable records = read("\x1E" + a + "\n\x1E{\n\"type\":\n\x1E" + b, skip);
  EXPECT_EQ(records.rank, (std::vector<double>{3, 6}));
  EXPECT_EQ(records.skipped.count, 1u);

  EXPECT_EQ(refused("{\"features\": [" + a + ", {]}", skip).line, 1u);  // nobody knows what is lost
  EXPECT_EQ(refused("{\n\"type\": \"Feature\",\n\"x\"}\n" + a, skip).line, 3u);
  EXPECT_NE(refused(collection(bad + "," + bad), skip).message.find("feature 1"), std::string::npos);
  const std::string many = [&] {
    std::string list = a;
    for (int i = 0; i < 1000; ++i) {
      list += "," + bad;
    }
    return list;
  }();
  EXPECT_EQ(read(collection(many), skip).skipped.count, 1000u);
  EXPECT_EQ(read(collection(many), skip).skipped.first.size(), SkippedRows::kTold);
}

TEST(PointsGeojson, DeepNestingIsNoTrap) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const auto t = parse_points_geojson(collection(feature("[1, 2]", R"({"rank": 1, "deep": )" + deep + "}")));
  ASSERT_TRUE(t.has_value()) << t.error().message;
  EXPECT_EQ(t->size(), 1u);
}

}  // namespace
}  // namespace juxta
