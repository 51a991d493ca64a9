// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// rejected_*: two ways that the contest entry's article calls failures, and that ADR 0010 looked at: a k-d
// tree with blocks of points, and one query on two threads. Run when JUXTA_BENCH_REJECTED is 1: they are
// slow, and change seldom.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/rows.h"
#include "bench/support/settings.h"
#include "classics/ranked/kd_tree.h"
#include "classics/ranked/rank_order.h"

namespace juxta::bench {
namespace {

/// Spins for a while, then yields, so that one core is enough.
template <class Done>
void spin_until(const Done& done) {
  for (int turns = 0; !done(); ++turns) {
    if (turns > 10'000) {
      std::this_thread::yield();
    }
  }
}

/// Points dealt to two mipmaps by turns in rank order; the calling thread asks the one, a worker that never
/// sleeps the other, and the two answers are merged.
class SplitQuery {
 public:
  explicit SplitQuery(const classics::RankedColumns& points)
      : rank_(points.rank), halves_{half(points, 0), half(points, 1)}, worker_([this](std::stop_token stop) {
          work(stop);
        }) {}

  std::size_t top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) {
    rect_ = rect;
    k_ = k;
    found_[1].resize(k);
    asked_.fetch_add(1, std::memory_order_release);
    found_[0].resize(k);
    found_[0].resize(halves_[0].mipmap->top_ids(rect, k, found_[0].data()));
    spin_until([this] {
      return answered_.load(std::memory_order_acquire) == asked_.load(std::memory_order_relaxed);
    });
    return merge(out);
  }

 private:
  struct Half {
    std::vector<std::uint32_t> input;
    std::unique_ptr<classics::Mipmap> mipmap;
  };

  static Half half(const classics::RankedColumns& points, std::size_t which) {
    Half made;
    const std::vector<std::uint32_t> order = classics::rank_order(points.rank);
    std::vector<float> x, y;
    std::vector<std::int32_t> rank;
    for (std::size_t i = which; i < order.size(); i += 2) {
      made.input.push_back(order[i]);
      x.push_back(points.x[order[i]]);
      y.push_back(points.y[order[i]]);
      rank.push_back(points.rank[order[i]]);
    }
    made.mipmap = std::make_unique<classics::Mipmap>(classics::RankedColumns{x, y, rank, {}});
    return made;
  }

  void work(const std::stop_token& stop) {
    for (std::uint64_t done = 0;;) {
      spin_until([&] { return stop.stop_requested() || asked_.load(std::memory_order_acquire) != done; });
      if (stop.stop_requested()) {
        return;
      }
      found_[1].resize(halves_[1].mipmap->top_ids(rect_, k_, found_[1].data()));
      answered_.store(++done, std::memory_order_release);
    }
  }

  std::size_t merge(std::uint32_t* out) const {
    std::size_t n = 0, a = 0, b = 0;
    const auto id = [&](std::size_t h, std::size_t i) { return halves_[h].input[found_[h][i]]; };
    while (n < k_ && (a < found_[0].size() || b < found_[1].size())) {
      const bool first = b == found_[1].size() ||
                         (a < found_[0].size() &&
                          std::pair(rank_[id(0, a)], id(0, a)) < std::pair(rank_[id(1, b)], id(1, b)));
      out[n++] = first ? id(0, a++) : id(1, b++);
    }
    return n;
  }

  std::span<const std::int32_t> rank_;
  std::array<Half, 2> halves_;
  RectF rect_{};
  std::size_t k_ = 0;
  std::array<std::vector<std::uint32_t>, 2> found_;
  alignas(64) std::atomic<std::uint64_t> asked_ = 0;
  alignas(64) std::atomic<std::uint64_t> answered_ = 0;
  std::jthread worker_;  // last: it uses the others
};

/// One at a time: each is as large as the index.
struct Rejected {
  std::unique_ptr<classics::KdTree> tree;
  std::size_t block = 0;
  std::unique_ptr<SplitQuery> split;
};

}  // namespace

void register_rejected(Official& o) {
  if (number_setting("JUXTA_BENCH_REJECTED", 0) == 0) {
    return;
  }
  const Source source = [&o]() -> Official& { return o; };
  const auto now = std::make_shared<Rejected>();
  for (const std::size_t block : {16U, 32U, 64U, 128U, 512U}) {
    add_row<Id>(
        source, {"rejected_hot_ids/kd_tree_" + std::to_string(block), &Official::hot, 1000},
        [now, block](Official& official) -> classics::KdTree& {
          if (now->block != block) {
            *now = {std::make_unique<classics::KdTree>(official.columns(), block), block, nullptr};
          }
          return *now->tree;
        },
        kAskIds);
  }
  const auto split = [now](Official& official) -> SplitQuery& {
    if (now->split == nullptr) {
      *now = {nullptr, 0, std::make_unique<SplitQuery>(official.columns())};
    }
    return *now->split;
  };
  add_row<Id>(source, {"rejected_hot_ids/split_2threads", &Official::hot}, split, kAskIds);
  add_row<Id>(source, {"rejected_stream_ids/split_2threads", &Official::stream}, split, kAskIds);
}

}  // namespace juxta::bench
