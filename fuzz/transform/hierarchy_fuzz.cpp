// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A history of changes of every kind, refusals, propagations, steps, saves and loads, compared with a plain
// tree again and again.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "fuzz/check.h"
#include "fuzz/transform/small_draw.h"
#include "transform/history.h"

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
      std::filesystem::temp_directory_path() / ("hierarchy_fuzz." + std::to_string(getpid()) + ".jxh");
  return path;
}

void run(SmallDraw& draw) {
  test::HistoryOptions options;
  options.flags = static_cast<test::Flags>(draw.below(3));
  options.history = draw.below(2) == 0;
  options.destroyed = draw.below(2) == 0;
  // Mostly a few nodes, so that many histories run; sometimes more than a tile.
  options.most = draw.below(8) == 0 ? 2500 : 1 + draw.below(60);
  test::History<SmallDraw> history(draw, options);
  if (draw.below(2) == 0) {
    expect_nothing(
        history.create_tree(test::kTrees[draw.below(test::kTrees.size())], draw.below(options.most)));
  }
  for (std::uint32_t round = 1 + draw.below(12); round > 0; --round) {
    for (std::uint32_t change = draw.below(12); change > 0; --change) {
      expect_nothing(history.change());
    }
    if (draw.below(3) == 0) {
      expect_nothing(history.compare());
    }
    if (draw.below(8) == 0) {
      JUXTA_FUZZ_CHECK(history.hierarchy.save(scratch_file().string()).has_value());
      auto loaded = Hierarchy::load(scratch_file().string());
      JUXTA_FUZZ_CHECK(loaded.has_value());
      history.hierarchy = std::move(*loaded);
      expect_nothing(history.compare());
    }
    expect_nothing(draw.below(3) == 0 ? history.begin_step() : history.propagate());
    expect_nothing(history.compare());
  }
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::SmallDraw draw(data, size);
  juxta::fuzz::run(draw);
  return 0;
}
