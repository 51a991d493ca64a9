// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>

#include "scenes/draws.h"
#include "scenes/hard_points.h"

namespace juxta::scenes {
namespace {

RectF around(float cx, float cy, float half_x, float half_y) {
  return {cx - half_x, cy - half_y, cx + half_x, cy + half_y};
}

// Where a small rectangle has something to find: at one of the points, or anywhere when there are none.
struct Spot {
  float x, y;
};

Spot spot(const HardPoints& p, Draws& draws) {
  if (p.x.empty()) {
    return {draws.uniform(p.frame.lx, p.frame.hx), draws.uniform(p.frame.ly, p.frame.hy)};
  }
  const std::uint32_t i = draws.below(static_cast<std::uint32_t>(p.x.size()));
  return {p.x[i], p.y[i]};
}

RectF official_like(const RectF& f, Draws& draws) {
  const float cx = draws.uniform(f.lx, f.hx), cy = draws.uniform(f.ly, f.hy);
  const float u = draws.unit(), v = draws.unit();
  return around(cx, cy, (f.hx - f.lx) / 2 * (u * u), (f.hy - f.ly) / 2 * (v * v));
}

RectF small(QueryFamily family, const HardPoints& p, Draws& draws) {
  const Spot at = spot(p, draws);
  const float thin = draws.uniform(0.05F, 0.5F) / 1000;
  const float longer = family == QueryFamily::kTiny ? thin : draws.uniform(0.1F, 0.5F);
  const float width = p.frame.hx - p.frame.lx, height = p.frame.hy - p.frame.ly;
  return family == QueryFamily::kWide ? around(at.x, at.y, longer * width, thin * height)
                                      : around(at.x, at.y, thin * width, longer * height);
}

RectF large(const RectF& f, Draws& draws) {
  const float width = draws.uniform(0.5F, 1.0F) * (f.hx - f.lx);
  const float height = draws.uniform(0.5F, 1.0F) * (f.hy - f.ly);
  const float lx = draws.uniform(f.lx, f.hx - width), ly = draws.uniform(f.ly, f.hy - height);
  return {lx, ly, lx + width, ly + height};
}

RectF right_half(const RectF& f, Draws& draws) {
  const float width = f.hx - f.lx, height = f.hy - f.ly;
  return {f.lx + width * draws.uniform(0.45F, 0.55F), f.ly - height * draws.uniform(0.0F, 0.05F),
          f.hx + width * draws.uniform(0.0F, 0.05F), f.hy + height * draws.uniform(0.0F, 0.05F)};
}

}  // namespace

std::string_view name(QueryFamily family) noexcept {
  constexpr std::array<std::string_view, kQueryFamilies.size()> kNames{"official", "tiny",  "tall",
                                                                       "wide",     "large", "right_half"};
  return kNames[static_cast<std::size_t>(family)];
}

std::vector<RectF> make_hard_queries(QueryFamily family, const HardPoints& points, std::size_t count,
                                     std::uint64_t seed) {
  Draws draws(seed);
  std::vector<RectF> queries(count);
  for (RectF& q : queries) {
    switch (family) {
      case QueryFamily::kOfficialLike:
        q = official_like(points.frame, draws);
        break;
      case QueryFamily::kLarge:
        q = large(points.frame, draws);
        break;
      case QueryFamily::kRightHalf:
        q = right_half(points.frame, draws);
        break;
      default:
        q = small(family, points, draws);
        break;
    }
  }
  return queries;
}

}  // namespace juxta::scenes
