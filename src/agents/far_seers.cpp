// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One agent in a hundred sees twenty times as far: a group of sixteen that has one of them in it would see
// four hundred times as many candidates, all of them for that one agent.
//
//   first    groups of sixteen rows       s s F s s s s s | s s s s s s s s     reach as far as the others,
//   and
//                                                                              what F finds is worth nothing
//   then     copies of the far ones       F F F F F F F F | F F F               sixteen near each other look
//                                                                              together, and F's row gets
//                                                                              that
//
// Determinism: who the far ones are follows from the radii alone; each adds its neighbours in the order of
// rows, wherever it looks from.
#include "agents/far_seers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "juxta/core/array.h"
#include "juxta/order/radix_sort.h"

namespace juxta::agents_detail {
namespace {

/// Far is beyond so many mean radii ...
constexpr double kTimesMean = 3;
/// ... and there must be this many others for each.
constexpr std::size_t kOthers = 8;
/// Fewer agents are not worth it.
constexpr std::size_t kLeastSeers = 1024;

/// A copy of some rows of a column, with padding to be read by whole registers.
float* copy_rows(const float* column, std::span<const std::uint32_t> rows, Workspace& scratch) {
  const std::span<float> copy = scratch.take<float>(rows.size() + kArrayPadding);
  std::fill(copy.begin(), copy.end(), 0.0F);
  std::transform(rows.begin(), rows.end(), copy.begin(), [column](std::uint32_t row) { return column[row]; });
  return copy.data();
}

/// Where an agent stands in the order of the table: rows of cells that hold sixteen in a square or a cube,
/// there and back again.
class Places {
 public:
  Places(std::span<const std::uint32_t> rows, const SweepTask& task) noexcept : task_(task) {
    double volume = 1;
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      const float* const x = task.seer_position[a];
      const auto [least, most] = std::minmax_element(
          rows.begin(), rows.end(), [x](std::uint32_t i, std::uint32_t j) { return x[i] < x[j]; });
      lo_[a] = double{x[*least]};
      length_[a] = std::max(double{x[*most]} - lo_[a], 1e-30);
      volume *= length_[a];
    }
    height_ = std::pow(volume * 16 / static_cast<double>(rows.size()), 1.0 / task.dimensions);
    // At most 2^14 rows on an axis, if agents stand nearly in a line.
    height_ = std::max({height_, length_[1] * 0x1p-14, length_[2] * 0x1p-14});
  }
  [[nodiscard]] std::uint64_t of(std::uint32_t row) const noexcept {
    const std::uint64_t along = whole(off(0, row) / length_[0] * 0x1p31, 0x1p31);
    const std::uint64_t z = task_.dimensions == 3 ? cell(2, row) : 0, y = cell(1, row);
    const std::uint64_t number = z << 15 | (z % 2 == 0 ? y : 0x7FFF - y);
    return number << 32 | (number % 2 == 0 ? along : 0xFFFF'FFFF - along);
  }

 private:
  [[nodiscard]] double off(std::uint32_t a, std::uint32_t row) const noexcept {
    return double{task_.seer_position[a][row]} - lo_[a];
  }
  [[nodiscard]] std::uint64_t cell(std::uint32_t a, std::uint32_t row) const noexcept {
    return whole(off(a, row) / height_, 0x1p14);
  }
  /// Of seers that nobody sorted, some may have no place: they come first or last.
  [[nodiscard]] static std::uint64_t whole(double x, double most) noexcept {
    return x > 0 ? static_cast<std::uint64_t>(std::min(x, most)) : 0;
  }

  const SweepTask& task_;
  std::array<double, 3> lo_{}, length_{};
  double height_ = 1;
};

void sort_by_place(std::span<std::uint32_t> rows, const SweepTask& task, Workspace& scratch) {
  const Workspace::Scope scope(scratch);
  const Places places(rows, task);
  const std::span<std::uint64_t> keys = scratch.take<std::uint64_t>(rows.size());
  std::transform(rows.begin(), rows.end(), keys.begin(), [&](std::uint32_t row) { return places.of(row); });
  static_cast<void>(sort_pairs(keys, rows, {.workspace = &scratch}));  // as many keys as rows: it cannot fail
}

/// The sum of all: sixteen chains, for one would take four times as long.
double sum_of(std::span<const float> numbers) noexcept {
  std::array<double, 16> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= numbers.size(); i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) {
      sums[lane] += double{numbers[i + lane]};
    }
  }
  for (; i < numbers.size(); ++i) {
    sums[0] += double{numbers[i]};
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

FarSeers find_far_seers(const SweepTask& task, std::size_t seers, Workspace& scratch) {
  FarSeers far{{}, std::numeric_limits<float>::infinity()};
  if (task.radii == nullptr || seers < kLeastSeers) {
    return far;
  }
  const std::span<const float> radii(task.radii, seers);
  const auto limit = static_cast<float>(kTimesMean * (sum_of(radii) / static_cast<double>(seers)));
  const auto is_far = [limit](float radius) { return radius > limit; };
  const auto count = static_cast<std::size_t>(std::count_if(radii.begin(), radii.end(), is_far));
  if (count == 0 || count * kOthers > seers) {
    return far;
  }
  far.rows = scratch.take<std::uint32_t>(count);
  far.furthest = 0;
  std::size_t found = 0;
  for (std::uint32_t row = 0; row < seers; ++row) {
    if (is_far(radii[row])) {
      far.rows[found++] = row;
    } else {
      far.furthest = std::max(far.furthest, radii[row]);
    }
  }
  sort_by_place(far.rows, task, scratch);
  return far;
}

void copy_far_seers(const FarSeers& far, SweepTask& task, Workspace& scratch) {
  const auto copy = [&](const float*& column) {
    column = column != nullptr ? copy_rows(column, far.rows, scratch) : nullptr;
  };
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    copy(task.seer_position[a]);
    copy(task.seer_extents[a]);
  }
  copy(task.radii);
  for (const float*& column : task.seer_columns) {
    copy(column);
  }
  for (float*& column : task.found) {
    column = column != nullptr ? scratch.take<float>(far.rows.size() + kArrayPadding).data() : nullptr;
  }
  for (Id*& column : task.found_ids) {
    column = column != nullptr ? scratch.take<Id>(far.rows.size()).data() : nullptr;
  }
}

void keep_what_far_seers_found(const FarSeers& far, const SweepTask& task, const SweepTask& pass) {
  for (std::size_t c = 0; c < kMostColumns; ++c) {
    for (std::size_t i = 0; i < far.rows.size() && pass.found[c] != nullptr; ++i) {
      pass.found[c][far.rows[i]] = task.found[c][i];
    }
    for (std::size_t i = 0; i < far.rows.size() && pass.found_ids[c] != nullptr; ++i) {
      pass.found_ids[c][far.rows[i]] = task.found_ids[c][i];
    }
  }
}

}  // namespace juxta::agents_detail
