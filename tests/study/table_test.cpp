// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/table.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "study/scratch.h"

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
    EXPECT_EQ(longer.write_csv((folder / "t.csv").string()).error().code, ErrorCode::kIo);
  }
  EXPECT_EQ(test::read_text(folder / "t.csv"), two_rows().csv());
  EXPECT_EQ(longer.write_csv((folder / "no" / "t.csv").string()).error().code, ErrorCode::kIo);
}

TEST(StudyTable, ReadsWhatItWrote) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "t.csv").string();
  Table named({"a,b", "say \"hm\"", "two\nlines"});
  named.append(std::vector<double>{1e300, -0.1, 5});
  for (const Table& table : {two_rows(), Table({"a"}), named}) {
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
  EXPECT_NE(refused("a,b\n1,two\n").message.find("b: 'two' is no number"), std::string::npos);
  EXPECT_EQ(refused("\"a\nb\",c\n1,2\n1,x\n").line, 4u);
  EXPECT_EQ(Table::read_csv((folder / "none.csv").string()).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace juxta
