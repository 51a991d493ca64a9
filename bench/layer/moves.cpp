// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// moves_1pct_100k: of 100k boxes one in a hundred moves per frame, each by a call of its own, against taking
// in all boxes anew. *_pairs: the same, and all pairs after it.
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/frames.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kBoxes = 100'000, kShare = 100;
constexpr std::uint64_t kSeed = 1;

enum class Way { kMove, kRebuild, kRefit };

// Frame f moves the boxes whose number is f modulo 100.
class Moving {
 public:
  Moving(Way way, bool pairs, const std::string& row) : way_(way), pairs_(pairs), row_(row) {
    world_ = make_boxes(scenes::BoxSet::kUniform, box_count(kBoxes), kSeed);
    must(layer_.rebuild(world_.boxes));
    for (std::uint32_t i = 0; i < world_.boxes.size(); ++i) {
      ids_.push_back(layer_.id_of(i));
    }
    out_.resize(find_pairs(layer_, {}, {}, {.workspace = &workspace_})->found * 5 / 4 + 1024);
    for (int frame = 0; frame < 3; ++frame) {
      advance();
      run();
    }
    check();
  }

  void advance() {
    const std::size_t phase = frame_++ % kShare;
    for (std::size_t i = phase; i < world_.boxes.size(); i += kShare) {
      move_box(i);
    }
  }
  void run() {
    switch (way_) {
      case Way::kMove: {
        const std::size_t phase = (frame_ - 1) % kShare;
        for (std::size_t i = phase; i < world_.boxes.size(); i += kShare) {
          must(layer_.move(ids_[i], world_.boxes[i]));
        }
        break;
      }
      case Way::kRebuild: {
        must(layer_.rebuild(world_.boxes, {}, {.workspace = &workspace_}));
        break;
      }
      case Way::kRefit: {
        must(layer_.refit(world_.boxes, {.workspace = &workspace_}));
        break;
      }
    }
    found_ = pairs_ ? find_pairs(layer_, out_, {}, {.workspace = &workspace_})->found : 0;
  }
  // After all those moves the layer must answer as one built of the boxes as they are.
  void check() {
    Layer fresh;
    Workspace workspace;
    must(fresh.rebuild(world_.boxes));
    const Digest got = pairs_of(layer_, workspace), right = pairs_of(fresh, workspace);
    if (!(got == right)) {
      give_up(row_ + " finds " + std::to_string(got.count) + " pairs after moves, a new layer " +
              std::to_string(right.count) + ".");
    }
  }
  [[nodiscard]] std::size_t boxes() const { return world_.boxes.size(); }
  [[nodiscard]] std::size_t moved() const { return (world_.boxes.size() + kShare - 1) / kShare; }

 private:
  static void must(const Result<void>& done) {
    if (!done) {
      give_up(done.error().message);
    }
  }
  static Digest pairs_of(const Layer& layer, Workspace& workspace) {
    std::vector<Pair> out(find_pairs(layer, {}, {}, {.workspace = &workspace})->found);
    (void)find_pairs(layer, out, {}, {.workspace = &workspace});
    return digest_self(out);
  }
  // As scenes::advance, for one box: a wall turns it inwards.
  void move_box(std::size_t i) {
    Aabb3& box = world_.boxes[i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float& speed = world_.velocities[i][axis];
      const float centre = (box.lo[axis] + box.hi[axis]) / 2;
      if ((centre < 0 && speed < 0) || (centre > world_.side && speed > 0)) {
        speed = -speed;
      }
      box.lo[axis] += speed;
      box.hi[axis] += speed;
    }
  }

  Way way_;
  bool pairs_;
  std::string row_;
  scenes::BoxWorld world_;
  Layer layer_;
  std::vector<Id> ids_;
  Workspace workspace_;
  std::vector<Pair> out_;
  std::size_t frame_ = 0, found_ = 0;
};

void add_row(const std::string& row, Way way, bool pairs) {
  auto moving = std::make_shared<Once<Moving>>([=] { return std::make_unique<Moving>(way, pairs, row); });
  add_frames(row, [moving](benchmark::State& state) {
    Moving& m = **moving;
    time_frames(
        state, [&] { m.advance(); }, [&] { m.run(); });
    m.check();
    state.counters["boxes"] = static_cast<double>(m.boxes());
    state.counters["moved"] = static_cast<double>(m.moved());
  });
}

}  // namespace

void register_moves() {
  for (const bool pairs : {false, true}) {
    const std::string workload = pairs ? "moves_1pct_100k_pairs" : "moves_1pct_100k";
    add_row(workload + "/juxta", Way::kMove, pairs);
    add_row(workload + "/juxta_rebuild", Way::kRebuild, pairs);
    add_row(workload + "/juxta_refit", Way::kRefit, pairs);
  }
}

}  // namespace juxta::bench
