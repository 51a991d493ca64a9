// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// labels_build: labels of 80 x 20 pixels for zooms 0 to 20, over up to 1M cities on a map of 256 pixels.
//   juxta   RankedLabels::build
//   plain   at each zoom, all points that are not shown yet, in rank order against a hash table of the shown
//           ones; the zooms must be the same
// labels_view: the labels of 1,000 views of 1024 x 768 pixels around points, at zooms 3 to 16.
//   juxta   RankedLabels::top
//   filter  all points in rank order: those in the view whose appears_at_zoom() is reached. The same labels
//   scan    all points in rank order; those in the view are placed if they overlap none of those before. Its
//           labels are others: they depend on the view, and jump when it moves
// A cell of the plain grids is as large as a label, so it holds one at most, and nine cells are looked at.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/rows.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"
#include "juxta/ranked/labels.h"
#include "scenes/hard_points.h"

namespace juxta::bench {
namespace {

constexpr double kWidth = 80, kHeight = 20, kMap = 256, kViewWidth = 1024, kViewHeight = 768;
constexpr unsigned kZooms = 21;
constexpr std::size_t kViews = 1000, kScanned = 50;

struct LabelWorld {
  LabelWorld() {
    const auto set = scenes::make_hard_points(scenes::HardSet::kCities,
                                              std::min<std::size_t>(bench_points(), 1'000'000), 1);
    const double wide =
        std::max(double{set.frame.hx} - double{set.frame.lx}, double{set.frame.hy} - double{set.frame.ly});
    std::vector<std::uint32_t> order(set.x.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return set.rank[i]; });
    for (const std::uint32_t i : order) {  // in rank order: the plain sides need not sort
      x.push_back((double{set.x[i]} - double{set.frame.lx}) * kMap / wide);
      y.push_back((double{set.y[i]} - double{set.frame.ly}) * kMap / wide);
      rank.push_back(set.rank[i]);
    }
    std::mt19937 random(1);
    for (std::size_t i = 0; i < kViews; ++i) {
      const std::size_t at = random() % x.size();
      const auto zoom = static_cast<unsigned>(3 + random() % 14);
      const double w = kViewWidth / 2 * std::ldexp(1, -static_cast<int>(zoom)),
                   h = w * kViewHeight / kViewWidth;
      views.push_back({x[at] - w, y[at] - h, x[at] + w, y[at] + h});
      zooms.push_back(zoom);
    }
  }

  std::vector<double> x, y;
  std::vector<std::int32_t> rank;
  std::vector<RectD> views;
  std::vector<unsigned> zooms;
};

LabelWorld& label_world() {
  static LabelWorld world;
  return world;
}

/// A hash table of cells that are as large as a label.
class PlainCells {
 public:
  PlainCells(const LabelWorld& world, unsigned zoom, std::size_t most)
      : world_(world),
        width_(std::ldexp(kWidth, -static_cast<int>(zoom))),
        height_(std::ldexp(kHeight, -static_cast<int>(zoom))),
        slots_(std::bit_ceil(2 * most + 2), kFree) {}

  /// Places a label unless it overlaps one.
  bool place(std::uint32_t i) {
    const auto column = cell(world_.x[i], width_), row = cell(world_.y[i], height_);
    for (std::int64_t r = row - 1; r <= row + 1; ++r) {
      for (std::int64_t c = column - 1; c <= column + 1; ++c) {
        for (std::size_t slot = slot_of(c, r); slots_[slot] != kFree;
             slot = (slot + 1) & (slots_.size() - 1)) {
          const std::uint32_t other = slots_[slot];
          if (std::abs(world_.x[i] - world_.x[other]) < width_ &&
              std::abs(world_.y[i] - world_.y[other]) < height_) {
            return false;
          }
        }
      }
    }
    put(i);
    return true;
  }
  void put(std::uint32_t i) {
    std::size_t slot = slot_of(cell(world_.x[i], width_), cell(world_.y[i], height_));
    while (slots_[slot] != kFree) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = i;
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFF'FFFF;
  static std::int64_t cell(double value, double size) {
    return static_cast<std::int64_t>(std::floor(value / size));
  }
  [[nodiscard]] std::size_t slot_of(std::int64_t c, std::int64_t r) const {
    const auto h = (static_cast<std::uint64_t>(c) * 0x9E3779B97F4A7C15U ^ static_cast<std::uint64_t>(r)) *
                   0xC2B2AE3D27D4EB4FU;
    return (h ^ h >> 32) & (slots_.size() - 1);
  }

  const LabelWorld& world_;
  double width_, height_;
  std::vector<std::uint32_t> slots_;
};

std::vector<std::uint8_t> build_plain(const LabelWorld& world) {
  std::vector<std::uint8_t> appears(world.x.size(), RankedLabels::kNever);
  for (unsigned zoom = 0; zoom < kZooms; ++zoom) {
    PlainCells cells(world, zoom, world.x.size());
    for (std::uint32_t i = 0; i < appears.size(); ++i) {
      if (appears[i] != RankedLabels::kNever) {
        cells.put(i);
      }
    }
    for (std::uint32_t i = 0; i < appears.size(); ++i) {
      if (appears[i] == RankedLabels::kNever && cells.place(i)) {
        appears[i] = static_cast<std::uint8_t>(zoom);
      }
    }
  }
  return appears;
}

std::size_t view_by_scan(const LabelWorld& world, std::size_t v, std::vector<Id>& out) {
  const RectD view = world.views[v];
  PlainCells cells(world, world.zooms[v], 1024);
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < world.x.size() && found < 1024; ++i) {
    // Without branches: most points are outside.
    const double x = world.x[i], y = world.y[i];
    if (((x >= view.lx) & (x <= view.hx) & (y >= view.ly) & (y <= view.hy)) && cells.place(i)) {
      out[found++] = i;
    }
  }
  return found;
}

std::size_t view_by_filter(const LabelWorld& world, std::span<const std::uint8_t> appears, std::size_t v,
                           std::vector<Id>& out) {
  const RectD view = world.views[v];
  const unsigned zoom = world.zooms[v];
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < world.x.size(); ++i) {
    const double x = world.x[i], y = world.y[i];
    if ((appears[i] <= zoom) & (x >= view.lx) & (x <= view.hx) & (y >= view.ly) & (y <= view.hy)) {
      out[found++] = i;
    }
  }
  return found;
}

RankedLabels build_labels(const LabelWorld& world) {
  auto made = RankedLabels::build(world.x, world.y, world.rank);
  if (!made) {
    give_up(made.error().message);
  }
  return std::move(*made);
}

void run_build(benchmark::State& state, bool plain) {
  const LabelWorld& world = label_world();
  std::vector<std::uint8_t> appears;
  for (auto _ : state) {
    if (plain) {
      appears = build_plain(world);
    } else {
      const RankedLabels labels = build_labels(world);
      const auto zooms = labels.appears_at_zoom();
      appears.assign(zooms.begin(), zooms.end());
      state.counters["bytes"] = static_cast<double>(labels.memory_bytes());
    }
  }
  state.counters["points"] = static_cast<double>(appears.size());
  if (!plain && appears != build_plain(world)) {
    wrong_answer("labels_build/juxta", 0);
  }
}

}  // namespace

void register_labels() {
  benchmark::RegisterBenchmark("labels_build/juxta", [](benchmark::State& state) {
    run_build(state, false);
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("labels_build/plain", [](benchmark::State& state) {
    run_build(state, true);
  })->Unit(benchmark::kMillisecond);
  auto view = std::make_shared<QueryRow>(), scan = std::make_shared<QueryRow>(),
       filter = std::make_shared<QueryRow>();
  const auto the_labels = []() -> const RankedLabels& {
    static const RankedLabels labels = build_labels(label_world());
    return labels;
  };
  benchmark::RegisterBenchmark("labels_view/juxta", [=](benchmark::State& state) {
    const LabelWorld& world = label_world();
    const RankedLabels& labels = the_labels();
    std::vector<Id> out(4096), want(4096);
    for (std::size_t i = 0; i < kScanned; ++i) {
      const std::size_t n = labels.top(world.views[i], world.zooms[i], out).written;
      if (n != view_by_filter(world, labels.appears_at_zoom(), i, want) ||
          !std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n), want.begin())) {
        wrong_answer("labels_view/juxta", i);
      }
    }
    view->run(state, kViews,
              [&](std::size_t i) { return labels.top(world.views[i], world.zooms[i], out).written; });
  });
  benchmark::RegisterBenchmark("labels_view/filter", [=](benchmark::State& state) {
    std::vector<Id> out(4096);
    filter->run(state, kScanned, [&](std::size_t i) {
      return view_by_filter(label_world(), the_labels().appears_at_zoom(), i, out);
    });
  });
  benchmark::RegisterBenchmark("labels_view/scan", [scan](benchmark::State& state) {
    std::vector<Id> out(4096);
    scan->run(state, kScanned, [&](std::size_t i) { return view_by_scan(label_world(), i, out); });
  });
}

}  // namespace juxta::bench
