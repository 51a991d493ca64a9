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

}  // namespace
}  // namespace juxta
