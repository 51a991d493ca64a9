// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/area.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>

namespace juxta::tool {
namespace {

constexpr double kHalfTurn = 180, kTurn = 360, kPole = 90;

bool is_one_of(const std::string& title, std::initializer_list<std::string_view> names) {
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

/// The order of the index: lower ranks first, or larger ones; equal ones in input order.
bool comes_before(const PointTable& table, std::uint32_t a, std::uint32_t b) {
  if (!table.rank.empty() && table.rank[a] != table.rank[b]) {
    return (table.rank[a] < table.rank[b]) != table.descending;
  }
  return a < b;
}

}  // namespace

RectD Area::whole() const {
  return across() ? RectD{parts[0].lx, parts[0].ly, parts[1].hx + kTurn, parts[0].hy} : parts[0];
}

double Area::continued(double x) const {
  return across() && x <= parts[1].hx ? x + kTurn : x;
}

Result<Area> area_of(const RectD& rect, const Points& points, bool geographic) {
  if (rect.ly > rect.hy) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--rect is inverted: ly {} is above hy {}: exchange them", rect.ly, rect.hy));
  }
  if (rect.lx <= rect.hx) {
    return Area{{rect}};
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
  return Area{{{rect.lx, rect.ly, kHalfTurn, rect.hy}, {-kHalfTurn, rect.ly, rect.hx, rect.hy}}};
}

Result<std::vector<std::uint32_t>> top_of(const Points& points, const Area& area, std::size_t k,
                                          QueryResult& counters) {
  if (area.across() && !points.has_table) {
    return fail(
        ErrorCode::kInvalidArgument,
        "the index has no table, so nothing tells the ranks on both sides of the antimeridian: build it "
        "with 'juxta index', or ask for each side alone");
  }
  k = std::min(k, points.index.size());
  std::vector<std::vector<std::uint32_t>> found;
  for (const RectD& part : area.parts) {
    std::vector<std::uint32_t> indices(k);
    const QueryResult result = points.index.top(part, k, indices);
    indices.resize(result.written);
    counters.tested += result.tested;
    counters.visited += result.visited;
    found.push_back(std::move(indices));
  }
  std::vector<std::uint32_t> answer = std::move(found.front());
  if (area.across()) {
    std::vector<std::uint32_t> merged;
    std::merge(answer.begin(), answer.end(), found[1].begin(), found[1].end(), std::back_inserter(merged),
               [&](std::uint32_t a, std::uint32_t b) { return comes_before(points.table, a, b); });
    merged.resize(std::min(k, merged.size()));
    answer = std::move(merged);
  }
  counters.written = answer.size();
  return answer;
}

std::size_t count_of(const Points& points, const Area& area) {
  std::size_t count = 0;
  for (const RectD& part : area.parts) {
    count += points.index.count(part).found;
  }
  return count;
}

}  // namespace juxta::tool
