// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How far is the nearest obstacle, everywhere? A grid of points asks a layer of bodies and prints the field
// as text: # inside an obstacle, digits for the distance. The farthest point is where there is most room.
#include <juxta/shape/bodies.h>
#include <juxta/shape/parts.h>
#include <juxta/shape/query.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace {

/// A room of 30 x 16: walls, a pillar, a table, a ramp.
std::vector<juxta::Body> make_room(const juxta::ConvexHull& ramp) {
  const auto box = [](float x, float z, float half_x, float half_z) {
    return juxta::Body{juxta::Box{{x, 0, z}, {}, {half_x, 1, half_z}}, {}};
  };
  std::vector<juxta::Body> room = {box(15, 0, 15, 0.5F),
                                   box(15, 16, 15, 0.5F),
                                   box(0, 8, 0.5F, 8),
                                   box(30, 8, 0.5F, 8),
                                   {juxta::Sphere{{9, 0, 5}, 2}, {}},
                                   {juxta::Capsule{{14, 0, 12}, {18, 0, 10}, 0.75F}, {}}};
  juxta::Qvvs at;
  at.position = {24, 0, 6};
  room.push_back({ramp, at});
  return room;
}

}  // namespace

int main() {
  const std::array<juxta::Vec3, 6> corners = {
      {{-2, -1, -2}, {2, -1, -2}, {-2, -1, 2}, {2, -1, 2}, {2, 1, -2}, {2, 1, 2}}};
  const auto ramp = juxta::ConvexHull::build(corners);
  if (!ramp) {
    std::fprintf(stderr, "%s\n", ramp.error().message.c_str());
    return 1;
  }
  const std::vector<juxta::Body> room = make_room(*ramp);
  juxta::Bodies bodies;
  if (const auto built = bodies.rebuild(room); !built) {
    std::fprintf(stderr, "%s\n", built.error().message.c_str());
    return 1;
  }
  const juxta::Shape point = juxta::Sphere{};
  bool all_well = true;
  float most = 0;
  juxta::Vec3 there{};
  for (float z = 0; z <= 16; z += 1) {
    std::string line;
    for (float x = 0; x <= 30; x += 0.5F) {
      juxta::Qvvs at;
      at.position = {x, 0, z};
      const float distance = bodies.nearest(point, at, 100).distance;
      line += distance <= 0 ? '#' : static_cast<char>('0' + std::min(9, static_cast<int>(distance)));
      if (distance > most) {
        most = distance;
        there = at.position;
      }
      float nearest = std::numeric_limits<float>::infinity();  // the definition: ask each body
      for (const juxta::Body& body : room) {
        nearest = std::min(nearest, closest(point, at, body.shape, body.at).distance);
      }
      all_well = all_well && nearest == distance;
    }
    std::printf("%s\n", line.c_str());
  }
  std::printf("most room: %.2f at %.1f, %.1f\n", static_cast<double>(most), static_cast<double>(there.x),
              static_cast<double>(there.z));
  // Half way between the walls there are 7.5; the obstacles leave less.
  return all_well && most > 3 && most < 7.5F ? 0 : 1;
}
