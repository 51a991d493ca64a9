// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the rows official_* are made of, whatever the seed of their points.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/support/query_row.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {

using Id = std::uint32_t;

/// The input of a row, made or fetched when it runs.
using Source = std::function<Official&()>;

struct Task {
  std::string name;
  Once<Workload> Official::*workload;
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< Queries asked; less for slow contenders.
};

/// Registers a row. `get(official)` is the contender; `ask(contender, workload, i, out)` answers query i. The
/// answers are compared with the right ones before anything is timed.
template <class Out, class Get, class Ask>
void add_row(const Source& source, const Task& task, const Get& get, const Ask& ask) {
  auto timed = std::make_shared<QueryRow>();
  auto checked = std::make_shared<bool>(false);
  const auto body = [source, task, get, ask, timed, checked](benchmark::State& state) {
    Official& official = source();
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

inline constexpr auto kGetIndex = [](Official& o) -> RankedPoints& { return *o.index; };
inline constexpr auto kGetMipmap = [](Official& o) -> classics::Mipmap& { return *o.mipmap; };
inline constexpr auto kGetScan = [](Official& o) -> classics::Scan& { return *o.scan; };
inline constexpr auto kGetRecordScan = [](Official& o) -> classics::RecordScan& { return *o.record_scan; };
inline constexpr auto kGetSelect = [](Official& o) -> LevelSelect& { return *o.select; };
inline constexpr auto kGetContest = [](Official& o) -> ContestPeer& { return *o.contest; };

inline constexpr auto kAskIndex = [](RankedPoints& index, const Workload& w, std::size_t i, Id* out) {
  return index.top(w.wide[i], w.right.k, {out, w.right.k}).written;
};
inline constexpr auto kAskIds = [](auto& contender, const Workload& w, std::size_t i,
                                   Id* out) -> std::size_t {
  return contender.top_ids(w.rects[i], w.right.k, out);
};
inline constexpr auto kAskRecords = [](auto& contender, const Workload& w, std::size_t i,
                                       classics::Record* out) -> std::size_t {
  return contender.top(w.rects[i], w.right.k, out);
};

/// The rows `workload/juxta` and `workload/mipmap`, of records and of ids.
inline void add_both_records(const Source& source, const std::string& workload,
                             Once<Workload> Official::*of) {
  add_row<classics::Record>(source, {workload + "/juxta", of}, kGetContest, kAskRecords);
  add_row<classics::Record>(source, {workload + "/mipmap", of}, kGetMipmap, kAskRecords);
}
inline void add_both_ids(const Source& source, const std::string& workload, Once<Workload> Official::*of) {
  add_row<Id>(source, {workload + "/juxta", of}, kGetIndex, kAskIndex);
  add_row<Id>(source, {workload + "/mipmap", of}, kGetMipmap, kAskIds);
}

/// official_k1000, _k5000 and _k20000, indices, of the world `seed`: juxta and levels that select.
inline void add_any_k(const Source& source, const std::string& seed) {
  const auto add = [&](const char* k, Once<Workload> Official::*of) {
    const std::string workload = "official_" + std::string(k) + seed;
    add_row<Id>(source, {workload + "/juxta", of}, kGetIndex, kAskIndex);
    add_row<Id>(source, {workload + "/select", of}, kGetSelect, kAskIds);
  };
  add("k1000", &Official::stream_k1000);
  add("k5000", &Official::stream_k5000);
  add("k20000", &Official::stream_k20000);
}

/// batch*, of the world `seed`.
void add_batches(const Source& source, const std::string& seed);
/// cells_*, of the world `seed`.
void add_cells(const Source& source, const std::string& seed);
/// filter_*, of the world `seed`.
void add_filters(const Source& source, const std::string& seed);
/// range_*, of the world `seed`.
void add_ranges(const Source& source, const std::string& seed);
/// nearest_*, of the world `seed`.
void add_nearest(const Source& source, const std::string& seed);

}  // namespace juxta::bench
