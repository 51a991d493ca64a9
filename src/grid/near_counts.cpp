// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many agents of each kind are near each cell.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "grid/space_store.h"

namespace juxta::grid_detail {
namespace {

constexpr std::size_t kFront = 64;   // before the first table
constexpr std::size_t kBehind = 64;  // the last one
constexpr std::uint32_t kMostOfByte = 255;
constexpr std::size_t kMostCounts = 0x7FFF'FFFF;
constexpr std::int64_t kMostLines = std::int64_t{1} << 20;  // near a cell

/// Adds `change` to up to sixteen bytes. Compilers make a load, an and, an addition and a store of it.
inline void add_sixteen(std::uint8_t* to, std::uint32_t width, std::uint8_t change) noexcept {
  std::array<std::uint8_t, 16> sixteen, some;
  std::memcpy(sixteen.data(), to, 16);
  std::memcpy(some.data(), kAllOnes + 16 - width, 16);
  for (std::size_t i = 0; i < 16; ++i) {
    sixteen[i] = static_cast<std::uint8_t>(sixteen[i] + (some[i] & change));
  }
  std::memcpy(to, sixteen.data(), 16);
}

void add_bytes(std::uint8_t* to, std::uint32_t width, std::uint8_t change) noexcept {
  for (; width > 16; width -= 16, to += 16) {
    add_sixteen(to, 16, change);
  }
  add_sixteen(to, width, change);
}

}  // namespace

Result<void> NearCounts::build(const GridSpaceOptions& options, std::pmr::memory_resource* resource) {
  grid_ = options.grid;
  near_ = options.near;
  std::size_t all = 1, stride = 1;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t cells = grid_.cells[axis];
    const bool around = grid_.edges[axis] == Edge::kPeriodic;
    const std::uint32_t lo = std::min(near_.radius, around ? (cells - 1) / 2 : cells - 1);
    const std::uint32_t hi = std::min(near_.radius, around ? cells / 2 : cells - 1);
    reach_[axis] = {-static_cast<std::int32_t>(lo), static_cast<std::int32_t>(hi)};
    border_[axis] = around ? 0 : lo;
    periodic_ = periodic_ || around;
    stride_[axis] = stride;
    stride *= std::size_t{cells} + 2 * border_[axis];
    all = stride > kMostCounts ? kMostCounts + 1 : all;
    if (stride > kMostCounts) {
      break;
    }
  }
  table_ = stride;
  if (all > kMostCounts || kFront + table_ * options.kinds + kBehind > kMostCounts) {
    return fail(ErrorCode::kTooLarge,
                "counts of all kinds, with a border as wide as the radius, are more than 2^31");
  }
  const std::int64_t lines = (reach_[1].hi - reach_[1].lo + 1) * (reach_[2].hi - reach_[2].lo + 1);
  if (lines > kMostLines) {
    return fail(ErrorCode::kTooLarge, "what is near a cell has more than " + std::to_string(kMostLines) +
                                          " lines of cells: use a smaller radius");
  }
  plan_runs();
  std::size_t most = 0;
  for (const CountRun& run : runs_) {
    most += run.width;
    widest_ = std::max(widest_, run.width);
  }
  const std::size_t size = kFront + table_ * options.kinds + kBehind;
  if (options.holds == CellHolds::kOne && most <= kMostOfByte) {
    bytes_ = Array<std::uint8_t>(size, resource);
  } else {
    words_ = Array<std::uint32_t>(size, resource);
  }
  if (plain() && grid_.cells[2] == 1) {
    plan_masks();
  }
  clear();
  return {};
}

std::size_t NearCounts::size_of_one() const noexcept {
  return kFront + table_ + kBehind;
}

void NearCounts::plan_runs() {
  const bool diamond = near_.shape == NearShape::kVonNeumann;
  for (std::int64_t dz = reach_[2].lo; dz <= reach_[2].hi; ++dz) {
    for (std::int64_t dy = reach_[1].lo; dy <= reach_[1].hi; ++dy) {
      const std::int64_t radius = near_.radius,
                         left = diamond ? radius - std::abs(dz) - std::abs(dy) : radius;
      const std::int64_t lo = std::max<std::int64_t>(reach_[0].lo, -left);
      const std::int64_t hi = std::min<std::int64_t>(reach_[0].hi, left);
      if (lo <= hi) {
        runs_.push_back(
            {dz * static_cast<std::int64_t>(stride_[2]) + dy * static_cast<std::int64_t>(stride_[1]) + lo,
             static_cast<std::uint32_t>(hi - lo + 1)});
      }
    }
  }
}

/// The bits of masks, and the cell of each, which has no border beside it as the counts have.
void NearCounts::plan_masks() {
  const auto stride = static_cast<std::int64_t>(stride_[1]), border = std::int64_t{border_[0]};
  std::size_t most = 0;
  for (const CountRun& run : runs_) {
    most += run.width;
  }
  cell_of_bit_.resize(most);
  std::int32_t* cells = cell_of_bit_.data();
  std::uint32_t bits = 0;
  for (CountRun& run : runs_) {
    if (bits + run.width > 64) {
      cells += bits;
      bits = 0;
    }
    run.mask = (1U << run.width) - 1;
    std::fill_n(run.ones, run.width, std::uint8_t{1});
    run.cells = cells;
    run.shift = bits;
    const std::int64_t up = (run.offset + border + border_[1] * stride) / stride - border_[1];
    for (std::uint32_t i = 0; i < run.width; ++i) {
      cells[bits++] = static_cast<std::int32_t>(run.offset - up * 2 * border + i);
    }
  }
}

void NearCounts::clear() noexcept {
  std::fill_n(bytes_.data(), bytes_.size(), std::uint8_t{0});
  std::fill_n(words_.data(), words_.size(), std::uint32_t{0});
  if (bytes_.size() > 0) {
    bytes_[0] = 1;
  } else {
    words_[0] = 1;
  }
}

std::uint32_t NearCounts::at(std::uint32_t cell, std::uint32_t kind) const noexcept {
  const auto [x, y, z] = grid_.place_of(cell);
  return static_cast<std::uint32_t>(kFront + kind * table_ + x + border_[0] + (y + border_[1]) * stride_[1] +
                                    (z + border_[2]) * stride_[2]);
}

void NearCounts::add(std::int64_t at, std::uint32_t width, std::int32_t by) noexcept {
  if (bytes_.size() > 0) {
    return add_bytes(bytes_.data() + at, width, static_cast<std::uint8_t>(by));
  }
  std::uint32_t* const to = words_.data() + at;
  for (std::uint32_t i = 0; i < width; ++i) {
    to[i] += static_cast<std::uint32_t>(by);
  }
}

void NearCounts::change(std::uint32_t at, std::uint32_t cell, std::int32_t by) noexcept {
  if (periodic_) {
    const std::array<std::uint32_t, 3> place = grid_.place_of(cell);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::int64_t here = place[axis];
      if (grid_.edges[axis] == Edge::kPeriodic &&
          (here + reach_[axis].lo < 0 || here + reach_[axis].hi >= std::int64_t{grid_.cells[axis]})) {
        return change_across(cell, static_cast<std::int64_t>((at - kFront) / table_ * table_ + kFront), by);
      }
    }
  }
  if (bytes_.size() > 0 && widest_ <= 16) {
    std::uint8_t* const to = bytes_.data() + at;
    for (const CountRun& run : runs_) {
      add_sixteen(to + run.offset, run.width, static_cast<std::uint8_t>(by));
    }
    return;
  }
  for (const CountRun& run : runs_) {
    add(static_cast<std::int64_t>(at) + run.offset, run.width, by);
  }
}

/// Where an edge is near: line by line, each cut in two where it goes across.
void NearCounts::change_across(std::uint32_t cell, std::int64_t table, std::int32_t by) noexcept {
  const std::array<std::uint32_t, 3> place = grid_.place_of(cell);
  const bool diamond = near_.shape == NearShape::kVonNeumann;
  // Along an axis with a border, coordinates in it are fine.
  const auto line_of = [&](std::uint32_t axis, std::int64_t to) {
    const std::int64_t cells = grid_.cells[axis];
    const bool around = grid_.edges[axis] == Edge::kPeriodic;
    to += around && to < 0 ? cells : around && to >= cells ? -cells : 0;
    return (to + border_[axis]) * static_cast<std::int64_t>(stride_[axis]);
  };
  for (std::int64_t dz = reach_[2].lo; dz <= reach_[2].hi; ++dz) {
    for (std::int64_t dy = reach_[1].lo; dy <= reach_[1].hi; ++dy) {
      const std::int64_t radius = near_.radius,
                         left = diamond ? radius - std::abs(dz) - std::abs(dy) : radius;
      const std::int64_t lo = place[0] + std::max<std::int64_t>(reach_[0].lo, -left);
      const std::int64_t hi = place[0] + std::min<std::int64_t>(reach_[0].hi, left);
      const std::int64_t line = table + line_of(1, place[1] + dy) + line_of(2, place[2] + dz);
      const std::int64_t cells = grid_.cells[0];
      const bool around = grid_.edges[0] == Edge::kPeriodic;
      const auto add_from = [&](std::int64_t from, std::int64_t to) {
        if (from <= to) {
          add(line + line_of(0, from), static_cast<std::uint32_t>(to - from + 1), by);
        }
      };
      if (around && lo < 0) {
        add_from(lo, std::min<std::int64_t>(hi, -1));
        add_from(0, hi);
      } else if (around && hi >= cells) {
        add_from(lo, cells - 1);
        add_from(std::max(lo, cells), hi);
      } else {
        add_from(lo, hi);
      }
    }
  }
}

}  // namespace juxta::grid_detail
