// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "juxta/files/svg_boxes.h"
#include "tool/answers.h"
#include "tool/pairs.h"

namespace juxta::tool {
namespace {

/// A box of one of the files.
struct Place {
  std::uint32_t file, box;
};

/// What the picture shows: two axes, and all boxes or those that a plane across the third axis cuts.
struct MapView {
  std::size_t across = 0, up = 1, third = 2;
  bool sliced = false;
  float plane = 0;
  std::vector<Place> boxes;
};

/// The two axes along which the world is widest lie on the paper, in their own order.
void choose_axes(const PairsReport& report, MapView& view, double (&width)[3]) {
  std::array<double, 3> low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (const Place& place : view.boxes) {
    const Aabb3& box = report.inputs[place.file]->table.boxes[place.box];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], static_cast<double>(box.lo[axis]));
      high[axis] = std::max(high[axis], static_cast<double>(box.hi[axis]));
    }
  }
  for (std::size_t axis = 3; axis-- > 0;) {  // of equal ones the last is the third axis
    width[axis] = high[axis] - low[axis];
    view.third = width[axis] < width[view.third] ? axis : view.third;
  }
  view.across = view.third == 0 ? 1 : 0;
  view.up = view.third == 2 ? 1 : 2;
}

/// How many boxes lie one above the other, on average over the paper.
double crowding(const PairsReport& report, const MapView& view, const double (&width)[3]) {
  double area = 0;
  for (const Place& place : view.boxes) {
    const Aabb3& box = report.inputs[place.file]->table.boxes[place.box];
    area += (static_cast<double>(box.hi[view.across]) - static_cast<double>(box.lo[view.across])) *
            (static_cast<double>(box.hi[view.up]) - static_cast<double>(box.lo[view.up]));
  }
  const double paper = width[view.across] * width[view.up];
  return paper > 0 ? area / paper : 0;
}

/// Keeps the boxes that the plane through the middle one cuts.
void slice(const PairsReport& report, MapView& view) {
  const auto box = [&](const Place& place) -> const Aabb3& {
    return report.inputs[place.file]->table.boxes[place.box];
  };
  std::vector<float> middles;
  for (const Place& place : view.boxes) {
    middles.push_back(box(place).lo[view.third] / 2 + box(place).hi[view.third] / 2);
  }
  const auto median = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
  std::nth_element(middles.begin(), median, middles.end());
  view.sliced = true;
  view.plane = *median;
  std::erase_if(view.boxes, [&](const Place& place) {
    return !(box(place).lo[view.third] <= view.plane && view.plane <= box(place).hi[view.third]);
  });
}

MapView choose_view(const PairsReport& report) {
  constexpr double kCrowded = 6;
  MapView view;
  for (std::uint32_t f = 0; f < report.inputs.size(); ++f) {
    for (std::uint32_t i = 0; i < report.inputs[f]->table.size(); ++i) {
      view.boxes.push_back({f, i});
    }
  }
  double width[3];
  choose_axes(report, view, width);
  if (report.inputs[0]->table.dimensions == 3 && crowding(report, view, width) > kCrowded) {
    slice(report, view);
  }
  return view;
}

std::string note_of(const PairsReport& report, const MapView& view) {
  if (report.inputs[0]->table.dimensions == 2) {
    return "x to the right, y up";
  }
  const std::string axes = fmt::format("{} to the right, {} up: ", "xyz"[view.across], "xyz"[view.up]);
  return view.sliced ? axes + fmt::format(
                                  "the {} boxes that the plane {} = {} cuts; those that overlap here do, and "
                                  "others touch one before or behind",
                                  grouped(view.boxes.size()), "xyz"[view.third], view.plane)
                     : axes + "the two widest axes; boxes that overlap here may be apart along the third";
}

}  // namespace

std::string draw_pairs(const PairsReport& report, const std::vector<std::uint8_t> (&hit)[2]) {
  const bool two = report.inputs.size() == 2;
  const std::array<BoxKind, 2> of_one = {
      {{"boxes alone", "#33658a"}, {"boxes that touch another", "#c8553d"}}};
  const std::array<BoxKind, 4> of_two = {{{"first file, alone", "#33658a"},
                                          {"second file, alone", "#5f8f5b"},
                                          {"first file, touching the second", "#c8553d"},
                                          {"second file, touching the first", "#d99a2b"}}};
  const MapView view = choose_view(report);
  const auto box = [&](std::size_t i) {
    const Place place = view.boxes[i];
    const Aabb3& b = report.inputs[place.file]->table.boxes[place.box];
    const bool touches = hit[place.file][place.box] != 0;
    return FlatBox{{b.lo[view.across], b.lo[view.up], b.hi[view.across], b.hi[view.up]},
                   two       ? place.file + (touches ? 2 : 0)
                   : touches ? 1u
                             : 0u};
  };
  std::size_t count = 0;
  for (const BoxesInput* input : report.inputs) {
    count += input->table.size();
  }
  SvgBoxesOptions options;
  options.title =
      fmt::format("{} overlapping pairs of {} boxes", grouped(report.result.found), grouped(count));
  options.note = note_of(report, view);
  options.kinds = two ? std::span<const BoxKind>(of_two) : std::span<const BoxKind>(of_one);
  return svg_boxes(view.boxes.size(), box, options);
}

}  // namespace juxta::tool
