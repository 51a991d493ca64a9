// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// stages/<stage>/<contender>: an iteration is one recorded tick's stage. Contenders get the same inputs, out
// of memory, and must give the same answers in the ticks that are compared before anything is timed.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/layer/best_setting.h"
#include "bench/layer/frames.h"
#include "bench/sector/recording.h"
#include "bench/sector/rows.h"
#include "bench/sector/runners.h"
#include "bench/sector/ways.h"
#include "bench/support/must.h"
#include "bench/support/once.h"
#include "benchmark/benchmark.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

using MakeRunner = std::function<std::unique_ptr<Runner>(const Recording&)>;
/// What the rows of all stages share.
using SharedRecording = std::shared_ptr<Once<Recording>>;

Play recorded_play() {
  return play_of("mission5", 1'000'000, 100, 100);
}

SharedRecording share_recording() {
  return std::make_shared<Once<Recording>>([] {
    const Play play = recorded_play();
    const auto two = TbbExecutor::build(2);
    return record(play.scenario, play.warm_up, play.ticks, two ? &*two : nullptr);
  });
}

/// The answers of a stage's first contender, in some ticks, and how far off the others may be: so much, and
/// so much of the figure.
struct Stage {
  const char* name;
  double tolerance, part;
  std::vector<Answer> right;

  void check(const Recording& recording, Runner& runner, const std::string& row) {
    const std::size_t last = recording.ticks.size() - 1;
    std::size_t place = 0;
    runner.begin();
    for (std::size_t tick = 0; tick <= last; ++tick) {
      runner.load(recording.ticks[tick]);
      runner.frame(recording.ticks[tick]);
      if (tick == 0 || tick == last / 2 || tick == last) {
        check_answer(runner, place++, row + " in recorded tick " + std::to_string(tick));
      }
    }
  }

 private:
  void check_answer(const Runner& runner, std::size_t place, const std::string& where) {
    Answer got;
    runner.answer(got);
    if (right.size() == place) {
      right.push_back(got);
    }
    const Answer& expected = right[place];
    bool same = got.size() == expected.size();
    for (std::size_t i = 0; same && i < got.size(); ++i) {
      same = std::abs(got[i] - expected[i]) <= tolerance + part * std::abs(expected[i]);
    }
    if (!same) {
      give_up(where + ": another answer than that of the stage's first contender.");
    }
  }
};

void add_row(const SharedRecording& recording, const std::shared_ptr<Stage>& stage, const std::string& who,
             const MakeRunner& make, bool wall) {
  const std::string row = std::string("stages/") + stage->name + "/" + who;
  auto runner = std::make_shared<Once<Runner>>([=] {
    auto made = make(**recording);
    stage->check(**recording, *made, row);
    return made;
  });
  const auto body = [=](benchmark::State& state) {
    Runner& run = **runner;
    std::size_t next = 0;
    const TickInputs* tick = nullptr;
    const auto load = [&] {
      if (next == 0) {
        run.begin();
      }
      tick = &(*recording)->ticks[next];
      next = (next + 1) % (*recording)->ticks.size();
      run.load(*tick);
    };
    const auto frame = [&] { run.frame(*tick); };
    if (wall) {
      time_frames<WallClock>(state, load, frame);
    } else {
      time_frames(state, load, frame);
    }
  };
  // Whole passes over the recording.
  add_frames(row, body)->Iterations(static_cast<benchmark::IterationCount>(recorded_play().ticks));
}

/// The first of some settings with which a classic is fastest in the first ticks.
template <class Setting, class Make>
std::unique_ptr<Runner> at_best(const Recording& recording, const std::vector<Setting>& settings,
                                const Make& make) {
  std::vector<std::uint32_t> numbers(settings.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  const std::uint32_t best = best_setting(numbers, [&](std::uint32_t i) -> std::function<void()> {
    std::shared_ptr<Runner> runner = make(settings[i]);
    runner->begin();
    const auto play = [&recording, runner](std::size_t tick) {
      runner->load(recording.ticks[tick]);
      runner->frame(recording.ticks[tick]);
    };
    play(0);  // its memory has grown
    return [play, tick = std::size_t{0}]() mutable { play(++tick); };
  });
  return make(settings[best]);
}

// The battle is flat: more cells along y than along z.
std::vector<Buckets> buckets_to_try(bool objects_too) {
  std::vector<Buckets> all;
  for (const std::uint32_t z : {1U, 2U, 4U}) {
    for (const std::uint32_t y : {8U, 16U, 24U, 32U}) {
      for (const bool paired : {false, true}) {
        all.push_back({y, z, paired, false});
        if (objects_too) {
          all.push_back({y, z, paired, true});
        }
      }
    }
  }
  return all;
}

std::vector<Cells> cells_to_try() {
  std::vector<Cells> all;
  for (const float edge : {1.0F, 0.75F, 0.5F, 0.34F}) {
    all.push_back({edge, false});
    all.push_back({edge, true});
  }
  return all;
}

std::unique_ptr<Runner> best_classic_spawn(const Recording& recording) {
  return at_best(recording, buckets_to_try(true), [&](const Buckets& buckets) {
    return std::make_unique<SpawnRunner>(classic_spawn(recording.scene, buckets));
  });
}

std::unique_ptr<Runner> best_classic_steer(const Recording& recording) {
  return at_best(recording, cells_to_try(), [&](const Cells& cells) {
    return std::make_unique<SteerRunner>(classic_steer(recording.scene, cells));
  });
}

std::unique_ptr<Runner> best_classic_hit(const Recording& recording) {
  return at_best(recording, buckets_to_try(false), [&](const Buckets& buckets) {
    return std::make_unique<HitRunner>(classic_hit(recording.scene, buckets));
  });
}

std::unique_ptr<Runner> best_classic_move(const Recording& recording) {
  return at_best(recording, std::vector{ClassicSystem::kDepthFirst, ClassicSystem::kDepthLevels},
                 [&](ClassicSystem system) {
                   return std::make_unique<MoveRunner>(
                       [&, system] { return classic_move(recording.scene, system); }, recording);
                 });
}

}  // namespace

void add_stage_rows() {
  const SharedRecording recording = share_recording();
  const auto threads = std::make_shared<Once<Executor>>(
      [] { return std::make_unique<TbbExecutor>(must(TbbExecutor::build(2))); });
  using MakeJuxta = std::function<std::unique_ptr<Runner>(const Recording&, const Executor*)>;
  const auto add = [&](const Stage& what, const MakeJuxta& juxta, const MakeRunner& classics) {
    const auto stage = std::make_shared<Stage>(what);
    add_row(
        recording, stage, "juxta", [juxta](const Recording& r) { return juxta(r, nullptr); }, false);
    add_row(recording, stage, "classics", classics, false);
    if (TbbExecutor::build(2)) {  // not in a build without oneTBB
      add_row(
          recording, stage, "juxta_2threads",
          [juxta, threads](const Recording& r) { return juxta(r, &**threads); }, true);
    }
  };
  add(
      {"spawn", 0, 0, {}},
      [](const Recording& r, const Executor* on) {
        return std::make_unique<SpawnRunner>(juxta_spawn(r.scene, on));
      },
      best_classic_spawn);
  // Sums of some ten terms of up to 200 in floats, in other orders; how many there are is exact.
  add(
      {"steer", 0.02, 1e-4, {}},
      [](const Recording& r, const Executor* on) {
        return std::make_unique<SteerRunner>(juxta_steer(r.scene, on));
      },
      best_classic_steer);
  add(
      {"hit", 0, 0, {}},
      [](const Recording& r, const Executor* on) {
        return std::make_unique<HitRunner>(juxta_hit(r.scene, on));
      },
      best_classic_hit);
  add(
      {"propagate", 1e-4, 1e-6, {}},
      [](const Recording& r, const Executor* on) {
        return std::make_unique<MoveRunner>([&r, on] { return juxta_move(r.scene, on); }, r);
      },
      best_classic_move);
}

}  // namespace juxta::bench
