// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The generator of the Churchill Navigation challenge (2015), draw by draw: the order of the draws is part of
// the format. tests/scenes checks the facts known of the official input (7,325 distinct x, 77 empty queries).
#include "scenes/contest.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

namespace juxta::scenes {
namespace {

constexpr float kPi = 3.14159265358979F;
constexpr std::uint32_t kMaxCluster = 0xffff;

struct SinCos {
  float sin, cos;
};

// sin and cos of an angle in [0, pi] as the float functions of today's C libraries round them (polynomials in
// double from Arm's optimized-routines, MIT, which glibc took over), so that the points are those that a
// plain std::cos(float) makes there; but with every operation spelled out, so that they are the same on any
// library.
//
//   [0, pi] -> r = angle - quarter * pi/2, quarter in {0, 1, 2}, r in [-pi/4, pi/4]
SinCos sin_cos(float angle) {
  constexpr double kHalfPi = 0x1.921FB54442D18p0, kQuartersPerRadian = 0x1.45F306DC9C883p-1;
  const double a = static_cast<double>(angle);
  const int quarter = static_cast<int>(a * kQuartersPerRadian + 0.5);
  const double r = a - quarter * kHalfPi;
  const double r2 = r * r, r3 = r * r2, r4 = r2 * r2;
  const double s =
      (r + r3 * -0x1.555545995a603p-3) + (r3 * r2) * (0x1.1107605230bc4p-7 + r2 * -0x1.994eb3774cf24p-13);
  const double c = ((1.0 + r2 * -0x1.ffffffd0c621cp-2) + r4 * 0x1.55553e1068f19p-5) +
                   (r4 * r2) * (-0x1.6c087e89a359dp-10 + r2 * 0x1.99343027bf8c3p-16);
  switch (quarter) {
    case 0:
      return {static_cast<float>(s), static_cast<float>(c)};
    case 1:
      return {static_cast<float>(c), static_cast<float>(-s)};
    default:
      return {static_cast<float>(-s), static_cast<float>(-c)};
  }
}

void make_cluster(ContestWorld& w, std::size_t first, std::size_t last, float cx, float cy) {
  const float r =
      std::min(std::min(cx - w.world.lx, w.world.hx - cx), std::min(cy - w.world.ly, w.world.hy - cy));
  for (std::size_t i = first; i < last; ++i) {
    const SinCos direction = sin_cos(w.random.uniform(0.0F, kPi));
    const float range = w.random.uniform(0.0F, r);
    w.id[i] = static_cast<std::int8_t>(static_cast<std::uint8_t>(w.random.next()));
    w.x[i] = cx + direction.cos * range;
    w.y[i] = cy + direction.sin * range;
  }
}

// False: cancelled.
bool make_points(ContestWorld& w, Monitor* monitor) {
  const std::size_t n = w.x.size();
  for (std::size_t done = 0; done < n;) {
    if (!report(monitor, "generate points", done, n)) {
      return false;
    }
    const std::size_t size = std::min<std::size_t>(w.random.next() & kMaxCluster, n - done);
    const float cx = w.random.uniform(w.world.lx, w.world.hx);
    const float cy = w.random.uniform(w.world.ly, w.world.hy);
    make_cluster(w, done, done + size, cx, cy);
    done += size;
  }
  // Four far points, so that an even grid over the bounding box is of no use.
  if (n >= 4) {
    w.x[n - 1] = -1e10F;
    w.x[n - 2] = 1e10F;
    w.y[n - 3] = -1e10F;
    w.y[n - 4] = 1e10F;
  }
  return true;
}

bool make_ranks(ContestWorld& w, Monitor* monitor) {
  constexpr std::size_t kStep = std::size_t{1} << 20;
  const std::size_t n = w.rank.size();
  for (std::size_t i = 0; i < n; ++i) {
    w.rank[i] = static_cast<std::int32_t>(i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (i % kStep == 0 && !report(monitor, "shuffle ranks", i, n)) {
      return false;
    }
    std::swap(w.rank[i], w.rank[i + w.random.next() % static_cast<std::uint32_t>(n - i)]);
  }
  return report(monitor, "shuffle ranks", n, n);
}

}  // namespace

Result<ContestSeed> parse_contest_seed(std::string_view text) {
  const auto bad = [text] {
    return fail(ErrorCode::kParse,
                "Give the seed as five hexadecimal words joined by '-', like "
                "75BCD15-159A55E5-1F123BB5-5491333-34DAD465, not '" +
                    std::string(text.substr(0, 80)) + "'.");
  };
  ContestSeed seed{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < seed.size(); ++i) {
    if (i > 0) {
      if (at == end || *at != '-') {
        return bad();
      }
      ++at;
    }
    const auto [next, error] = std::from_chars(at, end, seed[i], 16);
    if (error != std::errc{} || next - at > 8) {
      return bad();
    }
    at = next;
  }
  if (at != end) {
    return bad();
  }
  if (seed == ContestSeed{}) {
    return fail(ErrorCode::kInvalidArgument,
                "A seed of five zeros makes nothing but zeros; change one word.");
  }
  return seed;
}

std::uint32_t ContestRandom::next() noexcept {
  auto& [x, y, z, w, v] = s_;
  const std::uint32_t t = x ^ (x >> 7);
  const std::uint32_t n = (v ^ (v << 6)) ^ (t ^ (t << 13));
  x = y;
  y = z;
  z = w;
  w = v;
  v = n;
  return (2 * y + 1) * v;
}

float ContestRandom::uniform(float low, float high) noexcept {
  constexpr float kScale = 1.0F / 4294967296.0F;
  return low + static_cast<float>(next()) * kScale * (high - low);
}

RectF ContestRandom::rect(const RectF& in) noexcept {
  const float cx = uniform(in.lx, in.hx);
  const float cy = uniform(in.ly, in.hy);
  const float u = uniform(0.0F, 1.0F);
  const float v = uniform(0.0F, 1.0F);
  // The square comes first, as in the challenge's generator: the other order rounds 208 of the 1000 official
  // queries differently.
  const float half_x = (in.hx - in.lx) / 2 * (u * u);
  const float half_y = (in.hy - in.ly) / 2 * (v * v);
  return {cx - half_x, cy - half_y, cx + half_x, cy + half_y};
}

Result<ContestWorld> make_contest(std::size_t points, const ContestSeed& seed, Monitor* monitor) {
  if (points > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return fail(ErrorCode::kTooLarge,
                "The contest's ranks are 32 bits wide; ask for at most 2147483647 points.");
  }
  if (seed == ContestSeed{}) {
    return fail(ErrorCode::kInvalidArgument,
                "A seed of five zeros makes nothing but zeros; change one word.");
  }
  ContestWorld w;
  w.random = ContestRandom(seed);
  w.world = w.random.rect({-1000.0F, -1000.0F, 1000.0F, 1000.0F});
  w.x.resize(points);
  w.y.resize(points);
  w.rank.resize(points);
  w.id.resize(points);
  if (!make_points(w, monitor) || !make_ranks(w, monitor)) {
    return fail(ErrorCode::kCancelled, "The generator was asked to stop.");
  }
  return w;
}

std::vector<RectF> contest_queries(ContestWorld& world, std::size_t count) {
  std::vector<RectF> queries(count);
  for (RectF& query : queries) {
    query = world.random.rect(world.world);
  }
  return queries;
}

}  // namespace juxta::scenes
