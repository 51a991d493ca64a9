// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bodies of every kind of shape, and the same questions asked of each of them in turn.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "juxta/shape/bodies.h"
#include "juxta/shape/parts.h"
#include "scenes/bodies.h"
#include "scenes/draws.h"

namespace juxta::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

inline Vec3 draw_vec(scenes::Draws& draws, float low, float high) {
  const float x = draws.uniform(low, high), y = draws.uniform(low, high), z = draws.uniform(low, high);
  return {x, y, z};
}

inline Qvvs draw_place(scenes::Draws& draws, float side) {
  Qvvs at;
  at.position = draw_vec(draws, 0, side);
  const Vec3 axis = draw_vec(draws, -1, 1);
  at.rotation = normalized(Quat{axis.x, axis.y, axis.z, draws.uniform(0.1F, 1)});
  at.scale = draws.uniform(0.5F, 1.5F);
  return at;
}

/// The bodies of the scene, resized, and among them triangles, compounds, height fields, stretched and
/// doubled ones. Borrowed parts stay where they are when it moves.
struct BodiesWorld {
  scenes::BodyWorld scene;
  std::vector<Compound> compounds;
  std::vector<HeightField> fields;
  std::vector<Body> bodies;
  std::vector<Filter> filters;  // or none
  float side;

  BodiesWorld(std::size_t count, std::uint64_t seed, bool filtered)
      : scene(scenes::make_bodies(count, seed)), side(scene.side) {
    scenes::Draws draws(seed + 1);
    const std::array parts{Compound::Part{Sphere{{0.4F, 0, 0}, 0.3F}, {}},
                           Compound::Part{Box{{-0.3F, 0, 0}, {}, {0.3F, 0.1F, 0.2F}}, {}},
                           Compound::Part{scene.hulls[0], {}}};
    compounds.push_back(Compound::build(parts).value());
    std::vector<float> heights(16);
    for (float& height : heights) {
      height = draws.uniform(0, 0.5F);
    }
    heights[5] = kNan;
    fields.push_back(HeightField::build(4, 4, 0.4F, heights).value());
    bodies = scene.bodies;
    for (Body& body : bodies) {
      change(body, draws);
    }
    for (std::size_t i = 0; filtered && i < count; ++i) {
      filters.push_back({1U << draws.below(3), draws.below(8)});
    }
  }

  [[nodiscard]] LayerOptions options() const { return {.filters = filters}; }
  [[nodiscard]] bool meets(std::uint32_t body, const QueryOptions& query) const {
    const Filter own = filters.empty() ? Filter{} : filters[body];
    return own.meets(query.filter) &&
           std::find(query.ignore.begin(), query.ignore.end(), body) == query.ignore.end() &&
           (!query.accept || query.accept(body));
  }

 private:
  void change(Body& body, scenes::Draws& draws) {
    const std::uint32_t kind = draws.below(20);
    body.at = draw_place(draws, side);
    if (kind == 0) {
      body.shape =
          Triangle{draw_vec(draws, -0.6F, 0.6F), draw_vec(draws, -0.6F, 0.6F), draw_vec(draws, -0.6F, 0.6F)};
    } else if (kind == 1) {
      body.shape = compounds[0];
    } else if (kind == 2) {
      body.shape = fields[0];
    } else if (kind < 6) {
      body.at.stretch = draw_vec(draws, 0.5F, 2);
    } else if (kind == 6) {
      body = bodies[draws.below(static_cast<std::uint32_t>(bodies.size()))];  // ties
    }
  }
};

inline Bodies built(const BodiesWorld& world, const Executor* executor = nullptr) {
  Bodies bodies;
  const auto done = bodies.rebuild(world.bodies, world.options(), {.executor = executor});
  EXPECT_TRUE(done);
  return bodies;
}

template <class Hit>
bool same_hit(const Hit& a, const Hit& b) {
  return a.hit == b.hit && a.body == b.body && a.t == b.t && a.point == b.point && a.normal == b.normal &&
         a.part == b.part;
}

/// All hits in order of (t, body); ask(Body) answers for one.
template <class Hit, class AskOne>
std::vector<Hit> hits_of_all(const BodiesWorld& world, const QueryOptions& query, const AskOne& ask) {
  std::vector<Hit> hits;
  for (std::uint32_t i = 0; i < world.bodies.size(); ++i) {
    if (world.meets(i, query)) {
      if (const Hit hit{ask(world.bodies[i]), i}; hit.hit) {
        hits.push_back(hit);
      }
    }
  }
  std::sort(hits.begin(), hits.end(),
            [](const Hit& a, const Hit& b) { return a.t < b.t || (a.t == b.t && a.body < b.body); });
  return hits;
}

inline BodyDistance closest_of_all(const BodiesWorld& world, const QueryOptions& query, const Shape& shape,
                                   const Qvvs& at, float most) {
  BodyDistance best;
  for (std::uint32_t i = 0; i < world.bodies.size(); ++i) {
    if (world.meets(i, query)) {
      const Body& body = world.bodies[i];
      const BodyDistance found{closest(shape, at, body.shape, body.at, most), i};
      if (found.found && found.distance < best.distance) {
        best = found;
      }
    }
  }
  return best;
}

}  // namespace juxta::test
