// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// live_query_<pct>: the 20 lowest ranks in the stream's rectangles, after so many percent of the points were
// moved to places of other points. No merge comes between.
//   juxta   LiveRankedPoints, a snapshot for each question
//   frozen  RankedPoints, built from the points as they are
//   plain   RankedPoints of the points as they were, asked for some more, a flag for each that is gone, and
//           the moved ones in rank order
// live_nearest_<pct>: the 20 nearest points to the centres of these rectangles, in the same way.
// live_change_<insert|remove|move>: one change of the world with 1 % moved; no merge comes between.
// live_merged: a tenth of the points moved one by one, and merged; ns a change.
// live_day: see live_day.cpp.
// live_reader_<alone|beside>: questions of one thread, without and with a writer of 100,000 changes a second.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/ranked/live_world.h"
#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/rows.h"
#include "benchmark/benchmark.h"
#include "juxta/ranked/live_points.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kQuestions = 10'000;
using Clock = std::chrono::steady_clock;

/// One state of the world, and who answers about it.
class LiveWorld {
 public:
  LiveWorld(Official& official, int percent)
      : moved(*official.world, official.world->x.size() * static_cast<std::size_t>(percent) / 100),
        live(make_live(*official.world, false)),
        rects(*official.stream_rects),
        wide(widen(rects)) {
    if (!live.move(moved.ids, moved.to_x, moved.to_y)) {
      std::abort();
    }
  }

  std::size_t ask_juxta(std::size_t i, Id* out) { return ask_slots(live, wide[i], out); }
  std::size_t ask_frozen(std::size_t i, Id* out) {
    return frozen().top(wide[i], kResults, {out, kResults}).written;
  }
  std::size_t near_juxta(std::size_t i, Id* out) const {
    std::array<juxta::Id, kResults> ids;
    std::array<double, kResults> distances;
    const auto [x, y] = centre_of(i);
    const std::size_t written = live.snapshot().nearest(x, y, kResults, ids, distances).written;
    std::ranges::transform(std::span(ids).first(written), out, &juxta::Id::slot);
    return written;
  }
  std::size_t near_frozen(std::size_t i, Id* out) {
    std::array<double, kResults> distances;
    const auto [x, y] = centre_of(i);
    return frozen().nearest(x, y, kResults, {out, kResults}, distances).written;
  }
  std::size_t ask_plain(std::size_t i, Id* out, RankedPoints& before) {
    if (by_rank_.empty()) {
      gone_.resize(moved.x.size());
      for (const std::uint32_t p : moved.moved) {
        gone_[p] = 1;
      }
      by_rank_ = moved.moved;
      std::ranges::sort(by_rank_, {}, [&](std::uint32_t p) { return moved.rank[p]; });
    }
    std::array<Id, kResults + 12> old;
    std::size_t written = before.top(wide[i], old.size(), old).written;
    written = static_cast<std::size_t>(std::remove_if(old.begin(),
                                                      old.begin() + static_cast<std::ptrdiff_t>(written),
                                                      [&](Id p) { return gone_[p] != 0; }) -
                                       old.begin());
    const RectF& r = rects[i];
    std::size_t next = 0, found = 0;
    for (std::size_t p = 0; found < kResults && (next < written || p < by_rank_.size());) {
      if (p == by_rank_.size() || (next < written && moved.rank[old[next]] < moved.rank[by_rank_[p]])) {
        out[found++] = old[next++];
        continue;
      }
      const Id at = by_rank_[p++];
      out[found] = at;
      found += (moved.x[at] >= r.lx) & (moved.x[at] <= r.hx) & (moved.y[at] >= r.ly) & (moved.y[at] <= r.hy);
    }
    return found;
  }

  Moved moved;
  LiveRankedPoints live;
  std::vector<RectF> rects;
  std::vector<RectD> wide;

 private:
  RankedPoints& frozen() {
    if (!frozen_) {
      frozen_ = build_index(moved.x, moved.y, moved.rank);
    }
    return *frozen_;
  }
  [[nodiscard]] std::array<double, 2> centre_of(std::size_t i) const {
    return {(wide[i].lx + wide[i].hx) / 2, (wide[i].ly + wide[i].hy) / 2};
  }

  std::unique_ptr<RankedPoints> frozen_;
  std::vector<std::uint8_t> gone_;
  std::vector<Id> by_rank_;
};

using Worlds = Once<LiveWorld>;

/// `right`: the same question to the frozen index.
template <class Ask, class Right>
void add_query(const std::shared_ptr<Worlds>& worlds, const std::string& row, std::size_t most, Ask ask,
               Right right) {
  auto timed = std::make_shared<QueryRow>();
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    LiveWorld& world = **worlds;
    std::array<Id, kResults> got, want;
    const std::size_t queries = std::min(most, world.wide.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(queries, 500); ++i) {
      const std::size_t written = ask(world, i, got.data());
      if (written != right(world, i, want.data()) ||
          !std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(written), want.begin())) {
        wrong_answer(row, i);
      }
    }
    timed->run(state, queries, [&](std::size_t i) { return ask(world, i, got.data()); });
  });
}

/// One change after the other, each timed: some thousand, so that a tenth is not reached.
template <class Change>
void add_change(const std::shared_ptr<Worlds>& worlds, const std::string& row, Change change) {
  benchmark::RegisterBenchmark(row.c_str(),
                               [=](benchmark::State& state) {
                                 LiveWorld& world = **worlds;
                                 std::mt19937 random(2);
                                 std::vector<double> times;
                                 for (auto _ : state) {
                                   const double took = change(world, random);
                                   state.SetIterationTime(took * 1e-9);
                                   times.push_back(took);
                                 }
                                 const Latency latency = latency_of(times);
                                 state.counters["p50_ns"] = latency.p50;
                                 state.counters["p99_ns"] = latency.p99;
                                 state.counters["max_ns"] = latency.max;
                               })
      ->UseManualTime()
      ->Iterations(
          static_cast<benchmark::IterationCount>(std::min<std::size_t>(20'000, bench_points() / 10)));
}

RankedPoint random_point(const LiveWorld& world, std::mt19937& random) {
  const std::size_t at = random() % world.moved.x.size();
  return {static_cast<double>(world.moved.x[at]), static_cast<double>(world.moved.y[at]),
          static_cast<std::int32_t>(random() % world.moved.x.size())};
}

double insert_one(LiveWorld& world, std::mt19937& random) {
  const RankedPoint point = random_point(world, random);
  juxta::Id id;
  const double took = nanoseconds([&] { id = world.live.insert(point).value(); });
  (void)world.live.remove(id);
  return took;
}
double remove_one(LiveWorld& world, std::mt19937& random) {
  const juxta::Id id = world.live.insert(random_point(world, random)).value();
  return nanoseconds([&] { (void)world.live.remove(id); });
}
double move_one(LiveWorld& world, std::mt19937& random) {
  const RankedPoint to = random_point(world, random);
  juxta::Id id = first_id(static_cast<std::uint32_t>(random() % world.moved.x.size()));
  return nanoseconds([&] { (void)world.live.move(id, to.x, to.y); });
}

void add_merged(Official& official) {
  benchmark::RegisterBenchmark(
      "live_merged/juxta",
      [&official](benchmark::State& state) {
        for (auto _ : state) {
          const scenes::ContestWorld& world = *official.world;
          LiveRankedPoints live = make_live(world, false);
          const std::size_t changes = world.x.size() / 10;
          std::mt19937 random(3);
          const double took = nanoseconds([&] {
            for (std::size_t i = 0; i < changes; ++i) {
              const std::size_t to = random() % world.x.size();
              (void)live.move(first_id(static_cast<std::uint32_t>(random() % world.x.size())),
                              static_cast<double>(world.x[to]), static_cast<double>(world.y[to]));
            }
            (void)live.merge();
          });
          state.SetIterationTime(took * 1e-9 / static_cast<double>(changes));
        }
      })
      ->UseManualTime()
      ->Iterations(1);
}

/// Changes the world 100,000 times a second until told to stop.
void write_steadily(LiveWorld& world, const std::atomic<bool>& stop) {
  std::mt19937 random(5);
  const auto begin = Clock::now();
  for (std::size_t done = 0; !stop; ++done) {
    while (Clock::now() - begin < std::chrono::microseconds(10) * done && !stop) {
    }
    (void)insert_one(world, random);
    ++done;  // it was an insert and a remove
  }
}

void add_readers(const std::shared_ptr<Worlds>& worlds, bool beside) {
  auto timed = std::make_shared<QueryRow>();
  const std::string row = beside ? "live_reader_beside/juxta" : "live_reader_alone/juxta";
  benchmark::RegisterBenchmark(row.c_str(),
                               [=](benchmark::State& state) {
                                 LiveWorld& world = **worlds;
                                 std::atomic<bool> stop{false};
                                 std::thread writer;
                                 if (beside) {
                                   writer = std::thread([&] { write_steadily(world, stop); });
                                 }
                                 std::array<juxta::Id, kResults> out;
                                 const std::size_t queries = std::min(kQuestions, world.wide.size());
                                 std::size_t written = 0;
                                 std::vector<double> times;
                                 for (auto _ : state) {
                                   const double took = nanoseconds([&] {
                                     for (std::size_t i = 0; i < queries; ++i) {
                                       written +=
                                           world.live.snapshot().top(world.wide[i], kResults, out).written;
                                     }
                                   });
                                   state.SetIterationTime(took * 1e-9 / static_cast<double>(queries));
                                 }
                                 benchmark::DoNotOptimize(written);
                                 stop = true;
                                 if (writer.joinable()) {
                                   writer.join();
                                 }
                               })
      ->UseManualTime()
      ->Iterations(20);
}

}  // namespace

void register_live(Official& official) {
  std::shared_ptr<Worlds> last;
  for (const int percent : {0, 1, 5}) {
    const auto worlds = std::make_shared<Worlds>(
        [&official, percent] { return std::make_unique<LiveWorld>(official, percent); });
    const std::string row = "live_query_" + std::to_string(percent) + "pct";
    const auto frozen = [](LiveWorld& w, std::size_t i, Id* out) { return w.ask_frozen(i, out); };
    add_query(
        worlds, row + "/juxta", SIZE_MAX,
        [](LiveWorld& w, std::size_t i, Id* out) { return w.ask_juxta(i, out); }, frozen);
    add_query(worlds, row + "/frozen", SIZE_MAX, frozen, frozen);
    add_query(
        worlds, row + "/plain", 500,
        [&official](LiveWorld& w, std::size_t i, Id* out) { return w.ask_plain(i, out, *official.index); },
        frozen);
    const std::string near = "live_nearest_" + std::to_string(percent) + "pct";
    const auto nearest = [](LiveWorld& w, std::size_t i, Id* out) { return w.near_frozen(i, out); };
    add_query(
        worlds, near + "/juxta", kQuestions,
        [](LiveWorld& w, std::size_t i, Id* out) { return w.near_juxta(i, out); }, nearest);
    add_query(worlds, near + "/frozen", kQuestions, nearest, nearest);
    if (percent == 1) {  // rows come in any order: these change a world of their own
      const auto changing =
          std::make_shared<Worlds>([&official] { return std::make_unique<LiveWorld>(official, 1); });
      add_readers(changing, false);
      add_readers(changing, true);
      add_change(changing, "live_change_insert/juxta", insert_one);
      add_change(changing, "live_change_remove/juxta", remove_one);
      add_change(changing, "live_change_move/juxta", move_one);
    }
  }
  add_merged(official);
  register_live_day();
}

}  // namespace juxta::bench
