// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/selection.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "juxta/core/try.h"
#include "view/arguments.h"
#include "view/projection.h"

namespace juxta::view_detail {
namespace {

constexpr std::size_t kMostRows = 10'000, kNear = 5, kTouching = 20, kMostCorners = 4096;

using Corners = std::vector<std::array<double, 2>>;

/// Inside by the even-odd rule.
bool is_inside(const Corners& polygon, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const auto& [ax, ay] = polygon[i];
    const auto& [bx, by] = polygon[j];
    if ((ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) {
      inside = !inside;
    }
  }
  return inside;
}

Result<Corners> corners_in(const Json& body) {
  Corners corners;
  const Json& given = body["polygon"];
  if (!given.is_array() || given.size() < 3 || given.size() > kMostCorners) {
    return fail(ErrorCode::kInvalidArgument, "polygon: give 3 to 4096 corners");
  }
  for (const Json& corner : given) {
    if (!corner.is_array() || corner.size() != 2 || !corner[0].is_number() || !corner[1].is_number()) {
      return fail(ErrorCode::kInvalidArgument, "polygon: give each corner as two numbers");
    }
    corners.push_back({corner[0].get<double>(), corner[1].get<double>()});
  }
  return corners;
}

/// All rows for which `test` is true: how many, and the first `limit` of them.
template <class Test>
Json all_that(const ViewedWorld& world, const ViewInfo& info, std::size_t limit, Test test) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t found = 0;
  std::vector<std::pair<std::size_t, std::size_t>> first;
  for (std::size_t g = 0; g < info.groups.size(); ++g) {
    const ViewThings things = world.things(g);
    for (std::size_t i = 0; i < size_of(things); ++i) {
      if (test(place_of(things, i)) && found++ < limit) {
        first.emplace_back(g, i);
      }
    }
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  Json rows = Json::array();
  for (const auto& [g, i] : first) {
    rows.push_back(row_of(world, info, g, i));
  }
  return {{"found", found}, {"rows", std::move(rows)}, {"us", took.count()}};
}

/// The `kNear` things of its group that are nearest to a row, the nearest first.
Json nearest(const ViewedWorld& world, const ViewInfo& info, std::size_t group, std::size_t row) {
  const ViewThings things = world.things(group);
  const Point at = place_of(things, row);
  std::vector<std::pair<double, std::size_t>> best;
  for (std::size_t i = 0; i < size_of(things); ++i) {
    const Point p = place_of(things, i);
    const double d =
        (p[0] - at[0]) * (p[0] - at[0]) + (p[1] - at[1]) * (p[1] - at[1]) + (p[2] - at[2]) * (p[2] - at[2]);
    if (i != row && (best.size() < kNear || d < best.back().first)) {
      best.insert(std::ranges::upper_bound(best, std::pair(d, i)), {d, i});
      best.resize(std::min(best.size(), kNear));
    }
  }
  Json rows = Json::array();
  for (const auto& [distance2, i] : best) {
    Json one = row_of(world, info, group, i);
    one["distance"] = json_number(std::sqrt(distance2));
    rows.push_back(std::move(one));
  }
  return rows;
}

double length_of(const ViewThings& things, const ViewGroup& group, std::size_t row) {
  return row < things.sizes.size() ? double{things.sizes[row]} : double{group.size};
}

/// Things of any group that reach into a row's ball, as balls as large as they are, the deepest first.
/// Barrels belong to what they stand on, and things of no size reach into nothing.
Json touching(const ViewedWorld& world, const ViewInfo& info, std::size_t group, std::size_t row) {
  const ViewThings own = world.things(group);
  const Point at = place_of(own, row);
  const double length = length_of(own, info.groups[group], row);
  std::vector<std::tuple<double, std::size_t, std::size_t>> found;
  for (std::size_t g = 0; g < info.groups.size(); ++g) {
    const ViewThings things = world.things(g);
    for (std::size_t i = 0; info.groups[g].mark != ViewMark::kTurret && i < size_of(things); ++i) {
      const Point p = place_of(things, i);
      const double other = length_of(things, info.groups[g], i);
      const double gap = std::hypot(p[0] - at[0], p[1] - at[1], p[2] - at[2]) - (length + other) / 2;
      if (gap <= 0 && length > 0 && other > 0 && !(g == group && i == row)) {
        found.emplace_back(gap, g, i);
      }
    }
  }
  std::ranges::sort(found);
  Json rows = Json::array();
  for (std::size_t i = 0; i < std::min(found.size(), kTouching); ++i) {
    rows.push_back(row_of(world, info, std::get<1>(found[i]), std::get<2>(found[i])));
  }
  return rows;
}

}  // namespace

Json row_of(const ViewedWorld& world, const ViewInfo& info, std::size_t group, std::size_t row) {
  const ViewThings things = world.things(group);
  const Point at = place_of(things, row);
  Json values = Json::object();
  for (std::size_t c = 0; c < things.columns.size() && c < info.groups[group].columns.size(); ++c) {
    values[info.groups[group].columns[c]] = std::visit(
        [row](auto column) {
          return row < column.size() ? json_number(static_cast<double>(column[row])) : Json();
        },
        things.columns[c]);
  }
  return {{"group", group},
          {"id", std::to_string(world.id_of(group, row))},
          {"at", {json_number(at[0]), json_number(at[1]), json_number(at[2])}},
          {"values", std::move(values)}};
}

Answer pick(const ViewedWorld& world, const ViewInfo& info, const Json& body) {
  Projection projection;
  JUXTA_TRY_LET(projection.m, numbers_of<16>(body, "matrix"));
  JUXTA_TRY_LET(const auto at, numbers_of<2>(body, "at"));
  JUXTA_TRY_LET(const auto within, numbers_of<2>(body, "within"));
  double least = std::numeric_limits<double>::infinity(), depth = 0;
  std::pair<std::size_t, std::size_t> best{};
  for (std::size_t g = 0; g < info.groups.size(); ++g) {
    const ViewThings things = world.things(g);
    for (std::size_t i = 0; i < size_of(things); ++i) {
      const auto p = projection(place_of(things, i));
      if (!p) {
        continue;
      }
      const double x = ((*p)[0] - at[0]) / within[0], y = ((*p)[1] - at[1]) / within[1];
      const double d = x * x + y * y;
      if (d <= 1 && (d < least || (d == least && (*p)[2] < depth))) {
        least = d;
        depth = (*p)[2];
        best = {g, i};
      }
    }
  }
  return Json{{"found", std::isfinite(least) ? row_of(world, info, best.first, best.second) : Json()}};
}

Answer select(const ViewedWorld& world, const ViewInfo& info, const Json& body) {
  JUXTA_TRY_LET(const std::size_t limit, count_of(body, "limit", 1000, kMostRows));
  if (body.contains("polygon")) {
    Projection projection;
    JUXTA_TRY_LET(projection.m, numbers_of<16>(body, "matrix"));
    JUXTA_TRY_LET(const Corners corners, corners_in(body));
    return all_that(world, info, limit, [&](const Point& place) {
      const auto p = projection(place);
      return p && is_inside(corners, (*p)[0], (*p)[1]);
    });
  }
  JUXTA_TRY_LET(const auto lo, numbers_of<3>(body, "lo"));
  JUXTA_TRY_LET(const auto hi, numbers_of<3>(body, "hi"));
  return all_that(world, info, limit, [&](const Point& p) {
    return lo[0] <= p[0] && p[0] <= hi[0] && lo[1] <= p[1] && p[1] <= hi[1] && lo[2] <= p[2] && p[2] <= hi[2];
  });
}

Answer entity(const ViewedWorld& world, const ViewInfo& info, const Json& body) {
  if (info.groups.empty()) {
    return fail(ErrorCode::kNotFound, "this world has no groups");
  }
  JUXTA_TRY_LET(const std::size_t group, count_of(body, "group", 0, info.groups.size() - 1));
  JUXTA_TRY_LET(const std::string text, text_in(body, "thing"));
  std::uint64_t id = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), id);
  const auto row =
      bad == std::errc{} && end == text.data() + text.size() ? world.row_of(group, id) : std::nullopt;
  if (!row || *row >= size_of(world.things(group))) {
    return fail(ErrorCode::kNotFound, "it lives no more");
  }
  Json answer = row_of(world, info, group, *row);
  answer["near"] = nearest(world, info, group, *row);
  answer["touches"] = touching(world, info, group, *row);
  Json more = Json::parse(world.more(group, *row), nullptr, false);
  answer["more"] = more.is_object() ? std::move(more) : Json::object();
  return answer;
}

}  // namespace juxta::view_detail
