// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/lennard_jones.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace juxta::scalar {
namespace {

using World = LennardJonesWorld;
constexpr std::uint32_t kNone = ~std::uint32_t{0};

double squared_distance(const Vector& a, const Vector& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

/// Of each atom near an edge, its images that are near the world: up to seven.
void make_images(World& world) {
  const double reach = world.rules.cutoff + world.rules.skin, edge = 2 * world.rules.half;
  const auto atoms = static_cast<std::uint32_t>(world.atoms());
  world.images.clear();
  world.place.resize(atoms);
  for (std::uint32_t i = 0; i < atoms; ++i) {
    for (double& x : world.place[i]) {
      x -= edge * std::floor((x + world.rules.half) / edge);
    }
    std::array<double, 3> across{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double x = world.place[i][axis];
      across[axis] = x < reach - world.rules.half ? edge : x >= world.rules.half - reach ? -edge : 0;
    }
    for (unsigned which = 1; which < 8; ++which) {
      Vector shift{};
      bool exists = true;
      for (unsigned axis = 0; axis < 3; ++axis) {
        shift[axis] = (which >> axis & 1U) != 0 ? across[axis] : 0;
        exists = exists && ((which >> axis & 1U) == 0 || across[axis] != 0);
      }
      if (exists) {
        world.images.push_back({i, shift});
      }
    }
  }
  world.place.resize(atoms + world.images.size());
}

void place_images(World& world) {
  for (std::size_t i = 0; i < world.images.size(); ++i) {
    const auto& [atom, shift] = world.images[i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      world.place[world.atoms() + i][axis] = world.place[atom][axis] + shift[axis];
    }
  }
}

/// Cells half as wide as lists reach.
struct Cells {
  explicit Cells(const LennardJonesRules& rules)
      : low(-rules.half - (rules.cutoff + rules.skin)),
        width((rules.cutoff + rules.skin) / 2),
        count(static_cast<int>(-2 * low / width) + 1) {}
  [[nodiscard]] std::array<int, 3> of(const Vector& at) const {
    std::array<int, 3> cell{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cell[axis] = std::clamp(static_cast<int>((at[axis] - low) / width), 0, count - 1);
    }
    return cell;
  }
  [[nodiscard]] std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>((z * count + y) * count + x);
  }
  double low, width;
  int count;
};

/// Each pair once. Of an atom and an image, two pairs are the same one: it is taken where the image is above.
bool counts(const World& world, std::uint32_t i, std::uint32_t j) {
  if (j < world.atoms()) {
    return i < j;
  }
  const Vector &a = world.place[i], &b = world.place[j];
  return a[2] != b[2] ? a[2] < b[2] : a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

void make_list(World& world) {
  make_images(world);
  place_images(world);
  const Cells cells(world.rules);
  const double reach = world.rules.cutoff + world.rules.skin;
  world.heads.assign(cells.index(0, 0, cells.count), kNone);
  world.nexts.resize(world.place.size());
  for (auto i = static_cast<std::uint32_t>(world.place.size()); i-- > 0;) {
    const auto [x, y, z] = cells.of(world.place[i]);
    world.nexts[i] = std::exchange(world.heads[cells.index(x, y, z)], i);
  }
  world.list.clear();
  world.begins.assign(1, 0);
  for (std::uint32_t i = 0; i < world.atoms(); ++i) {
    const auto [cx, cy, cz] = cells.of(world.place[i]);
    for (int z = std::max(cz - 2, 0); z <= std::min(cz + 2, cells.count - 1); ++z) {
      for (int y = std::max(cy - 2, 0); y <= std::min(cy + 2, cells.count - 1); ++y) {
        for (int x = std::max(cx - 2, 0); x <= std::min(cx + 2, cells.count - 1); ++x) {
          for (std::uint32_t j = world.heads[cells.index(x, y, z)]; j != kNone; j = world.nexts[j]) {
            if (counts(world, i, j) && squared_distance(world.place[i], world.place[j]) <= reach * reach) {
              world.list.push_back(j);
            }
          }
        }
      }
    }
    world.begins.push_back(static_cast<std::uint32_t>(world.list.size()));
  }
  world.listed.assign(world.place.begin(), world.place.begin() + static_cast<std::ptrdiff_t>(world.atoms()));
  ++world.lists;
}

bool list_holds(const World& world) {
  const double way = world.rules.skin / 2;
  for (std::size_t i = 0; i < world.listed.size(); ++i) {
    if (squared_distance(world.place[i], world.listed[i]) > way * way) {
      return false;
    }
  }
  return !world.listed.empty();
}

template <bool measured>
void sum_pairs(World& world) {
  const double cutoff2 = world.rules.cutoff * world.rules.cutoff;
  for (std::size_t i = 0; i < world.atoms(); ++i) {
    const Vector at = world.place[i];
    Vector sum{};
    for (std::uint32_t k = world.begins[i]; k < world.begins[i + 1]; ++k) {
      const std::uint32_t j = world.list[k];
      const double dx = at[0] - world.place[j][0], dy = at[1] - world.place[j][1],
                   dz = at[2] - world.place[j][2];
      const double distance2 = dx * dx + dy * dy + dz * dz;
      if (distance2 > cutoff2) {
        continue;
      }
      const double over2 = 1 / distance2, over6 = over2 * over2 * over2;
      const double push = over6 * (48 * over6 - 24) * over2;
      sum[0] += dx * push;
      sum[1] += dy * push;
      sum[2] += dz * push;
      world.force[j][0] -= dx * push;
      world.force[j][1] -= dy * push;
      world.force[j][2] -= dz * push;
      if constexpr (measured) {
        world.potential += 4 * over6 * (over6 - 1);
        world.virial += push * distance2;
        ++world.pairs;
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      world.force[i][axis] += sum[axis];
    }
  }
}

}  // namespace

void find_forces(World& world, bool measured) {
  if (list_holds(world)) {
    place_images(world);
  } else {
    make_list(world);
  }
  world.force.assign(world.place.size(), Vector{});
  if (measured) {
    world.potential = world.virial = 0;
    world.pairs = 0;
    sum_pairs<true>(world);
  } else {
    sum_pairs<false>(world);
  }
  for (std::size_t i = 0; i < world.images.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      world.force[world.images[i].atom][axis] += world.force[world.atoms() + i][axis];
    }
  }
}

World make_lennard_jones(const LennardJonesRules& rules, std::vector<Vector> places,
                         std::vector<Vector> velocities) {
  World world;
  world.rules = rules;
  world.place = std::move(places);
  world.velocity = std::move(velocities);
  find_forces(world, true);
  return world;
}

void step_lennard_jones(World& world, bool measured) {
  const double dt = world.rules.dt;
  for (std::size_t i = 0; i < world.atoms(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      world.velocity[i][axis] += dt / 2 * world.force[i][axis];
      world.place[i][axis] += dt * world.velocity[i][axis];
    }
  }
  find_forces(world, measured);
  for (std::size_t i = 0; i < world.atoms(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      world.velocity[i][axis] += dt / 2 * world.force[i][axis];
    }
  }
}

double kinetic_energy(const World& world) {
  double sum = 0;
  for (const Vector& v : world.velocity) {
    sum += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  }
  return sum / 2;
}

}  // namespace juxta::scalar
