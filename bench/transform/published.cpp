// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// forms_*: the two published systems beside forms of them that load eagerly, or leave out ParentToWorld: what
// "Transform Hierarchy 1" says of its optimizations, one at a time. `none` is its motionless scene.
#include <string>
#include <vector>

#include "bench/transform/frames.h"
#include "bench/transform/rows.h"

namespace juxta::bench {
namespace {

void add_forms(const std::string& workload, const SharedForest& forest) {
  std::vector<NamedContender> all = {{"depth_first", [] { return make_classic(Classic::kDepthFirst); }},
                                     {"depth_levels", [] { return make_classic(Classic::kDepthLevels); }}};
  for (const NamedContender& form : classic_forms()) {
    if (form.name != "depth_levels_pruned") {  // nobody gets another parent here
      all.push_back(form);
    }
  }
  for (const NamedContender& contender : all) {
    const SharedRunning running = share_running(contender.make, forest, row_name({workload, contender.name}));
    add_frames(row_name({workload, "all", contender.name}), running, Movers::kAll);
    add_frames(row_name({workload, "one_percent", contender.name}), running, Movers::kSome);
    add_frames(row_name({workload, "none", contender.name}), running, Movers::kNone);
  }
}

}  // namespace

void register_forms() {
  add_forms("forms_prefabs_1M", share_prefabs(1'000'000));
  add_forms("forms_random_1M", share_trees(scenes::TreeShape::kRandom, 1'000'000));
  add_forms("forms_prefabs_1k", share_prefabs(1000));
}

}  // namespace juxta::bench
