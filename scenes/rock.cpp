// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/rock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "juxta/math/qvvs.h"
#include "scenes/draws.h"

namespace juxta::scenes {
namespace {

constexpr int kCraters = 60, kOctaves = 6;

float length_of(const Vec3& v) {
  return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/// A number in [-1, 1) for every point of the whole-number grid; between them it runs smoothly.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] float operator()(Vec3 at) const {
    const Vec3 parts = {at.x, at.y, at.z};
    std::int32_t cell[3];
    Vec3 ease;
    for (int axis = 0; axis < 3; ++axis) {
      const float floor = std::floor(parts[axis]), part = parts[axis] - floor;
      cell[axis] = static_cast<std::int32_t>(floor);
      ease[axis] = part * part * (3 - 2 * part);
    }
    float sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      float weight = 1;
      std::int32_t of[3];
      for (int axis = 0; axis < 3; ++axis) {
        const int far = corner >> axis & 1;
        of[axis] = cell[axis] + far;
        weight *= far != 0 ? ease[axis] : 1 - ease[axis];
      }
      sum += weight * at_corner(of);
    }
    return sum;
  }

 private:
  [[nodiscard]] float at_corner(const std::int32_t (&cell)[3]) const {
    std::uint64_t key = seed_;
    for (const std::int32_t part : cell) {
      key = Draws(key ^ static_cast<std::uint32_t>(part)).next();
    }
    return Draws(key).uniform(-1, 1);
  }

  std::uint64_t seed_;
};

struct Crater {
  Vec3 at;  // on the ball of radius 1
  float radius, depth;

  /// A bowl, and a rim that a quarter of its depth stands above the ground.
  [[nodiscard]] float height(const Vec3& direction) const {
    const float far = length_of(direction - at) / radius;
    if (far < 1) {
      return depth * (1.25F * far * far - 1);
    }
    const float fall = std::max(0.0F, 1 - 2 * (far - 1));
    return depth * 0.25F * fall * fall;
  }
};

class Rock {
 public:
  Rock(int cut, std::uint64_t seed) : cut_(cut), noise_(seed) {
    Draws draws(seed);
    while (craters_.size() < kCraters) {
      Vec3 at{};
      at.x = draws.uniform(-1, 1);
      at.y = draws.uniform(-1, 1);
      at.z = draws.uniform(-1, 1);
      const float length = length_of(at), size = draws.unit();
      if (length > 0.1F && length < 1) {
        const float radius = 0.05F + 0.4F * size * size * size;
        craters_.push_back({at * (1 / length), radius, 0.22F * radius});
      }
    }
  }

  [[nodiscard]] Mesh build() && {
    for (int octant = 0; octant < 8; ++octant) {
      add_octant((octant & 1) != 0 ? -1 : 1, (octant & 2) != 0 ? -1 : 1, (octant & 4) != 0 ? -1 : 1);
    }
    return std::move(mesh_);
  }

 private:
  // One side of an octahedron, cut into cut_^2 triangles and blown up to the ball.
  void add_octant(int sx, int sy, int sz) {
    const bool mirrored = sx * sy * sz < 0;
    const auto corner = [&](int i, int j) { return vertex({sx * i, sy * j, sz * (cut_ - i - j)}); };
    // Corners are numbered as they are first named: in braces their order is that of the text.
    const auto add = [&](std::array<std::uint32_t, 3> corners) {
      if (mirrored) {
        std::swap(corners[1], corners[2]);
      }
      mesh_.triangles.push_back(corners);
    };
    for (int i = 0; i < cut_; ++i) {
      for (int j = 0; i + j < cut_; ++j) {
        add({corner(i, j), corner(i + 1, j), corner(i, j + 1)});
        if (i + j + 1 < cut_) {
          add({corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)});
        }
      }
    }
  }

  std::uint32_t vertex(const std::array<int, 3>& at) {
    std::uint64_t key = 0;
    for (const int part : at) {
      key = key << 21 | static_cast<std::uint32_t>(part + cut_);
    }
    const auto [place, fresh] = index_.try_emplace(key, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (fresh) {
      const Vec3 on_octahedron{static_cast<float>(at[0]), static_cast<float>(at[1]),
                               static_cast<float>(at[2])};
      const Vec3 direction = on_octahedron * (1 / length_of(on_octahedron));
      const Vec3 p = direction * height(direction);
      mesh_.vertices.push_back({p.x, p.y, p.z});
    }
    return place->second;
  }

  [[nodiscard]] float height(const Vec3& direction) const {
    float height = 1, size = 0.16F, frequency = 1.3F;
    for (int octave = 0; octave < kOctaves; ++octave) {
      height += size * noise_(direction * frequency);
      size *= 0.45F;
      frequency *= 2;
    }
    for (const Crater& crater : craters_) {
      height += crater.height(direction);
    }
    return height;
  }

  int cut_;
  Noise noise_;
  std::vector<Crater> craters_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
  Mesh mesh_;
};

}  // namespace

Mesh make_rock(std::size_t triangles, std::uint64_t seed) {
  const double side = std::ceil(std::sqrt(static_cast<double>(triangles) / 8));
  return Rock(std::max(1, static_cast<int>(side)), seed).build();
}

}  // namespace juxta::scenes
