// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The radix sort against std::stable_sort: keys whose bits differ only under a drawn mask (so that passes are
// skipped, and ties abound), sorted and reversed runs, on the calling thread and on an executor that runs the
// ranges backwards. One workspace serves all calls, dirty from the one before.
#include "juxta/order/radix_sort.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "fuzz/check.h"
#include "juxta/core/workspace.h"

namespace juxta::fuzz {
namespace {

/// Ranges in descending order, on this thread.
class BackwardsExecutor final : public Executor {
 public:
  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    for (std::size_t i = (count + grain - 1) / grain; i-- > 0;) {
      body(i * grain, std::min((i + 1) * grain, count));
    }
  }
};

template <class Key>
std::vector<Key> draw_keys(FuzzedDataProvider& bytes) {
  // Mostly small; sometimes past the sizes where the sort changes its method.
  const std::size_t limit = bytes.ConsumeBool() ? 300 : 200000;
  std::vector<Key> keys(bytes.ConsumeIntegralInRange<std::size_t>(0, limit));
  const auto mask = bytes.ConsumeIntegral<Key>();
  const auto base = bytes.ConsumeIntegral<Key>();
  const auto shape = bytes.ConsumeIntegralInRange<int>(0, 3);
  auto state = bytes.ConsumeIntegral<std::uint64_t>();
  for (Key& key : keys) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    key =
        bytes.remaining_bytes() > 0 ? bytes.ConsumeIntegral<Key>() : static_cast<Key>(state ^ (state >> 29));
    key = static_cast<Key>((key & mask) ^ base);
  }
  if (shape == 1)
    std::sort(keys.begin(), keys.end());
  if (shape == 2)
    std::sort(keys.rbegin(), keys.rend());
  return keys;
}

template <class Key>
void check_sort(FuzzedDataProvider& bytes) {
  static Workspace workspace;
  const BackwardsExecutor backwards;
  const Executor* executor = bytes.ConsumeBool() ? &backwards : nullptr;
  const auto input = draw_keys<Key>(bytes);

  std::vector<std::uint32_t> order(input.size());
  std::iota(order.begin(), order.end(), 0u);
  auto values = order;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return input[a] < input[b]; });

  auto keys = input;
  JUXTA_FUZZ_CHECK(
      sort_pairs(std::span(keys), std::span(values), {.executor = executor, .workspace = &workspace})
          .has_value());
  JUXTA_FUZZ_CHECK(values == order);
  JUXTA_FUZZ_CHECK(std::is_sorted(keys.begin(), keys.end()));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    JUXTA_FUZZ_CHECK(keys[i] == input[order[i]]);
  }
  auto alone = input;
  JUXTA_FUZZ_CHECK(sort_keys(std::span(alone), {.executor = executor, .workspace = &workspace}).has_value());
  JUXTA_FUZZ_CHECK(alone == keys);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  if (bytes.ConsumeBool()) {
    juxta::fuzz::check_sort<std::uint32_t>(bytes);
  } else {
    juxta::fuzz::check_sort<std::uint64_t>(bytes);
  }
  return 0;
}
