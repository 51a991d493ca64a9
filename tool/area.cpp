// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/area.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace juxta::tool {
namespace {

constexpr double kHalfTurn = 180, kTurn = 360, kPole = 90;

bool is_one_of(std::string_view title, std::initializer_list<std::string_view> names) {
  std::string lower(title);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(names.begin(), names.end(), lower) != names.end();
}

bool titles_are_geographic(const Points& points) {
  return points.has_table && is_one_of(points.table.x_title, {"lon", "longitude", "lng", "long"}) &&
         is_one_of(points.table.y_title, {"lat", "latitude"});
}

bool bounds_are_geographic(const RectD& b) {
  return b.empty() || (b.lx >= -kHalfTurn && b.hx <= kHalfTurn && b.ly >= -kPole && b.hy <= kPole);
}

/// Why points are not taken as geographic, and what to do.
std::string why_not(const RectD& rect, const Points& points, bool named) {
  const RectD b = points.index.bounds();
  if (named) {
    return fmt::format(
        "the points are not longitudes and latitudes, they reach from {},{} to {},{}: exchange "
        "its sides",
        b.lx, b.ly, b.hx, b.hy);
  }
  if (!bounds_are_geographic(b)) {
    return "exchange its sides";
  }
  return fmt::format(
      "exchange its sides, or say --geographic if x is a longitude and the rectangle lies across the "
      "antimeridian ({}..180 and -180..{})",
      rect.lx, rect.hx);
}

}  // namespace

RectD Area::whole() const {
  return {rect.lx, rect.ly, across() ? rect.hx + kTurn : rect.hx, rect.hy};
}

double Area::continued(double x) const {
  return across() && x <= rect.hx ? x + kTurn : x;
}

Result<Area> area_of(const RectD& rect, const Points& points, bool geographic) {
  if (rect.ly > rect.hy) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--rect is inverted: ly {} is above hy {}: exchange them", rect.ly, rect.hy));
  }
  if (rect.lx <= rect.hx) {
    return Area{rect};
  }
  const std::string inverted = fmt::format("--rect is inverted: lx {} is right of hx {}", rect.lx, rect.hx);
  const bool named = geographic || titles_are_geographic(points);
  if (!named || !bounds_are_geographic(points.index.bounds())) {
    return fail(ErrorCode::kInvalidArgument, inverted + ": " + why_not(rect, points, named));
  }
  if (rect.lx > kHalfTurn || rect.hx < -kHalfTurn) {
    return fail(ErrorCode::kInvalidArgument,
                inverted + ": across the antimeridian both are longitudes from -180 to 180");
  }
  return Area{rect};
}

std::vector<std::uint32_t> top_of(const Points& points, const Area& area, std::size_t k,
                                  const RankedFilter& filter, QueryResult& counters) {
  std::vector<std::uint32_t> answer(std::min(k, points.index.size()));
  counters = points.index.top(area.region(), answer.size(), answer, filter);
  answer.resize(counters.written);
  return answer;
}

std::size_t count_of(const Points& points, const Area& area, const RankedFilter& filter) {
  return points.index.count(area.region(), filter).found;
}

}  // namespace juxta::tool
