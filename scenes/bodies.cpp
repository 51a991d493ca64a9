// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/bodies.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "scenes/boxes_math.h"
#include "scenes/draws.h"
#include "scenes/keyed.h"

namespace juxta::scenes {
namespace {

constexpr std::uint32_t kHulls = 16, kMeshes = 4;
constexpr float kRayLength = 60, kWayLength = 20;

float length_squared(const Vec3& v) {
  return v.x * v.x + v.y * v.y + v.z * v.z;
}

Vec3 draw_in_cube(Draws& draws, float low, float high) {
  const float x = draws.uniform(low, high), y = draws.uniform(low, high), z = draws.uniform(low, high);
  return {x, y, z};
}

Vec3 draw_in_ball(Draws& draws) {
  for (;;) {
    if (const Vec3 v = draw_in_cube(draws, -1, 1); length_squared(v) <= 1) {
      return v;
    }
  }
}

Vec3 draw_direction(Draws& draws) {
  for (;;) {
    const Vec3 v = draw_in_ball(draws);
    if (const float squared = length_squared(v); squared > 0.01F) {
      return v * (1 / std::sqrt(squared));
    }
  }
}

Quat draw_rotation(Draws& draws) {
  for (;;) {
    Quat q;
    q.x = draws.uniform(-1, 1);
    q.y = draws.uniform(-1, 1);
    q.z = draws.uniform(-1, 1);
    q.w = draws.uniform(-1, 1);
    if (const float squared = length_squared(q); squared > 0.01F && squared <= 1) {
      return normalized(q);
    }
  }
}

ConvexHull draw_hull(Draws& draws) {
  std::vector<Vec3> points(8 + draws.below(25));
  for (Vec3& point : points) {
    point = draw_in_ball(draws) * 0.65F;
  }
  return ConvexHull::build(points).value();
}

// An octahedron whose faces are cut into 4 x 4 triangles: vertices are the whole (i, j, k) with |i| + |j| +
// |k| = 4, each pulled to a radius of its own.
class BumpyBall {
 public:
  explicit BumpyBall(Draws& draws) : draws_(draws) {
    for (const int sx : {1, -1}) {
      for (const int sy : {1, -1}) {
        for (const int sz : {1, -1}) {
          add_face(sx, sy, sz);
        }
      }
    }
  }
  [[nodiscard]] TriangleMesh build() const { return TriangleMesh::build(vertices_, triangles_).value(); }

 private:
  static constexpr int kCut = 4;

  void add_face(int sx, int sy, int sz) {
    const bool turned = sx * sy * sz < 0;  // mirrored: the other way round, so that all look outwards
    const auto corner = [&](int i, int j) { return vertex({sx * i, sy * j, sz * (kCut - i - j)}); };
    // Corners are drawn as they are first named: in braces their order is that of the text.
    const auto add = [&](std::array<std::uint32_t, 3> corners) {
      if (turned) {
        std::swap(corners[1], corners[2]);
      }
      triangles_.push_back(corners);
    };
    for (int i = 0; i < kCut; ++i) {
      for (int j = 0; i + j < kCut; ++j) {
        add({corner(i, j), corner(i + 1, j), corner(i, j + 1)});
        if (i + j + 1 < kCut) {
          add({corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)});
        }
      }
    }
  }

  std::uint32_t vertex(const std::array<int, 3>& key) {
    const auto [place, fresh] = index_.try_emplace(key, static_cast<std::uint32_t>(vertices_.size()));
    if (fresh) {
      const Vec3 at{static_cast<float>(key[0]), static_cast<float>(key[1]), static_cast<float>(key[2])};
      const float scale = draws_.uniform(0.45F, 0.65F) / std::sqrt(length_squared(at));
      vertices_.push_back({at.x * scale, at.y * scale, at.z * scale});
    }
    return place->second;
  }

  Draws& draws_;
  std::map<std::array<int, 3>, std::uint32_t> index_;
  std::vector<Vec3> vertices_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
};

Capsule capsule(float radius, float half) {
  return {{0, -half, 0}, {0, half, 0}, radius};
}

Shape draw_shape(const BodyWorld& world, Draws& draws) {
  const std::uint32_t kind = draws.below(100);
  if (kind < 30) {
    return Sphere{{}, draws.uniform(0.2F, 0.6F)};
  }
  if (kind < 55) {
    const float radius = draws.uniform(0.1F, 0.35F);
    return capsule(radius, draws.uniform(0.1F, 0.5F));
  }
  if (kind < 80) {
    return Box{{}, {}, draw_in_cube(draws, 0.15F, 0.6F)};
  }
  return kind < 97 ? Shape(world.hulls[draws.below(kHulls)]) : Shape(world.meshes[draws.below(kMeshes)]);
}

// Somewhere in the world, turned any way.
Qvvs draw_place(const BodyWorld& world, Draws& draws) {
  Qvvs at;
  at.position = draw_in_cube(draws, 0, world.side);
  at.rotation = draw_rotation(draws);
  return at;
}

bool is_free(const Bodies& bodies, const Shape& shape, const Qvvs& at) {
  return bodies.find_all(shape, at, {}).found == 0;
}

}  // namespace

BodyWorld make_bodies(std::size_t count, std::uint64_t seed) {
  Draws draws(seed);
  BodyWorld world;
  world.side = 2.5F * static_cast<float>(cube_root(static_cast<double>(count)));
  for (std::uint32_t i = 0; i < kHulls; ++i) {
    world.hulls.push_back(draw_hull(draws));
  }
  for (std::uint32_t i = 0; i < kMeshes; ++i) {
    world.meshes.push_back(BumpyBall(draws).build());
  }
  world.bodies.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Shape shape = draw_shape(world, draws);
    world.bodies.push_back({shape, draw_place(world, draws)});
  }
  return world;
}

std::vector<Ray3> make_body_rays(const BodyWorld& world, const Bodies& bodies, std::size_t count,
                                 std::uint64_t seed) {
  Draws draws(seed);
  std::vector<Ray3> rays;
  while (rays.size() < count) {
    const Vec3 way = draw_direction(draws) * kRayLength;
    const Qvvs at = draw_place(world, draws);
    if (is_free(bodies, Sphere{}, at)) {
      const Vec3& from = at.position;
      rays.push_back({{from.x, from.y, from.z}, {way.x, way.y, way.z}, 1});
    }
  }
  return rays;
}

std::vector<BodyCast> make_body_casts(const BodyWorld& world, const Bodies& bodies, std::size_t count,
                                      std::uint64_t seed) {
  Draws draws(seed);
  const Shape shape = capsule(0.3F, 0.5F);
  std::vector<BodyCast> casts;
  while (casts.size() < count) {
    const Vec3 way = draw_direction(draws) * kWayLength;
    const Qvvs at = draw_place(world, draws);
    if (is_free(bodies, shape, at)) {
      casts.push_back({shape, at, way});
    }
  }
  return casts;
}

}  // namespace juxta::scenes
