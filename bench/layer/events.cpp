// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What it costs to know which overlaps began and which ended. All boxes move each frame.
//   events_1M, events_100k  uniform; a tenth of the pairs begins and a tenth ends in each frame
//   events_clustered_1M     clusters; 8 % and 8 %
//   events_slow_1M          uniform, at a tenth of the speed: 1 % and 1 %
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/frames.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair_tracker.h"

namespace juxta::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

struct World {
  const char* name;
  scenes::BoxSet set;
  std::size_t boxes;
  float speed;
};
constexpr World kUniform{"events_1M", scenes::BoxSet::kUniform, 1'000'000, 1};
constexpr World kOthers[] = {{"events_100k", scenes::BoxSet::kUniform, 100'000, 1},
                             {"events_clustered_1M", scenes::BoxSet::kClustered, 1'000'000, 1},
                             {"events_slow_1M", scenes::BoxSet::kUniform, 1'000'000, 0.1F}};

class Frames {
 public:
  Frames(const World& world, bool sorted, bool track, const std::string& row) : track_(track) {
    movers_.first = make_boxes(world.set, box_count(world.boxes), kSeed);
    for (auto* speeds : {&movers_.first.velocities, &movers_.first.swings}) {
      for (Vec3& speed : *speeds) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          speed[axis] *= world.speed;
        }
      }
    }
    options_.sorted = sorted;
    frame();
    out_.resize(found_ + found_ / 4 + 1024);
    frame();
    advance();
    const Digest before = digest_self(std::span(out_).first(found_));
    frame();
    if (track_) {
      check(before, digest_self(std::span(out_).first(found_)), row);
    }
  }
  void advance() { movers_.advance(); }
  void frame() {
    if (layer_.size() == 0) {
      must(layer_.rebuild(movers_.first.boxes));
    }
    must(layer_.refit(movers_.first.boxes, {.workspace = &workspace_}));
    found_ = find_pairs(layer_, out_, options_, {.workspace = &workspace_})->found;
    if (track_ && found_ <= out_.size()) {
      must(tracker_.update(std::span<const Pair>(out_).first(found_), {.workspace = &workspace_}));
    }
  }
  [[nodiscard]] std::size_t boxes() const { return movers_.boxes(); }
  [[nodiscard]] std::size_t pairs() const { return found_; }
  [[nodiscard]] std::size_t events() const { return tracker_.begun().size() + tracker_.ended().size(); }

 private:
  static void must(const Result<void>& done) {
    if (!done) {
      give_up(done.error().message);
    }
  }
  // Pairs before, less those that ended, with those that began, are the pairs now.
  void check(const Digest& before, const Digest& now, const std::string& row) const {
    const Digest begun = digest_self(tracker_.begun()), ended = digest_self(tracker_.ended());
    if (before.count + begun.count != now.count + ended.count ||
        before.sum + begun.sum != now.sum + ended.sum || begun.count == 0) {
      give_up(row + " tells other events than the pairs of two frames.");
    }
  }

  bool track_;
  Movers movers_;
  Layer layer_;
  Workspace workspace_;
  FindPairsOptions options_;
  PairTracker tracker_;
  std::vector<Pair> out_;
  std::size_t found_ = 0;
};

void add_row(const World& world, const char* way, bool sorted, bool track) {
  const std::string row = std::string(world.name) + "/" + way;
  auto frames =
      std::make_shared<Once<Frames>>([=] { return std::make_unique<Frames>(world, sorted, track, row); });
  add_frames(row, [frames](benchmark::State& state) {
    Frames& f = **frames;
    time_frames(
        state, [&] { f.advance(); }, [&] { f.frame(); });
    state.counters["boxes"] = static_cast<double>(f.boxes());
    state.counters["pairs"] = static_cast<double>(f.pairs());
    state.counters["events"] = static_cast<double>(f.events());
  });
}

}  // namespace

void register_events() {
  add_row(kUniform, "juxta", false, true);
  add_row(kUniform, "juxta_sorted_pairs", true, false);
  add_row(kUniform, "juxta_pairs_alone", false, false);
  for (const World& world : kOthers) {
    add_row(world, "juxta", false, true);
    add_row(world, "juxta_pairs_alone", false, false);
  }
}

}  // namespace juxta::bench
