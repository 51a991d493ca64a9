// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// nearest_<which>: the 10 nearest points, over the world of the contest and those of other seeds; each query
// is beside a point of the world. Of all points, of the 1,000 or 100,000 most important, and of a category
// that a tenth of the points have, at random. nearest_far: of all points, from anywhere in the world, most of
// which is empty: the centres of the stream's rectangles.
//   juxta   RankedPoints::nearest, one index for all rows
//   scan    all the points that are asked about, in an array of their own
//   cells   a grid of the points that are asked about, and of no others
//   kdtree  nanoflann's tree of these points, where that is installed
// Slow ones answer the first queries only.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/ranked/nearest_tree.h"
#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/plain_nearest.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kNeighbours = 10, kChecked = 200;

struct Asked {
  const char* name;
  RankedNearestOptions options;
  std::size_t scanned;  // queries of the scan
  std::size_t celled;   // and of the cells
  bool far = false;
};
constexpr std::size_t kMany = SIZE_MAX;
constexpr std::array<Asked, 5> kAsked = {{{"all", {}, 20, 1000},
                                          {"far", {}, 20, 0, true},
                                          {"1k", {.most_important = 1000}, kMany, kMany},
                                          {"100k", {.most_important = 100'000}, 2000, 5000},
                                          {"10pct", {.filter = {.all = 1}}, 200, 1000}}};

/// The points that a row is about, in rank order, and what the plain ways make of them.
struct PlainPoints {
  std::vector<float> xs, ys;
  std::vector<Id> ids;
  std::unique_ptr<PlainGrid> grid;
#ifdef JUXTA_BENCH_NANOFLANN
  std::unique_ptr<NearestTree> tree;
#endif
};

/// What answers over one world.
class NearestWorld {
 public:
  explicit NearestWorld(Official& official) : of_(official), masks_(official.world->x.size()) {
    std::uint64_t state = 1;
    for (std::uint64_t& mask : masks_) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      mask = static_cast<std::uint64_t>(static_cast<double>(state >> 11) * 0x1p-53 < 0.1);
    }
    const scenes::ContestWorld& w = *of_.world;
    juxta =
        std::make_unique<RankedPoints>(RankedPoints::build(w.x, w.y, w.rank, {.categories = masks_}).value());
    order_.resize(w.rank.size());
    std::iota(order_.begin(), order_.end(), Id{0});
    std::ranges::stable_sort(order_, {}, [&](Id i) { return w.rank[i]; });
    const double side =
        std::min(double{w.world.hx} - double{w.world.lx}, double{w.world.hy} - double{w.world.ly});
    const auto drawn = [&] {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<double>(state >> 11) * 0x1p-53;
    };
    for (const RectF& r : *of_.stream_rects) {
      const auto i = static_cast<std::size_t>(drawn() * static_cast<double>(w.x.size() - 4));  // no outlier
      const double dx = drawn() - 0.5, dy = drawn() - 0.5;
      beside.push_back(
          {static_cast<double>(w.x[i]) + dx * side * 0.01, static_cast<double>(w.y[i]) + dy * side * 0.01});
      far.push_back({(double{r.lx} + double{r.hx}) / 2, (double{r.ly} + double{r.hy}) / 2});
    }
  }

  /// Only the last ones asked for are kept.
  const PlainPoints& plain(const Asked& asked) {
    if (plain_name_ != asked.name) {
      plain_ = {};
      const scenes::ContestWorld& w = *of_.world;
      for (std::size_t p = 0; p < std::min(order_.size(), asked.options.most_important); ++p) {
        const Id i = order_[p];
        if ((masks_[i] & asked.options.filter.all) == asked.options.filter.all) {
          plain_.xs.push_back(w.x[i]);
          plain_.ys.push_back(w.y[i]);
          plain_.ids.push_back(i);
        }
      }
      plain_.grid = std::make_unique<PlainGrid>(plain_.xs, plain_.ys, w.world);
#ifdef JUXTA_BENCH_NANOFLANN
      plain_.tree = std::make_unique<NearestTree>(plain_.xs, plain_.ys);
#endif
      plain_name_ = asked.name;
    }
    return plain_;
  }

  struct Query {
    double x, y;
  };
  [[nodiscard]] double square(Id id, const Query& q) const {
    const double dx = static_cast<double>(of_.world->x[id]) - q.x,
                 dy = static_cast<double>(of_.world->y[id]) - q.y;
    return dx * dx + dy * dy;
  }
  std::vector<Query> beside, far;
  std::unique_ptr<RankedPoints> juxta;

 private:
  Official& of_;
  std::vector<std::uint64_t> masks_;
  std::vector<Id> order_;
  PlainPoints plain_;
  std::string plain_name_;
};

/// One world at a time. Worlds are told apart by their frames: the next one may have the address of the last.
NearestWorld& nearest_world_of(Official& official) {
  static std::unique_ptr<NearestWorld> current;
  static RectF frame{};
  const RectF& wanted = official.world->world;
  if (current == nullptr || wanted.hx != frame.hx || wanted.hy != frame.hy) {
    current.reset();
    current = std::make_unique<NearestWorld>(official);
    frame = wanted;
  }
  return *current;
}

/// The indices of the nearest points to out[0, n), and n.
using Answer = std::size_t (*)(NearestWorld&, const Asked&, const NearestWorld::Query&, Id*);

std::size_t by_juxta(NearestWorld& world, const Asked& asked, const NearestWorld::Query& q, Id* out) {
  std::array<double, kNeighbours> distances;
  return world.juxta->nearest(q.x, q.y, kNeighbours, {out, kNeighbours}, distances, asked.options).written;
}
std::size_t ids_of(const PlainPoints& plain, const PlainBest& best, Id* out) {
  std::ranges::transform(best.all(), out, [&](const auto& one) { return plain.ids[one.second]; });
  return best.all().size();
}
std::size_t by_scan(NearestWorld& world, const Asked& asked, const NearestWorld::Query& q, Id* out) {
  static PlainBest best(kNeighbours);
  const PlainPoints& plain = world.plain(asked);
  best.clear();
  scan_nearest(plain.xs, plain.ys, q.x, q.y, best);
  return ids_of(plain, best, out);
}
std::size_t by_cells(NearestWorld& world, const Asked& asked, const NearestWorld::Query& q, Id* out) {
  static PlainBest best(kNeighbours);
  const PlainPoints& plain = world.plain(asked);
  best.clear();
  plain.grid->nearest(q.x, q.y, best);
  return ids_of(plain, best, out);
}

#ifdef JUXTA_BENCH_NANOFLANN
std::size_t by_tree(NearestWorld& world, const Asked& asked, const NearestWorld::Query& q, Id* out) {
  const PlainPoints& plain = world.plain(asked);
  const std::size_t found = plain.tree->nearest(q.x, q.y, kNeighbours, out);
  std::transform(out, out + found, out, [&](Id own) { return plain.ids[own]; });
  return found;
}
#endif

void add(const Source& source, const std::string& row, const Asked& asked, std::size_t most, Answer answer) {
  auto timed = std::make_shared<QueryRow>();
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    NearestWorld& world = nearest_world_of(source());
    const std::vector<NearestWorld::Query>& all = asked.far ? world.far : world.beside;
    const std::size_t queries = std::min(most, all.size());
    std::vector<Id> got(kNeighbours), want(kNeighbours);
    for (std::size_t i = 0; i < std::min(asked.scanned < kChecked ? 20 : kChecked, queries); ++i) {
      const std::size_t found = answer(world, asked, all[i], got.data());
      const bool same = found == by_scan(world, asked, all[i], want.data());
      // The tree's ties are in any order.
      if (!same || !std::ranges::equal(
                       got, want, {}, [&](Id id) { return world.square(id, all[i]); },
                       [&](Id id) { return world.square(id, all[i]); })) {
        wrong_answer(row, i);
      }
    }
    timed->run(state, queries, [&](std::size_t i) { return answer(world, asked, all[i], got.data()); });
  });
}

}  // namespace

void add_nearest(const Source& source, const std::string& seed) {
  for (const Asked& asked : kAsked) {
    const std::string workload = std::string("nearest_") + asked.name + seed;
    add(source, workload + "/juxta", asked, kMany, by_juxta);
    add(source, workload + "/scan", asked, asked.scanned, by_scan);
    if (asked.celled != 0) {
      add(source, workload + "/cells", asked, asked.celled, by_cells);
    }
#ifdef JUXTA_BENCH_NANOFLANN
    add(source, workload + "/kdtree", asked, kMany, by_tree);
#endif
  }
}

}  // namespace juxta::bench
