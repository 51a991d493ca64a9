// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What tests of points that are kept share: a folder, histories, and what is to be seen of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "juxta/ranked/live_points.h"

namespace juxta::test {

namespace fs = std::filesystem;

using Ids = std::vector<Id>;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr RectD kEverywhere = {-kInfinity, -kInfinity, kInfinity, kInfinity};
inline constexpr LiveRankedOptions kByHand = {.merge_in_background = false};

/// A folder of its own, which goes with the test.
class LiveFiles : public testing::Test {
 protected:
  LiveFiles() : folder_(fs::temp_directory_path() / ("juxta_live_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LiveFiles() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return (folder_ / "points.jxr").string(); }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != ".lock") {
        names.push_back(entry.path().filename().string());
      }
    }
    std::ranges::sort(names);
    return names;
  }
  [[nodiscard]] std::string bytes(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary | std::ios::trunc) << bytes;
  }

  fs::path folder_;
};

inline LiveRankedPoints make_points(std::size_t size, const LiveRankedOptions& options = kByHand) {
  std::vector<double> x, y;
  std::vector<std::int32_t> rank;
  std::vector<std::uint64_t> categories;
  for (std::size_t i = 0; i < size; ++i) {
    x.push_back(static_cast<double>(i * 37 % 100));
    y.push_back(static_cast<double>(i * 53 % 100));
    rank.push_back(static_cast<std::int32_t>(i * 7919 % 50));
    categories.push_back(i % 4);
  }
  return LiveRankedPoints::build({x, y, rank, categories}, options).value();
}

/// A history that depends on its seed alone: step i changes one point or some.
class History {
 public:
  explicit History(unsigned seed) : random_(seed) {}

  /// Makes the next change, and says whether it is done.
  bool step(LiveRankedPoints& live) {
    switch (alive_.empty() ? 0U : random_() % 6) {
      case 0:
      case 1: {
        const auto id =
            live.insert({number(), number(), static_cast<std::int32_t>(random_() % 50), random_() % 8});
        if (id) {
          alive_.push_back(*id);
        }
        return id.has_value();
      }
      case 2: {
        const std::size_t which = random_() % alive_.size();
        const Id id = std::exchange(alive_[which], alive_.back());
        alive_.pop_back();
        return live.remove(id).has_value();
      }
      case 3:
        return live.set_rank(some(), static_cast<std::int32_t>(random_() % 50)).has_value();
      case 4:
        return live.set_categories(some(), random_() % 8).has_value();
      default: {
        const Ids ids = {some(), some(), some()};
        const std::vector<double> x = {number(), number(), number()}, y = {number(), number(), number()};
        return live.move(ids, x, y).has_value();
      }
    }
  }

 private:
  double number() { return static_cast<double>(random_() % 100); }
  Id some() { return alive_[random_() % alive_.size()]; }

  std::mt19937 random_;
  Ids alive_;
};

/// All points: Id -> what find() says. Slots up to `slots`.
struct Seen {
  Ids order;
  std::vector<RankedPoint> points;
};
inline Seen look(const LiveRankedPoints& live) {
  Seen seen;
  seen.order.resize(live.size());
  const RankedSnapshot now = live.snapshot();
  EXPECT_EQ(now.top(kEverywhere, live.size(), seen.order).written, live.size());
  for (const Id id : seen.order) {
    seen.points.push_back(live.find(id).value());
  }
  EXPECT_EQ(now.count(kEverywhere).found, live.size());
  return seen;
}
inline bool same(const Seen& a, const Seen& b) {
  return a.order == b.order &&
         std::ranges::equal(a.points, b.points, [](const RankedPoint& p, const RankedPoint& q) {
           return p.x == q.x && p.y == q.y && p.rank.integer() == q.rank.integer() &&
                  p.categories == q.categories;
         });
}

}  // namespace juxta::test
