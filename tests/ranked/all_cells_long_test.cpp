// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every hard point set and query family at full size: 10,000 queries each, on every instruction set, against
// the rank-sorted scan. JUXTA_LONG_POINTS changes the 10,000,000 points; JUXTA_LONG_QUERIES the queries.
#include <gtest/gtest.h>

#include <cstdlib>

#include "classics/ranked/scan.h"
#include "ranked/brute.h"
#include "scenes/hard_points.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

std::size_t setting(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

class AllCells : public testing::TestWithParam<scenes::HardSet> {};

TEST_P(AllCells, EqualTheScan) {
  constexpr std::size_t kTop = 20;
  const std::size_t n = setting("JUXTA_LONG_POINTS", 10'000'000),
                    count = setting("JUXTA_LONG_QUERIES", 10'000);
  const scenes::HardPoints set = scenes::make_hard_points(GetParam(), n, 11);
  const classics::Scan scan(classics::RankedColumns{set.x, set.y, set.rank, {}});
  const auto executor = TbbExecutor::build();
  Context options;
  options.executor = executor ? &*executor : nullptr;
  const auto points = RankedPoints::build(set.x, set.y, set.rank, {}, options).value();
  for (const auto family : scenes::kQueryFamilies) {
    const std::vector<RectF> queries = scenes::make_hard_queries(family, set, count, 12);
    std::vector<std::uint32_t> want(count * kTop), found(count);
    executor_or_serial(options.executor).parallel_for(count, 16, [&](std::size_t first, std::size_t last) {
      for (std::size_t q = first; q < last; ++q) {
        found[q] = static_cast<std::uint32_t>(scan.top_ids(queries[q], kTop, want.data() + q * kTop));
      }
    });
    test::for_each_isa([&](Isa) {
      std::vector<std::uint32_t> out(kTop);
      for (std::size_t q = 0; q < count; ++q) {
        const std::size_t written = points.top(test::as_double(queries[q]), kTop, out).written;
        ASSERT_EQ(written, found[q]) << scenes::name(family) << " query " << q;
        ASSERT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(written),
                               want.begin() + static_cast<std::ptrdiff_t>(q * kTop)))
            << scenes::name(family) << " query " << q;
      }
    });
    for (std::size_t q = 0; q < count; q += 100) {
      ASSERT_EQ(points.count(test::as_double(queries[q])).found, scan.count(queries[q]))
          << scenes::name(family);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranked, AllCells, testing::ValuesIn(scenes::kHardSets),
                         [](const auto& set) { return std::string(scenes::name(set.param)); });

}  // namespace
}  // namespace juxta
