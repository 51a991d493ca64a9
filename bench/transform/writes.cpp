// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Frames that write local transforms, not roots alone. The program has its locals, and wants its worlds, in
// an order of its own: that of TreeScene::nodes.
//   every_local         every local is written, everything is brought up to date, every world is read back
//   every_local_in_order  the same by a program that keeps its arrays in the order in which the store has its
//   nodes one_percent_nodes   one node in a hundred, anywhere in the trees, is written; nothing is read
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/transform/contenders.h"
#include "bench/transform/oracle.h"
#include "bench/transform/rows.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

// What all contenders of a workload write.
struct Script {
  explicit Script(const scenes::TreeScene& trees)
      : every(trees.nodes.size()), some(scenes::choose_movers(trees.nodes.size(), kChoices, 9)) {
    std::iota(every.begin(), every.end(), 0U);
    for (const NodeDescription& node : trees.nodes) {
      locals[0].push_back(node.local);
      locals[1].push_back(node.local);
      locals[1].back().position.x += kStep;
    }
    for (const std::vector<std::uint32_t>& nodes : some) {
      some_locals.emplace_back();
      for (const std::uint32_t node : nodes) {
        some_locals.back().push_back(locals[1][node]);
      }
    }
  }
  static constexpr std::size_t kChoices = 64;
  std::vector<LocalTransform> locals[2];  // frames take one and the other by turns
  std::vector<std::uint32_t> every;
  std::vector<std::vector<std::uint32_t>> some;
  std::vector<std::vector<LocalTransform>> some_locals;
};

struct Workload {
  explicit Workload(SharedForest from) : forest(std::move(from)), script((*forest)->trees) {}
  SharedForest forest;
  Script script;
};
using SharedWorkload = std::shared_ptr<Once<Workload>>;

// A contender that has been checked.
class Writing {
 public:
  Writing(const MakeContender& make, Workload& workload, const std::string& row)
      : script_(workload.script), world_(make()), worlds_(script_.every.size()) {
    const scenes::TreeScene& trees = (*workload.forest)->trees;
    world_->build(**workload.forest);
    check(trees, row);
  }
  void write_and_read_all() {
    world_->write(script_.every, script_.locals[turn_ ^= 1]);
    world_->propagate();
    world_->read(script_.every, worlds_);
    benchmark::DoNotOptimize(worlds_.data());
    benchmark::ClobberMemory();
  }
  void write_and_read_in_order() {
    if (order_.empty()) {
      sort_locals();
    }
    world_->write(order_, sorted_[turn_ ^= 1]);
    world_->propagate();
    world_->read(order_, worlds_);
    benchmark::DoNotOptimize(worlds_.data());
    benchmark::ClobberMemory();
  }
  void write_some() {
    world_->write(script_.some[next_ % Script::kChoices], script_.some_locals[next_ % Script::kChoices]);
    ++next_;
    world_->propagate();
  }
  [[nodiscard]] std::size_t nodes() const { return world_->nodes(); }

 private:
  void check(const scenes::TreeScene& trees, const std::string& row) {
    scenes::TreeScene now = trees;
    for (const std::size_t turn : {1U, 0U}) {
      write_and_read_all();
      for (std::size_t i = 0; i < now.nodes.size(); ++i) {
        now.nodes[i].local = script_.locals[turn][i];
      }
      Oracle(now).check(worlds_, row + ", all written,");
    }
    for (const std::size_t frame : {0U, 1U}) {
      write_some();
      for (const std::uint32_t node : script_.some[frame]) {
        now.nodes[node].local = script_.locals[1][node];
      }
    }
    world_->read(script_.every, worlds_);
    Oracle(now).check(worlds_, row + ", some written,");
    if (!world_->order().empty()) {
      check_in_order(trees, row);
    }
  }
  void check_in_order(const scenes::TreeScene& trees, const std::string& row) {
    turn_ = 1;  // the next frame writes the locals of the scene
    write_and_read_in_order();
    std::vector<Qvvs> worlds(worlds_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      worlds[order_[i]] = worlds_[i];
    }
    Oracle(trees).check(worlds, row + ", all written in order,");
  }
  void sort_locals() {
    order_ = world_->order();
    for (const std::size_t turn : {0U, 1U}) {
      for (const std::uint32_t node : order_) {
        sorted_[turn].push_back(script_.locals[turn][node]);
      }
    }
  }

  const Script& script_;
  std::unique_ptr<Contender> world_;
  std::vector<Qvvs> worlds_;
  std::vector<std::uint32_t> order_;
  std::vector<LocalTransform> sorted_[2];
  std::size_t turn_ = 0, next_ = 0;
};

void add_workload(const std::string& workload, const SharedForest& forest, bool some) {
  const auto shared =
      std::make_shared<Once<Workload>>([forest] { return std::make_unique<Workload>(forest); });
  std::vector<NamedContender> all = frame_contenders();
  all.push_back({"juxta_single", [] { return make_juxta({1, false, true}); }});
  for (const NamedContender& contender : all) {
    const std::string row = row_name({workload, contender.name});
    const auto writing = std::make_shared<Once<Writing>>(
        [=] { return std::make_unique<Writing>(contender.make, **shared, row); });
    const auto add = [&](std::string_view what, void (Writing::*frame)(), std::size_t share) {
      benchmark::RegisterBenchmark(row_name({workload, what, contender.name}).c_str(),
                                   [=](benchmark::State& state) {
                                     Writing& world = **writing;
                                     for (auto _ : state) {
                                       (world.*frame)();
                                     }
                                     state.counters["nodes"] = static_cast<double>(world.nodes());
                                     state.counters["moved"] = static_cast<double>(world.nodes() / share);
                                   });
    };
    add("every_local", &Writing::write_and_read_all, 1);
    if (contender.name == "juxta" || contender.name == "linked_list" || contender.name == "static_array") {
      add("every_local_in_order", &Writing::write_and_read_in_order, 1);
    }
    if (some) {
      add("one_percent_nodes", &Writing::write_some, 100);
    }
  }
}

}  // namespace

void register_writes() {
  add_workload("prefabs_1M", share_prefabs(1'000'000), true);
  add_workload("random_1M", share_trees(scenes::TreeShape::kRandom, 1'000'000), true);
  add_workload("ropes_1M", share_ropes(1'000'000), false);
}

}  // namespace juxta::bench
