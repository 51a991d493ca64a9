// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta demo': the workload, the check, the timing, the pictures.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/files/point_table.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/ranked_points.h"

namespace juxta::tool {

inline constexpr std::size_t kDemoK = 20;

/// Points and queries of a demo. Coordinates are float or double, whichever the source has.
template <class T>
struct Workload {
  std::string title, stem;  ///< Stem: how the pictures' names begin.
  std::vector<T> x, y;
  std::vector<double> rank;  ///< Lower is more important.
  std::vector<RectF> queries;
  const PointTable* table = nullptr;  ///< Names for the map; null: none.
};

/// What the plain scan found different.
struct CheckResult {
  std::size_t wrong_answers = 0, wrong_counts = 0;
  std::vector<std::size_t> inside;  ///< Points inside, per query.
};

/// Answers every query by looking at all points in the order of rank, and compares.
template <class T>
CheckResult check_by_scan(const Workload<T>& workload, const RankedPoints& index);

/// Microseconds per query with warm caches.
struct Timing {
  double mean = 0;  ///< Median over rounds of a round's mean.
  std::size_t rounds = 0;
  std::vector<double> per_query;  ///< Each query repeated by itself, median of repetitions.
};
Timing time_queries(const RankedPoints& index, std::span<const RectF> queries);

/// Writes <stem>_map.svg and <stem>_time.svg into the folder. Errors: kIo.
template <class T>
Result<void> draw_demo(const Workload<T>& workload, const RankedPoints& index, const CheckResult& checked,
                       const Timing& timing, const std::string& folder);

}  // namespace juxta::tool
