// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A replay is the battle again; the first tick that differs is named; nothing else is taken for one.
#include "sector/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sector/tiny.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta::sector {
namespace {

using juxta::test::code_of;

using juxta::test::read_text;
using juxta::test::ScratchFolder;
using juxta::test::ThreadsExecutor;
using juxta::test::write_text;
using test::begun;
using test::tiny;

constexpr std::uint32_t kTicks = 50;

/// The text of a replay of so many ticks.
const std::string& recorded() {
  static const std::string text = [] {
    const ScratchFolder folder;
    const auto world = begun(tiny());
    auto writer = ReplayWriter::create(folder / "battle.replay", *world);
    EXPECT_TRUE(writer) << writer.error().message;
    for (std::uint32_t i = 0; i < kTicks; ++i) {
      EXPECT_TRUE(tick(*world) && writer->add(*world));
      EXPECT_EQ(read_replay(folder / "battle.replay")->hashes.size(), i + 1);  // a crash now keeps it
    }
    return read_text(folder / "battle.replay");
  }();
  return text;
}

void expect_refused(const std::string& text, ErrorCode code, std::uint64_t line, std::string_view words) {
  const auto replay = parse_replay(text);
  ASSERT_FALSE(replay) << text.substr(0, 200);
  EXPECT_EQ(code_of(replay), code);
  EXPECT_EQ(replay.error().line, line) << replay.error().message;
  EXPECT_NE(replay.error().message.find(words), std::string::npos) << replay.error().message;
}

std::string with(const std::string& what, const std::string& by) {
  std::string text = recorded();
  text.replace(text.find(what), what.size(), by);
  return text;
}

TEST(SectorReplay, IsTheBattleAgain) {
  const auto replay = parse_replay(recorded());
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_EQ(replay->scenario, tiny());
  EXPECT_FALSE(replay->cut_short);
  EXPECT_EQ(replay->hashes, test::play(*begun(tiny()), kTicks));
  const ThreadsExecutor threads(3);
  for (const Executor* executor :
       {static_cast<const Executor*>(nullptr), static_cast<const Executor*>(&threads)}) {
    const auto result = run_replay(*replay, executor);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->ticks, kTicks);
    EXPECT_FALSE(result->first_different);
  }
}

TEST(SectorReplay, NamesTheFirstTickThatDiffers) {
  auto replay = parse_replay(recorded()).value();
  const std::uint64_t right = replay.hashes[29];
  replay.hashes[29] ^= 1;
  replay.hashes[35] ^= 1;
  const auto result = run_replay(replay);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->first_different, 30u);
  EXPECT_EQ(result->ticks, 30u);
  EXPECT_EQ(result->expected, right ^ 1);
  EXPECT_EQ(result->got, right);
  replay.scenario.seed = 4;
  EXPECT_EQ(run_replay(replay)->first_different, 1u);
}

TEST(SectorReplay, StopsWhenAsked) {
  class Stop final : public Monitor {
   public:
    bool on_progress(std::string_view, std::uint64_t done, std::uint64_t total) override {
      EXPECT_EQ(total, kTicks);
      return done < 7;
    }
  } stop;
  const auto result = run_replay(parse_replay(recorded()).value(), nullptr, &stop);
  ASSERT_FALSE(result);
  EXPECT_EQ(code_of(result), ErrorCode::kCancelled);
  EXPECT_NE(result.error().message.find("7 ticks"), std::string::npos) << result.error().message;
}

TEST(SectorReplay, CutAnywhereIsAShorterOne) {
  const std::string& whole = recorded();
  const Replay replay = parse_replay(whole).value();
  const std::size_t head = whole.find('\n') + 1;
  for (std::size_t size = head; size < whole.size(); size += 7) {
    const auto cut = parse_replay(whole.substr(0, size));
    ASSERT_TRUE(cut) << size;
    EXPECT_EQ(cut->cut_short, whole[size - 1] != '\n');
    EXPECT_TRUE(std::equal(cut->hashes.begin(), cut->hashes.end(), replay.hashes.begin()));
    EXPECT_EQ(cut->hashes.size(),
              static_cast<std::size_t>(std::count(whole.begin() + static_cast<std::ptrdiff_t>(head),
                                                  whole.begin() + static_cast<std::ptrdiff_t>(size), '\n')));
  }
  for (std::size_t size = 0; size + 1 < head; size += 13) {
    EXPECT_FALSE(parse_replay(whole.substr(0, size))) << size;
  }
}

TEST(SectorReplay, SaysWhatIsWrongAndWhere) {
  constexpr auto kParse = ErrorCode::kParse;
  expect_refused("", kParse, 1, "this is no replay");
  expect_refused("words\n", kParse, 1, "this is no replay");
  expect_refused("[]\n", kParse, 1, "this is no replay");
  expect_refused(std::string(500'000, '[') + "\n", kParse, 1, "this is no replay");
  expect_refused(std::string(2'000'000, '['), kParse, 1, "at most");
  expect_refused(with("\"replay\"", "\"reply\""), kParse, 1, "this is no replay");
  expect_refused(with("\"version\":1", "\"version\":2"), ErrorCode::kCorruptFile, 1,
                 "another version than 1");
  expect_refused(with("\"first\":0", "\"first\":1"), kParse, 1, "first");
  expect_refused(with("sight = 24", "sight = -4"), kParse, 1, "[steer] sight: give a number from");
  expect_refused(with("\"scenario\":", "\"scenarios\":"), kParse, 1, "scenario");
  expect_refused(with("{\"tick\": 9,", "{\"tick\": 8,"), kParse, 10, "give {\"tick\": 9, \"hash\":");
  expect_refused(with("{\"tick\": 9,", "{\"tick\": -9,"), kParse, 10, "\"tick\": 9");
  expect_refused(with("{\"tick\": 9,", "\n{\"tick\": 9,"), kParse, 10, "\"tick\": 9");
  expect_refused(with("{\"tick\": 9,", "{\"tick\": 9 "), kParse, 10, "sixteen hexadecimal digits");
  expect_refused(with("\"hash\": \"", "\"hash\": \"g"), kParse, 2, "sixteen");
  expect_refused(with("\"hash\": \"", "\"hash\": 1, \"h\": \""), kParse, 2, "sixteen");
  const auto none = read_replay("/nowhere/at.all");
  ASSERT_FALSE(none);
  EXPECT_EQ(code_of(none), ErrorCode::kIo);
}

TEST(SectorReplay, BeginsWithItsBattleAndHasEveryTick) {
  const ScratchFolder folder;
  const auto world = begun(tiny());
  auto writer = ReplayWriter::create(folder / "r", *world);
  ASSERT_TRUE(writer);
  EXPECT_EQ(code_of(writer->add(*world)), ErrorCode::kInvalidArgument);  // no tick yet
  (void)test::play(*world, 2);
  EXPECT_EQ(code_of(writer->add(*world)), ErrorCode::kInvalidArgument);  // the first was left out
  EXPECT_EQ(code_of(ReplayWriter::create(folder / "s", *world)), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

#if !defined(_WIN32)  // Windows has no limit for the size of a file
TEST(SectorReplay, SaysWhenTheDiskIsFull) {
  const auto world = begun(tiny());
  const auto nowhere = ReplayWriter::create("/nowhere/r", *world);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(code_of(nowhere), ErrorCode::kIo);
  EXPECT_NE(nowhere.error().message.find("/nowhere/r"), std::string::npos);
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(code_of(ReplayWriter::create("/dev/full", *world)), ErrorCode::kIo);
  }
  const ScratchFolder folder;
  auto writer = ReplayWriter::create(folder / "r", *world);
  ASSERT_TRUE(writer);
  Result<void> added;
  {
    const juxta::test::SmallDisk disk(std::filesystem::file_size(folder / "r") + 60);  // one line and a half
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(added) << added.error().message;
      ASSERT_TRUE(tick(*world));
      added = writer->add(*world);
    }
  }
  ASSERT_FALSE(added);
  EXPECT_EQ(code_of(added), ErrorCode::kIo);
  const auto kept = read_replay(folder / "r");
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->hashes.size(), 1u);
  EXPECT_TRUE(kept->cut_short);
}
#endif

}  // namespace
}  // namespace juxta::sector
