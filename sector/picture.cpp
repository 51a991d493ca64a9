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
    kWhite{255, 255, 255}, kFire{255, 140, 40}, kEmber{150, 36, 16}, kFlash{255, 236, 170},
    kDebris{104, 100, 96}, kExhaust{150, 220, 255};
constexpr double kLeastGun = 3;  // pixels, of what is drawn
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

/// Half of a hull's width in lengths of the ship, at a part of the way from stern to bow.
float half_width(float part) noexcept {
  return part < 0.3F ? 0.10F + 0.2F * part : 0.16F - 0.17F * (part - 0.3F);
}

/// From the stern at (x, y) - (dx, dy) to the bow; a line where it is too short for more. With a dark edge
/// and its exhaust where it is long enough, so that ships which overlap can be told apart.
void draw_hull(Raster& image, float x, float y, float dx, float dy, float length, Rgb colour) {
  const float pixel = 1 / static_cast<float>(image.scale()), pixels = length / pixel;
  const int discs = pixels < 6 ? 0 : std::min(static_cast<int>(pixels / 1.5F) + 2, 200);
  const auto each_disc = [&](float wider, Rgb with) {
    for (int i = 0; i < discs; ++i) {
      const float part = static_cast<float>(i) / static_cast<float>(discs - 1);
      const float along = 1.84F * part - 0.9F;
      image.disc(x + along * dx, y + along * dy, length * half_width(part) + wider, with);
    }
  };
  if (pixels >= 14) {
    each_disc(pixel, mixed(colour, kSpace, 0.75F));
    image.disc(x - 1.1F * dx, y - 1.1F * dy, 0.05F * length, kExhaust);
  }
  each_disc(0, colour);
  if (discs == 0) {
    image.line(x - dx, y - dy, x + dx, y + dy, colour);
  }
  image.disc(x + dx, y + dy, 0, mixed(colour, kWhite, 0.5F));  // the bow
}

/// Turrets where their nodes are, and barrels from there to the muzzles: they point where they aim.
void draw_guns(const World& world, Raster& image, const ShipNodes& nodes, Rgb colour) {
  for (std::size_t i = 0; i < kMostTurrets && !(nodes.turret[i] == Id{}); ++i) {
    const auto turret = world.hierarchy.world(nodes.turret[i]),
               muzzle = world.hierarchy.world(nodes.muzzle[i]);
    if (!turret || !muzzle) {
      continue;
    }
    const Vec3 from = turret->position, to = muzzle->position;
    const double barrel = static_cast<double>(length(to - from)), pixel = 1 / image.scale();
    const auto line = [&](double dx, double dy) {
      image.line(from.x + dx, from.y + dy, to.x + dx, to.y + dy, mixed(colour, kWhite, 0.75F));
    };
    image.disc(from.x, from.y, 0.4 * barrel, mixed(colour, kSpace, 0.7F));
    image.disc(from.x, from.y, 0.25 * barrel, mixed(colour, kWhite, 0.35F));
    line(0, 0);
    if (barrel > 8 * pixel) {  // two pixels wide
      line(pixel, 0);
      line(0, pixel);
    }
  }
}

/// Along its velocity; dim when it was hurt.
void draw_ships(const World& world, Raster& image) {
  const Population& all = *world.ships.all;
  const Spots at(all);
  const auto vx = all.read(world.ships.velocity[0]), vy = all.read(world.ships.velocity[1]);
  const auto faction = all.read(world.ships.faction), health = all.read(world.ships.health);
  const auto kind = all.read(world.ships.kind);
  const auto nodes = all.read(world.ships.nodes);
  for (const Kind size : {kFighter, kCorvette, kCruiser}) {  // the large ones on top
    const KindNumbers& numbers = world.scenario.kinds[size];
    const bool guns =
        size != kFighter && kBarrel * static_cast<double>(numbers.length) * image.scale() >= kLeastGun;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (kind[i] != size) {
        continue;
      }
      const float speed = std::sqrt(vx[i] * vx[i] + vy[i] * vy[i]);
      const float along = speed > 0 ? numbers.length / 2 / speed : 0;
      const Rgb hull = mixed(kSpace, colour_of_faction(faction[i]),
                             0.45F + 0.55F * std::clamp(health[i] / numbers.health, 0.0F, 1.0F));
      draw_hull(image, at.x[i], at.y[i], vx[i] * along, vy[i] * along, numbers.length, hull);
      if (guns) {
        draw_guns(world, image, nodes[i], hull);
      }
    }
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

/// A ball that grows, cools and fades.
void draw_explosions(const World& world, Raster& image) {
  const Population& all = *world.explosions.all;
  const Spots at(all);
  const auto age = all.read(world.explosions.age), radius = all.read(world.explosions.radius);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float part = spent(age[i], world.scenario.explosion_time), left = 1 - part;
    const auto ball = [&](float size, Rgb colour, float opacity) {
      image.disc(at.x[i], at.y[i], radius[i] * size, colour, static_cast<double>(opacity));
    };
    ball(0.3F + 0.7F * part, mixed(kFire, kEmber, part), 0.6F * left);
    ball(0.2F + 0.5F * part, mixed(kFlash, kFire, part), 0.8F * left);
    ball(0.4F * left * left, kFlash, 1);
  }
}

}  // namespace

void draw(const World& world, Raster& image) {
  const double x = world.scenario.width / 2.0, y = world.scenario.depth / 2.0;
  draw(world, image, {-x, -y, x, y});
}

void draw(const World& world, Raster& image, const RectD& part) {
  const double x = world.scenario.width / 2.0, y = world.scenario.depth / 2.0;
  image.show(part);
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
