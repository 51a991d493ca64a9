// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/beside.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
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
constexpr double kReach = 3;        // a centre may be so far from the middle of the view; 1: its edge
constexpr std::size_t kMostLooked = 20'000'000;  // parts of an overlay
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
ViewField density(const ViewedWorld& world, const ViewInfo& info) {
  ViewField field;
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
      if (c >= 0 && c <= field.columns && r >= 0 &&
          r <= field.rows) {  // the upper edges belong to the last cells
        const std::size_t column = std::min(static_cast<std::size_t>(c), std::size_t{field.columns} - 1),
                          row = std::min(static_cast<std::size_t>(r), std::size_t{field.rows} - 1);
        field.values[row * field.columns + column] += 1;
      }
    }
  }
  return field;
}

/// Keeps every part in view, or when there are more than `most` every second, or every fourth, and so on.
class PartsInView final : public ViewParts {
 public:
  PartsInView(std::optional<Projection> view, std::size_t most) : view_(view), most_(most) {}

  bool insert(Vec3 from, Vec3 to) override {
    const std::array<float, kEach> part = {from.x, from.y, from.z, to.x, to.y, to.z};
    ++looked_;
    if (std::ranges::all_of(part, [](float number) { return std::isfinite(number); }) && in_view(from, to)) {
      if (most_ != 0 && found_ % every_ == 0) {
        kept_.insert(kept_.end(), part.begin(), part.end());
      }
      ++found_;
      if (kept_.size() > most_ * kEach) {
        thin();
      }
    }
    return looked_ < kMostLooked;
  }
  [[nodiscard]] std::size_t found() const { return found_; }
  [[nodiscard]] bool cut() const { return looked_ >= kMostLooked; }
  [[nodiscard]] const std::vector<float>& kept() const { return kept_; }

 private:
  [[nodiscard]] bool in_view(Vec3 from, Vec3 to) const {
    if (!view_) {
      return true;
    }
    const auto middle = [](float a, float b) { return (double{a} + b) / 2; };
    const auto at = (*view_)({middle(from.x, to.x), middle(from.y, to.y), middle(from.z, to.z)});
    return at && std::fabs((*at)[0]) <= kReach && std::fabs((*at)[1]) <= kReach;
  }
  void thin() {
    every_ *= 2;
    std::size_t n = 0;
    for (std::size_t i = 0; i < kept_.size(); i += 2 * kEach, n += kEach) {
      std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(i), kEach,
                  kept_.begin() + static_cast<std::ptrdiff_t>(n));
    }
    kept_.resize(n);
  }

  std::optional<Projection> view_;
  std::size_t most_, looked_ = 0, found_ = 0, every_ = 1;
  std::vector<float> kept_;
};

Result<std::optional<Projection>> view_in(const Json& body) {
  std::optional<Projection> view;
  if (body.contains("matrix") && !body["matrix"].is_null()) {
    view.emplace();
    JUXTA_TRY_LET(view->m, numbers_of<16>(body, "matrix"));
  }
  return view;
}

Json json_of_parts(const PartsInView& parts, const ViewInfo& info) {
  return {{"found", parts.found()},
          {"shown", parts.kept().size() / kEach},
          {"cut", parts.cut()},
          {"values", rounded(parts.kept(), info)}};
}

Json json_of_field(const ViewField& field) {
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
    all.push_back({{"name", overlay.name},
                   {"kind", name_of(overlay.kind)},
                   {"what", overlay.what},
                   {"on", overlay.on}});
  }
  all.push_back({{"name", kDensity},
                 {"kind", "field"},
                 {"what", "how many things are where, seen from above"},
                 {"on", false}});
  return all;
}

Answer overlay(const ViewedWorld& world, const ViewInfo& info, const Json& body) {
  JUXTA_TRY_LET(const std::string name, text_in(body, "name"));
  JUXTA_TRY_LET(const auto view, view_in(body));
  JUXTA_TRY_LET(const std::size_t most, count_of(body, "most", 5000, kMostParts));
  const auto found = std::ranges::find(info.overlays, name, &ViewOverlay::name);
  const bool own = found != info.overlays.end();
  if (!own && name != kDensity) {
    return fail(ErrorCode::kNotFound, "there is no overlay '" + name + "': info names those that there are");
  }
  const auto index = static_cast<std::size_t>(found - info.overlays.begin());
  const auto kind = own ? found->kind : ViewOverlay::Kind::kField;
  PartsInView parts(view, most);
  ViewField field;
  const auto begin = std::chrono::steady_clock::now();
  if (kind == ViewOverlay::Kind::kField) {
    field = own ? world.field(index) : density(world, info);
  } else {
    world.overlay(index, parts);
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  Json answer = kind == ViewOverlay::Kind::kField ? json_of_field(field) : json_of_parts(parts, info);
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
