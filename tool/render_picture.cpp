// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "tool/render.h"

namespace juxta::tool {
namespace {

constexpr float kNothing = std::numeric_limits<float>::infinity();

std::uint8_t channel(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 1.0F) * 255 + 0.5F);
}

float dot_of(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Light from the eye, and a little more from above than from below.
Rgb lit(const Vec3& normal, const Ray3& ray) {
  const Vec3 way = ray.direction;
  const float facing = std::abs(dot_of(normal, way)) / std::sqrt(dot_of(way, way));
  const float light = 0.18F + 0.72F * facing + 0.1F * normal.y;
  return {channel(light * 0.95F), channel(light * 0.93F), channel(light * 0.88F)};
}

Rgb tinted(const Vec3& normal) {
  return {channel(normal.x * 0.5F + 0.5F), channel(normal.y * 0.5F + 0.5F), channel(normal.z * 0.5F + 0.5F)};
}

}  // namespace

std::vector<Pixel> pixels_of_rows(std::uint32_t width, std::uint32_t first, std::uint32_t last) {
  constexpr std::uint32_t kSide = 4;
  std::vector<Pixel> pixels;
  pixels.reserve(std::size_t{width} * (last - first));
  for (std::uint32_t top = first; top < last; top += kSide) {
    for (std::uint32_t left = 0; left < width; left += kSide) {
      for (std::uint32_t y = top; y < std::min(top + kSide, last); ++y) {
        for (std::uint32_t x = left; x < std::min(left + kSide, width); ++x) {
          pixels.push_back({x, y});
        }
      }
    }
  }
  return pixels;
}

std::size_t DepthImage::hits() const {
  return static_cast<std::size_t>(
      std::count_if(depth.begin(), depth.end(), [](float d) { return d < kNothing; }));
}

Raster paint(const DepthImage& image, const Camera& camera, Shade shade) {
  float nearest = kNothing, farthest = 0;
  for (const float d : image.depth) {
    nearest = std::min(nearest, d);
    farthest = d < kNothing ? std::max(farthest, d) : farthest;
  }
  const float span = farthest > nearest ? farthest - nearest : 1;
  Raster raster(image.width, image.height);
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::uint32_t x = 0; x < image.width; ++x) {
      const std::size_t i = std::size_t{y} * image.width + x;
      if (!(image.depth[i] < kNothing)) {
        continue;
      }
      const Rgb colour = shade == Shade::kLight ? lit(image.normal[i], camera.ray(x, y))
                         : shade == Shade::kNormal
                             ? tinted(image.normal[i])
                             : colour_of(static_cast<double>(1 - (image.depth[i] - nearest) / span));
      const double left = x, low = image.height - 1 - y;
      raster.rect(left, low, left + 1, low + 1, colour);
    }
  }
  return raster;
}

}  // namespace juxta::tool
