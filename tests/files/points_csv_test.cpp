// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// CSV and TSV: what is read, and what is refused with which line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "juxta/core/monitor.h"
#include "juxta/files/read_points.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using namespace std::string_literals;

PointTable read(const std::string& text, const PointColumns& columns = {}) {
  auto table = parse_points_csv(text, columns);
  EXPECT_TRUE(table.has_value()) << (table ? "" : table.error().message);
  return table ? std::move(*table) : PointTable{};
}

Error refused(const std::string& text, const PointColumns& columns = {}) {
  const auto table = parse_points_csv(text, columns);
  EXPECT_FALSE(table.has_value()) << text;
  return table ? Error{} : table.error();
}

void expect_one(const PointTable& t, double x, double y, double rank, std::string_view name) {
  ASSERT_EQ(t.size(), 1u);
  EXPECT_EQ(t.x[0], x);
  EXPECT_EQ(t.y[0], y);
  ASSERT_EQ(t.rank.size(), 1u);
  EXPECT_EQ(t.rank[0], rank);
  EXPECT_EQ(t.name(0), name);
}

TEST(PointsCsv, FindsColumnsByTheirUsualTitlesInAnyOrderAndCase) {
  const PointTable t = read("Name,LATITUDE,Longitude,population\nOslo,59.9,10.7,709000\n");
  expect_one(t, 10.7, 59.9, 709000, "Oslo");
  EXPECT_TRUE(t.descending);
  EXPECT_EQ(t.x_title, "Longitude");
  EXPECT_EQ(t.rank_title, "population");
}

TEST(PointsCsv, PrefersTheBetterTitle) {
  const PointTable t = read("population,easting,x,y,rank,label,name\n9,8,1,2,3,L,N\n");
  expect_one(t, 1, 2, 3, "N");
  EXPECT_FALSE(t.descending);
}

TEST(PointsCsv, TakesGivenColumnsByTitleOrNumber) {
  const std::string text = "a,b,c,d\n1,2,3,Oslo\n";
  expect_one(read(text, {.x = "b", .y = "A", .rank = "3", .name = "d"}), 2, 1, 3, "Oslo");
  expect_one(read("1,2,3,Oslo\n", {.x = "2", .y = "1", .rank = "3", .name = "4"}), 2, 1, 3, "Oslo");
}

TEST(PointsCsv, DirectionCanBeGiven) {
  const std::string text = "x,y,population\n1,2,3\n";
  EXPECT_FALSE(read(text, {.direction = RankDirection::kAscending}).descending);
  EXPECT_TRUE(read("x,y,rank\n1,2,3\n", {.direction = RankDirection::kDescending}).descending);
}

TEST(PointsCsv, ReadsWithoutHeaderAsXYRankName) {
  const PointTable t = read("1,2,3,Oslo\n4,5,6,Rome\n");
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t.x[1], 4);
  EXPECT_EQ(t.rank[1], 6);
  EXPECT_EQ(t.name(1), "Rome");
}

TEST(PointsCsv, UnderstandsQuotesMarksAndLineEnds) {
  expect_one(read("\xEF\xBB\xBFx,y,rank,name\r\n\r\n1,2,3,\"a \"\"b\"\", c\"\r\n\r\n"), 1, 2, 3,
             "a \"b\", c");
  expect_one(read("x,y,rank,name\r1,2,3,old\r"), 1, 2, 3, "old");
  expect_one(read("x,y,rank,name\n1,2,3,\"two\nlines\""), 1, 2, 3, "two\nlines");
  expect_one(read("\"x\",\"y\",\"rank\",\"na,me\"\n\"1\",\"2\",\"3\",5\" pipe\n", {.name = "na,me"}), 1, 2, 3,
             "5\" pipe");
  expect_one(read("x\ty\trank\tname\n 1 \t+2\t3e0\ta,b\n"), 1, 2, 3, "a,b");
  expect_one(read("x;y;rank;name\n-1;2;3;\n"), -1, 2, 3, "");
}

TEST(PointsCsv, HeaderAloneIsAnEmptyTable) {
  EXPECT_EQ(read("x,y,rank\n").size(), 0u);
  EXPECT_EQ(read("x,y,rank").size(), 0u);
}

TEST(PointsCsv, RankMayBeMissingOnlyWhenItIsNotRequired) {
  EXPECT_EQ(refused("x,y\n1,2\n").code, ErrorCode::kNotFound);
  const PointTable t = read("x,y\n1,2\n", {.rank_required = false});
  EXPECT_EQ(t.size(), 1u);
  EXPECT_TRUE(t.rank.empty());
  // Without a header: a rank that is asked for and not there is a mistake too.
  EXPECT_EQ(refused("1,2\n").code, ErrorCode::kNotFound);
  EXPECT_EQ(refused("1,2,,Oslo\n").code, ErrorCode::kParse);
}

TEST(PointsCsv, RefusesWithTheLine) {
  EXPECT_EQ(refused("").line, 1u);
  EXPECT_EQ(refused("\n\n").line, 1u);
  EXPECT_EQ(refused("x,y,rank\n1,2,3\n\n1,2\n").line, 4u);
  EXPECT_EQ(refused("x,y,rank\n1,2,3,4\n").line, 2u);
  EXPECT_EQ(refused("x,y,rank,name\n1,2,3,\"a\nb\"\n1,2,nope,c\n").line, 4u);
  EXPECT_EQ(refused("x,y,rank,name\n1,2,3,\"open\n1,2,3,b\n").line, 2u);
  EXPECT_EQ(refused("x,y,rank,name\n1,2,3,\"a\"b\n").line, 2u);
}

TEST(PointsCsv, RefusesWhatIsNoFiniteNumber) {
  for (const char* bad : {"nan", "inf", "-inf", "", " ", "1x", "1e999", "0x10", "1 2", "+-1", "--1"}) {
    const Error error = refused("x,y,rank\n1,2,3\n1,"s + bad + ",3\n");
    EXPECT_EQ(error.code, ErrorCode::kParse) << bad;
    EXPECT_EQ(error.line, 3u) << bad;
    EXPECT_NE(error.message.find("column 2 (y)"), std::string::npos) << error.message;
  }
}

TEST(PointsCsv, NamesTheColumnsToChooseFrom) {
  const Error error = refused("name,lat,town\nOslo,1,2\n");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_NE(error.message.find("'town'"), std::string::npos) << error.message;
  EXPECT_EQ(refused("x,y,rank\n1,2,3\n", {.x = "X2"}).code, ErrorCode::kNotFound);
  EXPECT_EQ(refused("x,y,rank\n1,2,3\n", {.x = "4"}).code, ErrorCode::kNotFound);
  EXPECT_EQ(refused("x,y,rank\n1,2,3\n", {.x = "0"}).code, ErrorCode::kNotFound);
}

TEST(PointsCsv, HugeLineIsOnlyALine) {
  const std::string name(5'000'000, 'n');
  EXPECT_EQ(read("x,y,rank,name\n1,2,3," + name + "\n").name(0).size(), name.size());
  const Error error = refused("x,y,rank\n1," + name + ",3\n");
  EXPECT_LT(error.message.size(), 200u);
}

TEST(PointsCsv, StopsWhenAsked) {
  struct Stop final : Monitor {
    bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return false; }
  } stop;
  std::string text = "x,y,rank\n";
  for (int i = 0; i < 200'000; ++i) {
    text += "1,2,3\n";
  }
  const auto table = parse_points_csv(text, {}, {.monitor = &stop});
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(test::code_of(table), ErrorCode::kCancelled);
}

TEST(PointsCsv, SkipBadIsTheFileWithoutThem) {
  const std::string text =
      "x,y,rank,name\n1,2,3,A\n1,2,nan,B\n1,2\n1,x,3,C\n4,5,6,\"D\nE\"\n7,8,9,\"open\n1,1,1,\"a\"b\n2,2,2,"
      "F\n";
  const auto strict = parse_points_csv(text);
  ASSERT_FALSE(strict.has_value());
  EXPECT_EQ(strict.error().line, 3u);
  const auto t = parse_points_csv(text, {.skip_bad = true});
  ASSERT_TRUE(t.has_value()) << t.error().message;
  EXPECT_EQ(t->x, (std::vector<double>{1, 4, 2}));
  EXPECT_EQ(t->y, (std::vector<double>{2, 5, 2}));
  EXPECT_EQ(t->rank, (std::vector<double>{3, 6, 2}));
  EXPECT_EQ(t->name(1), "D\nE");
  EXPECT_EQ(t->name(2), "F");
  EXPECT_EQ(t->skipped.count, 5u);
  std::vector<std::uint64_t> lines;
  for (const Error& error : t->skipped.first) {
    lines.push_back(error.line);
  }
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{3, 4, 5, 8, 9}));
  EXPECT_EQ(parse_points_csv("x,y,rank\n1,2,a\n", {.skip_bad = true}).error().line, 2u);
  EXPECT_EQ(test::code_of(parse_points_csv("x,y,depth\n1,2,3\n", {.skip_bad = true})), ErrorCode::kNotFound);
}

// Rows of plain numbers take a short way, rows with quotes do not. Both read the same.
TEST(PointsCsv, ReadsTheSameWithAndWithoutQuotes) {
  std::mt19937 random(7);
  const std::vector<std::string> good = {"1",  "-2.5", "1e3", "+3",     " 4", "5 ",
                                         ".5", "5.",   "-0",  "1e-320", "007"};
  const std::vector<std::string> bad = {"nan", "inf", "",   "x",  "0x10", "1e999",
                                        "1 2", "--1", "1e", "3x", "."};
  const std::vector<std::string> names = {"",  "Oslo",     " a b ",    "it\"s",
                                          "1", "\xC3\x98", "eight888", "seventeen letters"};
  const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  std::size_t read = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    const bool with_bad = random() % 2 == 0;
    const std::string end = random() % 3 == 0 ? "\r\n" : random() % 3 == 0 ? "\r" : "\n";
    const char* titles[] = {"x,y,rank,name", "name,x,note,y,rank", "x,y,rank", "note,y,x,rank,name"};
    std::string plain = titles[random() % 4], quoted = plain;
    const auto width = static_cast<std::size_t>(std::ranges::count(plain, ',') + 1);
    const std::string heading = "," + plain + ",";
    for (std::size_t row = 0; row < random() % 9; ++row) {
      plain += random() % 9 == 0 ? end + end : end;
      quoted = quoted + plain.substr(plain.size() - (plain.ends_with(end + end) ? 2 : 1) * end.size());
      const std::size_t cells = with_bad && random() % 20 == 0 ? width + random() % 2 * 2 - 1 : width;
      for (std::size_t c = 0, at = 1; c < cells; ++c, at = heading.find(',', at) + 1) {
        const std::string title = c < width ? heading.substr(at, heading.find(',', at) - at) : "";
        const bool is_text = title == "name" || title == "note";
        const std::string cell = is_text ? pick(names) : pick(with_bad && random() % 15 == 0 ? bad : good);
        std::string doubled;
        for (const char letter : cell) {
          doubled += letter == '"' ? "\"\"" : std::string(1, letter);
        }
        plain += (c == 0 ? "" : ",") + cell;
        quoted += (c == 0 ? "\"" : ",\"") + doubled + "\"";
      }
    }
    if (const char delimiter = ",;\t"[random() % 3]; delimiter != ',') {
      std::ranges::replace(plain, ',', delimiter);
      std::ranges::replace(quoted, ',', delimiter);
    }
    const bool ends = random() % 2 == 0;
    plain += ends ? end : "";
    quoted += ends ? end : "";
    PointColumns columns;
    columns.skip_bad = random() % 2 == 0;
    const auto a = parse_points_csv(plain, columns), b = parse_points_csv(quoted, columns);
    ASSERT_EQ(a.has_value(), b.has_value()) << plain;
    if (!a) {
      EXPECT_EQ(a.error().line, b.error().line) << plain;
      EXPECT_EQ(a.error().message, b.error().message);
      ++refused;
      continue;
    }
    EXPECT_TRUE(a->x == b->x && a->y == b->y && a->rank == b->rank) << plain;
    EXPECT_TRUE(a->name_end == b->name_end && a->name_bytes == b->name_bytes) << plain;
    EXPECT_EQ(a->skipped.count, b->skipped.count) << plain;
    ++read;
  }
  EXPECT_GT(read, 1000U);
  EXPECT_GT(refused, 100U);
}

// The reader estimates rows and names from the first ones. Here these are shorter or longer than the rest.
TEST(PointsCsv, ReadsManyRowsOfOtherLengths) {
  for (const bool short_first : {true, false}) {
    std::string text = "x,y,rank,name\n" + std::string(short_first ? 40'000 : 0, '\n');
    const std::size_t rows = 300'000;
    for (std::size_t i = 0; i < rows; ++i) {
      const bool is_short = (i < 10'000) == short_first;
      text += std::to_string(i) + (is_short ? ",1,1," : ",12345.678901234,-1e-300,") +
              (is_short ? "" : "a longer name") + "\n";
    }
    const PointTable table = read(text);
    ASSERT_EQ(table.size(), rows);
    for (std::size_t i = 0; i < rows; i += 997) {
      EXPECT_EQ(table.x[i], static_cast<double>(i));
      EXPECT_EQ(table.name(i).empty(), (i < 10'000) == short_first);
    }
    EXPECT_LT((table.x.capacity() + table.name_end.capacity()) * 8, 5 * text.size());
    EXPECT_LE(table.name_bytes.capacity(), text.size() + 64);
  }
}

TEST(ReadPoints, RefusesMissingFilesAndDirectories) {
  const auto missing = read_points("/nowhere/points.csv");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(test::code_of(missing), ErrorCode::kIo);
  EXPECT_NE(missing.error().message.find("/nowhere/points.csv"), std::string::npos);
  const auto directory = read_points(std::filesystem::temp_directory_path().string());
  ASSERT_FALSE(directory.has_value());
  EXPECT_EQ(test::code_of(directory), ErrorCode::kIo);
}

TEST(ReadPoints, TellsTheFormatByContent) {
  const auto path = std::filesystem::path(testing::TempDir()) / "read_points_test.txt";
  std::ofstream(path) << "x,y,rank\n1,2,3\n";
  const auto csv = read_points(path.string());
  ASSERT_TRUE(csv.has_value());
  EXPECT_EQ(csv->size(), 1u);
  std::ofstream(path) << " {\"features\": []}";
  const auto json = read_points(path.string());
  ASSERT_TRUE(json.has_value());
  EXPECT_EQ(json->size(), 0u);
  const auto start = read_bytes(path.string(), 2);
  ASSERT_TRUE(start.has_value());
  EXPECT_EQ(*start, " {");
  std::filesystem::remove(path);
}

TEST(ReadPoints, NamesWhatIsNoText) {
  using namespace std::string_literals;
  std::string utf16 = "\xFF\xFE", bare;
  for (const char c : "x,y,rank\n1,2,3\n"s) {
    utf16 += {c, '\0'};
    bare += {'\0', c};
  }
  const std::pair<std::string, const char*> cases[] = {{utf16, "UTF-16"},
                                                       {bare, "UTF-16"},
                                                       {"\xFE\xFF"s + bare, "UTF-16"},
                                                       {"\xFF\xFE\0\0x\0\0\0"s, "UTF-32"},
                                                       {"\x1F\x8B\x08\0\0"s, "gunzip"},
                                                       {"PK\x03\x04\x14\0"s, "zip"},
                                                       {"x,y,rank\n1,2,\0\0\0"s, "binary"},
                                                       {"\x7F"
                                                        "ELF\x02\x01\x01\0\0\0\0"s,
                                                        "binary"}};
  for (const auto& [text, word] : cases) {
    const auto table = parse_points(text);
    ASSERT_FALSE(table.has_value()) << word;
    EXPECT_EQ(test::code_of(table), ErrorCode::kParse);
    EXPECT_NE(table.error().message.find(word), std::string::npos) << table.error().message;
  }
}

}  // namespace
}  // namespace juxta
