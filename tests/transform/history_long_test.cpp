// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two million random changes of every kind, in hierarchies of a few nodes, of some and of more than a tile,
// all of them beside a plain tree. Each history is one that no other test has.
#include <gtest/gtest.h>

#include <iterator>

#include "transform/history_run.h"

namespace juxta {
namespace {

using test::Flags;

struct Kind {
  test::HistoryOptions options;
  std::uint32_t steps, changes;
};
constexpr Kind kKinds[] = {
    {{.most = 5, .flags = Flags::kNone, .history = true}, 400, 30},
    {{.most = 9, .flags = Flags::kExact, .history = true, .destroyed = true}, 400, 30},
    {{.most = 12, .flags = Flags::kMixed, .history = true}, 400, 20},
    {{.most = 100, .flags = Flags::kExact, .history = true, .destroyed = true}, 200, 60},
    {{.most = 2500, .flags = Flags::kExact, .history = true, .destroyed = true}, 40, 400},
};

TEST(TransformHistoryLong, TwoMillionChanges) {
  std::uint64_t done = 0;
  for (std::uint64_t seed = 1000; done < 2'000'000; ++seed) {
    SCOPED_TRACE(seed);
    const Kind& kind = kKinds[seed % std::size(kKinds)];
    scenes::Draws draws(seed);
    test::History<scenes::Draws> history(draws, kind.options);
    ASSERT_NO_FATAL_FAILURE(test::run(history, draws, kind.steps, kind.changes, &done));
  }
}

}  // namespace
}  // namespace juxta
