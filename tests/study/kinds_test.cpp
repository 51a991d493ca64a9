// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A model that reports whole numbers, words and Ids: through a run's file, a sweep and its journal.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "juxta/study/agent_model.h"
#include "juxta/study/run.h"
#include "juxta/study/sweep.h"
#include "study/scratch.h"
#include "study/sealed_run.h"

namespace juxta {
namespace {

class Weather final : public AgentModel {
 public:
  static constexpr auto kAgents = "clouds";
  static constexpr auto kColumns = names("rain");
  static constexpr std::array<const char*, 0> kResults{};
  static World world(const Parameters&) { return walled_plane(10, 10); }
  using AgentModel::AgentModel;

  Result<void> start() {
    JUXTA_TRY(agents().insert(3));
    return {};
  }
  Result<void> step(const Context& /*unused*/) override { return end_step(); }
  void declare(Collector& collector) const override {
    collector.add("big", [this] { return (std::int64_t{1} << 60) + simulation().step(); });
    collector.add("sky", [this] { return simulation().step() % 2 == 0 ? std::string("blue, \tor\n") : ""; });
    collector.add("first", [this] { return agents().id_of(0); });
    collector.add("half", [this] { return simulation().step() * 0.5; });
  }
  void draw(Raster& /*image*/) const override {}
};

const std::vector<ModelInfo>& weathers() {
  static const std::vector<ModelInfo> all = {
      model_of<Weather>({.name = "weather", .parameters = {{"wind", 1, 0, 9, false, ""}}, .steps = 5})};
  return all;
}

std::string saved_run(const test::ScratchFolder& folder) {
  juxta::Run run =
      juxta::Run::begin(weathers()[0], Parameters(weathers()[0].parameters), 1, {.agents_every = 1}).value();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(run.step());
  }
  EXPECT_TRUE(run.save((folder / "run").string()));
  return test::read_text(folder / "run");
}

TEST(StudyKinds, AreInTheFileOfARun) {
  const test::ScratchFolder folder;
  saved_run(folder);
  juxta::Run resumed = juxta::Run::resume((folder / "run").string(), weathers()).value();
  juxta::Run straight =
      juxta::Run::begin(weathers()[0], Parameters(weathers()[0].parameters), 1, {.agents_every = 1}).value();
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(straight.step());
    ASSERT_TRUE(i < 3 || resumed.step());
  }
  EXPECT_TRUE(resumed.collected().steps() == straight.collected().steps());
  EXPECT_TRUE(resumed.collected().agents(0) == straight.collected().agents(0));
  EXPECT_EQ(resumed.collected().steps().whole_column(1)[2], (std::int64_t{1} << 60) + 2);
  EXPECT_EQ(resumed.collected().steps().text_column(2)[2], "blue, \tor\n");
  EXPECT_EQ(resumed.collected().agents(0).kind(1), CellKind::kId);
}

TEST(StudyKinds, TextsThatDoNotFollowEachOtherAreRefused) {
  const test::ScratchFolder folder;
  const std::string good = saved_run(folder);
  const std::uint64_t ends[] = {10, 10, 20, 20};
  const std::size_t at = good.find(std::string(reinterpret_cast<const char*>(ends), sizeof ends));
  ASSERT_NE(at, std::string::npos);
  struct {
    std::size_t row;
    std::uint64_t end;
    bool sound;
  } const cases[] = {{0, 0, true},   {0, 11, false}, {0, ~std::uint64_t{0}, false}, {1, 9, false},
                     {1, 21, false}, {3, 19, false}, {3, ~std::uint64_t{0}, false}, {3, 1000, false}};
  for (const auto& [row, end, sound] : cases) {
    std::string damaged = good;
    std::memcpy(damaged.data() + at + row * sizeof end, &end, sizeof end);
    test::seal(damaged);
    test::write_text(folder / "bad", damaged);
    const auto resumed = juxta::Run::resume((folder / "bad").string(), weathers());
    EXPECT_EQ(resumed.has_value(), sound) << row << " " << end;  // sound: other words
    EXPECT_TRUE(resumed || resumed.error().code == ErrorCode::kCorruptFile);
  }
}

TEST(StudyKinds, AreInTheTableOfASweepAndInItsJournal) {
  const test::ScratchFolder folder;
  const Sweep sweep{.model = weathers().data(),
                    .parameters = Parameters(weathers()[0].parameters),
                    .steps = 4,
                    .every = 2,
                    .seeds = {1, 9'007'199'254'740'993},
                    .vary = {{"wind", {0.5, 2}}}};
  const std::string journal = (folder / "journal").string();
  const auto first = run_sweep(sweep, {.journal = journal});
  ASSERT_TRUE(first) << first.error().message;
  std::string kinds;
  for (const TableColumn& column : first->table.columns()) {
    kinds += "nwti"[static_cast<int>(column.kind)];
  }
  EXPECT_EQ(kinds, "wwnwwtin");  // replica, seed, wind, step, big, sky, first, half
  EXPECT_EQ(first->table.rows(), 12u);
  EXPECT_EQ(first->table.whole_column(1)[3], 9'007'199'254'740'993);
  const auto again = run_sweep(sweep, {.journal = journal});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->resumed, 4u);
  EXPECT_TRUE(again->table == first->table);
}

TEST(StudyKinds, AConditionIsAboutNumbers) {
  const Parameters parameters(weathers()[0].parameters);
  const auto with = [&](const char* name) {
    return juxta::Run::begin(weathers()[0], parameters, 1, {.until = Until{name, Until::Op::kEqual, 1}});
  };
  EXPECT_TRUE(with("big"));
  EXPECT_TRUE(with("half"));
  ASSERT_FALSE(with("sky"));
  EXPECT_NE(with("sky").error().message.find("'sky' is no number"), std::string::npos);
  EXPECT_FALSE(with("first"));
}

}  // namespace
}  // namespace juxta
