// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Logs that are cut off, damaged or missing.
#include "ranked/kept_points.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using namespace test;

// A log that ends anywhere is one of some changes less; each is there as a whole or not at all.
TEST_F(LiveFiles, LogsThatAreCutOff) {
  std::vector<Seen> states;
  {
    LiveRankedPoints live = make_points(20);
    ASSERT_TRUE(live.keep(path()));
    History history(5);
    states.push_back(look(live));
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(history.step(live));
      states.push_back(look(live));
    }
  }
  const std::string whole = bytes("points.jxr.1.log");
  std::size_t changes = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write("points.jxr.1.log", whole.substr(0, size));
    const auto live = LiveRankedPoints::open(path(), kByHand);
    ASSERT_TRUE(live) << size << ": " << live.error().message;
    const Seen seen = look(*live);
    if (changes + 1 < states.size() && same(seen, states[changes + 1])) {
      ++changes;
    }
    ASSERT_TRUE(same(seen, states[changes])) << size;
  }
  EXPECT_EQ(changes, 5U);
}

// A byte that has changed is noticed. What was on the disk is refused then; of the rest, the changes before
// it are there, and a copy of the log if it had more.
TEST_F(LiveFiles, LogsThatAreDamaged) {
  std::vector<Seen> states;
  {
    LiveRankedPoints live = make_points(20);
    ASSERT_TRUE(live.keep(path()));
    History history(6);
    states.push_back(look(live));
    for (int i = 0; i < 6; ++i) {
      ASSERT_TRUE(history.step(live));
      states.push_back(look(live));
      if (i == 2) {
        ASSERT_TRUE(live.sync());  // three changes are on the disk, and the next one says so
      }
    }
  }
  const std::string whole = bytes("points.jxr.1.log");
  std::size_t refused = 0, copied = 0;
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    write("points.jxr.1.log", damaged);
    fs::remove(folder_ / "points.jxr.1.log.cut");
    const auto live = LiveRankedPoints::open(path(), kByHand);
    if (!live) {
      ++refused;
      EXPECT_EQ(test::code_of(live), ErrorCode::kCorruptFile);
      EXPECT_NE(live.error().byte, Error::kNowhere);
      EXPECT_EQ(bytes("points.jxr.1.log"), damaged);  // it is left as it is
      continue;
    }
    const Seen seen = look(*live);
    const auto state = std::ranges::find_if(states, [&](const Seen& s) { return same(s, seen); });
    ASSERT_GE(state - states.begin(), 3);
    ASSERT_LT(state - states.begin(), 6);
    const bool is_copied = fs::exists(folder_ / "points.jxr.1.log.cut");
    EXPECT_EQ(is_copied, state - states.begin() < 5);
    copied += is_copied ? 1U : 0U;
    EXPECT_TRUE(!is_copied || bytes("points.jxr.1.log.cut") == damaged);
  }
  EXPECT_GT(refused, 60U);
  EXPECT_GT(copied, 30U);
}

// A program that was killed in the middle of a large change, when a merge had just begun the next log.
TEST_F(LiveFiles, TornAtTheEndOfALog) {
  Seen before;
  {
    LiveRankedPoints live = make_points(50);
    ASSERT_TRUE(live.keep(path()));
    History history(7);
    for (int i = 0; i < 5; ++i) {
      before = look(live);
      ASSERT_TRUE(history.step(live));
    }
  }
  const std::string whole = bytes("points.jxr.1.log");
  write("points.jxr.1.log", whole.substr(0, whole.size() - 10));
  const std::string head = whole.substr(0, 64);
  for (const std::size_t size : {0U, 30U}) {  // of the next log, the header at most
    write("points.jxr.2.log", head.substr(0, size));
    LiveRankedPoints live = LiveRankedPoints::open(path(), kByHand).value();
    EXPECT_TRUE(same(look(live), before));
    ASSERT_TRUE(live.insert({1, 2, 3}));  // into log 2
    const Seen after = look(live);
    live = make_points(0);
    EXPECT_TRUE(same(look(LiveRankedPoints::open(path(), kByHand).value()), after));
    fs::remove(folder_ / "points.jxr.2.log");
  }
  fs::remove(folder_ / "points.jxr.1.log");
  EXPECT_EQ(test::code_of(LiveRankedPoints::open(path())), ErrorCode::kCorruptFile);  // it is missing
}

}  // namespace
}  // namespace juxta
