// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// live_day: 1 % of a million points moved at once, then 10,000 questions; ns of all.
//   juxta   LiveRankedPoints, merging in the background
//   rebuild RankedPoints, built again
//   boost   an R-tree: remove, insert, and a heap of the best; the first 100 questions, times 100
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#ifdef JUXTA_BENCH_BOOST
#include "bench/ranked/boost_peer.h"
#endif
#include "bench/ranked/live_world.h"
#include "bench/ranked/official_data.h"
#include "benchmark/benchmark.h"
#include "scenes/contest.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kQuestions = 10'000, kFewQuestions = 100;

/// A million points (or fewer), their moves and the day's questions.
struct Day {
  Day()
      : world(scenes::make_contest(std::min<std::size_t>(1'000'000, bench_points())).value()),
        moved(world, world.x.size() / 100) {
    std::mt19937 random(4);
    const float width = world.world.hx - world.world.lx, height = world.world.hy - world.world.ly;
    for (std::size_t i = 0; i < kQuestions; ++i) {
      const std::size_t at = random() % world.x.size();
      const float half = std::exp2(-static_cast<float>(random() % 1000) / 100.0F) / 4;
      rects.push_back({world.x[at] - half * width, world.y[at] - half * height, world.x[at] + half * width,
                       world.y[at] + half * height});
    }
    wide = widen(rects);
  }
  /// Compares the first answers, after the moves, with those of an index that was built from nothing.
  template <class Ask>
  void check(const std::string& row, Ask ask) {
    if (!right_) {
      right_ = build_index(moved.x, moved.y, moved.rank);
    }
    std::array<Id, kResults> got, want;
    for (std::size_t i = 0; i < kFewQuestions; ++i) {
      const std::size_t written = ask(i, got.data());
      if (written != right_->top(wide[i], kResults, want).written ||
          !std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(written), want.begin())) {
        wrong_answer(row, i);
      }
    }
  }

  scenes::ContestWorld world;
  Moved moved;
  std::vector<RectF> rects;
  std::vector<RectD> wide;

 private:
  std::unique_ptr<RankedPoints> right_;
};

/// `live(day, what)` is timed; `ask(day, what, i, out)` then answers question i.
template <class Prepare, class Live, class Ask>
void add_day(const std::shared_ptr<Once<Day>>& days, const std::string& row, Prepare prepare, Live live,
             Ask ask) {
  const auto body = [=](benchmark::State& state) {
    Day& day = **days;
    for (auto _ : state) {
      auto what = prepare(day);
      state.SetIterationTime(live(day, what) * 1e-9);
      day.check(row, [&](std::size_t i, Id* out) { return ask(day, what, i, out); });
    }
  };
  benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime()->Iterations(3);
}

std::size_t ask_day(Day& day, LiveRankedPoints& live, std::size_t i, Id* out) {
  return ask_slots(live, day.wide[i], out);
}
std::size_t ask_rebuilt(Day& day, RankedPoints& points, std::size_t i, Id* out) {
  return points.top(day.wide[i], kResults, {out, kResults}).written;
}

double day_of_juxta(Day& day, LiveRankedPoints& live) {
  std::array<juxta::Id, kResults> out;
  return nanoseconds([&] {
    (void)live.move(day.moved.ids, day.moved.to_x, day.moved.to_y);
    for (const RectD& rect : day.wide) {
      benchmark::DoNotOptimize(live.snapshot().top(rect, kResults, out).written);
    }
  });
}
double day_of_rebuild(Day& day, RankedPoints& points) {
  std::array<Id, kResults> out;
  return nanoseconds([&] {
    (void)points.rebuild(day.moved.x, day.moved.y, day.moved.rank);
    for (const RectD& rect : day.wide) {
      benchmark::DoNotOptimize(points.top(rect, kResults, out).written);
    }
  });
}
#ifdef JUXTA_BENCH_BOOST
double day_of_boost(Day& day, BoostPeer& boost) {
  std::array<Id, kResults> out;
  const double changes = nanoseconds([&] {
    for (std::size_t i = 0; i < day.moved.moved.size(); ++i) {
      const std::uint32_t which = day.moved.moved[i];
      boost.move(which, {day.world.x[which], day.world.y[which]}, {day.moved.to_x[i], day.moved.to_y[i]});
    }
  });
  const double questions = nanoseconds([&] {
    for (std::size_t i = 0; i < kFewQuestions; ++i) {
      benchmark::DoNotOptimize(boost.top_ids(day.rects[i], kResults, out.data()));
    }
  });
  return changes + questions * (static_cast<double>(kQuestions) / kFewQuestions);
}
#endif

}  // namespace

void register_live_day() {
  const auto days = std::make_shared<Once<Day>>([] { return std::make_unique<Day>(); });
  add_day(
      days, "live_day/juxta", [](Day& day) { return make_live(day.world, true); }, day_of_juxta, ask_day);
  add_day(
      days, "live_day/rebuild",
      [](Day& day) { return std::move(*build_index(day.world.x, day.world.y, day.world.rank)); },
      day_of_rebuild, ask_rebuilt);
#ifdef JUXTA_BENCH_BOOST
  add_day(
      days, "live_day/boost",
      [](Day& day) {
        return BoostPeer({day.world.x, day.world.y, day.world.rank, {}});
      },
      day_of_boost,
      [](Day& day, BoostPeer& boost, std::size_t i, Id* out) {
        return boost.top_ids(day.rects[i], kResults, out);
      });
#endif
}

}  // namespace juxta::bench
