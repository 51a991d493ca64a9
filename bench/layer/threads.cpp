// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// threads_1M: rebuild and all pairs on one thread and on two, by the wall clock; and what the exclusive
// schedule costs against a plain visit when both write to both bodies of each pair.
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/contenders.h"
#include "bench/layer/frames.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kBoxes = 1'000'000;
constexpr std::uint64_t kSeed = 1;

enum class Way { kList, kVisit, kExclusive };

class Run {
 public:
  Run(Way way, unsigned threads, FrameWork& work, const std::string& row)
      : way_(way), movers_(work.start), work_(work), met_(work.start.first.boxes.size()) {
    if (threads > 1) {
      auto made = TbbExecutor::build(threads);
      if (!made) {
        give_up(made.error().message);
      }
      executor_ = std::make_unique<TbbExecutor>(std::move(*made));
    }
    for (std::size_t frame = 0; frame < kCheckedFrames; ++frame) {
      if (frame != 0) {
        advance();
      }
      this->frame();
      if (work.grow(found_)) {
        this->frame();
      }
      work.expected.check(frame, digest(), row);
    }
  }

  void advance() { movers_.advance(); }
  void frame() {
    if (const auto done =
            layer_.rebuild(movers_.first.boxes, {}, {.executor = executor_.get(), .workspace = &workspace_});
        !done) {
      give_up(done.error().message);
    }
    if (way_ == Way::kList) {
      found_ =
          find_pairs(layer_, work_.out, {}, {.executor = executor_.get(), .workspace = &workspace_})->found;
      return;
    }
    std::fill(met_.begin(), met_.end(), 0);
    if (way_ == Way::kVisit) {
      const auto visitor = [this](std::span<const Pair> pairs) {
        meet(pairs);
        return true;
      };
      found_ =
          visit_pairs(layer_, visitor, {}, {.executor = executor_.get(), .workspace = &workspace_})->found;
    } else {
      const auto visitor = [this](std::span<const Pair> pairs) { meet(pairs); };
      found_ =
          visit_pairs_exclusive(layer_, visitor, {}, {.executor = executor_.get(), .workspace = &workspace_})
              ->found;
    }
  }
  [[nodiscard]] std::size_t boxes() const { return movers_.boxes(); }
  [[nodiscard]] std::size_t found() const { return found_; }

 private:
  // As little as a visitor can do that writes to both bodies, so that the schedule's own cost shows.
  void meet(std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      ++met_[pair.a];
      ++met_[pair.b];
    }
  }
  // The same for a list of pairs and for visits: how many pairs each body is in.
  [[nodiscard]] Digest digest() {
    if (way_ == Way::kList) {
      std::fill(met_.begin(), met_.end(), 0);
      meet(std::span<const Pair>(work_.out).first(found_));
    }
    Digest sum;
    for (std::uint32_t i = 0; i < met_.size(); ++i) {
      sum.add(i, met_[i]);
    }
    sum.count = found_;
    return sum;
  }

  Way way_;
  Movers movers_;
  FrameWork& work_;
  std::vector<std::uint32_t> met_;  // pairs of each body
  std::unique_ptr<Executor> executor_;
  Layer layer_;
  Workspace workspace_;
  std::size_t found_ = 0;
};

void add_row(const std::string& row, const std::shared_ptr<Once<FrameWork>>& work, Way way,
             unsigned threads) {
  auto made = std::make_shared<Once<Run>>([=] { return std::make_unique<Run>(way, threads, **work, row); });
  add_frames(row, [made](benchmark::State& state) {
    if (threads_are_held) {
      state.SkipWithError("Embree has been asked in this process: run rows with threads alone");
      return;
    }
    Run& run = **made;
    // Other rows ran since: wake the threads, and find memory as in the midst of a run.
    run.advance();
    run.frame();
    time_frames<WallClock>(
        state, [&] { run.advance(); }, [&] { run.frame(); });
    state.counters["boxes"] = static_cast<double>(run.boxes());
    state.counters["pairs"] = static_cast<double>(run.found());
  });
}

}  // namespace

void register_threads() {
  const auto work = std::make_shared<Once<FrameWork>>([] {
    return std::make_unique<FrameWork>(
        Movers{make_boxes(scenes::BoxSet::kUniform, box_count(kBoxes), kSeed), {}});
  });
  add_row("threads_1M/juxta", work, Way::kList, 1);
  add_row("threads_1M/juxta_visit", work, Way::kVisit, 1);
  add_row("threads_1M/juxta_exclusive", work, Way::kExclusive, 1);
  if (TbbExecutor::build(2)) {  // not in a build without oneTBB
    add_row("threads_1M/juxta_2threads", work, Way::kList, 2);
    add_row("threads_1M/juxta_exclusive_2threads", work, Way::kExclusive, 2);
  }
}

}  // namespace juxta::bench
