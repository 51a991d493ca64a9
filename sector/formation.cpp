// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A group seen from above, the enemy to the right. Groups are side by side, every other one further back:
//
//      . .  .            fighters  .
//    .  - -  .           corvettes -
//   . - === - .          cruisers  =
//    .  - -  .
//      .  . .
#include "sector/formation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/core/random.h"
#include "juxta/layer/query.h"
#include "sector/each.h"

namespace juxta::sector {
namespace {

/// Where the kinds are in a group, in its radii.
struct Ring {
  float inner, outer;
};
constexpr std::array<Ring, kKinds> kRings = {{{0.6F, 1}, {0.4F, 0.85F}, {0, 0.55F}}};

/// The way that a faction looks, towards the middle of the world: at even angles around it. Written out,
/// because sines differ from one C library to the next.
Vec3 heading(std::uint32_t faction, std::uint32_t factions) noexcept {
  constexpr float kRoot = 0.8660254F;
  constexpr std::array<Vec3, 2> kTwo = {{{1, 0, 0}, {-1, 0, 0}}};
  constexpr std::array<Vec3, 3> kThree = {{{1, 0, 0}, {-0.5F, kRoot, 0}, {-0.5F, -kRoot, 0}}};
  constexpr std::array<Vec3, 4> kFour = {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}};
  return factions <= 2 ? kTwo[faction] : factions == 3 ? kThree[faction] : kFour[faction];
}

/// How many of `all` the part number `index` of `parts` equal ones has.
std::uint32_t share_of(std::uint32_t all, std::uint32_t index, std::uint32_t parts) noexcept {
  return all / parts + (index < all % parts ? 1 : 0);
}

/// How many of a group's ships are of each kind, by the kinds' shares.
std::array<std::uint32_t, kKinds> kinds_of(const Scenario& s, std::uint32_t ships) noexcept {
  double all = 0, sum = 0;
  for (const KindNumbers& kind : s.kinds) {
    all += static_cast<double>(kind.share);
  }
  std::array<std::uint32_t, kKinds> counts{};
  std::uint32_t before = 0;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    sum += static_cast<double>(s.kinds[kind].share);
    const auto up_to = static_cast<std::uint32_t>(std::floor(ships * (sum / all) + 0.5));
    counts[kind] = up_to - before;
    before = up_to;
  }
  return counts;
}

/// The middle of a group.
Vec3 middle_of(const Scenario& s, std::uint32_t faction, std::uint32_t group) noexcept {
  const Vec3 ahead = heading(faction, s.factions), left{-ahead.y, ahead.x, 0};
  const float back = 0.5F * s.fleet_gap + s.fleet_radius * (group % 2 == 0 ? 1 : 2);
  const float front = ahead.y == 0 ? s.depth : s.width;  // that the groups of a faction share
  const float apart = front / static_cast<float>(s.fleet_groups);
  return ahead * -back + left * ((static_cast<float>(group) + 0.5F) * apart - 0.5F * front);
}

/// Places of one kind, each as far from the others as their number allows: a spiral in which every place is
/// the golden angle further around than the last one, and which fills a ring evenly.
class Spiral {
 public:
  Spiral(Ring ring, std::uint32_t count) : ring_(ring), count_(count) {}
  /// In radii of the group.
  Vec2 next() noexcept {
    const float part = (static_cast<float>(index_++) + 0.5F) / static_cast<float>(count_);
    const float inner = ring_.inner * ring_.inner, outer = ring_.outer * ring_.outer;
    const float r = std::sqrt(inner + (outer - inner) * part);
    const Vec2 place{static_cast<float>(x_) * r, static_cast<float>(y_) * r};
    constexpr double kCosine = -0.73736887807831990, kSine = 0.67549029426152364;  // of the golden angle
    const double x = x_ * kCosine - y_ * kSine;
    y_ = x_ * kSine + y_ * kCosine;
    x_ = x;
    return place;
  }

 private:
  Ring ring_;
  std::uint32_t count_, index_ = 0;
  double x_ = 1, y_ = 0;
};

/// Builds the ships of one group after the other.
class Formation {
 public:
  explicit Formation(const World& world) : world_(world), s_(world.scenario) {
    speed_ = s_.kinds[kFighter].speed_max;
    for (const KindNumbers& kind : s_.kinds) {
      speed_ = kind.share > 0 ? std::min(speed_, kind.speed_max) : speed_;
    }
    launches_.reserve(s_.ships);
  }

  void add_group(std::uint32_t faction, std::uint32_t group, std::uint32_t ships) {
    const Vec3 middle = middle_of(s_, faction, group);
    const auto counts = kinds_of(s_, ships);
    for (const Kind kind : {kCruiser, kCorvette, kFighter}) {
      Spiral spiral(kRings[kind], counts[kind]);
      for (std::uint32_t i = 0; i < counts[kind]; ++i) {
        const KindNumbers& numbers = s_.kinds[kind];
        const Vec3 way =
            heading(faction, s_.factions) * std::clamp(speed_, numbers.speed_min, numbers.speed_max);
        const Vec2 place = spiral.next();
        launches_.push_back({kind, faction, free_place(kind, middle, place), way});
      }
    }
  }
  [[nodiscard]] std::vector<Launch> take() && { return std::move(launches_); }

 private:
  /// Near its place in the group, at a height of its own; further off as long as an asteroid is there.
  [[nodiscard]] Vec3 free_place(Kind kind, Vec3 middle, Vec2 place) const {
    constexpr std::uint64_t kTries = 8;
    const float radius = world_.fleet.models[kind].radius, r = s_.fleet_radius;
    const Vec3 half{0.5F * s_.width, 0.5F * s_.depth, 0.5F * s_.height};
    Vec3 at{};
    for (std::uint64_t i = 0; i < kTries; ++i) {
      const auto words = random_block(world_.simulation.key(kPlaces), launches_.size() * kTries + i);
      const auto part = [&](std::size_t word) { return static_cast<float>(words[word] >> 8) * 0x1p-23F - 1; };
      const float loose = r * (0.05F + 0.2F * static_cast<float>(i));
      const Vec3 wanted = middle + Vec3{place.x * r + part(0) * loose, place.y * r + part(1) * loose,
                                        part(2) * std::min(0.5F * r, 0.7F * half.z)};
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] = std::clamp(wanted[axis], -half[axis], half[axis]);
      }
      if (find_any(world_.asteroids.layer(), ball_box(at, radius)) == kNoBody) {
        break;
      }
    }
    return at;
  }

  const World& world_;
  const Scenario& s_;
  float speed_;  // of all that begin
  std::vector<Launch> launches_;
};

}  // namespace

std::vector<Launch> formation(const World& world) {
  const Scenario& s = world.scenario;
  Formation all(world);
  for (std::uint32_t faction = 0; faction < s.factions; ++faction) {
    const std::uint32_t ships = share_of(s.ships, faction, s.factions);
    for (std::uint32_t group = 0; group < s.fleet_groups; ++group) {
      all.add_group(faction, group, share_of(ships, group, s.fleet_groups));
    }
  }
  return std::move(all).take();
}

}  // namespace juxta::sector
