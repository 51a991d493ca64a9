// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/hard_points.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scenes/draws.h"

namespace juxta::scenes {
namespace {

constexpr RectF kFrame{-500.0F, -500.0F, 500.0F, 500.0F};

std::vector<std::int32_t> ascending(std::size_t n) {
  std::vector<std::int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

void make_uniform(HardPoints& p, Draws& draws) {
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    p.x[i] = draws.uniform(kFrame.lx, kFrame.hx);
    p.y[i] = draws.uniform(kFrame.ly, kFrame.hy);
  }
}

// x is a monotone function of the rank, so both come from one permutation.
void make_ugly(HardPoints& p, Draws& draws) {
  const auto n = static_cast<double>(p.x.size());
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    p.x[i] = static_cast<float>((p.rank[i] + 0.5) / n * 1000.0 - 500.0);
    p.y[i] = draws.uniform(kFrame.ly, kFrame.hy);
  }
}

// The best ranks go to the points outside the middle: a query that starts there finds only the worst.
void make_hole(HardPoints& p, Draws& draws) {
  make_uniform(p, draws);
  const RectF middle{-200.0F, -200.0F, 200.0F, 200.0F};
  std::size_t outside = 0;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    outside += middle.contains(p.x[i], p.y[i]) ? 0 : 1;
  }
  std::vector<std::int32_t> good = ascending(outside), bad = ascending(p.x.size() - outside);
  draws.shuffle(good);
  draws.shuffle(bad);
  std::size_t g = 0, b = 0;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    p.rank[i] = middle.contains(p.x[i], p.y[i]) ? static_cast<std::int32_t>(outside) + bad[b++] : good[g++];
  }
}

void make_diagonal(HardPoints& p, Draws& draws) {
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const float t = draws.uniform(kFrame.lx, kFrame.hx);
    p.x[i] = t;
    p.y[i] = t + draws.uniform(-0.5F, 0.5F);
  }
}

void make_lattice(HardPoints& p) {
  std::size_t side = 1;
  while (side * side < p.x.size()) {
    ++side;
  }
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    p.x[i] = static_cast<float>(i % side);
    p.y[i] = static_cast<float>(i / side);
  }
  const float last = static_cast<float>(side - 1);
  p.frame = {0.0F, 0.0F, last, last};
}

void make_vertical_line(HardPoints& p, Draws& draws) {
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    p.x[i] = 0.0F;
    p.y[i] = draws.uniform(kFrame.ly, kFrame.hy);
  }
}

// 300 "countries" of places around them; populations follow the 1/u law that real ones come close to.
std::vector<City> made_up_cities(Draws& draws) {
  constexpr std::size_t kPlaces = 23411, kCountries = 300;
  std::vector<City> centres(kCountries);
  for (City& c : centres) {
    c = {draws.uniform(-170.0F, 170.0F), draws.uniform(-50.0F, 65.0F), 0};
  }
  std::vector<City> places(kPlaces);
  for (City& place : places) {
    const float u = draws.unit();
    const City& around = centres[static_cast<std::size_t>(u * u * kCountries)];  // a few are crowded
    const float spread = 8.0F * draws.unit();
    place.x = around.x + spread * draws.uniform(-1.0F, 1.0F);
    place.y = around.y + spread * draws.uniform(-1.0F, 1.0F);
    place.population = static_cast<std::int32_t>(15000.0F / std::max(draws.unit(), 0.0007F));
  }
  return places;
}

// Copy 0 of every city is the city; later ones are scattered within a degree, most of them close, and
// smaller.
void make_cities(HardPoints& p, Draws& draws, std::span<const City> cities) {
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const City& city = cities[i % cities.size()];
    p.x[i] = city.x;
    p.y[i] = city.y;
    float share = 1.0F;
    if (i >= cities.size()) {
      const float u = draws.unit();
      const float reach = u * u * u;
      p.x[i] += reach * draws.uniform(-1.0F, 1.0F);
      p.y[i] += reach * draws.uniform(-1.0F, 1.0F);
      share = draws.unit();
    }
    p.rank[i] = -static_cast<std::int32_t>(static_cast<float>(city.population) * share);
  }
  RectF frame{0.0F, 0.0F, 0.0F, 0.0F};
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    if (i == 0) {
      frame = {p.x[i], p.y[i], p.x[i], p.y[i]};
    }
    frame = {std::min(frame.lx, p.x[i]), std::min(frame.ly, p.y[i]), std::max(frame.hx, p.x[i]),
             std::max(frame.hy, p.y[i])};
  }
  p.frame = frame;
}

}  // namespace

std::string_view name(HardSet set) noexcept {
  constexpr std::array<std::string_view, kHardSets.size()> kNames{"uniform",  "cities",  "ugly", "hole",
                                                                  "diagonal", "lattice", "line"};
  return kNames[static_cast<std::size_t>(set)];
}

HardPoints make_hard_points(HardSet set, std::size_t n, std::uint64_t seed, std::span<const City> cities) {
  Draws draws(seed);
  HardPoints p;
  p.frame = kFrame;
  p.x.resize(n);
  p.y.resize(n);
  p.rank = ascending(n);
  draws.shuffle(p.rank);
  switch (set) {
    case HardSet::kUniform:
      make_uniform(p, draws);
      break;
    case HardSet::kCities: {
      const std::vector<City> stand_in = cities.empty() ? made_up_cities(draws) : std::vector<City>{};
      make_cities(p, draws, cities.empty() ? std::span<const City>(stand_in) : cities);
      break;
    }
    case HardSet::kUgly:
      make_ugly(p, draws);
      break;
    case HardSet::kHole:
      make_hole(p, draws);
      break;
    case HardSet::kDiagonal:
      make_diagonal(p, draws);
      break;
    case HardSet::kLattice:
      make_lattice(p);
      break;
    case HardSet::kVerticalLine:
      make_vertical_line(p, draws);
      break;
  }
  return p;
}

}  // namespace juxta::scenes
