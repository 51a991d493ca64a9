// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Timing and pictures of 'juxta demo'.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "juxta/files/svg_map.h"
#include "juxta/files/svg_plot.h"
#include "tool/answers.h"
#include "tool/console.h"
#include "tool/demo.h"
#include "tool/output_folder.h"

namespace juxta::tool {
namespace {

RectD wide(const RectF& r) {
  return {r.lx, r.ly, r.hx, r.hy};
}

/// The query to draw: one with a full answer whose share of the points is nearest to 4 %.
std::size_t query_to_draw(const CheckResult& checked, std::size_t points) {
  std::size_t best = 0;
  double best_distance = HUGE_VAL;
  for (std::size_t q = 0; q < checked.inside.size(); ++q) {
    const double share =
        static_cast<double>(checked.inside[q]) / static_cast<double>(std::max<std::size_t>(points, 1));
    const double distance = std::abs(std::log((share + 1e-12) / 0.04));
    if (distance < best_distance) {
      best_distance = distance;
      best = q;
    }
  }
  return best;
}

template <class T>
std::string map_of(const Workload<T>& workload, const RankedPoints& index, const CheckResult& checked) {
  SvgMapOptions options;
  std::vector<MapLabel> labels;
  if (!workload.queries.empty()) {
    const std::size_t q = query_to_draw(checked, workload.x.size());
    options.rect = wide(workload.queries[q]);
    std::vector<std::uint32_t> answer(kDemoK);
    answer.resize(index.top(options.rect, kDemoK, answer).written);
    for (const std::uint32_t i : answer) {
      std::string name(workload.table != nullptr ? workload.table->name(i) : "");
      labels.push_back({static_cast<double>(workload.x[i]), static_cast<double>(workload.y[i]),
                        name.empty() ? fmt::format("rank {}", workload.rank[i]) : std::move(name)});
    }
    options.title = fmt::format("The {} most important of {} points inside the rectangle", answer.size(),
                                grouped(checked.inside[q]));
  }
  options.note = fmt::format("{}: {} points", workload.title, grouped(workload.x.size()));
  const auto point = [&](std::size_t i) {
    return MapPoint{static_cast<double>(workload.x[i]), static_cast<double>(workload.y[i])};
  };
  return svg_map(workload.x.size(), point, labels, options);
}

template <class T>
std::string plot_of(const Workload<T>& workload, const CheckResult& checked, const Timing& timing) {
  const std::vector<double> inside(checked.inside.begin(), checked.inside.end());
  const PlotSeries series{"juxta: one dot per query, the line joins medians", inside, timing.per_query};
  SvgPlotOptions options;
  options.title = fmt::format("Time of one query against the points inside its rectangle (k = {})", kDemoK);
  options.x_axis = "points inside the rectangle";
  options.y_axis = "microseconds per query, warm caches";
  options.note = fmt::format("{}: {} points, {} queries", workload.title, grouped(workload.x.size()),
                             grouped(workload.queries.size()));
  return svg_log_plot({&series, 1}, options);
}

}  // namespace

Timing time_queries(const RankedPoints& index, std::span<const RectF> queries) {
  constexpr std::size_t kRounds = 101, kRepeats = 20, kBatches = 5;
  constexpr double kBudget = 3;  // seconds for the rounds, should queries be slow
  Timing timing;
  std::vector<std::uint32_t> answer(kDemoK);
  std::vector<double> rounds;
  const double count = static_cast<double>(std::max<std::size_t>(queries.size(), 1));
  const Stopwatch all;
  for (std::size_t round = 0; round <= kRounds && (round < 4 || all.seconds() < kBudget); ++round) {
    const Stopwatch watch;
    for (const RectF& q : queries) {
      (void)index.top(wide(q), kDemoK, answer);
    }
    if (round > 0) {  // the first one warms the caches
      rounds.push_back(watch.seconds() * 1e6 / count);
    }
  }
  timing.rounds = rounds.size();
  timing.mean = quantile(rounds, 0.5);
  for (const RectF& q : queries) {
    std::vector<double> batches;
    for (std::size_t b = 0; b < kBatches; ++b) {
      const Stopwatch watch;
      for (std::size_t r = 0; r < kRepeats; ++r) {
        (void)index.top(wide(q), kDemoK, answer);
      }
      batches.push_back(watch.seconds() * 1e6 / static_cast<double>(kRepeats));
    }
    timing.per_query.push_back(quantile(batches, 0.5));
  }
  return timing;
}

template <class T>
Result<void> draw_demo(const Workload<T>& workload, const RankedPoints& index, const CheckResult& checked,
                       const Timing& timing, const std::string& folder) {
  const std::string map = map_of(workload, index, checked);
  const std::string plot = plot_of(workload, checked, timing);
  const OutputLock lock;
  JUXTA_TRY(write_file(in_folder(folder, workload.stem + "_map.svg"), map));
  return write_file(in_folder(folder, workload.stem + "_time.svg"), plot);
}

template Result<void> draw_demo(const Workload<float>&, const RankedPoints&, const CheckResult&,
                                const Timing&, const std::string&);
template Result<void> draw_demo(const Workload<double>&, const RankedPoints&, const CheckResult&,
                                const Timing&, const std::string&);

}  // namespace juxta::tool
