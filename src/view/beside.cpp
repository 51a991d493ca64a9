// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/beside.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "view/arguments.h"
#include "view/projection.h"

namespace juxta::view_detail {
namespace {

constexpr std::size_t kMostParts = 50'000, kMostTriangles = 200'000, kEach = 6;
constexpr double kFieldCells = 96;  // along the longer side
constexpr double kReach = 2;        // a box's centre may be so far from the middle of the view; 1: its edge
constexpr const char* kDensity = "density";

const char* name_of(ViewOverlay::Kind kind) {
  constexpr std::array<const char*, 3> kNames = {"boxes", "lines", "field"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Numbers to a millionth of the world's size: half as long as a float in full.
Json rounded(const std::vector<float>& values, const ViewInfo& info) {
  const double size = std::max(
      {double{info.hi.x} - info.lo.x, double{info.hi.y} - info.lo.y, double{info.hi.z} - info.lo.z, 1e-30});
  const double scale = std::pow(10.0, std::clamp(6 - std::floor(std::log10(size)), -30.0, 30.0));
  Json all = Json::array();
  for (const float value : values) {
    all.push_back(json_number(std::round(double{value} * scale) / scale));
  }
  return all;
}

/// How many things are in each cell, seen from above.
ViewOverlayValues density(const ViewedWorld& world, const ViewInfo& info) {
  ViewOverlayValues field;
  field.lo = info.lo;
  field.hi = {info.hi.x, info.hi.y, info.lo.z};
  const double width = double{info.hi.x} - info.lo.x, depth = double{info.hi.y} - info.lo.y;
  const double cell = std::max(width, depth) / kFieldCells;
  if (!(cell > 0) || !std::isfinite(cell)) {
    return field;
  }
  field.columns = static_cast<std::uint32_t>(std::max(1.0, std::ceil(width / cell)));
  field.rows = static_cast<std::uint32_t>(std::max(1.0, std::ceil(depth / cell)));
  field.values.assign(std::size_t{field.columns} * field.rows, 0);
  const double per_x = width > 0 ? field.columns / width : 0, per_y = depth > 0 ? field.rows / depth : 0;
  for (std::size_t g = 0; g < info.groups.size(); ++g) {
    const ViewThings things = world.things(g);
    for (std::size_t i = 0; i < size_of(things); ++i) {
      const double c = (double{things.x[i]} - info.lo.x) * per_x,
                   r = (double{things.y[i]} - info.lo.y) * per_y;
      if (c >= 0 && c < field.columns && r >= 0 && r < field.rows) {
        field.values[static_cast<std::size_t>(r) * field.columns + static_cast<std::size_t>(c)] += 1;
      }
    }
  }
  return field;
}

/// Parts of six numbers whose centres are in view, or near it: all when there is no view.
Result<std::vector<std::size_t>> parts_in_view(const std::vector<float>& values, const Json& body) {
  std::vector<std::size_t> parts;
  std::optional<Projection> view;
  if (body.contains("matrix") && !body["matrix"].is_null()) {
    view.emplace();
    JUXTA_TRY_LET(view->m, numbers_of<16>(body, "matrix"));
  }
  for (std::size_t i = 0; i + kEach <= values.size(); i += kEach) {
    const float* const v = values.data() + i;
    const auto middle = [v](std::size_t axis) { return (double{v[axis]} + v[axis + 3]) / 2; };
    if (!std::all_of(v, v + kEach, [](float part) { return std::isfinite(part); })) {
      continue;
    }
    const auto at = view ? (*view)({middle(0), middle(1), middle(2)}) : Point{};
    if (at && std::fabs((*at)[0]) <= kReach && std::fabs((*at)[1]) <= kReach) {
      parts.push_back(i);
    }
  }
  return parts;
}

Result<Json> json_of_parts(const std::vector<float>& values, const ViewInfo& info, const Json& body) {
  JUXTA_TRY_LET(const std::size_t most, count_of(body, "most", 5000, kMostParts));
  JUXTA_TRY_LET(const std::vector<std::size_t> parts, parts_in_view(values, body));
  const std::size_t every = most == 0 ? parts.size() + 1 : (parts.size() + most - 1) / most;
  std::vector<float> told;
  for (std::size_t p = 0; most != 0 && p < parts.size(); p += std::max<std::size_t>(every, 1)) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(parts[p]);
    told.insert(told.end(), first, first + kEach);
  }
  return Json{{"found", parts.size()}, {"shown", told.size() / kEach}, {"values", rounded(told, info)}};
}

Json json_of_field(const ViewOverlayValues& field) {
  Json values = Json::array();
  for (const float value : field.values) {
    values.push_back(json_number(value));
  }
  return {{"found", field.values.size()},
          {"shown", field.values.size()},
          {"columns", field.columns},
          {"rows", field.rows},
          {"lo", {field.lo.x, field.lo.y, field.lo.z}},
          {"hi", {field.hi.x, field.hi.y, field.hi.z}},
          {"values", std::move(values)}};
}

/// Rows of a group, the nearest to a place first.
std::vector<std::pair<double, std::size_t>> by_distance(const ViewThings& things, const Point& from) {
  std::vector<std::pair<double, std::size_t>> rows;
  for (std::size_t i = 0; i < size_of(things); ++i) {
    const Point p = place_of(things, i);
    const double d = std::hypot(p[0] - from[0], p[1] - from[1], p[2] - from[2]);
    if (std::isfinite(d)) {
      rows.emplace_back(d, i);
    }
  }
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

Json overlays_of(const ViewInfo& info) {
  Json all = Json::array();
  for (const ViewOverlay& overlay : info.overlays) {
    all.push_back({{"name", overlay.name}, {"kind", name_of(overlay.kind)}, {"what", overlay.what}});
  }
  all.push_back(
      {{"name", kDensity}, {"kind", "field"}, {"what", "how many things are where, seen from above"}});
  return all;
}

Answer overlay(const ViewedWorld& world, const ViewInfo& info, const Json& body) {
  JUXTA_TRY_LET(const std::string name, text_in(body, "name"));
  const auto found = std::ranges::find(info.overlays, name, &ViewOverlay::name);
  const bool own = found != info.overlays.end();
  if (!own && name != kDensity) {
    return fail(ErrorCode::kNotFound, "there is no overlay '" + name + "': info names those that there are");
  }
  const auto begin = std::chrono::steady_clock::now();
  const ViewOverlayValues values =
      own ? world.overlay(static_cast<std::size_t>(found - info.overlays.begin())) : density(world, info);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  const auto kind = own ? found->kind : ViewOverlay::Kind::kField;
  Json answer;
  if (kind == ViewOverlay::Kind::kField) {
    answer = json_of_field(values);
  } else {
    JUXTA_TRY_LET(answer, json_of_parts(values.values, info, body));
  }
  answer["step"] = world.steps();
  answer["kind"] = name_of(kind);
  answer["us"] = took.count();
  return answer;
}

Answer shapes(const ViewedWorld& world, const ViewInfo& info, const Json& body) {
  JUXTA_TRY_LET(const std::size_t group, count_of(body, "group", 0, info.groups.size()));
  JUXTA_TRY_LET(const Point from, numbers_of<3>(body, "from"));
  JUXTA_TRY_LET(const std::size_t most, count_of(body, "triangles", 50'000, kMostTriangles));
  if (group >= info.groups.size() || !info.groups[group].shapes) {
    return fail(ErrorCode::kNotFound, "this group has no shapes: info tells which have");
  }
  const auto rows = by_distance(world.things(group), from);
  std::vector<float> positions;
  std::vector<std::size_t> triangles;
  Json within;
  std::size_t shown = 0;
  for (const auto& [distance, row] : rows) {
    const ViewShape shape = world.shape(group, row);
    if (triangles.size() / 3 + shape.triangles.size() > most) {
      within = distance;
      break;
    }
    const std::size_t first = positions.size() / 3;
    for (const Vec3& corner : shape.corners) {
      positions.insert(positions.end(), {corner.x, corner.y, corner.z});
    }
    for (const auto& triangle : shape.triangles) {
      triangles.insert(triangles.end(), {first + triangle[0], first + triangle[1], first + triangle[2]});
    }
    ++shown;
  }
  return Json{{"found", rows.size()},
              {"shown", shown},
              {"within", std::move(within)},
              {"positions", rounded(positions, info)},
              {"triangles", std::move(triangles)}};
}

}  // namespace juxta::view_detail
