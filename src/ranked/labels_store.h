// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what RankedLabels holds, and the two stages that make it.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/monitor.h"
#include "juxta/core/workspace.h"
#include "juxta/ranked/labels.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {

inline constexpr unsigned kZooms = 31;     // 0 to 30
inline constexpr double kRowPixels = 256;  // height of a row of labels
inline constexpr double kCellSizes = 2;    // width of a cell, in widths of the widest label of its class

/// The zooms of a set, and how long a pixel is at each.
struct Zooms {
  unsigned first = 0, last = 0;
  double units_per_pixel = 1;  // at zoom 0

  [[nodiscard]] double units(unsigned zoom) const noexcept {
    return std::ldexp(units_per_pixel, -static_cast<int>(zoom));
  }
  [[nodiscard]] double rows_per_unit(unsigned zoom) const noexcept { return 1 / (kRowPixels * units(zoom)); }
};

/// A label in units and pixels.
struct Label {
  double x, y;
  float width, height;
};

/// The number of the cell that holds `value`: never falls where `value` rises, and distinct large values have
/// distinct cells, so that a cell stays small wherever it is.
///
///   |value * cells_per_unit|   below 2^53     rounded down
///                              up to 1e308    how many doubles lie between 2^53 and it
///                              infinite       the same of the value itself, which is more
[[nodiscard]] inline std::int64_t cell_of(double value, double cells_per_unit) noexcept {
  const double scaled = value * cells_per_unit;
  if (std::abs(scaled) < 0x1p53) [[likely]] {
    const auto cut = static_cast<std::int64_t>(scaled);
    return cut - (scaled < static_cast<double>(cut) ? 1 : 0);
  }
  constexpr std::int64_t kWhole = std::int64_t{1} << 53;
  constexpr std::int64_t kBits = std::bit_cast<std::int64_t>(0x1p53);
  const std::int64_t from_zero = std::abs(scaled) <= std::numeric_limits<double>::max()
                                     ? kWhole + (std::bit_cast<std::int64_t>(std::abs(scaled)) - kBits)
                                     : std::bit_cast<std::int64_t>(std::abs(value));
  return scaled < 0 ? -from_zero : from_zero;
}

/// Decides when each label appears. `labels`: in rank order. `due`: for each the first zoom that shows it, or
/// RankedLabels::kNever. False: the monitor cancelled.
[[nodiscard]] bool place_labels(std::span<const Label> labels, const Zooms& zooms,
                                std::span<std::uint8_t> due, Workspace& workspace, Monitor* monitor);

/// Labels of one zoom in one row, from `first` up to where the next row begins.
struct LabelRow {
  std::int64_t cell;  // of y, in rows of kRowPixels
  std::uint64_t first;
};

/// The labels that some zoom shows. They are numbered in rank order.
///
///   rows of zoom 0          | rows of zoom 1                    | ...    | end
///   row -1 | row 0 | row 2  | row -2 | row -1 | row 0 | row 5   |        |
///      |       |
///      x ascending: xs, ys and numbers of the labels that appear at this zoom
struct LabelsStore {
  explicit LabelsStore(std::pmr::memory_resource* memory)
      : resource(memory),
        appears(memory),
        xs(memory),
        ys(memory),
        numbers(memory),
        index_of(memory),
        rows(memory) {}

  std::pmr::memory_resource* resource;
  Zooms zooms;
  Array<std::uint8_t> appears;  // by input index
  Array<double> xs, ys;
  Array<std::uint32_t> numbers;
  Array<std::uint32_t> index_of;                    // number -> input index
  Array<LabelRow> rows;                             // and one behind the last
  std::array<std::size_t, kZooms + 1> row_begin{};  // the rows of each zoom; those of others are empty
};

/// Fills everything but `zooms`. `index_of`: input index of each place in rank order; empty: the place.
void store_labels(LabelsStore& store, std::span<const Label> labels, std::span<const std::uint8_t> due,
                  std::span<const std::uint32_t> index_of, const BuildContext& context);

}  // namespace juxta::ranked_detail
