// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>

#include "files/number_rows.h"
#include "files/point_columns.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/files/read_boxes.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using files_detail::NumberForm;
using files_detail::NumberRows;
using std::string_view;

enum FormId { kSides, kSized, kBall, kRays, kSegments, kPoints };

constexpr std::array<string_view, 7> kLow = {"min?", "min_?", "?min", "?_min", "l?", "lo?", "lo_?"};
constexpr std::array<string_view, 7> kHigh = {"max?", "max_?", "?max", "?_max", "h?", "hi?", "hi_?"};
constexpr std::array<string_view, 1> kPlain = {"?"};
constexpr std::array<string_view, 10> kSize = {"x:width", "y:height", "z:depth", "x:w",   "y:h",
                                               "z:d",     "size?",    "size_?",  "?size", "?_size"};
constexpr std::array<string_view, 2> kRadius = {"radius", "r"};
constexpr std::array<string_view, 3> kOrigin = {"o?", "origin?", "origin_?"};
constexpr std::array<string_view, 4> kDirection = {"d?", "dir?", "dir_?", "direction_?"};
constexpr std::array<string_view, 3> kMax = {"max", "tmax", "t_max"};
constexpr std::array<string_view, 3> kFrom = {"a?", "from?", "from_?"};
constexpr std::array<string_view, 3> kTo = {"b?", "to?", "to_?"};

constexpr NumberForm kBySides = {kSides, kLow, kHigh, {}, false};
constexpr NumberForm kBySize = {kSized, kPlain, kSize, {}, false};
constexpr NumberForm kByRadius = {kBall, kPlain, {}, kRadius, true};
constexpr std::array kBoxForms = {kBySides, kBySize, kByRadius};
constexpr std::array kQueryForms = {kBySides,
                                    NumberForm{kRays, kOrigin, kDirection, kMax, false},
                                    NumberForm{kSegments, kFrom, kTo, {}, false},
                                    kBySize,
                                    kByRadius,
                                    NumberForm{kPoints, kPlain, {}, {}, false}};
constexpr string_view kBoxesWanted =
    "minx,miny,maxx,maxy (3D: minz and maxz too), or x,y,z,width,height,depth, or x,y,z,radius";
constexpr string_view kQueriesWanted =
    "minx,miny,minz,maxx,maxy,maxz, or ox,oy,oz,dx,dy,dz (rays), or ax,ay,az,bx,by,bz (segments), or x,y,z "
    "(nearest)";

constexpr std::uint64_t kProgressRows = 1 << 16;

/// A row of one of the three forms of a box.
Aabb3 box_of(const NumberRows& rows) {
  const auto numbers = rows.numbers();
  const auto d = static_cast<std::size_t>(rows.layout().dimensions);
  Aabb3 box{};
  for (std::size_t axis = 0; axis < d; ++axis) {
    const float a = numbers[axis], b = numbers[rows.layout().form.id == kBall ? d : d + axis];
    switch (rows.layout().form.id) {
      case kSides:
        box.lo[axis] = a;
        box.hi[axis] = b;
        break;
      case kSized:
        box.lo[axis] = a;
        box.hi[axis] = a + b;
        break;
      default:
        box.lo[axis] = a - b;
        box.hi[axis] = a + b;
    }
  }
  return box;
}

Result<void> check_box(const Aabb3& box, std::uint64_t line) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    if (!(box.lo[axis] >= -kLargest && box.hi[axis] <= kLargest)) {
      return files_detail::fail_at_line(ErrorCode::kParse, line,
                                        "the box ends beyond float along " + name + ": make it smaller");
    }
    if (box.lo[axis] > box.hi[axis]) {
      return files_detail::fail_at_line(
          ErrorCode::kParse, line,
          fmt::format("the box is inverted along {}, from {} to {}: exchange its "
                      "sides (or give a positive size)",
                      name, box.lo[axis], box.hi[axis]));
    }
  }
  return {};
}

/// Tells the monitor now and then; false to stop.
bool go_on(Monitor* monitor, const char* stage, std::uint64_t rows, std::size_t done, std::size_t total) {
  return rows % kProgressRows != 0 || report(monitor, stage, done, total);
}

QueryKind kind_of(int form) {
  return form == kRays       ? QueryKind::kRay
         : form == kSegments ? QueryKind::kSegment
         : form == kPoints   ? QueryKind::kPoint
                             : QueryKind::kBox;
}

void append_query(QueryTable& table, const NumberRows& rows) {
  auto& out = table.numbers;
  if (table.kind == QueryKind::kBox) {
    const Aabb3 box = box_of(rows);
    out.insert(out.end(), box.lo.begin(), box.lo.begin() + table.dimensions);
    out.insert(out.end(), box.hi.begin(), box.hi.begin() + table.dimensions);
    return;
  }
  out.insert(out.end(), rows.numbers().begin(), rows.numbers().end());
  if (table.kind == QueryKind::kRay && !rows.layout().has_extra) {
    out.push_back(std::numeric_limits<float>::infinity());
  }
}

}  // namespace

Result<BoxTable> parse_boxes_csv(std::string_view text, const BoxReading& reading, const Context& context) {
  JUXTA_TRY_LET(auto rows, NumberRows::open(text, kBoxForms, kBoxesWanted));
  BoxTable table;
  table.dimensions = rows.layout().dimensions;
  SkippedRows* const skipped = reading.skip_bad ? &table.skipped : nullptr;
  auto more = rows.next(false, skipped);
  for (std::uint64_t row = 1; more && *more; more = rows.next(false, skipped), ++row) {
    if (!go_on(context.monitor, "read boxes", row, rows.position(), text.size())) {
      return fail(ErrorCode::kCancelled, "reading was cancelled");
    }
    if (table.size() == files_detail::kMaxPoints) {
      return files_detail::fail_at_line(ErrorCode::kTooLarge, rows.line(),
                                        "more than 4294967294 boxes: split the file");
    }
    const Aabb3 box = box_of(rows);
    if (auto checked = check_box(box, rows.line()); !checked) {
      if (skipped == nullptr) {
        return tl::unexpected<Error>(std::move(checked.error()));
      }
      skipped->add(std::move(checked.error()));
      continue;
    }
    table.boxes.push_back(box);
    if (rows.layout().has_name()) {
      files_detail::append_cell(rows.name(), table.name_bytes);
      table.name_end.push_back(table.name_bytes.size());
    }
  }
  if (more && table.size() == 0 && table.skipped.count != 0) {
    return tl::unexpected<Error>(table.skipped.first.front());
  }
  return more ? Result<BoxTable>(std::move(table)) : tl::unexpected<Error>(std::move(more.error()));
}

Result<BoxTable> read_boxes_csv(std::string_view path, const BoxReading& reading, const Context& context) {
  JUXTA_TRY_LET(const std::string bytes, read_bytes(path, ~std::size_t{0}, context));
  return parse_boxes_csv(bytes, reading, context);
}

Result<QueryTable> parse_queries_csv(std::string_view text, const Context& context) {
  JUXTA_TRY_LET(auto rows, NumberRows::open(text, kQueryForms, kQueriesWanted));
  QueryTable table;
  table.dimensions = rows.layout().dimensions;
  const int form = rows.layout().form.id;
  table.kind = kind_of(form);
  const bool infinite = form == kSides || form == kRays;  // a corner plus a size would be NaN
  auto more = rows.next(infinite);
  for (std::uint64_t count = 1; more && *more; more = rows.next(infinite), ++count) {
    append_query(table, rows);
    if (!go_on(context.monitor, "read queries", count, rows.position(), text.size())) {
      return fail(ErrorCode::kCancelled, "reading was cancelled");
    }
  }
  return more ? Result<QueryTable>(std::move(table)) : tl::unexpected<Error>(std::move(more.error()));
}

}  // namespace juxta
