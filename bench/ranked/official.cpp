// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// official_*: the contest's 1000 queries over and over (hot), and 100k distinct ones of the same law
// (stream); batch and count on the same points. Every contender's answers are compared before it is timed.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "bench/support/query_row.h"
#include "bench/support/settings.h"
#include "juxta/core/executor.h"
#ifdef JUXTA_BENCH_BOOST
#include "bench/ranked/boost_peer.h"
#endif

namespace juxta::bench {
namespace {

using Id = std::uint32_t;
using classics::Record;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Task {
  std::string name;
  Once<Workload> Official::*workload;
  std::size_t most = kAll;  // queries asked; less for contenders too slow for all
};

// `get(official)` is the contender; `ask(contender, workload, i, out)` answers query i.
template <class Out, class Get, class Ask>
void add_row(Official& official, const Task& task, const Get& get, const Ask& ask) {
  auto timed = std::make_shared<QueryRow>();
  auto checked = std::make_shared<bool>(false);
  const auto body = [&official, task, get, ask, timed, checked](benchmark::State& state) {
    const Workload& w = *(official.*task.workload);
    auto& contender = get(official);
    const std::size_t queries = std::min(task.most, w.rects.size());
    if (!*checked) {
      Answers right = w.right;
      right.counts.resize(queries);
      const auto answer = [&](std::size_t i, Out* out) { return ask(contender, w, i, out); };
      if constexpr (std::is_same_v<Out, Id>) {
        check_ids(task.name, right, answer);
      } else {
        check_records(task.name, right, official.columns(), answer);
      }
      *checked = true;
    }
    std::vector<Out> out(w.right.k);
    timed->run(state, queries, [&](std::size_t i) { return ask(contender, w, i, out.data()); });
    state.counters["checksum"] = checksum(w.right);
    if constexpr (requires { contender.memory_bytes(); }) {
      state.counters["bytes"] = static_cast<double>(contender.memory_bytes());
    }
  };
  benchmark::RegisterBenchmark(task.name.c_str(), body);
}

constexpr auto kGetIndex = [](Official& o) -> RankedPoints& { return *o.index; };
constexpr auto kGetMipmap = [](Official& o) -> classics::Mipmap& { return *o.mipmap; };
constexpr auto kGetScan = [](Official& o) -> classics::Scan& { return *o.scan; };

constexpr auto kAskIndex = [](RankedPoints& index, const Workload& w, std::size_t i, Id* out) {
  return index.top(w.wide[i], w.right.k, {out, w.right.k}).written;
};
constexpr auto kAskIds = [](auto& contender, const Workload& w, std::size_t i, Id* out) -> std::size_t {
  return contender.top_ids(w.rects[i], w.right.k, out);
};
constexpr auto kAskRecords = [](auto& contender, const Workload& w, std::size_t i,
                                Record* out) -> std::size_t {
  return contender.top(w.rects[i], w.right.k, out);
};

void add_records(Official& o, const std::string& workload, Once<Workload> Official::*of) {
  add_row<Record>(
      o, {workload + "/juxta", of}, [](Official& from) -> ContestPeer& { return *from.contest; },
      kAskRecords);
  add_row<Record>(o, {workload + "/mipmap", of}, kGetMipmap, kAskRecords);
  add_row<Record>(o, {workload + "/scan", of, 1000}, kGetScan, kAskRecords);
}

void add_ids(Official& o, const std::string& workload, Once<Workload> Official::*of) {
  add_row<Id>(o, {workload + "/juxta", of}, kGetIndex, kAskIndex);
  add_row<Id>(o, {workload + "/mipmap", of}, kGetMipmap, kAskIds);
  add_row<Id>(o, {workload + "/scan", of, 1000}, kGetScan, kAskIds);
#ifdef JUXTA_BENCH_BOOST
  static Once<BoostPeer> boost([&o] { return std::make_unique<BoostPeer>(o.columns()); });
  add_row<Id>(
      o, {workload + "/boost", of, 100}, [](Official&) -> BoostPeer& { return *boost; }, kAskIds);
#endif
}

// The stream in one call, on `threads` threads: one iteration is one query, as in the rows it is held
// against.
void add_batch(Official& o, const std::string& name, unsigned threads) {
  const auto body = [&o, name, threads](benchmark::State& state) {
    const Workload& w = *o.stream;
    RankedPoints& index = *o.index;
    std::unique_ptr<Executor> executor;
    if (threads > 1) {
      auto made = make_tbb_executor(threads);
      if (!made) {
        state.SkipWithError(made.error().message.c_str());
        return;
      }
      executor = std::move(*made);
    }
    const std::size_t n = w.rects.size(), k = w.right.k;
    std::vector<Id> out(n * k), counts(n);
    const auto run = [&] {
      const auto done = index.top_batch(w.wide, k, out, counts, executor.get());
      if (!done) {
        give_up(done.error().message);
      }
    };
    run();
    check_ids(name, w.right, [&](std::size_t i, Id* one) {
      std::copy_n(out.data() + i * k, counts[i], one);
      return std::size_t{counts[i]};
    });
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(n))) {
      run();
    }
    state.counters["queries"] = static_cast<double>(n);
    state.counters["checksum"] = checksum(w.right);
  };
  benchmark::RegisterBenchmark(name.c_str(), body);
}

void add_count(Official& o) {
  auto timed = std::make_shared<QueryRow>();
  auto checked = std::make_shared<bool>(false);
  const auto body = [&o, timed, checked](benchmark::State& state) {
    const Workload& w = *o.hot;
    RankedPoints& index = *o.index;
    for (std::size_t i = 0; !*checked && i < w.rects.size(); ++i) {
      if (index.count(w.wide[i]).count != o.scan->count(w.rects[i])) {
        wrong_answer("count/juxta", i);
      }
    }
    *checked = true;
    timed->run(state, w.rects.size(), [&](std::size_t i) { return index.count(w.wide[i]).count; });
  };
  benchmark::RegisterBenchmark("count/juxta", body);
}

}  // namespace

void register_official(Official& o) {
  add_records(o, "official_hot", &Official::hot);
  add_ids(o, "official_hot_ids", &Official::hot);
  add_records(o, "official_stream", &Official::stream);
  add_ids(o, "official_stream_ids", &Official::stream);
  add_ids(o, "official_stream_k100", &Official::stream_k100);
  add_row<Id>(o, {"batch/juxta_1thread_single", &Official::stream}, kGetIndex, kAskIndex);
  add_batch(o, "batch/juxta_1thread", 1);
  add_batch(o, "batch/juxta_2threads", 2);
  add_count(o);
}

}  // namespace juxta::bench
