// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The flat table: what is saved is loaded, and all damaged bytes are refused. And files that appear whole or
// not at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "juxta/files/output_file.h"
#include "juxta/files/table_file.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;

PointTable small() {
  PointTable t;
  t.x = {1, 2, -0.0};
  t.y = {4, 5e300, 6};
  t.rank = {7, 8, 9};
  t.name_bytes = "OsloRome";
  t.name_end = {4, 4, 8};
  t.x_title = "lon";
  t.rank_title = "population";
  t.descending = true;
  return t;
}

PointTable with_filters() {
  PointTable t = small();
  t.value_titles = {"price", ""};
  t.category_names = {"cafe", "", "fast food"};
  return t;
}

bool reads(const std::string& bytes) {
  const auto table = parse_point_table(bytes);
  EXPECT_TRUE(table || table.error().code == ErrorCode::kCorruptFile);
  return table.has_value();
}

TEST(PointTableBytes, WrittenIsRead) {
  const PointTable want = small();
  const auto bytes = point_table_bytes(want);
  ASSERT_TRUE(bytes.has_value());
  const auto got = parse_point_table(*bytes);
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got->x, want.x);
  EXPECT_EQ(got->y, want.y);
  EXPECT_EQ(got->rank, want.rank);
  EXPECT_EQ(got->name(0), "Oslo");
  EXPECT_EQ(got->name(1), "");
  EXPECT_EQ(got->name(2), "Rome");
  EXPECT_EQ(got->x_title, "lon");
  EXPECT_EQ(got->rank_title, "population");
  EXPECT_TRUE(got->descending);
}

TEST(PointTableBytes, EmptyTableIsRead) {
  const auto got = parse_point_table(point_table_bytes({}).value());
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got->size(), 0u);
}

TEST(PointTableBytes, KeepsWhatFiltersAreCalled) {
  const PointTable want = with_filters();
  std::string bytes = point_table_bytes(want).value();
  EXPECT_EQ(bytes.size() % 8, 0U);  // "OsloRome" ends it
  const auto got = parse_point_table(bytes);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->value_titles, want.value_titles);
  EXPECT_EQ(got->category_names, want.category_names);
  EXPECT_EQ(got->x, want.x);
  EXPECT_EQ(got->name(2), "Rome");
  EXPECT_TRUE(got->values.empty() && got->categories.empty());
  const auto view = view_point_table(bytes);
  ASSERT_TRUE(view) << view.error().message;
  for (const PointTableView& table : {*view, PointTableView(want)}) {
    EXPECT_TRUE(std::ranges::equal(table.value_titles, want.value_titles));
    EXPECT_TRUE(std::ranges::equal(table.category_names, want.category_names));
    EXPECT_TRUE(std::ranges::equal(table.x, want.x) && table.name(0) == "Oslo");
  }
  // A table without filters has the bytes that it always had.
  EXPECT_EQ(point_table_bytes(small()).value().size(), 88U + 24 + 3 * 24 + 24 + 8);

  PointTable large = want;
  large.category_names.assign(64, "c");
  EXPECT_TRUE(reads(point_table_bytes(large).value()));
  large.category_names.emplace_back("c");
  EXPECT_EQ(test::code_of(point_table_bytes(large)), ErrorCode::kInvalidArgument);
  large = want;
  large.value_titles.emplace_back("c");
  EXPECT_EQ(test::code_of(point_table_bytes(large)), ErrorCode::kInvalidArgument);
  large = want;
  large.category_names[1].assign((1 << 20) + 1, 'c');
  EXPECT_EQ(test::code_of(point_table_bytes(large)), ErrorCode::kInvalidArgument);
}

TEST(PointTableBytes, EveryFlippedBitAndEveryCutIsRefused) {
  const std::string good = point_table_bytes(with_filters()).value();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    EXPECT_FALSE(reads(bad)) << "byte " << i;
    EXPECT_FALSE(reads(good.substr(0, i))) << "cut at " << i;
  }
  EXPECT_FALSE(reads(good + "x"));
  EXPECT_TRUE(reads(good));
}

/// Rows and names, whatever the bytes are: address sanitizer would see a step too far.
std::size_t bytes_of_names(const PointTableView& view) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < view.size(); ++i) {
    sum += view.name(i).size();
  }
  return sum;
}

TEST(PointTableBytes, AViewShowsWhatIsRead) {
  const PointTable want = small();
  std::string bytes(8, ' ');
  bytes += point_table_bytes(want).value();
  const auto view = view_point_table(std::string_view(bytes).substr(8));
  ASSERT_TRUE(view) << view.error().message;
  for (const PointTableView& table : {*view, PointTableView(want)}) {
    EXPECT_TRUE(std::ranges::equal(table.x, want.x) && std::ranges::equal(table.y, want.y) &&
                std::ranges::equal(table.rank, want.rank));
    EXPECT_EQ(table.name(0), "Oslo");
    EXPECT_EQ(table.name(1), "");
    EXPECT_EQ(table.name(2), "Rome");
    EXPECT_EQ(table.x_title, "lon");
    EXPECT_EQ(table.rank_title, "population");
    EXPECT_TRUE(table.descending && table.has_names() && check_point_table(table));
  }
  EXPECT_EQ(test::code_of(view_point_table(std::string_view(bytes).substr(7))), ErrorCode::kCorruptFile);
  bytes.insert(0, 1, ' ');  // no place for a double
  EXPECT_EQ(test::code_of(view_point_table(std::string_view(bytes).substr(9))), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(parse_point_table(std::string_view(bytes).substr(9)));
}

TEST(PointTableBytes, AViewOfDamagedBytesStaysInside) {
  const std::string good = point_table_bytes(with_filters()).value();
  std::size_t whole = 0, found = 0;
  for (std::size_t i = 0; i < 8 * good.size(); ++i) {
    std::string bad = good;
    bad[i / 8] = static_cast<char>(bad[i / 8] ^ (1 << (i % 8)));
    if (const auto view = view_point_table(bad)) {
      EXPECT_LE(bytes_of_names(*view), 3 * good.size());
      ++whole;
      found += !check_point_table(*view);
    }
    EXPECT_FALSE(view_point_table(std::string_view(good).substr(0, i / 8)));
  }
  EXPECT_GT(whole, 100U);
  EXPECT_GT(found, 20U);
}

TEST(PointTableBytes, TitlesHaveALimit) {
  PointTable table = small();
  table.x_title.assign((std::size_t{1} << 20) + 1, 'x');
  const auto bytes = point_table_bytes(table);
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(test::code_of(bytes), ErrorCode::kInvalidArgument);
}

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("output_file_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "file";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_, path_;
};

TEST_F(OutputFileTest, UncommittedOutputLeavesTheOldFileAlone) {
  ASSERT_TRUE(write_file(path_.string(), "old").has_value());
  {
    auto file = OutputFile::open(path_.string());
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->write("half of the ne").has_value());
  }
  EXPECT_EQ(bytes(), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
  ASSERT_TRUE(write_file(path_.string(), "new").has_value());
  EXPECT_EQ(bytes(), "new");
}

TEST_F(OutputFileTest, WritingRefusesDirectoriesAndMissingFolders) {
  EXPECT_FALSE(write_file(folder_.string(), "x").has_value());
  EXPECT_FALSE(write_file((folder_ / "none" / "file").string(), "x").has_value());
}

}  // namespace
}  // namespace juxta
