// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// boxes_*: world_boxes() on one thread, beside the loops of a program that has none (plain_boxes.h).
#include "juxta/transform/world_boxes.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/must.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "bench/transform/forest.h"
#include "bench/transform/plain_boxes.h"
#include "bench/transform/rows.h"
#include "benchmark/benchmark.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

/// How nodes are turned. All have scales between 0.5 and 2, except where they are kUnscaled, and stretches
/// of 1.
enum class Turns : std::uint8_t {
  kNone,
  kUnscaled,   // kNone, with scales of 1
  kStretched,  // kNone, and every fourth node is stretched, some mirrored
  kEmpties,    // kStretched, and one box in fifty is empty
  kQuarters,
  kAll,
  kMixed  // half of them, in random order
};

struct Boxes {
  std::vector<Qvvs> nodes;
  std::vector<Aabb3> local, out;
};

Quat draw_turn(scenes::Draws& draws, Turns turns) {
  const float x = draws.uniform(-1, 1), y = draws.uniform(-1, 1), z = draws.uniform(-1, 1);
  const bool turned = turns == Turns::kAll || (turns == Turns::kMixed && draws.below(2) == 0);
  if (turned) {
    return normalized({x, y, z, 1});
  }
  const float half = std::sqrt(0.5F);
  const Quat quarters[] = {{0, half, 0, half}, {0, -half, 0, half}, {half, 0, 0, half}, {0, 0, half, half}};
  return turns == Turns::kQuarters ? quarters[draws.below(4)] : Quat{};
}

std::unique_ptr<Boxes> make_boxes(std::size_t count, Turns turns) {
  auto boxes = std::make_unique<Boxes>();
  scenes::Draws draws(seed());
  const auto between = [&](float low, float high) -> Vec3 {
    const float x = draws.uniform(low, high), y = draws.uniform(low, high), z = draws.uniform(low, high);
    return {x, y, z};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Quat turn = draw_turn(draws, turns);
    const Vec3 position = between(-100, 100);
    const float scale = draws.uniform(0.5F, 2);
    Qvvs node{turn, position, 0, {1, 1, 1}, turns == Turns::kUnscaled ? 1.0F : scale};
    if ((turns == Turns::kStretched || turns == Turns::kEmpties) && draws.below(4) == 0) {
      node.stretch = between(-2, 2);
    }
    const Vec3 lo = between(-2, 0), hi = between(0, 2);
    const bool empty = turns == Turns::kEmpties && draws.below(50) == 0;
    boxes->nodes.push_back(node);
    boxes->local.push_back({{empty ? 3.0F : lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}});
  }
  boxes->out.resize(count);
  return boxes;
}

/// Both must agree but for rounding; the loops know nothing of empty boxes.
void check(Boxes& boxes, const std::string& row) {
  std::vector<Aabb3> plain(boxes.nodes.size());
  must(world_boxes(boxes.nodes, boxes.local, boxes.out));
  plain_boxes(boxes.nodes, boxes.local, plain);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    for (int axis = 0; axis < 3 && !boxes.local[i].empty(); ++axis) {
      if (!(std::abs(boxes.out[i].lo[axis] - plain[i].lo[axis]) < 1e-3F &&
            std::abs(boxes.out[i].hi[axis] - plain[i].hi[axis]) < 1e-3F)) {
        give_up(row + ": the boxes of node " + std::to_string(i) + " differ.");
      }
    }
  }
}

using Compute = void (*)(Boxes&);

void add_row(const std::string& row, const std::shared_ptr<Once<Boxes>>& boxes, Compute compute) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    check(**boxes, row);
    for (auto _ : state) {
      compute(**boxes);
      benchmark::ClobberMemory();
    }
    state.counters["nodes"] = static_cast<double>((*boxes)->nodes.size());
  });
}

void add_rows(std::string_view size, std::size_t count, std::string_view name, Turns turns) {
  const auto boxes = std::make_shared<Once<Boxes>>([=] { return make_boxes(node_count(count), turns); });
  const std::string workload = row_name({"boxes_" + std::string(size), name});
  add_row(row_name({workload, "juxta"}), boxes, [](Boxes& b) { must(world_boxes(b.nodes, b.local, b.out)); });
  add_row(row_name({workload, "plain"}), boxes, [](Boxes& b) { plain_boxes(b.nodes, b.local, b.out); });
  if (turns == Turns::kNone || turns == Turns::kUnscaled || turns == Turns::kStretched) {
    add_row(row_name({workload, "plain_unrotated"}), boxes,
            [](Boxes& b) { plain_unrotated_boxes(b.nodes, b.local, b.out); });
  }
}

}  // namespace

void register_boxes() {
  const struct {
    std::string_view name;
    std::size_t count;
  } sizes[] = {{"1k", 1000}, {"100k", 100'000}, {"1M", 1'000'000}};
  for (const auto& size : sizes) {
    add_rows(size.name, size.count, "unrotated", Turns::kNone);
    add_rows(size.name, size.count, "unscaled", Turns::kUnscaled);
    add_rows(size.name, size.count, "stretched", Turns::kStretched);
    add_rows(size.name, size.count, "quarter_turns", Turns::kQuarters);
    add_rows(size.name, size.count, "rotated", Turns::kAll);
    add_rows(size.name, size.count, "mixed", Turns::kMixed);
    add_rows(size.name, size.count, "empties", Turns::kEmpties);
  }
}

}  // namespace juxta::bench
