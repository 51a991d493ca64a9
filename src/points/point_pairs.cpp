// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/points/point_pairs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "juxta/core/executor.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "points/pairs_kernel.h"
#include "points/prepare.h"
#include "points/run.h"

namespace juxta {
namespace points_detail {
namespace {

constexpr std::size_t kBatch = 4096;  // pairs handed over at once: 32 KiB, most of an L1 cache

using Batch = std::array<PointPair, kBatch>;

/// Hands pairs over as they are found.
class Serial {
 public:
  explicit Serial(PointPairVisitor visitor)
      : visitor_(visitor), batch_(std::make_unique_for_overwrite<Batch>()) {}

  template <int D>
  bool run(const Search<D>& search, std::uint32_t first, std::uint32_t last, SearchWork& work) {
    const auto more = [this](PairSink& sink) { return hand_over(sink); };
    PairSink sink{batch_->data(), batch_->data() + kBatch, more};
    return pair_blocks(search, sink, first, last, work) && hand_over(sink);
  }
  [[nodiscard]] std::size_t found() const noexcept { return found_; }

 private:
  bool hand_over(PairSink& sink) {
    const std::size_t count = static_cast<std::size_t>(sink.at - batch_->data());
    found_ += count;
    sink.at = batch_->data();
    return count == 0 || visitor_(std::span<const PointPair>(batch_->data(), count));
  }

  PointPairVisitor visitor_;
  std::unique_ptr<Batch> batch_;
  std::size_t found_ = 0;
};

/// Tasks on all threads keep what they find; then it is handed over in the order of the tasks.
class Parallel {
 public:
  Parallel(PointPairVisitor visitor, const Executor& executor) : visitor_(visitor), executor_(executor) {}

  template <int D>
  bool run(const Search<D>& search, std::uint32_t first, std::uint32_t last, SearchWork& work) {
    constexpr std::uint32_t kGrain = 64;  // blocks a task
    std::vector<Kept> kept((last - first + kGrain - 1) / kGrain);
    std::atomic<std::size_t> tested{0}, visited{0};
    executor_.parallel_for(kept.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t task = begin; task < end; ++task) {
        const std::uint32_t block = first + static_cast<std::uint32_t>(task) * kGrain;
        SearchWork own;
        kept[task].find(search, block, std::min(block + kGrain, last), own);
        tested.fetch_add(own.tested, std::memory_order_relaxed);
        visited.fetch_add(own.visited, std::memory_order_relaxed);
      }
    });
    work.tested += tested;
    work.visited += visited;
    if (std::any_of(kept.begin(), kept.end(), [](const Kept& one) { return one.failed; })) {
      throw std::bad_alloc();
    }
    return std::all_of(kept.begin(), kept.end(), [&](const Kept& one) { return hand_over(one); });
  }
  [[nodiscard]] std::size_t found() const noexcept { return found_; }

 private:
  struct Kept {
    std::vector<std::unique_ptr<Batch>> batches;
    std::vector<std::size_t> counts;
    bool failed = false;  // no memory

    template <int D>
    void find(const Search<D>& search, std::uint32_t first, std::uint32_t last, SearchWork& work) noexcept {
      const auto more = [this](PairSink& sink) { return next(sink); };
      PairSink sink{nullptr, nullptr, more};
      if (pair_blocks(search, sink, first, last, work)) {
        close(sink);
      }
    }
    bool next(PairSink& sink) noexcept {
      close(sink);
      try {
        batches.push_back(std::make_unique_for_overwrite<Batch>());
        counts.push_back(0);
      } catch (const std::bad_alloc&) {
        failed = true;
        return false;
      }
      sink.at = batches.back()->data();
      sink.end = sink.at + kBatch;
      return true;
    }
    void close(const PairSink& sink) noexcept {
      if (!batches.empty()) {
        counts.back() = static_cast<std::size_t>(sink.at - batches.back()->data());
      }
    }
  };

  bool hand_over(const Kept& kept) {
    bool going = true;
    for (std::size_t i = 0; going && i < kept.batches.size(); ++i) {
      if (kept.counts[i] != 0) {
        found_ += kept.counts[i];
        going = visitor_(std::span<const PointPair>(kept.batches[i]->data(), kept.counts[i]));
      }
    }
    return going;
  }

  PointPairVisitor visitor_;
  const Executor& executor_;
  std::size_t found_ = 0;
};

/// In slices, between which the monitor is asked.
template <int D, class Way>
Result<QueryResult> visit_slices(const Search<D>& search, Way way, std::uint32_t slice,
                                 const Context& context) {
  constexpr const char* kStage = "find pairs";
  const auto cancelled = [] { return fail(ErrorCode::kCancelled, "the search for pairs was cancelled"); };
  const std::uint32_t blocks = search.tree.block_count();
  SearchWork work;
  bool going = true;
  for (std::uint32_t begin = 0; going && begin < blocks; begin += slice) {
    if (!report(context.monitor, kStage, begin, blocks)) {
      return cancelled();
    }
    going = way.run(search, begin, std::min(begin + slice, blocks), work);
  }
  if (going && !report(context.monitor, kStage, blocks, blocks)) {
    return cancelled();
  }
  return QueryResult{
      .found = way.found(), .written = way.found(), .tested = work.tested, .visited = work.visited};
}

}  // namespace
}  // namespace points_detail

template <int D, class Real>
Result<QueryResult> visit_pairs(const BasicPointTree<D, Real>& tree, SameReal<Real> radius,
                                PointPairVisitor visitor, const Context& context) {
  JUXTA_TRY(points_detail::check_radius(radius));
  points_detail::Limit limit;
  const auto search = points_detail::search_own(points_detail::Access::store(tree), radius, limit);
  if (context.executor == nullptr) {
    return points_detail::visit_slices(search, points_detail::Serial(visitor), 256, context);
  }
  return points_detail::visit_slices(search, points_detail::Parallel(visitor, *context.executor), 8192,
                                     context);
}

#define JUXTA_POINTS_PAIRS(D, Real)                                                                  \
  template JUXTA_API Result<QueryResult> visit_pairs(const BasicPointTree<D, Real>&, SameReal<Real>, \
                                                     PointPairVisitor, const Context&)

JUXTA_POINTS_PAIRS(2, float);
JUXTA_POINTS_PAIRS(3, float);
JUXTA_POINTS_PAIRS(2, double);
JUXTA_POINTS_PAIRS(3, double);
#undef JUXTA_POINTS_PAIRS

}  // namespace juxta
