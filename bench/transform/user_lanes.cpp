// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/transform/user_lanes.h"

#include <atomic>
#include <vector>

#include "bench/support/settings.h"
#include "bench/transform/lane_frame-inl.h"

namespace juxta::bench {
namespace {

constexpr unsigned kMostThreads = 64;  // that ever add

unsigned this_thread() noexcept {
  static std::atomic<unsigned> count{0};
  static thread_local const unsigned mine = count.fetch_add(1);
  if (mine >= kMostThreads) {
    give_up("more threads take part in whole frames than there are sums for.");
  }
  return mine;
}

}  // namespace

NodeMask turn_lanes(LocalLanes& lanes, Turn by) noexcept {
  TransformLanes& local = lanes.local;
  for (std::size_t i = 0; i < kNodeLanes; ++i) {
    turn(local.qx[i], local.qy[i], local.qz[i], local.qw[i], local.x[i], by);
  }
  return kAllNodes;
}

struct LaneSums::Sums {
  std::vector<LaneSum> of_threads;
};

LaneSums::LaneSums(unsigned threads) : sums_(std::make_unique<Sums>()) {
  sums_->of_threads.resize(threads == 1 ? 1 : kMostThreads);
}
LaneSums::~LaneSums() = default;

// The same sums as those of the plain programs.
void LaneSums::add(const WorldLanes& lanes) noexcept {
  std::vector<LaneSum>& sums = sums_->of_threads;
  const TransformLanes& world = lanes.world;
  sums[sums.size() == 1 ? 0 : this_thread()].add(load16(world.x), load16(world.y), load16(world.z),
                                                 lanes.mask());
}

PositionSum LaneSums::total() const noexcept {
  PositionSum total{};
  for (const LaneSum& sum : sums_->of_threads) {
    const PositionSum part = sum.total();
    for (std::size_t k = 0; k < total.size(); ++k) {
      total[k] += part[k];
    }
  }
  return total;
}

}  // namespace juxta::bench
