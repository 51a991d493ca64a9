// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Painted from the ground up: what stands still first, what is brief last.
#include "sector/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "juxta/math/aabb.h"

namespace juxta::sector {
namespace {

constexpr Rgb kSpace{9, 11, 20}, kBeyond{0, 0, 0}, kRock{58, 54, 50}, kRockLight{88, 82, 74},
    kWhite{255, 255, 255}, kFire{255, 132, 32}, kFlash{255, 236, 170}, kDebris{104, 100, 96};
/// Told apart by people who see few colours.
constexpr std::array<Rgb, kMostFactions> kFactions = {
    {{64, 156, 255}, {255, 96, 80}, {96, 214, 110}, {240, 200, 64}}};

Rgb mixed(Rgb a, Rgb b, float part) {
  const auto one = [part](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(static_cast<float>(from) +
                                     (static_cast<float>(to) - static_cast<float>(from)) * part);
  };
  return {one(a.r, b.r), one(a.g, b.g), one(a.b, b.b)};
}

Rgb colour_of_faction(float faction) {
  return kFactions[std::min(static_cast<std::size_t>(std::max(faction, 0.0F)), kFactions.size() - 1)];
}

struct Spots {
  std::span<const float> x, y;
  explicit Spots(const Population& all) : x(all.read(all.position(0))), y(all.read(all.position(1))) {}
};

void draw_asteroids(const World& world, Raster& image) {
  const auto circle = [&](std::uint32_t i, double part, double shift, Rgb colour) {
    const Body& body = world.asteroids.body(i);
    const Aabb3 box = bounds_of(body.shape, body.at);
    const double radius = (box.hi[0] - box.lo[0] + (box.hi[1] - box.lo[1])) / 4.0;
    image.disc((box.lo[0] + box.hi[0]) / 2.0 - shift * radius, (box.lo[1] + box.hi[1]) / 2.0 + shift * radius,
               part * radius, colour);
  };
  for (std::uint32_t i = 0; i < world.asteroids.size(); ++i) {
    circle(i, 1, 0, kRock);  // lit from the upper left
    circle(i, 0.8, 0.12, mixed(kRock, kRockLight, 0.4F));
    circle(i, 0.5, 0.28, kRockLight);
  }
}

void draw_points(const World& world, Raster& image) {
  const Population& all = *world.points.all;
  const Spots at(all);
  const auto faction = all.read(world.points.faction);
  for (std::size_t i = 0; i < all.size(); ++i) {
    image.rect(at.x[i] - 0.5, at.y[i] - 0.5, at.x[i] + 0.5, at.y[i] + 0.5,
               mixed(kSpace, colour_of_faction(faction[i]), 0.3F));
  }
}

/// Part of its time that is over; all of it where it has none.
float spent(float age, float time) noexcept {
  return time > 0 ? std::clamp(age / time, 0.0F, 1.0F) : 1.0F;
}

void draw_wrecks(const World& world, Raster& image) {
  const Population& all = *world.wrecks.all;
  const Spots at(all);
  const auto age = all.read(world.wrecks.age);
  for (std::size_t i = 0; i < all.size(); ++i) {
    image.disc(at.x[i], at.y[i], 0.6, mixed(kDebris, kSpace, spent(age[i], world.scenario.wreck_time)));
  }
}

/// From the stern at (x, y) - (dx, dy) to the bow, as wide as a third of its length and narrower ahead, where
/// that is more than a line.
void draw_hull(Raster& image, float x, float y, float dx, float dy, float length, Rgb colour) {
  const float pixels = length * static_cast<float>(image.scale());
  const int discs = pixels < 6 ? 0 : std::min(static_cast<int>(pixels / 4) + 2, 24);
  for (int i = 0; i < discs; ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(discs);  // of the way from stern to bow
    const float along = 1.6F * part - 0.7F;
    image.disc(x + along * dx, y + along * dy, length / 6 * (1 - 0.7F * part), colour);
  }
  image.line(x - dx, y - dy, x + dx, y + dy, colour);
  image.disc(x + dx, y + dy, 0, mixed(colour, kWhite, 0.5F));  // the bow
}

/// Along its velocity; dim when it was hurt.
void draw_ships(const World& world, Raster& image) {
  const Population& all = *world.ships.all;
  const Spots at(all);
  const auto vx = all.read(world.ships.velocity[0]), vy = all.read(world.ships.velocity[1]);
  const auto faction = all.read(world.ships.faction), health = all.read(world.ships.health);
  const auto kind = all.read(world.ships.kind);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const KindNumbers& numbers = world.scenario.kinds[kind[i]];
    const float speed = std::sqrt(vx[i] * vx[i] + vy[i] * vy[i]);
    const float along = speed > 0 ? numbers.length / 2 / speed : 0;
    const float x = at.x[i], y = at.y[i], dx = vx[i] * along, dy = vy[i] * along;
    const Rgb hull = mixed(kSpace, colour_of_faction(faction[i]),
                           0.45F + 0.55F * std::clamp(health[i] / numbers.health, 0.0F, 1.0F));
    draw_hull(image, x, y, dx, dy, numbers.length, hull);
  }
}

/// The way of a tick.
void draw_bullets(const World& world, Raster& image) {
  const Population& all = *world.bullets.all;
  const Spots at(all);
  const auto vx = all.read(world.bullets.velocity[0]), vy = all.read(world.bullets.velocity[1]);
  const auto faction = all.read(world.bullets.faction);
  for (std::size_t i = 0; i < all.size(); ++i) {
    image.line(at.x[i] - vx[i] * kTick, at.y[i] - vy[i] * kTick, at.x[i], at.y[i],
               mixed(colour_of_faction(faction[i]), kWhite, 0.55F));
  }
}

/// A ball that grows and cools.
void draw_explosions(const World& world, Raster& image) {
  const Population& all = *world.explosions.all;
  const Spots at(all);
  const auto age = all.read(world.explosions.age), radius = all.read(world.explosions.radius);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float part = spent(age[i], world.scenario.explosion_time);
    image.disc(at.x[i], at.y[i], radius[i] * (0.3F + 0.7F * part), mixed(kFire, kSpace, part * 0.8F));
    image.disc(at.x[i], at.y[i], radius[i] * 0.5F * (1 - part), kFlash);
  }
}

}  // namespace

void draw(const World& world, Raster& image) {
  const double x = world.scenario.width / 2.0, y = world.scenario.depth / 2.0;
  image.show({-x, -y, x, y});
  image.fill(kBeyond);
  image.rect(-x, -y, x, y, kSpace);
  draw_asteroids(world, image);
  draw_points(world, image);
  draw_wrecks(world, image);
  draw_ships(world, image);
  draw_bullets(world, image);
  draw_explosions(world, image);
}

}  // namespace juxta::sector
