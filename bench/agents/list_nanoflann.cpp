// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lists by nanoflann: a tree each step, asked in the order of its leaves, so that one search finds in the
// caches what the last one read. What is found goes straight into the lists.
#include <array>
#include <nanoflann.hpp>

#include "bench/agents/list_makers.h"

namespace juxta::bench {
namespace {

// All axes of a point together, as the library reads them.
template <int kAxes>
struct ListCloud {
  std::vector<std::array<float, kAxes>> points;
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
  [[nodiscard]] float kdtree_get_pt(std::uint32_t i, std::size_t axis) const { return points[i][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// The search is strict and rounds: it gets a little more room, and what is near is decided here.
struct ToList {
  float radius2;
  std::uint32_t self;
  std::vector<std::uint32_t>& rows;
  [[nodiscard]] float worstDist() const { return radius2 * 1.00001F; }
  bool addPoint(float distance2, std::uint32_t other) {
    if (distance2 <= radius2 && other != self) {
      rows.push_back(other);
    }
    return true;
  }
  [[nodiscard]] bool full() const { return true; }
};

template <int kAxes>
class NanoflannLists final : public ListMaker {
 public:
  void set(const Start& start) override {
    start_ = start;
    cloud_.points.resize(start.size);
    velocity_.resize(start.size);
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      for (std::size_t i = 0; i < start.size; ++i) {
        cloud_.points[i][axis] = start.position[axis][i];
        velocity_[i][axis] = start.velocity[axis][i];
      }
    }
  }
  void move() override {
    for (std::size_t i = 0; i < start_.size; ++i) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        move_along(start_, cloud_.points[i][axis], velocity_[i][axis]);
      }
    }
  }
  void list() override {
    const Tree tree(kAxes, cloud_, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize));
    rows_.clear();
    offsets_.clear();
    seer_.assign(tree.vAcc.begin(), tree.vAcc.end());
    for (const std::uint32_t i : seer_) {
      offsets_.push_back(rows_.size());
      ToList list{start_.radius * start_.radius, i, rows_};
      tree.findNeighbors(list, cloud_.points[i].data(), nanoflann::SearchParams());
    }
    offsets_.push_back(rows_.size());
  }
  [[nodiscard]] WrittenLists written() const override {
    WrittenLists all{offsets_, rows_, seer_, {}};
    for (std::uint32_t i = 0; i < start_.size; ++i) {
      all.number.push_back(i);
    }
    return all;
  }

 private:
  using Distance = nanoflann::L2_Simple_Adaptor<float, ListCloud<kAxes>>;
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<Distance, ListCloud<kAxes>, kAxes, std::uint32_t>;
  static constexpr std::size_t kLeafSize = 16;  // as in nanoflann_peer.cpp

  Start start_;
  ListCloud<kAxes> cloud_;
  std::vector<std::array<float, kAxes>> velocity_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> rows_, seer_;
};

}  // namespace

std::unique_ptr<ListMaker> make_nanoflann_lists(std::uint32_t dimensions) {
  return dimensions == 2 ? std::unique_ptr<ListMaker>(std::make_unique<NanoflannLists<2>>())
                         : std::make_unique<NanoflannLists<3>>();
}

}  // namespace juxta::bench
