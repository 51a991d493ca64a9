// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns that points may be filtered by: numbers that may be missing, and words that become bits.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "juxta/files/read_points.h"
#include "juxta/ranked/ranked_points.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using Words = std::vector<std::string>;
using Masks = std::vector<std::uint64_t>;

PointTable read(const std::string& text, const PointColumns& columns) {
  auto table = parse_points_csv(text, columns);
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  return table ? std::move(*table) : PointTable{};
}

TEST(PointFilters, AreReadOnlyWhenAskedFor) {
  const std::string text = "x,y,rank,price,kind\n1,2,3,4.5,cafe\n5,6,7,8.5,bar\n";
  const PointTable plain = read(text, {});
  EXPECT_TRUE(plain.values.empty() && plain.categories.empty() && plain.category_names.empty());
  const PointTable t = read(text, {.values = {"PRICE", "rank"}, .categories = "kind"});
  EXPECT_EQ(t.value_titles, (Words{"price", "rank"}));
  ASSERT_EQ(t.values.size(), 2U);
  EXPECT_EQ(t.values[0], (std::vector<double>{4.5, 8.5}));
  EXPECT_EQ(t.values[1], (std::vector<double>{3, 7}));
  EXPECT_EQ(t.rank, t.values[1]);  // one column may be both
  EXPECT_EQ(t.category_names, (Words{"cafe", "bar"}));
  EXPECT_EQ(t.categories, (Masks{1, 2}));
}

TEST(PointFilters, AnEmptyCellIsNoNumber) {
  const PointTable t = read("x,y,rank,price\n1,2,3,\n1,2,3,  \n1,2,3,\"\"\n1,2,3, 7 \n", {.values = {"4"}});
  EXPECT_EQ(t.value_titles, Words{"price"});
  ASSERT_EQ(t.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::isnan(t.values[0][i])) << i;
  }
  EXPECT_EQ(t.values[0][3], 7);
}

TEST(PointFilters, WordsAreCutAtCommasSemicolonsAndBars) {
  const PointTable t = read(
      "x,y,rank,kind,name\n1,2,3,cafe; bar,A\n1,2,3,\"bar, fast food|cafe\",B\n1,2,3,,C\n1,2,3,\"a "
      "\"\"b\"\"\",D\n"
      "1,2,3,;| ,E\n",
      {.categories = "kind"});
  EXPECT_EQ(t.category_names, (Words{"cafe", "bar", "fast food", "a \"b\""}));
  EXPECT_EQ(t.categories, (Masks{3, 7, 0, 8, 0}));
  EXPECT_EQ(t.name(3), "D");
}

TEST(PointFilters, NumbersAreBits) {
  const PointTable t = read("x,y,rank,kind\n1,2,3,63\n1,2,3,5;0\n1,2,3,\n1,2,3,5\n", {.categories = "kind"});
  ASSERT_EQ(t.category_names.size(), 64U);
  EXPECT_EQ(t.category_names[5], "5");
  EXPECT_EQ(t.category_names[6], "");
  EXPECT_EQ(t.categories, (Masks{std::uint64_t{1} << 63, 33, 0, 32}));
  // Unless one of them is a word: then all are.
  for (const std::string word : {"64", "05", "+5", "five", "-1"}) {
    const PointTable words = read("x,y,rank,kind\n1,2,3,63\n1,2,3," + word + "\n", {.categories = "kind"});
    EXPECT_EQ(words.category_names, (Words{"63", word}));
    EXPECT_EQ(words.categories, (Masks{1, 2}));
  }
}

TEST(PointFilters, SixtyFourCategoriesAndNotOneMore) {
  std::string text = "x,y,rank,kind\n";
  for (int i = 0; i < 64; ++i) {
    text += "1,2,3,c" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(read(text, {.categories = "kind"}).categories.back(), std::uint64_t{1} << 63);
  for (const std::string row : {"1,2,3,one more\n", "1,2,3,\"one more\"\n"}) {  // both ways to read a row
    for (const bool skip_bad : {false, true}) {
      const auto table = parse_points_csv(text + row, {.skip_bad = skip_bad, .categories = "kind"});
      ASSERT_EQ(test::code_of(table), ErrorCode::kTooLarge);
      EXPECT_EQ(table.error().line, 66U);
      EXPECT_NE(table.error().message.find("'one more'"), std::string::npos) << table.error().message;
    }
  }
}

TEST(PointFilters, RefusesOtherColumnsAndCells) {
  const std::string text = "x,y,rank,price\n1,2,3,4\n1,2,3,dear\n";
  const auto refused = [&](const PointColumns& columns) {
    const auto table = parse_points_csv(text, columns);
    EXPECT_FALSE(table);
    return table ? Error{} : table.error();
  };
  Error error = refused({.values = {"cost"}});
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_NE(error.message.find("'cost'"), std::string::npos);
  EXPECT_NE(error.message.find("'price'"), std::string::npos) << error.message;
  error = refused({.categories = "kind"});
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_NE(error.message.find("'kind'"), std::string::npos);
  EXPECT_EQ(refused({.values = {"price", "x", "y"}}).code, ErrorCode::kInvalidArgument);
  error = refused({.values = {"price"}});
  EXPECT_EQ(error.code, ErrorCode::kParse);
  EXPECT_EQ(error.line, 3U);
  EXPECT_NE(error.message.find("'dear' in column 4 (price)"), std::string::npos) << error.message;
  const PointTable rest = read(text, {.skip_bad = true, .values = {"price"}});
  EXPECT_EQ(rest.values[0], std::vector<double>{4});
  EXPECT_EQ(rest.skipped.count, 1U);
  EXPECT_EQ(test::code_of(parse_points("{\"features\": []}", {.values = {"price"}})),
            ErrorCode::kInvalidArgument);
}

// Rows that are read where they stand, and rows with a quote, which are cut first.
TEST(PointFilters, BothWaysToReadARowAgree) {
  std::string plain = "x,y,rank,price,kind,name,size\n", quoted = plain;
  for (int i = 0; i < 500; ++i) {
    const std::string start = std::to_string(i % 17) + "," + std::to_string(i % 13) + "," + std::to_string(i);
    const std::string price = i % 7 == 0 ? "" : std::to_string(i % 29), kind = "k" + std::to_string(i % 5);
    const std::string end = ",p" + std::to_string(i) + "," + std::to_string(i % 3) + "\n";
    plain += start + "," + price + "," + kind + ";k" + std::to_string(i % 3) + end;
    quoted += start + ",\"" + price + "\",\"" + kind + ";k" + std::to_string(i % 3) + "\"" + end;
  }
  const PointColumns columns{.values = {"price", "size"}, .categories = "kind"};
  const PointTable a = read(plain, columns), b = read(quoted, columns);
  EXPECT_EQ(a.categories, b.categories);
  EXPECT_EQ(a.category_names, b.category_names);
  EXPECT_EQ(a.values[1], b.values[1]);
  EXPECT_EQ(a.name_bytes, b.name_bytes);
  ASSERT_EQ(a.values[0].size(), 500U);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_TRUE(a.values[0][i] == b.values[0][i] ||
                (std::isnan(a.values[0][i]) && std::isnan(b.values[0][i])));
  }
}

TEST(PointFilters, GoIntoAnIndexAsTheyAre) {
  const PointTable t = read("x,y,rank,price,kind\n1,1,3,10,cafe\n2,2,2,,cafe;bar\n3,3,1,30,bar\n",
                            {.values = {"price"}, .categories = "kind"});
  const std::vector<ValueColumn> values(t.values.begin(), t.values.end());
  const auto index = RankedPoints::build(t.x, t.y, t.rank, {.categories = t.categories, .values = values});
  ASSERT_TRUE(index) << index.error().message;
  const RectD all{0, 0, 9, 9};
  EXPECT_EQ(index->count(all, {.any = 1}).found, 2U);
  EXPECT_EQ(index->count(all, {.all = 3}).found, 1U);
  EXPECT_EQ(index->count(all, {.ranges = {{10, 20}, {}}}).found, 1U);
  EXPECT_EQ(index->count(all, {.none = 1, .ranges = {{10, 30}, {}}}).found, 1U);
}

}  // namespace
}  // namespace juxta
