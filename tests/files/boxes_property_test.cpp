// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Whatever is written as boxes or as a mesh is read back bit by bit, and a broken line is named.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/files/read_boxes.h"
#include "juxta/files/read_obj.h"

namespace juxta {
namespace {

std::string shortest(float value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

/// Any finite float: every exponent, both signs, subnormals and zeros.
float any_finite() {
  const auto value = std::bit_cast<float>(*rc::gen::arbitrary<std::uint32_t>());
  return std::isfinite(value) ? value : static_cast<float>(*rc::gen::arbitrary<int>());
}

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

std::string csv_row(const Aabb3& box, int dimensions, char delimiter) {
  std::string row;
  for (const auto* side : {&box.lo, &box.hi}) {
    for (int axis = 0; axis < dimensions; ++axis) {
      if (!row.empty()) {
        row.push_back(delimiter);
      }
      row += shortest((*side)[axis]);
    }
  }
  return row + "\n";
}

void boxes_round_trip() {
  const int dimensions = *rc::gen::element(2, 3);
  const char delimiter = *rc::gen::element(',', ';', '\t');
  const auto count = *rc::gen::inRange<std::size_t>(0, 40);
  std::string header = dimensions == 2 ? "lx,ly,hx,hy\n" : "lx,ly,lz,hx,hy,hz\n";
  for (char& c : header) {
    c = c == ',' ? delimiter : c;
  }
  std::string text = *rc::gen::arbitrary<bool>() || count == 0 ? header : "";
  std::vector<Aabb3> boxes(count);
  for (Aabb3& box : boxes) {
    for (int axis = 0; axis < dimensions; ++axis) {
      const float a = any_finite(), b = any_finite();
      box.lo[axis] = a <= b ? a : b;
      box.hi[axis] = a <= b ? b : a;
    }
    text += csv_row(box, dimensions, delimiter);
  }
  const auto table = parse_boxes_csv(text);
  RC_ASSERT(table.has_value());
  RC_ASSERT(table->dimensions == dimensions && table->size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      RC_ASSERT(same_bits(table->boxes[i].lo[axis], boxes[i].lo[axis]));
      RC_ASSERT(same_bits(table->boxes[i].hi[axis], boxes[i].hi[axis]));
    }
  }
}

/// One bad line among good ones, somewhere.
void broken_box_is_named() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 40);
  const auto bad = *rc::gen::inRange<std::size_t>(0, count);
  const auto what = *rc::gen::element<std::string>("nan,0,1,1", "0,0,inf,1", "2,0,1,1", "0,0,1", "0,0,1,one",
                                                   "0,0,1,1,1", "0,1e40,1,1");
  std::string text = "lx,ly,hx,hy\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += i == bad ? what + "\n" : "0,0,1,1\n";
  }
  const auto table = parse_boxes_csv(text);
  RC_ASSERT(!table.has_value());
  RC_ASSERT(table.error().line == bad + 2);
}

void mesh_round_trip() {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 40);
  const auto faces = *rc::gen::inRange<std::size_t>(0, 40);
  Mesh mesh;
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    mesh.vertices.push_back({any_finite(), any_finite(), any_finite()});
    const auto& v = mesh.vertices.back();
    text += "v";
    for (const float number : v) {
      text += "  ";
      text += shortest(number);
    }
    text += '\n';
  }
  for (std::size_t f = 0; f < faces; ++f) {
    text += "f";
    std::vector<std::uint32_t> corners;
    const auto sides = *rc::gen::inRange<std::size_t>(3, 7);
    for (std::size_t s = 0; s < sides; ++s) {
      corners.push_back(*rc::gen::inRange<std::uint32_t>(0, count));
      const bool back = *rc::gen::arbitrary<bool>();
      text += ' ';
      text += std::to_string(back ? std::int64_t{corners[s]} - count : std::int64_t{corners[s]} + 1);
      text += *rc::gen::element<std::string>("", "/1", "//-2", "/3/4");
    }
    text += *rc::gen::element<std::string>("\n", "\r\n", " # face\n", "\n\n");
    for (std::size_t s = 2; s < sides; ++s) {
      mesh.triangles.push_back({corners[0], corners[s - 1], corners[s]});
    }
  }
  const auto read = parse_obj(text);
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->mesh.triangles == mesh.triangles);
  RC_ASSERT(read->mesh.vertices.size() == mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      RC_ASSERT(same_bits(read->mesh.vertices[i][axis], mesh.vertices[i][axis]));
    }
  }
}

TEST(BoxesProperty, WrittenBoxesAreRead) {
  EXPECT_TRUE(rc::check("boxes", boxes_round_trip));
}
TEST(BoxesProperty, BrokenRowsAreNamed) {
  EXPECT_TRUE(rc::check("broken rows", broken_box_is_named));
}
TEST(BoxesProperty, WrittenMeshesAreRead) {
  EXPECT_TRUE(rc::check("meshes", mesh_round_trip));
}

}  // namespace
}  // namespace juxta
