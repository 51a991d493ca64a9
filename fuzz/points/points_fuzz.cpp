// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Points of any bits, in spaces of any kind, against all pairs by the definition: what is refused; counts,
// lists, pairs and the k nearest of the tree's points and of others, with radii that are the distances of
// pairs; on a drawn instruction set.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/draw.h"
#include "juxta/core/isa.h"
#include "juxta/points/nearest_points.h"
#include "juxta/points/neighbours.h"
#include "juxta/points/point_pairs.h"
#include "points/clouds.h"

namespace juxta::fuzz {
namespace {

template <int D, class Real>
using Lists = std::vector<std::vector<test::Sight<D, Real>>>;

template <class Real>
Real any_bits(Draw& draw) {
  std::uint64_t bits = 0;
  for (int part = 0; part < 4; ++part) {
    bits = bits << 16 | draw.below(1U << 16);
  }
  if constexpr (sizeof(Real) == sizeof(float)) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<double>(bits);
  }
}

template <class Real>
Real draw_coordinate(Draw& draw, std::size_t kind) {
  const Real unit = static_cast<Real>(draw.below(1U << 24)) * Real(0x1p-24);
  switch (kind) {
    case 0:
      return unit;
    case 1:
      return static_cast<Real>(draw.below(5)) / 4;  // equal points and distances
    case 2:
      return std::ldexp(unit - Real(0.5), static_cast<int>(draw.below(100)) - 60);
    case 3:
      return Real(1000) + std::ldexp(unit, -20);  // what floats cannot tell apart
    default:
      return any_bits<Real>(draw);
  }
}

template <int D, class Real>
std::vector<Real> draw_points(Draw& draw, std::size_t most) {
  const std::size_t kind = draw.below(4), strange = draw.below(8);
  std::vector<Real> points;
  for (std::size_t i = draw.below(most) * D; i > 0; --i) {
    points.push_back(draw_coordinate<Real>(draw, strange == 0 && draw.below(16) == 0 ? 4 : kind));
  }
  return points;
}

/// The first point that is refused; the number of points when none is.
template <int D, class Real>
std::size_t first_refused(const std::vector<Real>& points) {
  constexpr Real kMost = BasicPointTree<D, Real>::kMost;
  const auto at = std::find_if(points.begin(), points.end(), [&](Real x) { return !(std::abs(x) <= kMost); });
  return static_cast<std::size_t>(at - points.begin()) / D;
}

template <int D, class Real>
PointSpace<D, Real> draw_space(Draw& draw) {
  PointSpace<D, Real> space;
  for (int axis = 0; axis < D; ++axis) {
    space.periodic[axis] = draw.below(3) == 0;
    space.lo[axis] = draw_coordinate<Real>(draw, draw.below(4));
    space.hi[axis] = space.lo[axis] + std::ldexp(Real(1), static_cast<int>(draw.below(12)) - 6);
  }
  return space;
}

/// Any number from 0 on, or the distance of two points that there are.
template <int D, class Real>
Real draw_radius(Draw& draw, const std::vector<Real>& points, const PointSpace<D, Real>& space) {
  const std::size_t way = draw.below(6), count = points.size() / D;
  if (way == 0) {
    return std::numeric_limits<Real>::infinity();
  }
  if (way < 4 && count != 0) {
    const auto sight = test::look<D, Real>(points, draw.below(count), points,
                                           static_cast<std::uint32_t>(draw.below(count)), space);
    return std::sqrt(sight.d2);
  }
  return std::abs(draw_coordinate<Real>(draw, draw.below(4)));
}

template <int D, class Real>
void check_table(const BasicNeighbourTable<D, Real>& table, const Lists<D, Real>& want) {
  std::vector<std::uint32_t> index(table.found());
  std::vector<std::int64_t> pairs(2 * table.found());
  std::vector<Real> distance(table.found()), way(table.found() * D);
  JUXTA_FUZZ_CHECK(table.size() == want.size());
  JUXTA_FUZZ_CHECK(
      table.write({.index = index, .pairs64 = pairs, .distance = distance, .displacement = way}).has_value());
  std::size_t at = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    JUXTA_FUZZ_CHECK(table.offsets()[i] == at);
    for (const auto& sight : want[i]) {
      JUXTA_FUZZ_CHECK(at < index.size() && index[at] == sight.index);
      JUXTA_FUZZ_CHECK(pairs[2 * at] == static_cast<std::int64_t>(i) && pairs[2 * at + 1] == sight.index);
      JUXTA_FUZZ_CHECK(distance[at] == std::sqrt(sight.d2));
      JUXTA_FUZZ_CHECK(std::equal(sight.d, sight.d + D, way.begin() + static_cast<std::ptrdiff_t>(at * D)));
      ++at;
    }
  }
  JUXTA_FUZZ_CHECK(at == table.found());
}

template <int D, class Real>
void check_pairs(const BasicPointTree<D, Real>& tree, Real radius, const Lists<D, Real>& half) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> got, want;
  const auto take = [&](std::span<const PointPair> pairs) {
    for (const PointPair& pair : pairs) {
      got.emplace_back(pair.a, pair.b);
    }
    return true;
  };
  JUXTA_FUZZ_CHECK(visit_pairs(tree, radius, take).has_value());
  for (std::uint32_t i = 0; i < half.size(); ++i) {
    for (const auto& sight : half[i]) {
      want.emplace_back(i, sight.index);
    }
  }
  std::sort(got.begin(), got.end());
  JUXTA_FUZZ_CHECK(got == want);
}

/// The first k of each list by (d2, number) against what nearest() wrote.
template <int D, class Real>
void check_nearest(Lists<D, Real> lists, std::size_t k, const std::vector<std::uint32_t>& index,
                   const std::vector<Real>& distance2, const std::vector<Real>& way) {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::sort(lists[i].begin(), lists[i].end(), [](const auto& a, const auto& b) {
      return a.d2 < b.d2 || (a.d2 == b.d2 && a.index < b.index);
    });
    for (std::size_t n = 0; n < k; ++n) {
      const std::size_t at = i * k + n;
      if (n >= lists[i].size()) {
        JUXTA_FUZZ_CHECK(index[at] == kNoPoint && std::isinf(distance2[at]) && std::isnan(way[at * D]));
        continue;
      }
      const auto& sight = lists[i][n];
      JUXTA_FUZZ_CHECK(index[at] == sight.index && distance2[at] == sight.d2);
      JUXTA_FUZZ_CHECK(std::equal(sight.d, sight.d + D, way.begin() + static_cast<std::ptrdiff_t>(at * D)));
    }
  }
}

template <int D, class Real>
void check_own(Draw& draw, const BasicPointTree<D, Real>& tree, const std::vector<Real>& points) {
  const PointSpace<D, Real>& space = tree.space();
  const Real radius = draw_radius(draw, points, space);
  const auto all = test::by_hand<D, Real>(points, points, true, false, {radius}, space);
  const auto half = test::by_hand<D, Real>(points, points, true, true, {radius}, space);
  for (const bool is_half : {false, true}) {
    const Lists<D, Real>& want = is_half ? half : all;
    const NeighbourOptions options{.half = is_half, .measured = true};
    std::vector<std::uint32_t> counts(tree.size());
    JUXTA_FUZZ_CHECK(count_neighbours(tree, radius, counts, options).has_value());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      JUXTA_FUZZ_CHECK(counts[i] == want[i].size());
    }
    const auto table = BasicNeighbourTable<D, Real>::build(tree, radius, options);
    JUXTA_FUZZ_CHECK(table.has_value());
    check_table(*table, want);
  }
  check_pairs(tree, radius, half);
  const std::size_t k = draw.below(20);
  std::vector<std::uint32_t> index(tree.size() * k);
  std::vector<Real> distance2(index.size()), way(index.size() * D);
  JUXTA_FUZZ_CHECK(nearest(tree, k, radius, {index, distance2, way}).has_value());
  check_nearest<D, Real>(all, k, index, distance2, way);
}

template <int D, class Real>
void check_others(Draw& draw, const BasicPointTree<D, Real>& tree, const std::vector<Real>& points) {
  const auto others = draw.below(4) == 0 ? points : draw_points<D, Real>(draw, 40);
  const std::size_t count = others.size() / D, refused = first_refused<D>(others);
  std::vector<Real> radii(draw.below(2) == 0 ? 1 : count);
  for (Real& radius : radii) {
    radius = draw_radius(draw, points, tree.space());
  }
  const auto table = BasicNeighbourTable<D, Real>::build(tree, others, radii, {.measured = true});
  if (refused != count) {
    JUXTA_FUZZ_CHECK(!table && table.error().index == refused);
    return;
  }
  JUXTA_FUZZ_CHECK(table.has_value());
  check_table(*table, test::by_hand<D, Real>(others, points, false, false, radii, tree.space()));
  const std::size_t k = draw.below(70);
  const Real most = radii.empty() ? Real(1) : radii[0];
  std::vector<std::uint32_t> index(count * k);
  std::vector<Real> distance2(index.size()), way(index.size() * D);
  JUXTA_FUZZ_CHECK(nearest(tree, others, k, most, {index, distance2, way}).has_value());
  check_nearest<D, Real>(test::by_hand<D, Real>(others, points, false, false, {most}, tree.space()), k, index,
                         distance2, way);
}

template <int D, class Real>
void run(Draw& draw) {
  const std::span<const Isa> isas = available_isas();
  JUXTA_FUZZ_CHECK(force_isa(isas[draw.below(isas.size())]).has_value());
  static BasicPointTree<D, Real> tree;  // keeps its memory
  const auto space = draw_space<D, Real>(draw);
  const auto points = draw_points<D, Real>(draw, draw.below(8) == 0 ? 700 : 100);
  const auto built = tree.rebuild(points, space);
  for (int axis = 0; axis < D; ++axis) {
    if (space.periodic[axis] && !(space.lo[axis] < space.hi[axis])) {  // a period too short to add
      JUXTA_FUZZ_CHECK(!built && tree.size() == 0);
      return;
    }
  }
  if (const std::size_t refused = first_refused<D>(points); refused != points.size() / D) {
    JUXTA_FUZZ_CHECK(!built && built.error().index == refused && tree.size() == 0);
    return;
  }
  JUXTA_FUZZ_CHECK(built.has_value() && tree.size() == points.size() / D);
  check_own(draw, tree, points);
  check_others(draw, tree, points);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::Draw draw(data, size);
  switch (draw.below(4)) {
    case 0:
      juxta::fuzz::run<2, float>(draw);
      break;
    case 1:
      juxta::fuzz::run<3, float>(draw);
      break;
    case 2:
      juxta::fuzz::run<2, double>(draw);
      break;
    default:
      juxta::fuzz::run<3, double>(draw);
      break;
  }
  return 0;
}
