// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/layer/raycast.h"
#include "juxta/shape/bodies.h"
#include "juxta/shape/parts.h"

namespace juxta::scenes {

/// Bodies of mixed shapes that rest, N of them with centres even in a cube of side 2.5 N^(1/3), turned any
/// way: 30 of 100 spheres (radius U[.2, .6]), 25 capsules (radius U[.1, .35], length U[.2, 1]), 25 boxes
/// (half edges U[.15, .6]), 17 hulls (one of 16, of 8 to 32 points in a ball of radius .65), 3 meshes (one of
/// 4 closed, bumpy ones of 128 triangles, radius .45 to .65). About one in five touches another.
struct BodyWorld {
  std::vector<ConvexHull> hulls;
  std::vector<TriangleMesh> meshes;
  std::vector<Body> bodies;  ///< They borrow from the two above: a moved world stays sound.
  float side = 0;
};

/// The same bits for the same arguments on every machine.
[[nodiscard]] BodyWorld make_bodies(std::size_t count, std::uint64_t seed);

/// Segments of length 60 that start outside of all bodies, even in their cube, directions even on the sphere.
[[nodiscard]] std::vector<Ray3> make_body_rays(const BodyWorld& world, const Bodies& bodies,
                                               std::size_t count, std::uint64_t seed);
/// The same for capsules of radius .3 and length 1 (with its ends 1.6) that touch nothing where they start;
/// ways of length 20.
[[nodiscard]] std::vector<BodyCast> make_body_casts(const BodyWorld& world, const Bodies& bodies,
                                                    std::size_t count, std::uint64_t seed);

}  // namespace juxta::scenes
