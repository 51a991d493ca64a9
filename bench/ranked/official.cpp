// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// official_*: the contest's 1000 queries over and over (hot), and 100k distinct ones of the same law
// (stream); count on the same points. Every contender's answers are compared before it is timed.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/rows.h"
#include "bench/support/query_row.h"
#include "bench/support/settings.h"
#ifdef JUXTA_BENCH_BOOST
#include "bench/ranked/boost_peer.h"
#endif

namespace juxta::bench {
namespace {

void add_records(Official& o, const std::string& workload, Once<Workload> Official::*of) {
  const Source source = [&o]() -> Official& { return o; };
  add_both_records(source, workload, of);
  add_row<classics::Record>(source, {workload + "/scan", of, 1000}, kGetScan, kAskRecords);
  add_row<classics::Record>(source, {workload + "/scan_records", of, 1000}, kGetRecordScan, kAskRecords);
}

void add_ids(Official& o, const std::string& workload, Once<Workload> Official::*of) {
  const Source source = [&o]() -> Official& { return o; };
  add_both_ids(source, workload, of);
  add_row<Id>(source, {workload + "/scan", of, 1000}, kGetScan, kAskIds);
#ifdef JUXTA_BENCH_BOOST
  static Once<BoostPeer> boost([&o] { return std::make_unique<BoostPeer>(o.columns()); });
  add_row<Id>(
      source, {workload + "/boost", of, 100}, [](Official&) -> BoostPeer& { return *boost; }, kAskIds);
#endif
}

void add_count(Official& o) {
  auto timed = std::make_shared<QueryRow>();
  auto checked = std::make_shared<bool>(false);
  const auto body = [&o, timed, checked](benchmark::State& state) {
    const Workload& w = *o.hot;
    RankedPoints& index = *o.index;
    for (std::size_t i = 0; !*checked && i < w.rects.size(); ++i) {
      if (index.count(w.wide[i]).found != o.scan->count(w.rects[i])) {
        wrong_answer("count/juxta", i);
      }
    }
    *checked = true;
    timed->run(state, w.rects.size(), [&](std::size_t i) { return index.count(w.wide[i]).found; });
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
  const Source source = [&o]() -> Official& { return o; };
  add_any_k(source, "");
  add_cells(source, "");
  add_filters(source, "");
  add_ranges(source, "");
  add_nearest(source, "");
  add_batches(source, "");
  add_count(o);
}

}  // namespace juxta::bench
