// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain scan that 'juxta demo' trusts: every point against every query, most important first.
//
// Points are walked in tiles that stay in the L1 cache while all queries of a task look at them, so the scan
// is bound by arithmetic and not by memory: 10M points x 1000 queries take seconds.

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "juxta/core/executor.h"
#include "tool/demo.h"
#include "tool/points_input.h"

namespace juxta::tool {
namespace {

constexpr std::size_t kTile = 4096;

/// What the scan knows about one query so far.
template <class T>
struct Scan {
  Rect<T> rect{};
  std::size_t inside = 0;
  std::vector<std::uint32_t> first;  // the most important ones, by input index
};

/// The columns once more, most important first; equal ranks by input order.
template <class T>
struct Sorted {
  std::vector<std::uint32_t> index;
  std::vector<T> x, y;
};

template <class T>
Sorted<T> sort_by_rank(const Workload<T>& workload) {
  std::vector<std::pair<double, std::uint32_t>> keys(workload.rank.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = {workload.rank[i] + 0.0, static_cast<std::uint32_t>(i)};  // + 0.0: -0 becomes 0
  }
  std::sort(keys.begin(), keys.end());
  Sorted<T> sorted;
  for (auto* column : {&sorted.x, &sorted.y}) {
    column->reserve(keys.size());
  }
  sorted.index.reserve(keys.size());
  for (const auto& [rank, i] : keys) {
    sorted.index.push_back(i);
    sorted.x.push_back(workload.x[i]);
    sorted.y.push_back(workload.y[i]);
  }
  return sorted;
}

template <class T>
void scan_tile(const Sorted<T>& points, std::size_t first, std::size_t last, Scan<T>& scan) {
  const Rect<T> r = scan.rect;
  const T* x = points.x.data();
  const T* y = points.y.data();
  std::uint32_t inside = 0;
  for (std::size_t i = first; i < last; ++i) {  // without a branch: the compiler makes it SIMD
    inside += static_cast<std::uint32_t>((x[i] >= r.lx) & (x[i] <= r.hx) & (y[i] >= r.ly) & (y[i] <= r.hy));
  }
  scan.inside += inside;
  for (std::size_t i = first; inside != 0 && scan.first.size() < kDemoK && i < last; ++i) {
    if (r.contains(x[i], y[i])) {
      scan.first.push_back(points.index[i]);
    }
  }
}

}  // namespace

template <class T>
CheckResult check_by_scan(const Workload<T>& workload, const RankedPoints& index) {
  const Sorted<T> points = sort_by_rank(workload);
  std::vector<Scan<T>> scans(workload.queries.size());
  for (std::size_t q = 0; q < scans.size(); ++q) {
    const RectF& r = workload.queries[q];
    scans[q].rect = {r.lx, r.ly, r.hx, r.hy};
  }
  const auto executor = make_executor(0);
  executor_or_serial(executor.get()).parallel_for(scans.size(), 32, [&](std::size_t from, std::size_t to) {
    for (std::size_t tile = 0; tile < points.index.size(); tile += kTile) {
      for (std::size_t q = from; q < to; ++q) {
        scan_tile(points, tile, std::min(tile + kTile, points.index.size()), scans[q]);
      }
    }
  });

  CheckResult result;
  std::vector<std::uint32_t> answer(kDemoK);
  for (std::size_t q = 0; q < scans.size(); ++q) {
    const RectF& r = workload.queries[q];
    const RectD rect{r.lx, r.ly, r.hx, r.hy};
    const std::size_t written = index.top(rect, kDemoK, answer).written;
    const bool same = written == scans[q].first.size() &&
                      std::equal(scans[q].first.begin(), scans[q].first.end(), answer.begin());
    result.wrong_answers += same ? 0 : 1;
    result.wrong_counts += index.count(rect).found == scans[q].inside ? 0 : 1;
    result.inside.push_back(scans[q].inside);
  }
  return result;
}

template CheckResult check_by_scan(const Workload<float>&, const RankedPoints&);
template CheckResult check_by_scan(const Workload<double>&, const RankedPoints&);

}  // namespace juxta::tool
