// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "tool/console.h"
#include "tool/scene.h"

namespace juxta::tool {
namespace {

constexpr std::size_t kBatch = 500;  // instances made at once
constexpr std::size_t kMostFrames = 15;
constexpr double kLong = 1;  // seconds; then three frames are enough

/// Many instances of one scene, each below a root of its own that can be moved.
class Herd {
 public:
  Herd(const Pose& pose, const Executor* executor) : pose_(pose), nodes_(describe_nodes(pose, true)) {
    options_.executor = executor;
  }

  Result<void> spawn(std::size_t instances, HerdTimes& times, Monitor& monitor) {
    place_roots(instances);
    ids_.resize(instances * nodes_.size());
    times.prefab = nodes_.size() <= Prefab::kMaxNodes;
    const Stopwatch watch;
    auto made = times.prefab ? instantiate(monitor) : create(monitor);
    if (!made) {
      return made;
    }
    JUXTA_TRY(hierarchy_.propagate(options_));
    times.spawn_seconds = watch.seconds();
    times.nodes = hierarchy_.size();
    times.memory_bytes = hierarchy_.stats().memory_bytes;
    pick_movers();
    return {};
  }

  /// Frames of one kind. `write` marks what moves.
  Result<FrameTime> time(std::string what, std::size_t moved, const std::function<Result<void>()>& write,
                         Monitor& monitor) {
    FrameTime time{std::move(what), moved};
    std::vector<double> seconds;
    double total = 0;
    while (seconds.size() < kMostFrames && (seconds.size() < 3 || total < kLong)) {
      if (!monitor.on_progress("time frames: " + time.what, seconds.size(), kMostFrames)) {
        return fail(ErrorCode::kCancelled, "cancelled");
      }
      const Stopwatch watch;
      JUXTA_TRY(write());
      const auto done = hierarchy_.propagate(options_);
      seconds.push_back(watch.seconds());
      if (!done) {
        return tl::unexpected<Error>(done.error());
      }
      time.computed = done->computed;
      total += seconds.back();
    }
    std::sort(seconds.begin(), seconds.end());
    time.frames = seconds.size();
    time.seconds = seconds[seconds.size() / 2];
    return time;
  }

  Result<void> move_all() { return move(roots_, positions_); }
  Result<void> move_some() { return move(movers_, mover_positions_); }
  /// The pose once more: as if every instance played its animation.
  Result<void> animate() { return hierarchy_.set_local(animated_, poses_); }

  [[nodiscard]] std::size_t roots() const { return roots_.size(); }
  [[nodiscard]] std::size_t movers() const { return movers_.size(); }
  [[nodiscard]] std::size_t animated() const { return animated_.size(); }

 private:
  /// On a square, one unit apart.
  void place_roots(std::size_t instances) {
    std::size_t side = 1;
    while (side * side < instances) {
      ++side;
    }
    for (std::size_t i = 0; i < instances; ++i) {
      const std::size_t column = i % side, row = i / side;
      positions_.push_back({static_cast<float>(column), 0, static_cast<float>(row)});
    }
  }

  Result<void> instantiate(Monitor& monitor) {
    JUXTA_TRY_LET(const auto prefab, Prefab::build(nodes_));
    std::vector<LocalTransform> places;
    for (std::size_t first = 0; first < positions_.size(); first += places.size()) {
      places.assign(std::min(kBatch, positions_.size() - first), {});
      for (std::size_t i = 0; i < places.size(); ++i) {
        places[i].position = positions_[first + i];
      }
      const auto ids = std::span(ids_).subspan(first * nodes_.size(), places.size() * nodes_.size());
      JUXTA_TRY(hierarchy_.instantiate(prefab, places, ids));
      if (!monitor.on_progress("make instances", first, positions_.size())) {
        return fail(ErrorCode::kCancelled, "cancelled");
      }
    }
    return {};
  }

  Result<void> create(Monitor& monitor) {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      nodes_[0].local.position = positions_[i];
      if (auto made = hierarchy_.insert(nodes_, std::span(ids_).subspan(i * nodes_.size(), nodes_.size()));
          !made) {
        return made;
      }
      if (!monitor.on_progress("make instances", i, positions_.size())) {
        return fail(ErrorCode::kCancelled, "cancelled");
      }
    }
    return {};
  }

  void pick_movers() {
    std::vector<std::size_t> moved;  // places of animated nodes in an instance
    if (pose_.animation != kGltfNone) {
      std::vector<bool> has_channel(pose_.scene.nodes.size());
      for (const GltfChannel& channel : pose_.scene.animations[pose_.animation].channels) {
        has_channel[channel.node] = has_channel[channel.node] || channel.path != GltfPath::kWeights;
      }
      for (std::size_t place = 0; place < pose_.scene.order.size(); ++place) {
        if (has_channel[pose_.scene.order[place]]) {
          moved.push_back(place + 1);
        }
      }
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const Id* ids = ids_.data() + i * nodes_.size();
      roots_.push_back(ids[0]);
      if (i % 100 == 0) {
        movers_.push_back(ids[0]);
        mover_positions_.push_back(positions_[i]);
      }
      for (const std::size_t place : moved) {
        animated_.push_back(ids[place]);
        poses_.push_back(nodes_[place].local);
      }
    }
  }

  Result<void> move(std::span<const Id> ids, std::vector<Vec3>& positions) {
    for (Vec3& position : positions) {
      position.x += 0.01F;
    }
    return hierarchy_.set_position(ids, positions);
  }

  const Pose& pose_;
  std::vector<NodeDescription> nodes_;
  Context options_;
  Hierarchy hierarchy_;
  std::vector<Id> ids_, roots_, movers_, animated_;
  std::vector<Vec3> positions_, mover_positions_;
  std::vector<LocalTransform> poses_;
};

}  // namespace

Result<HerdTimes> time_herd(const Pose& pose, std::size_t instances, const Executor* executor,
                            Monitor& monitor) {
  if (instances > 0xFFFFFFFE / (pose.scene.nodes.size() + 1)) {
    return fail(ErrorCode::kTooLarge, "--instances " + std::to_string(instances) +
                                          " makes more than 4294967294 nodes: ask for fewer");
  }
  HerdTimes times;
  times.instances = instances;
  Herd herd(pose, executor);
  JUXTA_TRY(herd.spawn(instances, times, monitor));
  Result<void> state;
  const auto measure = [&](const char* what, std::size_t moved, const std::function<Result<void>()>& write) {
    if (!state) {
      return;
    }
    auto time = herd.time(what, moved, write, monitor);
    if (time) {
      times.frames.push_back(std::move(*time));
    } else {
      state = tl::unexpected<Error>(std::move(time.error()));
    }
  };
  measure("all", herd.roots(), [&] { return herd.move_all(); });
  measure("one_percent", herd.movers(), [&] { return herd.move_some(); });
  measure("none", 0, [] { return Result<void>(); });
  if (pose.animation != kGltfNone) {
    measure("animated", herd.animated(), [&] { return herd.animate(); });
  }
  if (!state) {
    return tl::unexpected<Error>(std::move(state.error()));
  }
  return times;
}

}  // namespace juxta::tool
