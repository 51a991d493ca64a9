// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "study/scratch.h"
#include "support/code_of.h"

namespace juxta {
namespace {

Table two_rows() {
  Table table({"step", "happy", "mean"});
  table.append(std::vector<double>{0, 0.5, -1e-9});
  table.append(std::vector<double>{1, 1.0 / 3, std::numeric_limits<double>::quiet_NaN()});
  return table;
}

TEST(StudyTable, HoldsColumns) {
  Table table = two_rows();
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.column("happy")[0], 0.5);
  EXPECT_EQ(table.column(1)[1], 1.0 / 3);
  EXPECT_TRUE(table.column("unhappy").empty());
  EXPECT_EQ(table.names().size(), 3u);
  table.clear();
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_EQ(table.names().size(), 3u);
  EXPECT_EQ(Table().rows(), 0u);
}

TEST(StudyTable, IsEqualWhenNamesAndNumbersAre) {
  Table a({"x"}), b({"x"}), c({"y"});
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == c);
  a.append(std::vector<double>{1});
  EXPECT_FALSE(a == b);
  b.append(std::vector<double>{1});
  EXPECT_TRUE(a == b);
}

TEST(StudyTable, IsWrittenAsCsv) {
  EXPECT_EQ(two_rows().csv(), "step,happy,mean\n0,0.5,-1e-09\n1,0.3333333333333333,\n");
  EXPECT_EQ(Table({"a"}).csv(), "a\n");
}

// RFC 4180: any other program finds as many columns as there are.
TEST(StudyTable, QuotesNamesThatNeedIt) {
  Table table({"a,b", "say \"hm\"", "plain one", "two\nlines"});
  EXPECT_EQ(table.csv(), "\"a,b\",\"say \"\"hm\"\"\",plain one,\"two\nlines\"\n");
}

#if !defined(_WIN32)  // Windows has no limit for the size of a file
TEST(StudyTable, IsWrittenWholeOrNotAtAll) {
  const test::ScratchFolder folder;
  ASSERT_TRUE(two_rows().write_csv((folder / "t.csv").string()));
  EXPECT_EQ(test::read_text(folder / "t.csv"), two_rows().csv());
  Table longer = two_rows();
  for (int i = 0; i < 1000; ++i) {
    longer.append(std::vector<double>{1, 2, 3});
  }
  {
    const test::SmallDisk disk(1000);
    EXPECT_EQ(test::code_of(longer.write_csv((folder / "t.csv").string())), ErrorCode::kIo);
  }
  EXPECT_EQ(test::read_text(folder / "t.csv"), two_rows().csv());
  EXPECT_EQ(test::code_of(longer.write_csv((folder / "no" / "t.csv").string())), ErrorCode::kIo);
}
#endif

TEST(StudyTable, ReadsWhatItWrote) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "t.csv").string();
  Table named({"a,b", "say \"hm\"", "two\nlines"});
  named.append(std::vector<double>{1e300, -0.1, 5});
  Table signs({"zero"});
  signs.append(std::vector<double>{-0.0});
  signs.append(std::vector<double>{1});
  for (const Table& table : {two_rows(), Table({"a"}), named, signs}) {
    ASSERT_TRUE(table.write_csv(path));
    const auto read = Table::read_csv(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->csv(), table.csv());  // NaN is not equal to itself
  }
  test::write_text(folder / "t.csv", "x,y\r\n1,2\r\n3,");
  const auto read = Table::read_csv(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->csv(), "x,y\n1,2\n3,\n");
}

TEST(StudyTable, RefusesWhatIsNoTableOfNumbers) {
  const test::ScratchFolder folder;
  const auto refused = [&](const char* text) {
    test::write_text(folder / "t.csv", text);
    const auto read = Table::read_csv((folder / "t.csv").string());
    EXPECT_FALSE(read) << text;
    return read ? Error{} : read.error();
  };
  EXPECT_EQ(refused("").line, 1u);
  EXPECT_EQ(refused(",b\n").line, 1u);
  EXPECT_EQ(refused("a,b\n1,2\n1\n").line, 3u);
  EXPECT_EQ(refused("a,b\n1,2,3\n").line, 2u);
  EXPECT_EQ(refused("a,b\n1,2\n\n1,2\n").line, 3u);
  EXPECT_EQ(refused("\"a\nb\",c\n1,2\n1\n").line, 4u);
  EXPECT_EQ(refused("a,b\n1,2\n1,\"x\n").line, 3u);  // a quote that nothing ends
  EXPECT_EQ(test::code_of(Table::read_csv((folder / "none.csv").string())), ErrorCode::kIo);
}

/// A column of each kind, with all that CSV makes difficult.
Table of_all_kinds() {
  Table table =
      Table::of({{"n"}, {"whole", CellKind::kWhole}, {"text", CellKind::kText}, {"id", CellKind::kId}});
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  const std::vector<std::vector<Cell>> rows = {
      {0.1, std::int64_t{9'007'199'254'740'993}, "plain", Id{3, 0xFFFF'FFFF}},
      {-1e300, kLeast, "12", Id{0, 1}},
      {2.0, std::int64_t{-1}, "", Id{}},
      {0.5, std::int64_t{0}, "say \"hm\", twice\r\nand\ragain\r", Id{5, 2}},
      {1.0 / 3, std::int64_t{7}, " nan", Id{6, 2}},
      {4.0, std::int64_t{8}, "nan", Id{7, 2}},
  };
  for (const auto& row : rows) {
    table.append(row);
  }
  return table;
}

TEST(StudyTable, HoldsColumnsOfAllKinds) {
  const Table table = of_all_kinds();
  EXPECT_EQ(table.rows(), 6u);
  EXPECT_EQ(table.columns()[3], (TableColumn{"id", CellKind::kId}));
  EXPECT_EQ(table.whole_column(1)[0], 9'007'199'254'740'993);
  EXPECT_EQ(table.column("whole")[0], 9'007'199'254'740'992.0);  // rounded
  EXPECT_EQ(table.text_column(2)[1], "12");
  EXPECT_TRUE(table.column("text").empty());
  EXPECT_EQ(table.id_column(3)[0], (Id{3, 0xFFFF'FFFF}));
  EXPECT_EQ(table.column(3)[1], 4294967296.0);
  EXPECT_TRUE(table.whole_column(0).empty() && table.text_column(1).empty() && table.id_column(2).empty());
  EXPECT_EQ(table.cell(0, 0), Cell(0.1));
  EXPECT_EQ(table.cell(0, 1), Cell(std::int64_t{9'007'199'254'740'993}));
  EXPECT_EQ(table.cell(0, 2), Cell("plain"));
  EXPECT_EQ(table.cell(2, 3), Cell(Id{}));
  EXPECT_TRUE(table == of_all_kinds());
}

TEST(StudyTable, TakesDoublesAndOtherKindsAsItSays) {
  Table table =
      Table::of({{"whole", CellKind::kWhole}, {"n"}, {"text", CellKind::kText}, {"id", CellKind::kId}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {-3.0, nan, 1e300, -0x1p63}) {
    table.append(std::vector<double>{value, 1, 2, 3});
  }
  const auto whole = table.whole_column(0);
  EXPECT_EQ(std::vector<std::int64_t>(whole.begin(), whole.end()),
            (std::vector<std::int64_t>{-3, 0, 0, std::numeric_limits<std::int64_t>::min()}));
  EXPECT_EQ(table.text_column(2)[0], "");
  EXPECT_EQ(table.id_column(3)[0], Id{});
  table.append(std::vector<Cell>{"x", std::int64_t{5}, 1.0, "y"});
  EXPECT_EQ(table.whole_column(0)[4], 0);
  EXPECT_EQ(table.column(1)[4], 5);
  table.clear();
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_TRUE(table.column(0).empty() && table.text_column(2).empty());
}

TEST(StudyTable, ReadsBackTheSameTableOfAllKinds) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "t.csv").string();
  const Table table = of_all_kinds();
  ASSERT_TRUE(table.write_csv(path));
  EXPECT_TRUE(table.csv().starts_with("n,whole,text,id\n0.1,9007199254740993,plain,18446744069414584323\n"));
  const auto same = Table::read_csv(path, table.columns());
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(*same == table);
  const auto told = Table::read_csv(path);  // by its cells: Ids of this size are numbers
  ASSERT_TRUE(told) << told.error().message;
  EXPECT_EQ(told->kind(0), CellKind::kNumber);
  EXPECT_EQ(told->kind(1), CellKind::kWhole);
  EXPECT_EQ(told->kind(2), CellKind::kText);
  EXPECT_EQ(told->text_column(2)[3], table.text_column(2)[3]);
  EXPECT_EQ(told->whole_column(1)[1], std::numeric_limits<std::int64_t>::min());
}

TEST(StudyTable, TellsKindsByTheirCells) {
  const test::ScratchFolder folder;
  const auto kinds = [&](const char* text) {
    test::write_text(folder / "t.csv", text);
    std::string all;
    const auto read = Table::read_csv((folder / "t.csv").string());
    for (std::size_t c = 0; read && c < read->names().size(); ++c) {
      all += "nwti"[static_cast<int>(read->kind(c))];
    }
    return read ? all : read.error().message;
  };
  EXPECT_EQ(kinds("a,b,c\n1,1.5,x\n-2,3,4\n"), "wnt");
  EXPECT_EQ(kinds("a,b,c\n1,\"2\",9223372036854775808\n,3,4\n"), "ntn");
  EXPECT_EQ(kinds("a\n"), "n");
}

TEST(StudyTable, RefusesCellsThatAreNotOfTheKindAskedFor) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "t.csv").string();
  test::write_text(folder / "t.csv", "a,b\n1,2\nx,1.5\n");
  const auto refused = [&](const char* name, CellKind a, CellKind b) {
    const auto read = Table::read_csv(path, std::vector<TableColumn>{{name, a}, {"b", b}});
    return read ? std::string("read") : std::to_string(read.error().line) + ": " + read.error().message;
  };
  EXPECT_EQ(refused("a", CellKind::kNumber, CellKind::kNumber), "3: a: 'x' is no number");
  EXPECT_EQ(refused("a", CellKind::kText, CellKind::kWhole), "3: b: '1.5' is no whole number");
  EXPECT_EQ(refused("a", CellKind::kText, CellKind::kId), "3: b: '1.5' is no Id");
  EXPECT_EQ(refused("a", CellKind::kText, CellKind::kNumber), "read");
  EXPECT_EQ(refused("A", CellKind::kText, CellKind::kNumber).substr(0, 2), "1:");
}

}  // namespace
}  // namespace juxta
