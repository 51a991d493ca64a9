// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Models over ranks: the tables and the state of one machine, or a reason why not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "models/models.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using Settings = std::vector<std::pair<std::string, double>>;

/// What a run leaves: its table, and all bytes of its state.
struct Left {
  std::string table;
  std::uint64_t state = 0;
  friend bool operator==(const Left&, const Left&) = default;
};

Parameters parameters_with(const ModelInfo& model, const Settings& settings) {
  Parameters parameters = parameters_of(model).value();
  for (const auto& [name, value] : settings) {
    EXPECT_TRUE(parameters.set(name, value));
  }
  return parameters;
}

Left finish(Result<Run> run, int steps) {
  EXPECT_TRUE(run) << run.error().message;
  for (int i = 0; run && i < steps; ++i) {
    const Result<void> done = run->step();
    EXPECT_TRUE(done) << done.error().message;
  }
  return {run->collected().steps().csv(), run->state_hash()};
}

void expect_same(const char* name, const Settings& settings, int steps) {
  SCOPED_TRACE(name);
  const ModelInfo& model = *find_model(models::published(), name).value();
  const Parameters parameters = parameters_with(model, settings);
  const Left expected = finish(Run::begin(model, parameters, 7), steps);
  EXPECT_GT(expected.table.size(), 100U);
  for (const std::uint32_t size : {1U, 2U, 4U}) {
    SCOPED_TRACE(std::to_string(size) + " ranks");
    test::run_ranks(size, [&](Ranks& ranks) {
      const Left found = finish(Run::begin(ranks, model, parameters, 7), steps);
      if (ranks.rank() == 0) {
        EXPECT_EQ(found.table, expected.table);
        EXPECT_EQ(found.state, expected.state);
      }
    });
  }
}

TEST(ModelsOverRanks, HaveTheBytesOfOneMachine) {
  expect_same("flock_3d", {{"birds", 2000}, {"start", 120}}, 12);
  expect_same("dam_break", {{"across", 12}}, 40);
  expect_same("dam_break", {{"dimensions", 3}, {"across", 10}, {"depth", 8}, {"smoothing", 1.3}}, 12);
  expect_same("lennard_jones", {{"cells", 5}}, 25);
  expect_same("tissue", {{"size", 60}, {"cells", 300}, {"divide", 0.2}, {"starving", 0.8}}, 30);
}

/// Steps until the condition is met: on all ranks after the same step, whatever each of them has collected.
TEST(ModelsOverRanks, EndTogetherByAStopCondition) {
  const ModelInfo& model = *find_model(models::published(), "lennard_jones").value();
  const Parameters parameters = parameters_with(model, {{"cells", 4}});
  const test::ScratchFolder folder;
  const std::string path = (folder / "run").string();
  auto alone = Run::begin(model, parameters, 7);
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(alone->step());
  }
  const Table& steps = alone->collected().steps();
  const Until until{steps.names().back(), Until::Op::kEqual, steps.column(steps.names().back()).back()};
  test::run_ranks(3, [&](Ranks& ranks) {
    auto run = Run::begin(ranks, model, parameters, 7, {.steps = 20, .until = until});
    ASSERT_TRUE(run) << run.error().message;
    while (run->steps_done() < 20 && !run->until_met()) {
      ASSERT_TRUE(run->step());
      if (run->steps_done() == 4) {
        ASSERT_TRUE(run->save(path));
      }
    }
    EXPECT_EQ(run->steps_done(), 9U);
    if (ranks.rank() == 0) {
      EXPECT_EQ(run->collected().steps().csv(), steps.csv());
    }
    ASSERT_TRUE(run->save((folder / "end").string()));
  });
  for (const char* name : {"run", "end"}) {
    test::run_ranks(2, [&](Ranks& ranks) {
      auto run = Run::resume(ranks, (folder / name).string(), models::published());
      ASSERT_TRUE(run) << run.error().message;
      EXPECT_EQ(run->until()->text(), until.text());
      EXPECT_EQ(run->until_met(), name == std::string("end"));
      while (run->steps_done() < 20 && !run->until_met()) {
        ASSERT_TRUE(run->step());
      }
      EXPECT_EQ(run->steps_done(), 9U);
    });
  }
}

/// Saved by some ranks, after so many steps.
void save_on(std::uint32_t size, const ModelInfo& model, const Parameters& parameters, int steps,
             const std::string& path) {
  test::run_ranks(size, [&](Ranks& ranks) {
    auto run = Run::begin(ranks, model, parameters, 7);
    ASSERT_TRUE(run) << run.error().message;
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(run->step());
    }
    const auto saved = run->save(path);
    ASSERT_TRUE(saved) << saved.error().message;
  });
}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(ModelsOverRanks, GoOnOnAnyNumberOfRanks) {
  const ModelInfo& model = *find_model(models::published(), "lennard_jones").value();
  const Parameters parameters = parameters_with(model, {{"cells", 4}});
  const Left expected = finish(Run::begin(model, parameters, 7), 20);
  for (const std::uint32_t before : {1U, 3U, 4U}) {
    const test::ScratchFolder folder;
    const std::string path = (folder / "run").string();
    save_on(2, model, parameters, 4, path);
    save_on(before, model, parameters, 9, path);  // in place of the other
    EXPECT_EQ(files_in(folder.path()), 1 + before);
    EXPECT_EQ(finish(Run::resume(path, models::published()), 11), expected);
    for (const std::uint32_t after : {1U, 2U, 5U}) {
      SCOPED_TRACE(std::to_string(before) + " ranks, then " + std::to_string(after));
      test::run_ranks(after, [&](Ranks& ranks) {
        const Left found = finish(Run::resume(ranks, path, models::published()), 11);
        if (ranks.rank() == 0) {
          EXPECT_EQ(found, expected);
        }
      });
    }
    const auto alone = Run::resume(path, models::published());
    ASSERT_TRUE(alone && alone->save(path));  // one file in place of all
    EXPECT_EQ(files_in(folder.path()), 1U);
  }
}

/// Every rank says what is wrong with a file of one of them.
void expect_refused(const std::string& path, ErrorCode code, const std::string& what) {
  test::run_ranks(3, [&](Ranks& ranks) {
    const auto run = Run::resume(ranks, path, models::published());
    ASSERT_FALSE(run);
    EXPECT_EQ(test::code_of(run), code) << run.error().message;
    EXPECT_NE(run.error().message.find(what), std::string::npos) << run.error().message;
  });
  const auto alone = Run::resume(path, models::published());
  ASSERT_FALSE(alone);
  EXPECT_EQ(test::code_of(alone), code) << alone.error().message;
}

TEST(ModelsOverRanks, RefuseLostAndDamagedParts) {
  namespace fs = std::filesystem;
  const ModelInfo& model = *find_model(models::published(), "lennard_jones").value();
  const test::ScratchFolder folder;
  const std::string path = (folder / "run").string();
  save_on(3, model, parameters_with(model, {{"cells", 4}}), 2, path);
  std::vector<fs::path> parts;
  for (const auto& file : fs::directory_iterator(folder.path())) {
    if (file.path().filename() != "run") {
      parts.push_back(file.path());
    }
  }
  ASSERT_EQ(parts.size(), 3U);
  std::sort(parts.begin(), parts.end());
  const std::string other = parts[1].string() + "_";
  fs::rename(parts[1], other);
  expect_refused(path, ErrorCode::kIo, parts[1].filename().string());
  fs::copy(parts[2], parts[1]);
  expect_refused(path, ErrorCode::kCorruptFile, "another part");
  fs::remove(parts[1]);
  fs::copy(other, parts[1]);
  fs::resize_file(parts[1], fs::file_size(other) - 64);
  expect_refused(path, ErrorCode::kCorruptFile, parts[1].filename().string());
  fs::remove(parts[1]);
  fs::rename(other, parts[1]);
  EXPECT_TRUE(Run::resume(path, models::published()));
}

TEST(ModelsOverRanks, CannotSaveWhereThereIsNoFolder) {
  const ModelInfo& model = *find_model(models::published(), "lennard_jones").value();
  test::run_ranks(2, [&](Ranks& ranks) {
    auto run = Run::begin(ranks, model, parameters_with(model, {{"cells", 4}}), 7);
    ASSERT_TRUE(run);
    EXPECT_EQ(test::code_of(run->save("no/such/folder")), ErrorCode::kIo);
    EXPECT_TRUE(run->step());  // nothing was lost
  });
}

TEST(ModelsOverRanks, OrSayWhyNot) {
  test::run_ranks(2, [&](Ranks& ranks) {
    for (const char* name : {"schelling", "wolf_sheep", "forest_fire", "flocking"}) {
      const ModelInfo& model = *find_model(models::published(), name).value();
      const auto run = Run::begin(ranks, model, parameters_of(model).value(), 1);
      ASSERT_FALSE(run) << name;
      EXPECT_EQ(test::code_of(run), ErrorCode::kInvalidArgument);
      EXPECT_NE(run.error().message.find(model.one_machine), std::string::npos);
    }
    const ModelInfo& melt = *find_model(models::published(), "lennard_jones").value();
    const auto run = Run::begin(ranks, melt, parameters_with(melt, {{"cells", 5}, {"hold", 100}}), 1);
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().message.find("hold=0"), std::string::npos);
  });
}

}  // namespace
}  // namespace juxta
