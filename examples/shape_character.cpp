// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A character walks across a valley: a capsule that is cast along its way, stops at what it meets, and slides
// on along it. Gravity is one more cast, straight down.
#include <juxta/shape/parts.h>
#include <juxta/shape/query.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using juxta::Vec3;

constexpr int kSide = 41;  // vertices, one apart
constexpr float kRadius = 0.4F, kSkin = 0.01F;

/// Hills that meet in a valley, and a wall across it from x = 24 to 25, with a gap at z > 30.
float height(int x, int z) {
  const auto u = static_cast<float>(x), v = static_cast<float>(z - 20);
  const float valley = 0.01F * v * v + 0.05F * u * (1 - u / 40);
  return x >= 24 && x <= 25 && z <= 30 ? valley + 6 : valley;
}

juxta::TriangleMesh make_ground() {
  std::vector<juxta::Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (int z = 0; z < kSide; ++z) {
    for (int x = 0; x < kSide; ++x) {
      vertices.push_back({static_cast<float>(x), height(x, z), static_cast<float>(z)});
    }
  }
  for (std::uint32_t z = 0; z + 1 < kSide; ++z) {
    for (std::uint32_t x = 0; x + 1 < kSide; ++x) {
      const std::uint32_t i = z * kSide + x;
      triangles.push_back({i, i + kSide, i + 1});
      triangles.push_back({i + 1, i + kSide, i + kSide + 1});
    }
  }
  return juxta::TriangleMesh::build(vertices, triangles).value();
}

/// The capsule's feet are at its place, its head is 1.8 above.
const juxta::Shape kCharacter = juxta::Capsule{{0, kRadius, 0}, {0, 1.8F - kRadius, 0}, kRadius};

juxta::Qvvs standing(const Vec3& place) {
  juxta::Qvvs at;
  at.position = place;
  return at;
}

/// Goes along `way` as far as it can; what is left of it is bent along each surface that is met. Stops a skin
/// before surfaces, so that the next cast does not start inside one.
Vec3 slide(const juxta::Shape& ground, Vec3 place, Vec3 way) {
  for (int bounce = 0; bounce < 4; ++bounce) {
    const float length = std::sqrt(dot(way, way));
    if (length < 1e-4F) {
      break;
    }
    const juxta::CastHit hit = cast(kCharacter, standing(place), way, ground, {});
    if (!hit) {
      return place + way;
    }
    const float before = std::fmax(0.0F, hit.t - kSkin / length);
    place = place + way * before;
    const Vec3 left = way * (1 - before);
    way = left - hit.normal * std::fmin(0.0F, dot(left, hit.normal));
  }
  return place;
}

/// Falls by at most `most`, to a skin above the ground.
Vec3 fall(const juxta::Shape& ground, const Vec3& place, float most) {
  const juxta::CastHit hit = cast(kCharacter, standing(place), {0, -most, 0}, ground, {});
  return hit ? place - Vec3{0, std::fmax(0.0F, hit.t * most - kSkin), 0} : place - Vec3{0, most, 0};
}

}  // namespace

int main() {
  const juxta::TriangleMesh mesh = make_ground();
  const juxta::Shape ground = mesh;
  Vec3 place = fall(ground, {4, 8, 18}, 20);
  bool all_well = true;
  float deepest = 1;
  for (int step = 0; step < 600; ++step) {
    // To the east; where the wall stops it, along the wall towards the gap.
    const bool at_wall = place.x > 22 && place.z < 32;
    place = slide(ground, place, {0.1F, 0, at_wall ? 0.1F : 0});
    place = fall(ground, place, 0.2F);
    deepest = std::fmin(deepest, closest(kCharacter, standing(place), ground, {}, 1).distance);
    if (step % 60 == 0) {
      std::printf("step %3d: at %5.2f %5.2f %5.2f\n", step, static_cast<double>(place.x),
                  static_cast<double>(place.y), static_cast<double>(place.z));
    }
    if (place.x > 36) {
      break;
    }
  }
  std::printf("arrived at x = %.2f; never nearer to the ground than %.4f\n", static_cast<double>(place.x),
              static_cast<double>(deepest));
  all_well = all_well && place.x > 36 && place.z > 30;  // through the gap, not through the wall
  all_well = all_well && deepest > -0.001F;             // and never into the ground
  return all_well ? 0 : 1;
}
