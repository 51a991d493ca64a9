// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes and queries in CSV: what is read, and what is refused with which line.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "juxta/core/monitor.h"
#include "juxta/files/read_boxes.h"
#include "support/code_of.h"

namespace juxta {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

BoxTable read(const std::string& text) {
  auto table = parse_boxes_csv(text);
  EXPECT_TRUE(table.has_value()) << (table ? "" : table.error().message);
  return table ? std::move(*table) : BoxTable{};
}

QueryTable queries(const std::string& text) {
  auto table = parse_queries_csv(text);
  EXPECT_TRUE(table.has_value()) << (table ? "" : table.error().message);
  return table ? std::move(*table) : QueryTable{};
}

void expect_refused(const std::string& text, std::uint64_t line, const std::string& word,
                    ErrorCode code = ErrorCode::kParse) {
  const auto table = parse_boxes_csv(text);
  ASSERT_FALSE(table.has_value()) << text;
  EXPECT_EQ(test::code_of(table), code) << text;
  EXPECT_EQ(table.error().line, line) << table.error().message;
  EXPECT_NE(table.error().message.find(word), std::string::npos) << table.error().message;
}

TEST(BoxesCsv, FindsSidesByTheirTitlesInAnyOrderAndCase) {
  for (const std::string header : {"minx,miny,minz,maxx,maxy,maxz", "XMIN,ymin,zmin,xmax,ymax,zmax",
                                   "x_min,y_min,z_min,x_max,y_max,z_max", "lx,ly,lz,hx,hy,hz",
                                   "min_x,min_y,min_z,max_x,max_y,max_z", "lo_x,lo_y,lo_z,hi_x,hi_y,hi_z"}) {
    const BoxTable t = read(header + "\n1,2,3,4,5,6\n");
    ASSERT_EQ(t.size(), 1u) << header;
    EXPECT_EQ(t.boxes[0], (Aabb3{{1, 2, 3}, {4, 5, 6}})) << header;
    EXPECT_EQ(t.dimensions, 3);
    EXPECT_FALSE(t.has_names());
  }
  const BoxTable t = read("maxz;name;miny;minx;minz;maxx;maxy\n6;\"a \"\"b\"\"\";2;1;3;4;5\n");
  EXPECT_EQ(t.boxes[0], (Aabb3{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(t.name(0), "a \"b\"");
}

TEST(BoxesCsv, ReadsTwoDimensionsWhereThereIsNoZ) {
  const BoxTable t = read("lx,ly,hx,hy\n1,2,3,4\n-1,-2,-1,-2\n");
  EXPECT_EQ(t.dimensions, 2);
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t.boxes[0], (Aabb3{{1, 2, 0}, {3, 4, 0}}));
  EXPECT_EQ(t.boxes[1], (Aabb3{{-1, -2, 0}, {-1, -2, 0}}));
}

TEST(BoxesCsv, ReadsCornersWithSizesAndBalls) {
  EXPECT_EQ(read("x,y,z,width,height,depth\n1,2,3,10,20,30\n").boxes[0], (Aabb3{{1, 2, 3}, {11, 22, 33}}));
  EXPECT_EQ(read("x,y,w,h\n1,2,10,0\n").boxes[0], (Aabb3{{1, 2, 0}, {11, 2, 0}}));
  EXPECT_EQ(read("x,y,z,radius\n1,2,3,0.5\n").boxes[0], (Aabb3{{.5F, 1.5F, 2.5F}, {1.5F, 2.5F, 3.5F}}));
  EXPECT_EQ(read("x,y,r\n1,2,2\n").boxes[0], (Aabb3{{-1, 0, 0}, {3, 4, 0}}));
}

TEST(BoxesCsv, ReadsWithoutHeader) {
  const BoxTable flat = read("1,2,3,4\n5,6,7,8\n");
  EXPECT_EQ(flat.dimensions, 2);
  EXPECT_EQ(flat.boxes[1], (Aabb3{{5, 6, 0}, {7, 8, 0}}));
  const BoxTable solid = read("1,2,3,4,5,6,Oslo\n");
  EXPECT_EQ(solid.boxes[0], (Aabb3{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(solid.name(0), "Oslo");
  EXPECT_EQ(read("1,2,3,4,Rome\n").name(0), "Rome");
}

TEST(BoxesCsv, RoundsOnceToTheEndsOfFloat) {
  const BoxTable t = read("lx,ly,hx,hy\n-3.4028235e38,-1e-50,+1e-45,3.4028235e38\n");
  ASSERT_EQ(t.size(), 1u);
  EXPECT_EQ(t.boxes[0].lo[0], -std::numeric_limits<float>::max());
  EXPECT_EQ(t.boxes[0].lo[1], 0);
  EXPECT_EQ(t.boxes[0].hi[0], std::numeric_limits<float>::denorm_min());
  // Just above the middle of two floats, but nearer to it than a double can say: rounding twice would err.
  EXPECT_EQ(read("lx,ly,hx,hy\n0,0,1.00000005960464477539062500001,1\n").boxes[0].hi[0], 0x1.000002p0F);
}

TEST(BoxesCsv, RefusesWithTheLine) {
  const std::string header = "name,lx,ly,hx,hy\n";
  expect_refused(header + "a,0,0,1,1\nb,nan,0,1,1\n", 3, "'nan' in column 2 (lx)");
  expect_refused(header + "a,0,0,inf,1\n", 2, "'inf'");
  expect_refused(header + "a,0,0,1e39,1\n", 2, "'1e39'");
  expect_refused(header + "a,0,0,,1\n", 2, "''");
  expect_refused(header + "a,0,0,1x,1\n", 2, "'1x'");
  expect_refused(header + "\n\na,0,0,1,1\n\nb,2,0,1.5,1\n", 6, "inverted along x, from 2 to 1.5");
  expect_refused(header + "a,0,0,1\n", 2, "4 cells");
  expect_refused(header + "\"a,0,0,1,1\n", 2, "quote");
  expect_refused("x,y,w,h\n0,0,1,-1\n", 2, "inverted along y");
  expect_refused("x,y,w,h\n3e38,0,3e38,1\n", 2, "beyond float");
  expect_refused("x,y,r\n3e38,0,3e38\n", 2, "beyond float");
  expect_refused("", 1, "empty");
  expect_refused("1,2,3,nan\n", 1, "column 4");
  expect_refused("1,2,3,4\n1,2,0,4\n", 2, "inverted");
}

TEST(BoxesCsv, RefusesColumnsThatMakeNoBox) {
  expect_refused("a,b,c\n1,2,3\n", 1, "'a', 'b', 'c'", ErrorCode::kNotFound);
  expect_refused("x,y\n1,2\n", 1, "'x', 'y'", ErrorCode::kNotFound);
  expect_refused("lx,ly,lz,hx,hy\n1,2,3,4,5\n", 1, "z column", ErrorCode::kNotFound);
  expect_refused("1,2,3\n", 1, "header", ErrorCode::kNotFound);
  expect_refused("1,2,3,4,5,6,7,8\n", 1, "header", ErrorCode::kNotFound);
}

TEST(BoxesCsv, CanBeCancelled) {
  struct Stop final : Monitor {
    bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return false; }
  } stop;
  std::string text = "lx,ly,hx,hy\n";
  for (int i = 0; i < 70'000; ++i) {
    text += "0,0,1,1\n";
  }
  const auto table = parse_boxes_csv(text, {}, {.monitor = &stop});
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(test::code_of(table), ErrorCode::kCancelled);
}

TEST(BoxesCsv, LeavesOutBadRowsWhenTold) {
  const std::string text = "lx,ly,hx,hy\n0,0,1,1\n0,0,nan,1\n5,5,4,4\n1,2\n\"7,0,1,1\n2,2,3,3\n";
  const auto strict = parse_boxes_csv(text);
  ASSERT_FALSE(strict.has_value());
  EXPECT_EQ(strict.error().line, 3u);
  const auto table = parse_boxes_csv(text, {.skip_bad = true});
  ASSERT_TRUE(table.has_value()) << table.error().message;
  EXPECT_EQ(table->boxes, (std::vector<Aabb3>{{{0, 0, 0}, {1, 1, 0}}, {{2, 2, 0}, {3, 3, 0}}}));
  EXPECT_EQ(table->skipped.count, 4u);
  std::vector<std::uint64_t> lines;
  for (const Error& why : table->skipped.first) {
    lines.push_back(why.line);
  }
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{3, 4, 5, 6}));
  const auto none = parse_boxes_csv("lx,ly,hx,hy\n0,0,nan,1\n", {.skip_bad = true});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().line, 2u);
}

TEST(QueriesCsv, TellsTheKindByTheTitles) {
  const QueryTable boxes = queries("lx,ly,hx,hy\n-inf,0,inf,1\n3,3,2,2\n");
  EXPECT_EQ(boxes.kind, QueryKind::kBox);
  EXPECT_EQ(boxes.numbers, (std::vector<float>{-kInf, 0, kInf, 1, 3, 3, 2, 2}));
  EXPECT_EQ(boxes.size(), 2u);
  const QueryTable rays = queries("ox,oy,oz,dx,dy,dz\n1,2,3,4,5,6\n");
  EXPECT_EQ(rays.kind, QueryKind::kRay);
  EXPECT_EQ(rays.numbers, (std::vector<float>{1, 2, 3, 4, 5, 6, kInf}));
  EXPECT_EQ(queries("ox,oy,dx,dy,max\n1,2,3,4,9\n").numbers, (std::vector<float>{1, 2, 3, 4, 9}));
  const QueryTable segments = queries("ax,ay,bx,by\n1,2,3,4\n");
  EXPECT_EQ(segments.kind, QueryKind::kSegment);
  EXPECT_EQ(segments.dimensions, 2);
  EXPECT_EQ(segments.numbers, (std::vector<float>{1, 2, 3, 4}));
  const QueryTable points = queries("name,z,y,x\na,3,2,1\n");
  EXPECT_EQ(points.kind, QueryKind::kPoint);
  EXPECT_EQ(points.numbers, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(queries("x,y,z,radius\n1,2,3,1\n").numbers, (std::vector<float>{0, 1, 2, 2, 3, 4}));
  EXPECT_EQ(queries("1,2,3,4\n").kind, QueryKind::kBox);
}

TEST(QueriesCsv, RefusesWithTheLine) {
  for (const std::string text : {"lx,ly,hx,hy\n0,0,nan,1\n", "x,y\n0,inf\n", "ox,oy,dx,dy\n1,2,3\n",
                                 "x,y,w,h\n-inf,0,inf,1\n", "ax,ay,bx,by\n0,0,inf,1\n"}) {
    const auto table = parse_queries_csv(text);
    ASSERT_FALSE(table.has_value()) << text;
    EXPECT_EQ(table.error().line, 2u);
  }
  EXPECT_EQ(test::code_of(parse_queries_csv("a,b\n1,2\n")), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace juxta
