// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A history of builds, single changes, refusals, saves and questions of every kind, each answer compared with
// brute force over a plain list of the bodies; two layers against each other; begun and ended pairs.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include "fuzz/check.h"
#include "fuzz/layer/layer_draw.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/pair_tracker.h"
#include "layer/history.h"

namespace juxta::fuzz {
namespace {

void expect_nothing(const std::string& words) {
  if (!words.empty()) {
    std::fprintf(stderr, "differs: %s\n", words.c_str());
    std::abort();
  }
}

std::filesystem::path scratch_file() {
  static const auto path =
      std::filesystem::temp_directory_path() / ("layer_fuzz." + std::to_string(getpid()) + ".jxl");
  return path;
}

/// The events of a frame against the differences of its pairs with the last ones; both ascending.
void check_events(PairTracker& tracker, const std::vector<Pair>& last, const std::vector<Pair>& now) {
  Workspace workspace;
  JUXTA_FUZZ_CHECK(tracker.update(now, {.workspace = &workspace}).has_value());
  std::vector<Pair> begun, ended;
  std::set_difference(now.begin(), now.end(), last.begin(), last.end(), std::back_inserter(begun));
  std::set_difference(last.begin(), last.end(), now.begin(), now.end(), std::back_inserter(ended));
  JUXTA_FUZZ_CHECK(std::equal(begun.begin(), begun.end(), tracker.begun().begin(), tracker.begun().end()));
  JUXTA_FUZZ_CHECK(std::equal(ended.begin(), ended.end(), tracker.ended().begin(), tracker.ended().end()));
}

template <int D>
void run(LayerDraw& draw) {
  const auto some_world = [&] {
    return test::kWorlds[draw.below(static_cast<std::uint32_t>(test::kWorlds.size()))];
  };
  const test::World kind = some_world();
  test::History<D, LayerDraw> history(draw, kind), other(draw, some_world());
  // Mostly a few blocks, so that many histories run; sometimes enough for three levels, where pairs are few.
  const bool few_pairs = kind == test::World::kSparse || kind == test::World::kFlat;
  const std::uint32_t most = few_pairs && draw.below(4) == 0 ? 800 : 60;
  expect_nothing(history.rebuild(draw.below(most)));
  expect_nothing(other.rebuild(draw.below(40)));
  PairTracker tracker;
  std::vector<Pair> last;
  const std::uint32_t rounds = 1 + draw.below(4);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t change = draw.below(most / 2); change > 0; --change) {
      expect_nothing(history.change(most));
    }
    if (draw.below(4) == 0) {
      expect_nothing(history.refit());
    }
    expect_nothing(history.refuse());
    if (draw.below(8) == 0) {
      JUXTA_FUZZ_CHECK(history.layer.save(scratch_file().string()).has_value());
      auto loaded = BasicLayer<D>::load(scratch_file().string());
      JUXTA_FUZZ_CHECK(loaded.has_value());
      JUXTA_FUZZ_CHECK(test::order_of(*loaded) == test::order_of(history.layer));
      history.layer = std::move(*loaded);
    }
    for (int question = 0; question < 4; ++question) {
      expect_nothing(history.ask());
    }
    expect_nothing(history.ask_pairs());
    expect_nothing(history.ask_batches(draw.below(20)));
    expect_nothing(
        test::compare_pairs(test::PairSearch<D>(history.layer, &other.layer, {}),
                            layer_detail::pairs_reference(history.model.view(), other.model.view())));
    const std::vector<Pair> now = layer_detail::pairs_reference(history.model.view());
    check_events(tracker, last, now);
    last = now;
  }
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::LayerDraw draw(data, size);
  draw.below(2) == 0 ? juxta::fuzz::run<2>(draw) : juxta::fuzz::run<3>(draw);
  return 0;
}
