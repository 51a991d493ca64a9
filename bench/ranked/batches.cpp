// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// batch*: the stream in calls of 1,000 rectangles, held against single calls.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/ranked/official_rows.h"
#include "bench/support/settings.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kBatch = 1000;

/// Answers a workload, in answers that begin k apart.
class Batches {
 public:
  Batches(const RankedPoints& index, const Workload& workload, unsigned threads)
      : index_(index),
        workload_(workload),
        out_(workload.rects.size() * workload.right.k),
        counts_(workload.rects.size()) {
    if (threads > 1) {
      if (auto made = TbbExecutor::build(threads)) {
        executor_ = std::make_unique<TbbExecutor>(std::move(*made));
      } else {
        give_up(made.error().message);
      }
    }
  }

  void run() {
    const std::size_t n = workload_.rects.size(), k = workload_.right.k;
    for (std::size_t first = 0; first < n; first += kBatch) {
      const std::size_t size = std::min(kBatch, n - first);
      const auto done = index_.top(std::span(workload_.wide).subspan(first, size), k,
                                   std::span(out_).subspan(first * k, size * k),
                                   std::span(counts_).subspan(first, size), {.executor = executor_.get()});
      if (!done) {
        give_up(done.error().message);
      }
    }
  }

  std::size_t answer(std::size_t i, Id* one) const {
    std::copy_n(out_.data() + i * workload_.right.k, counts_[i], one);
    return counts_[i];
  }

 private:
  const RankedPoints& index_;
  const Workload& workload_;
  std::vector<Id> out_, counts_;
  std::unique_ptr<Executor> executor_;
};

/// One iteration is one query, as in the rows it is held against.
void add_batch(const Source& source, const std::string& name, unsigned threads) {
  benchmark::RegisterBenchmark(name.c_str(), [source, name, threads](benchmark::State& state) {
    Official& official = source();
    const Workload& w = *official.stream;
    Batches batches(*official.index, w, threads);
    batches.run();
    check_ids(name, w.right, [&](std::size_t i, Id* one) { return batches.answer(i, one); });
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(w.rects.size()))) {
      batches.run();
    }
    state.counters["queries"] = static_cast<double>(w.rects.size());
    state.counters["checksum"] = checksum(w.right);
  });
}

}  // namespace

void add_batches(const Source& source, const std::string& seed) {
  const std::string workload = "batch" + seed;
  add_row<Id>(source, {workload + "/juxta_1thread_single", &Official::stream}, kGetIndex, kAskIndex);
  add_batch(source, workload + "/juxta_1thread", 1);
  add_batch(source, workload + "/juxta_2threads", 2);
}

}  // namespace juxta::bench
