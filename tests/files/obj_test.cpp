// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Wavefront OBJ: what is read, and what is refused with which line.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "juxta/files/read_obj.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

ObjFile read(const std::string& text) {
  auto file = parse_obj(text);
  EXPECT_TRUE(file.has_value()) << (file ? "" : file.error().message);
  return file ? std::move(*file) : ObjFile{};
}

void expect_refused(const std::string& text, std::uint64_t line, const std::string& word) {
  const auto file = parse_obj(text);
  ASSERT_FALSE(file.has_value()) << text;
  EXPECT_EQ(test::code_of(file), ErrorCode::kParse);
  EXPECT_EQ(file.error().line, line) << file.error().message;
  EXPECT_NE(file.error().message.find(word), std::string::npos) << file.error().message;
}

const std::string kFour = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 .5\n";

TEST(Obj, ReadsVerticesAndEveryFormOfCorner) {
  const ObjFile file =
      read("# four\n" + kFour + "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n" +
           "f 1/1/1 2/1/1 4/1/1 # last\n");
  ASSERT_EQ(file.mesh.vertices.size(), 4u);
  EXPECT_EQ(file.mesh.vertices[3], (Vec3{0, 1, .5F}));
  EXPECT_EQ(file.mesh.triangles, (Triangles{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 3}}));
  EXPECT_EQ(file.unknown, 0u);
}

TEST(Obj, CountsNegativeNumbersFromTheLastVertexSoFar) {
  EXPECT_EQ(read(kFour + "f -4 -3/-1 -1//-2\nv 9 9 9\nf -1 -2 1\n").mesh.triangles,
            (Triangles{{0, 1, 3}, {4, 3, 0}}));
}

TEST(Obj, FansPolygonsAndTakesVerticesThatComeLater) {
  EXPECT_EQ(read("f 1 2 3 4\n" + kFour).mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(read(kFour + "v 2 2 2\nf 5 4 3 2 1\n").mesh.triangles,
            (Triangles{{4, 3, 2}, {4, 2, 1}, {4, 1, 0}}));
}

TEST(Obj, TakesAnyLineEndBlanksAndJoinedLines) {
  const std::string text = "\xEF\xBB\xBFv 0 0 0\r\n  v\t1 0 0 \r\n\r\nv 1 1 \\\r\n 0\r\nf 1 \\\n2 \\\n3";
  const ObjFile file = read(text);
  EXPECT_EQ(file.mesh.vertices.size(), 3u);
  EXPECT_EQ(file.mesh.vertices[2], (Vec3{1, 1, 0}));
  EXPECT_EQ(file.mesh.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(read("v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r").mesh.triangles.size(), 1u);
  expect_refused("v 0 0 0\r\n\r\nv 1 \\\r\n0\r\nf 1 1 1\r\n", 3, "three numbers");
  expect_refused("v 0 0 0\nv 0 0 \\\n1\n\nv x 0 0\n", 5, "'x'");
}

TEST(Obj, SkipsTheRestOfTheFormatAndCountsUnknownWords) {
  const ObjFile file =
      read("mtllib a.mtl\no cow\ng a b\nusemtl red\ns off\nv 0 0 0 1\nv 1 0 0 .5 .5 .5\nl 1 2\np 1\n" +
           std::string("nonsense 1 2\ncurv 0 1 1 2\nmore\n"));
  EXPECT_EQ(file.mesh.vertices.size(), 2u);
  EXPECT_TRUE(file.mesh.triangles.empty());
  EXPECT_EQ(file.unknown, 2u);
  EXPECT_EQ(file.first_unknown_line, 10u);
}

TEST(Obj, RefusesWithTheLine) {
  expect_refused("v 0 0\n", 1, "three numbers");
  expect_refused("v 0 0 0\nv 0 abc 0\n", 2, "'abc'");
  expect_refused("v 0 0 nan\n", 1, "'nan'");
  expect_refused("v 0 inf 0\n", 1, "'inf'");
  expect_refused("v 0 1e39 0\n", 1, "'1e39'");
  expect_refused(kFour + "f 1 2\n", 5, "three corners");
  expect_refused(kFour + "f\n", 5, "three corners");
  expect_refused(kFour + "f 1 2 0\n", 5, "'0'");
  expect_refused(kFour + "f 1 2 x\n", 5, "'x'");
  expect_refused(kFour + "f 1 2 3/\n", 5, "'3/'");
  expect_refused(kFour + "f 1 2 3//\n", 5, "'3//'");
  expect_refused(kFour + "f 1 2 /3\n", 5, "'/3'");
  expect_refused(kFour + "f 1 2 3/1/1/1\n", 5, "'3/1/1/1'");
  expect_refused(kFour + "f 1 2 3/a\n", 5, "'3/a'");
  expect_refused(kFour + "f 1 2 99999999999999999999\n", 5, "'99999999999999999999'");
  expect_refused(kFour + "f 1 2 -5\n", 5, "'-5'");
  expect_refused(kFour + "f 1 2 3\nf 1 2 7\nf 1 2 5\n", 6, "vertex 7");
  expect_refused("", 1, "no vertex");
  expect_refused("# nothing\n", 1, "no vertex");
}

TEST(Obj, IsToldFromATable) {
  EXPECT_TRUE(looks_like_obj("# made by\n\n  v 1 2 3\n"));
  EXPECT_TRUE(looks_like_obj("\xEF\xBB\xBFmtllib a\n"));
  EXPECT_FALSE(looks_like_obj("minx,miny,maxx,maxy\n"));
  EXPECT_FALSE(looks_like_obj("1,2,3,4\n"));
  EXPECT_FALSE(looks_like_obj("v,f,g\n"));
  EXPECT_FALSE(looks_like_obj(""));
}

TEST(Obj, BoxesOfTriangles) {
  const auto boxes = triangle_boxes(read(kFour + "f 3 1 4\nf 2 2 2\n").mesh);
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_EQ(boxes[0], (Aabb3{{0, 0, 0}, {1, 1, .5F}}));
  EXPECT_EQ(boxes[1], (Aabb3{{1, 0, 0}, {1, 0, 0}}));
}

}  // namespace
}  // namespace juxta
