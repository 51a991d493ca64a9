// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: boxes around rows that follow each other, for long runs.
//
//   rows          |................|................|................|        sixteen and sixteen
//   boxes         |[    ]          |      [     ]   |   [   ]        |        of each axis the least and most
//   wide boxes    |[                                               ] ...      sixteen boxes
//
// Where many agents share a cell, a run of cells has thousands of rows. Those of a cell stand in squares of
// sixteen (crowded_cells.h), so most of the run is out of reach, box by box.
//
// Per wide box in a run:  a sixteenth of some 60 operations, and as much again for all of its boxes if it is
//                         near.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "agents/grid.h"
#include "juxta/core/array.h"
#include "juxta/core/executor.h"

namespace juxta::agents_detail {

struct Places;
struct Reach;

/// Rows [first, last).
struct Run {
  std::uint32_t first, last;
};

/// A box of seers, as far as their positions go.
struct Bounds {
  Vec3 lo{}, hi{};
};

class RowBoxes {
 public:
  static constexpr std::uint32_t kRows = 16;  // of a box; and boxes of a wide box
  /// Runs up to this long are not worth it.
  static constexpr std::uint32_t kShort = 16 * kRows;

  /// A box that is looked from, how far, and around which worlds: 0 on an axis that need not be gone round.
  struct Look {
    const Bounds& box;
    const Reach& reach;
    Vec3 period{};
  };

  explicit RowBoxes(std::pmr::memory_resource* resource) noexcept
      : levels_{Level(resource), Level(resource)} {}

  [[nodiscard]] bool empty() const noexcept { return levels_[0].lo[0].empty(); }
  void clear() noexcept;
  void fill(const Places& places, std::uint32_t dimensions, const Executor& executor);
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Calls visit(part) for the parts of a run that hold all its agents within reach of the box; ascending.
  template <class Visit>
  void visit_near(Run run, const Look& look, Visit&& visit) const {
    constexpr std::uint32_t kWide = kRows * kRows;
    const std::uint32_t last = run.last / kWide + (run.last % kWide != 0 ? 1 : 0);
    for (std::uint32_t wide = run.first / kWide; wide < last;) {
      const std::uint32_t base = wide / kRows * kRows;
      std::uint32_t near = near_of(1, base, look) >> (wide - base);
      for (; near != 0 && wide < last; near >>= 1, ++wide) {
        if ((near & 1) != 0) {
          visit_wide(wide * kRows, run, look, visit);
        }
      }
      wide = near == 0 ? base + kRows : wide;
    }
  }

 private:
  struct Level {
    explicit Level(std::pmr::memory_resource* resource) noexcept;
    void resize(std::size_t count, std::uint32_t dimensions);
    std::array<Array<float>, 3> lo, hi;
  };

  /// Which of the boxes from `first` on, a multiple of sixteen, are near: a bit each.
  [[nodiscard]] std::uint32_t near_of(std::size_t level, std::uint32_t first,
                                      const Look& look) const noexcept;

  template <class Visit>
  void visit_wide(std::uint32_t first_box, Run run, const Look& look, Visit&& visit) const {
    std::uint32_t near = near_of(0, first_box, look);
    for (std::uint32_t at = first_box; near != 0;) {
      const auto skipped = static_cast<std::uint32_t>(std::countr_zero(near));
      const auto boxes = static_cast<std::uint32_t>(std::countr_one(near >> skipped));
      const std::uint64_t first = std::uint64_t{at + skipped} * kRows,
                          last = first + std::uint64_t{boxes} * kRows;
      const Run part{first < run.first ? run.first : static_cast<std::uint32_t>(first),
                     last < run.last ? static_cast<std::uint32_t>(last) : run.last};
      if (part.first < part.last) {
        visit(part);
      }
      at += skipped + boxes;
      near = near >> skipped >> boxes;
    }
  }

  std::uint32_t dimensions_ = 0;
  std::array<Level, 2> levels_;
};

}  // namespace juxta::agents_detail
