// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta render': the camera, its rays, and how hits become colours.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/files/raster.h"
#include "juxta/layer/raycast.h"
#include "juxta/math/aabb.h"
#include "juxta/shape/query.h"

namespace juxta::tool {

/// A pinhole: ray of pixel (x, y), y downwards, is eye + t * (forward + right * u + up * v), so that t is
/// depth.
struct Camera {
  Vec3 eye, forward, right, up;  ///< Right and up as long as half the picture is wide and high at depth 1.
  std::uint32_t width = 0, height = 0;

  [[nodiscard]] Ray3 ray(std::uint32_t x, std::uint32_t y) const noexcept;
};

/// Looks from `eye` to `at`, 40 degrees from top to bottom, y upwards. Errors: kInvalidArgument (both are
/// one point, or too far from each other for a float).
[[nodiscard]] Result<Camera> make_camera(const Vec3& eye, const Vec3& at, std::uint32_t width,
                                         std::uint32_t height);

/// Where to stand to see all of a box, in front of it, to the right and above.
struct Viewpoint {
  Vec3 eye, at;
};
[[nodiscard]] Viewpoint viewpoint_of(const Aabb3& bounds, std::uint32_t width, std::uint32_t height);

enum class Shade { kLight, kNormal, kDepth };

/// Pixels of a picture in squares of 4 x 4, so that neighbours in the list look at neighbours in the mesh.
/// Rows first <= y < last.
struct Pixel {
  std::uint32_t x, y;
};
[[nodiscard]] std::vector<Pixel> pixels_of_rows(std::uint32_t width, std::uint32_t first, std::uint32_t last);

/// What the rays of all pixels hit; pixel (x, y) stands at y * width + x.
struct DepthImage {
  std::uint32_t width = 0, height = 0;
  std::vector<float> depth;  ///< Infinite: nothing.
  std::vector<Vec3> normal;
  [[nodiscard]] std::size_t hits() const;
};
/// Light from the eye; or normals as colours; or depth, near ones bright. White where nothing is.
[[nodiscard]] Raster paint(const DepthImage& image, const Camera& camera, Shade shade);

}  // namespace juxta::tool
