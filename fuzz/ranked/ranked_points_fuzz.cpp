// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A history of builds, rebuilds, refusals, saves, loads and queries, each answer compared with brute force.
#include "juxta/ranked/ranked_points.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/ranked/point_set.h"
#include "juxta/core/workspace.h"

namespace juxta::fuzz {
namespace {

/// Mostly a few blocks, so that thousands of histories run; sometimes enough for several lists and tree
/// levels.
std::size_t max_points(Draw& draw) {
  return draw.below(8) == 0 ? 3000 : 300;
}

std::filesystem::path scratch_file() {
  static const auto path =
      std::filesystem::temp_directory_path() / ("ranked_points_fuzz." + std::to_string(getpid()) + ".jxr");
  return path;
}

template <class Set>
void check_query(const RankedPoints& points, const Set& set, const RectD& rect, std::size_t k,
                 std::size_t room) {
  constexpr std::uint32_t kUntouched = 0xabababab;
  const auto inside = set.inside(rect);
  std::vector<std::uint32_t> out(room + 1, kUntouched);
  const auto top = points.top(rect, k, std::span(out).first(room));
  JUXTA_FUZZ_CHECK(top.written == std::min({k, room, inside.size()}));
  JUXTA_FUZZ_CHECK(
      std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(top.written), inside.begin()));
  JUXTA_FUZZ_CHECK(out[room] == kUntouched);
  JUXTA_FUZZ_CHECK(points.count(rect).found == inside.size());
}

/// The cell of a value by its edges, one after the other.
std::size_t cell_of(double value, double low, double high, std::size_t cells) {
  const double step = (high - low) / static_cast<double>(cells);
  std::size_t cell = 0;
  for (std::size_t i = 1; i < cells; ++i) {
    cell = static_cast<double>(i) * step + low <= value ? i : cell;
  }
  return cell;
}

template <class Set>
void check_cells(const RankedPoints& points, const Set& set, const RectD& rect, Draw& draw) {
  const std::size_t columns = 1 + draw.below(20), rows = 1 + draw.below(9);
  std::vector<std::uint32_t> counts(columns * rows), right(columns * rows);
  const auto result = points.count_cells(rect, columns, rows, counts);
  if (!result) {  // no size, or not finite
    const double width = (rect.hx - rect.lx) / static_cast<double>(columns);
    const double height = (rect.hy - rect.ly) / static_cast<double>(rows);
    JUXTA_FUZZ_CHECK(!(std::isfinite(width) && std::isfinite(height) && width > 0 && height > 0));
    return;
  }
  const auto inside = set.inside(rect);
  for (const std::uint32_t i : inside) {
    ++right[cell_of(static_cast<double>(set.y[i]), rect.ly, rect.hy, rows) * columns +
            cell_of(static_cast<double>(set.x[i]), rect.lx, rect.hx, columns)];
  }
  JUXTA_FUZZ_CHECK(result->found == inside.size() && counts == right);
}

/// A mask per point, which any set of so many points gives again: some of three bits, sometimes of all 64.
std::vector<std::uint64_t> masks_of(std::size_t points) {
  const std::uint64_t used = points % 3 == 0 ? ~std::uint64_t{0} : 0x8000000000000021;
  std::vector<std::uint64_t> masks(points);
  for (std::size_t i = 0; i < points; ++i) {
    const std::uint64_t drawn = (i + 1) * 0x9E3779B97F4A7C15;
    masks[i] = drawn & (drawn >> 7) & used;
  }
  return masks;
}

template <class Set>
void check_filter(const RankedPoints& points, const Set& set, const RectD& rect, std::size_t k, Draw& draw) {
  const auto bits = [&] {
    const std::uint64_t one = std::uint64_t{1} << draw.below(64);
    return draw.below(3) == 0 ? std::uint64_t{0} : one | (draw.below(2) == 0 ? 0x21 : 0);
  };
  RankedFilter filter = {
      .any = bits(), .all = draw.below(2) == 0 ? 0 : bits(), .none = draw.below(2) == 0 ? 0 : bits()};
  if (points.categories() == 0) {
    filter = {};
  }
  const std::size_t a = draw.below(set.x.size()), b = draw.below(set.x.size());
  const bool by_rank = draw.below(2) == 0, by_x = draw.below(3) == 0;
  if (by_rank) {  // the ranks and x are the columns of numbers, too
    filter.ranges[0] = {set.rank[a], set.rank[b]};
  }
  if (by_x) {
    filter.ranges[1] = {set.x[a], set.x[b]};
  }
  const std::vector<std::uint64_t> masks = masks_of(set.x.size());
  auto inside = set.inside(rect);
  std::erase_if(inside, [&](std::uint32_t i) {
    return (masks[i] & filter.all) != filter.all || (masks[i] & filter.none) != 0 ||
           (filter.any != 0 && (masks[i] & filter.any) == 0) ||
           (by_rank && (set.rank[i] < set.rank[a] || set.rank[b] < set.rank[i])) ||
           (by_x && (set.x[i] < set.x[a] || set.x[b] < set.x[i]));
  });
  JUXTA_FUZZ_CHECK(points.count(rect, filter).found == inside.size());
  std::vector<std::uint32_t> out(k);
  out.resize(points.top(rect, k, out, filter).written);
  inside.resize(std::min(k, inside.size()));
  JUXTA_FUZZ_CHECK(out == inside);
}

/// Regions whose sides and corners are those of a rectangle that fits the points.
template <class Set>
void check_region(const RankedPoints& points, const Set& set, const RectD& r, std::size_t k, Draw& draw) {
  const std::array<double, 5> xs = {r.lx, r.hx, r.lx, r.hx, (r.lx + r.hx) / 2};
  const std::array<double, 5> ys = {r.ly, r.hy, r.hy, r.ly, r.hy};
  const std::array<std::uint32_t, 2> rings = {3, 5};
  const std::array<RankedRegion, 4> all = {RankedRegion::across({r.hx, r.ly, r.lx, r.hy}),
                                           RankedRegion::ring(r.lx, r.ly, r.hy - r.ly, r.hx - r.lx),
                                           RankedRegion::polygon(xs, ys),
                                           RankedRegion::polygon(xs, ys, rings)};
  const RankedRegion& region = all[draw.below(all.size())];
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto inside = set.inside({-kInfinity, -kInfinity, kInfinity, kInfinity});
  std::erase_if(inside, [&](std::uint32_t i) {
    return !region.contains(static_cast<double>(set.x[i]), static_cast<double>(set.y[i]));
  });
  JUXTA_FUZZ_CHECK(points.count(region).found == inside.size());
  std::vector<std::uint32_t> out(k);
  out.resize(points.top(region, k, out).written);
  inside.resize(std::min(k, inside.size()));
  JUXTA_FUZZ_CHECK(out == inside);
}

/// A page behind a point, or behind a place where none is.
template <class Set>
void check_page(const RankedPoints& points, const Set& set, const RectD& rect, std::size_t k, Draw& draw) {
  if (set.x.empty()) {
    return;
  }
  const auto rank = draw.one_of(set.rank);
  const auto index = static_cast<std::uint32_t>(draw.below(set.x.size() + 2));
  auto behind = set.inside(rect);
  std::erase_if(behind,
                [&](std::uint32_t i) { return set.rank[i] < rank || (set.rank[i] == rank && i <= index); });
  std::vector<std::uint32_t> out(k);
  const auto result = points.top_after({rank, index}, rect, k, out);
  JUXTA_FUZZ_CHECK(result.has_value());
  out.resize(result->written);
  behind.resize(std::min(k, behind.size()));
  JUXTA_FUZZ_CHECK(out == behind);
}

/// The nearest to a corner of a rectangle, whose sides are those of points or special numbers.
template <class Set>
void check_nearest(const RankedPoints& points, const Set& set, std::size_t k, Draw& draw) {
  const RectD r = set.rectangle(draw);
  RankedNearestOptions options = {.max_distance = draw.below(2) == 0 ? r.hx - r.lx : HUGE_VAL};
  if (draw.below(2) == 0) {
    options.most_important = draw.below(set.x.size() + 2);
  }
  const auto inside = set.inside({-HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL});
  std::vector<std::pair<double, std::size_t>> right;  // squared distance, place in rank order
  const bool sound = std::isfinite(r.lx) && std::isfinite(r.ly) && options.max_distance >= 0;
  for (std::size_t p = 0; sound && p < std::min(options.most_important, inside.size()); ++p) {
    const double dx = static_cast<double>(set.x[inside[p]]) - r.lx,
                 dy = static_cast<double>(set.y[inside[p]]) - r.ly;
    if (dx * dx + dy * dy <= options.max_distance * options.max_distance) {
      right.emplace_back(dx * dx + dy * dy, p);
    }
  }
  std::sort(right.begin(), right.end());
  std::vector<std::uint32_t> out(k);
  std::vector<double> distances(k);
  JUXTA_FUZZ_CHECK(points.nearest(r.lx, r.ly, k, out, distances, options).written ==
                   std::min(k, right.size()));
  for (std::size_t i = 0; i < std::min(k, right.size()); ++i) {
    JUXTA_FUZZ_CHECK(out[i] == inside[right[i].second] && distances[i] == std::sqrt(right[i].first));
  }
}

template <class Set>
void check_batch(const RankedPoints& points, const Set& set, Draw& draw, std::size_t k) {
  std::vector<RectD> rects(draw.below(40));
  for (auto& rect : rects) {
    rect = set.rectangle(draw);
  }
  std::vector<std::uint32_t> out(rects.size() * k), counts(rects.size());
  JUXTA_FUZZ_CHECK(points.top(rects, k, out, counts).has_value());
  for (std::size_t i = 0; i < rects.size(); ++i) {
    const auto inside = set.inside(rects[i]);
    JUXTA_FUZZ_CHECK(counts[i] == std::min(k, inside.size()));
    JUXTA_FUZZ_CHECK(std::equal(inside.begin(), inside.begin() + counts[i],
                                out.begin() + static_cast<std::ptrdiff_t>(i * k)));
  }
}

template <class Set>
void check_all(const RankedPoints& points, const Set& set, Draw& draw) {
  const std::size_t n = set.x.size();
  JUXTA_FUZZ_CHECK(points.size() == n);
  const std::vector<std::size_t> ks{0, 1, 20, 100, n, n + 7};
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t k = draw.one_of(ks);
    check_query(points, set, set.rectangle(draw), k, draw.below(4) == 0 ? k / 2 : k);
  }
  for (std::size_t i = 0; !set.x.empty() && i < 6; ++i) {
    check_filter(points, set, set.rectangle(draw), draw.one_of(ks), draw);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    check_cells(points, set, set.rectangle(draw), draw);
    check_region(points, set, set.rectangle(draw), draw.one_of(ks), draw);
    check_page(points, set, set.rectangle(draw), draw.one_of(ks), draw);
    check_nearest(points, set, draw.one_of(ks), draw);
  }
  check_batch(points, set, draw, draw.below(2) == 0 ? 20 : draw.below(n + 2));
}

template <class Set>
void check_saved(const RankedPoints& points, const Set& set, Draw& draw) {
  JUXTA_FUZZ_CHECK(points.save(scratch_file().string()).has_value());
  {
    const auto loaded = RankedPoints::load(scratch_file().string());
    JUXTA_FUZZ_CHECK(loaded.has_value());
    check_all(*loaded, set, draw);
  }
  std::filesystem::remove(scratch_file());
}

/// A NaN or an infinity somewhere is refused, with its index, and leaves the object as it was.
template <class Set>
void check_refusal(RankedPoints& points, const Set& set, Draw& draw) {
  using Coordinate = typename decltype(set.x)::value_type;
  if (set.x.empty()) {
    return;
  }
  Set broken = set;
  const std::size_t where = draw.below(set.x.size());
  const std::vector<Coordinate> bad{std::numeric_limits<Coordinate>::quiet_NaN(),
                                    std::numeric_limits<Coordinate>::infinity(),
                                    -std::numeric_limits<Coordinate>::infinity()};
  (draw.below(2) == 0 ? broken.x : broken.y)[where] = draw.one_of(bad);
  const auto refused = points.rebuild(broken.x, broken.y, broken.rank);
  JUXTA_FUZZ_CHECK(!refused && refused.error().code == ErrorCode::kNotFinite &&
                   refused.error().index == where);
  broken.x.pop_back();
  JUXTA_FUZZ_CHECK(!points.rebuild(broken.x, broken.y, broken.rank));
}

template <class Coordinate, class Rank>
void history(Draw& draw) {
  std::optional<PointSet<Coordinate, Rank>> set;
  set.emplace(draw, max_points(draw));
  const ValueColumn first[] = {set->rank, set->x};
  auto points = RankedPoints::build(set->x, set->y, set->rank, {.keep_ranks = true, .values = first});
  JUXTA_FUZZ_CHECK(points.has_value());
  check_all(*points, *set, draw);

  Workspace workspace;
  for (std::size_t step = draw.below(4); step > 0; --step) {
    switch (draw.below(3)) {
      case 0: {
        set.emplace(draw, max_points(draw));
        const std::vector<std::uint64_t> masks = masks_of(set->x.size());
        const ValueColumn values[] = {set->rank, set->x};
        RankedPointsOptions options{
            .borrow_coordinates = draw.below(2) == 0, .keep_ranks = true, .values = values};
        if (draw.below(2) == 0) {
          options.categories = masks;
        }
        JUXTA_FUZZ_CHECK(
            points->rebuild(set->x, set->y, set->rank, options, {.workspace = &workspace}).has_value());
        break;
      }
      case 1:
        check_refusal(*points, *set, draw);
        break;
      default:
        check_saved(*points, *set, draw);
    }
    check_all(*points, *set, draw);
  }
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta::fuzz;
  Draw draw(data, size);
  switch (draw.value<std::uint8_t>() % 6) {
    case 0:
      history<float, std::int32_t>(draw);
      break;
    case 1:
      history<float, float>(draw);
      break;
    case 2:
      history<float, std::int64_t>(draw);
      break;
    case 3:
      history<double, std::int32_t>(draw);
      break;
    case 4:
      history<double, double>(draw);
      break;
    default:
      history<double, std::int64_t>(draw);
  }
  return 0;
}
