// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <memory>
#include <nanoflann.hpp>
#include <utility>
#include <vector>

#include "bench/agents/contenders.h"
#include "bench/agents/plain_agents.h"

namespace juxta::bench {
namespace {

// All axes of a point together, as the library reads them.
template <int kAxes>
struct Cloud {
  std::vector<std::array<float, kAxes>> points;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
  [[nodiscard]] float kdtree_get_pt(std::uint32_t i, std::size_t axis) const { return points[i][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// Takes what is found at once, without a list of it. The search is strict and rounds: it gets a little more
// room, and what is near is decided here.
struct Visit {
  float radius2, inverse_radius;
  std::uint32_t self;
  std::uint32_t found = 0;
  float sum = 0;
  [[nodiscard]] float worstDist() const { return radius2 * 1.00001F; }
  bool addPoint(float distance2, std::uint32_t other) {
    if (distance2 <= radius2 && other != self) {
      const float left = 1 - std::sqrt(distance2) * inverse_radius;
      sum += left * left;
      ++found;
    }
    return true;
  }
  [[nodiscard]] bool full() const { return true; }
};

// As the examples that come with it do: agent after agent, each search into a list (kept for the next one,
// not sorted), then a loop over that. Tuned: in the order of the tree's leaves, so that one search finds in
// the caches what the last one read, and without lists.
template <int kAxes, bool tuned>
class NanoflannVisits final : public PlainAgents {
 public:
  void look() override {
    cloud_.points.resize(start_.size);
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      for (std::size_t i = 0; i < start_.size; ++i) {
        cloud_.points[i][axis] = position_[axis][i];
      }
    }
    const Tree tree(kAxes, cloud_, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize));
    for (std::uint32_t i = 0; i < start_.size; ++i) {
      tuned ? visit(tree, tree.vAcc[i]) : visit_list(tree, i);
    }
  }

 private:
  using Distance = nanoflann::L2_Simple_Adaptor<float, Cloud<kAxes>>;
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<Distance, Cloud<kAxes>, kAxes, std::uint32_t>;
  static constexpr std::size_t kLeafSize = 16;  // the fastest of 8, 10, 16, 32, 64

  void visit(const Tree& tree, std::uint32_t i) {
    Visit visit{start_.radius * start_.radius, 1 / start_.radius, i};
    tree.findNeighbors(visit, cloud_.points[i].data(), nanoflann::SearchParams());
    sums_[i] = visit.sum;
    found_[i] = visit.found;
  }
  void visit_list(const Tree& tree, std::uint32_t i) {
    Visit visit{start_.radius * start_.radius, 1 / start_.radius, i};
    tree.radiusSearch(cloud_.points[i].data(), visit.worstDist(), matches_,
                      nanoflann::SearchParams(32, 0, false));
    for (const auto& [other, distance2] : matches_) {
      visit.addPoint(distance2, other);
    }
    sums_[i] = visit.sum;
    found_[i] = visit.found;
  }

  Cloud<kAxes> cloud_;
  std::vector<std::pair<std::uint32_t, float>> matches_;
};

// The dimension is known when agents are set.
template <bool tuned>
class AnyVisits final : public World {
 public:
  void set(const Start& start) override {
    if (visits_ == nullptr) {
      start.dimensions == 2 ? visits_ = std::make_unique<NanoflannVisits<2, tuned>>()
                            : visits_ = std::make_unique<NanoflannVisits<3, tuned>>();
    }
    visits_->set(start);
  }
  void look() override { visits_->look(); }
  void act() override { visits_->act(); }
  void read(State& state) const override { visits_->read(state); }

 private:
  std::unique_ptr<PlainAgents> visits_;
};

}  // namespace

std::unique_ptr<World> make_nanoflann_visits() {
  return std::make_unique<AnyVisits<false>>();
}
std::unique_ptr<World> make_tuned_nanoflann_visits() {
  return std::make_unique<AnyVisits<true>>();
}

}  // namespace juxta::bench
