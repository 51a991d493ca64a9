// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/answers.h"
#include "bench/ranked/contest_peer.h"
#include "bench/ranked/level_select.h"
#include "bench/support/once.h"
#include "classics/ranked/mipmap.h"
#include "classics/ranked/record_scan.h"
#include "classics/ranked/scan.h"
#include "juxta/ranked/ranked_points.h"
#include "scenes/contest.h"

namespace juxta::bench {

/// Points of the official law: 10M, or JUXTA_BENCH_POINTS.
[[nodiscard]] std::size_t bench_points();
/// Distinct queries of a stream: 100k, or JUXTA_BENCH_QUERIES.
[[nodiscard]] std::size_t stream_queries();

/// Queries with their right answers. All answers come from the mipmap; the first few are asked of the scan,
/// which has nothing to get wrong, and must agree.
struct Workload {
  std::vector<RectF> rects;
  std::vector<RectD> wide;  ///< The same, as RankedPoints takes them.
  Answers right;
};

/// The official input, or one of the same law from another seed, and everything that answers over it, each
/// made when a row first needs it.
class Official {
 public:
  explicit Official(const scenes::ContestSeed& seed = scenes::kOfficialSeed);
  Official(const Official&) = delete;  // what makes its parts points at it
  Official& operator=(const Official&) = delete;

  Once<scenes::ContestWorld> world;
  Once<std::vector<RectF>> hot_rects, stream_rects;
  Once<classics::Mipmap> mipmap;
  Once<classics::Scan> scan;
  Once<classics::RecordScan> record_scan;
  Once<RankedPoints> index;
  Once<ContestPeer> contest;
  Once<LevelSelect> select;
  Once<Workload> hot, stream, stream_k100, stream_k1000, stream_k5000, stream_k20000;

  [[nodiscard]] classics::RankedColumns columns();

 private:
  std::unique_ptr<Workload> workload(const std::vector<RectF>& rects, std::size_t k);
};

[[nodiscard]] std::vector<RectD> widen(const std::vector<RectF>& rects);

/// Builds an index, or ends the program with the library's own sentence.
[[nodiscard]] std::unique_ptr<RankedPoints> build_index(const std::vector<float>& x,
                                                        const std::vector<float>& y,
                                                        const std::vector<std::int32_t>& rank);

}  // namespace juxta::bench
