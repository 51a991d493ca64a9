// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A program that plays and saves is killed at any moment, some hundred times: what it said it had saved is
// there, and it goes on as if nothing had happened.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "sector/checkpoint.h"
#include "sector/checkpoint_file.h"
#include "sector/tiny.h"
#include "study/scratch.h"

namespace juxta::sector {
namespace {

using juxta::test::ScratchFolder;
using test::begun;
using test::tiny;

/// Plays on from what is there, saves after every tick, and says so: until it is killed.
[[noreturn]] void play_and_save(const std::filesystem::path& folder, int acknowledge) {
  auto world = std::filesystem::exists(folder / kManifest) ? load_checkpoint(folder) : begin_world(tiny());
  while (world && tick(**world) && save_checkpoint(**world, folder)) {
    const std::uint32_t saved = (*world)->tick();
    if (::write(acknowledge, &saved, sizeof saved) != sizeof saved) {
      break;
    }
  }
  ::_exit(1);
}

/// Runs it until it has acknowledged so many ticks, and for so long behind that; kills it, and returns the
/// last tick that it acknowledged; 0: none.
std::uint32_t run_and_kill(const std::filesystem::path& folder, std::uint32_t ticks,
                           std::chrono::microseconds behind) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  EXPECT_GE(child, 0);
  if (child == 0) {
    ::close(ends[0]);
    play_and_save(folder, ends[1]);
  }
  ::close(ends[1]);
  std::uint32_t last = 0;
  const auto next = [&] {
    std::uint32_t tick = 0;
    const bool there = ::read(ends[0], &tick, sizeof tick) == sizeof tick;
    last = there ? tick : last;
    return there;
  };
  for (std::uint32_t i = 0; i < ticks; ++i) {
    EXPECT_TRUE(next());
  }
  std::this_thread::sleep_for(behind);
  ::kill(child, SIGKILL);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself: what it found or wrote was refused";
  while (next()) {
  }
  ::close(ends[0]);
  return last;
}

/// Files beside those of two checkpoints: it was killed while it saved.
bool cut_short(const std::filesystem::path& folder) {
  std::error_code none;
  const std::filesystem::directory_iterator begin(folder, none), end;
  return std::distance(begin, end) > 6;
}

/// What it takes to go on and to save the next tick: longer in builds that check themselves.
std::uint64_t microseconds_of_one(const std::filesystem::path& folder) {
  EXPECT_TRUE(save_checkpoint(*begun(tiny()), folder));
  const auto begin = std::chrono::steady_clock::now();
  const auto world = load_checkpoint(folder);
  EXPECT_TRUE(world && tick(**world) && save_checkpoint(**world, folder));
  const auto spent = std::chrono::steady_clock::now() - begin;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
}

std::size_t kills_wanted() {
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::size_t kKills = 40;  // each takes ten times as long
#else
  constexpr std::size_t kKills = 200;
#endif
  const char* const told = std::getenv("JUXTA_KILLS");
  return told == nullptr ? kKills : std::strtoul(told, nullptr, 10);
}

TEST(SectorKill, LosesNothingThatWasAcknowledged) {
  const ScratchFolder folder;
  const auto straight = begun(tiny());  // plays along, and is never stopped
  const std::uint64_t longest = 2 * microseconds_of_one(folder / "timed") + 1;
  std::uint32_t state = 1, acknowledged = 0, tick_before = 0;
  std::size_t while_saving = 0, went_on = 0;
  for (std::size_t kill = 0; kill < kills_wanted() && !HasFailure(); ++kill) {
    state = state * 1664525U + 1013904223U;
    const std::chrono::microseconds behind((state >> 8) % longest);
    const std::uint32_t last = run_and_kill(folder / "kept", state >> 30, behind);
    acknowledged = std::max(acknowledged, last);
    while_saving += cut_short(folder / "kept") ? 1 : 0;
    const auto world = load_checkpoint(folder / "kept");
    if (!world && acknowledged == 0) {
      continue;  // before its first checkpoint
    }
    ASSERT_TRUE(world) << world.error().message;
    const std::uint32_t at = (*world)->tick();
    ASSERT_GE(at, acknowledged);
    ASSERT_LE(at, acknowledged + 1);  // saved, but killed before it could say so
    while (straight->tick() < at) {
      ASSERT_TRUE(tick(*straight));
    }
    ASSERT_EQ(state_hash(**world), at == straight->tick() ? state_hash(*straight) : 0) << "tick " << at;
    acknowledged = at;
    went_on += at > tick_before ? 1 : 0;
    tick_before = at;
  }
  EXPECT_GT(while_saving, kills_wanted() / 20);
  EXPECT_GT(went_on, kills_wanted() / 2);
  std::printf("%zu kills, %zu of them while saving; at tick %u\n", kills_wanted(), while_saving, tick_before);
}

}  // namespace
}  // namespace juxta::sector
