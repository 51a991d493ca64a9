// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A battle that is stopped, saved and resumed is one that never was: on any number of threads, to the bit,
// and to the byte of what it saves next.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "juxta/core/executor.h"
#include "sector/checkpoint.h"
#include "sector/checkpoint_file.h"
#include "sector/tiny.h"
#include "study/scratch.h"
#include "support/executors.h"

namespace juxta::sector {
namespace {

using juxta::test::for_each_executor;
using juxta::test::read_text;
using juxta::test::ScratchFolder;
using test::begun;
using test::play;
using test::tiny;

std::unique_ptr<World> loaded(const std::filesystem::path& path, const Executor* executor = nullptr) {
  auto world = load_checkpoint(path, executor);
  EXPECT_TRUE(world) << world.error().message;
  return world ? std::move(*world) : nullptr;
}

/// The bytes of the last checkpoint's files, by what they are.
std::vector<std::string> files_of(const std::filesystem::path& folder) {
  const auto manifest = read_manifest(folder / kManifest);
  EXPECT_TRUE(manifest) << manifest.error().message;
  return {read_text(folder / kManifest), read_text(folder / manifest->simulation.name),
          read_text(folder / manifest->hierarchy.name)};
}

TEST(SectorResume, AllThatCanHappenDoes) {  // or the tests below would show little
  const auto world = begun(tiny());
  Tally sum;
  std::size_t wrecks = 0, explosions = 0;
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(tick(*world));
    sum.released += world->tally.released;
    sum.shots += world->tally.shots;
    sum.hits += world->tally.hits;
    sum.near_collisions += world->tally.near_collisions;
    sum.deaths += world->tally.deaths;
    sum.warned += world->tally.warned;
    wrecks = std::max(wrecks, world->wrecks.all->size());
    explosions = std::max(explosions, world->explosions.all->size());
  }
  EXPECT_GT(sum.released, 0u);
  EXPECT_GT(sum.shots, 0u);
  EXPECT_GT(sum.hits, 0u);
  EXPECT_GT(sum.near_collisions, 0u);
  EXPECT_GT(sum.deaths, 0u);
  EXPECT_GT(sum.warned, 0u);
  EXPECT_GT(wrecks, 0u);
  EXPECT_GT(explosions, 0u);
}

TEST(SectorResume, GoesOnAsIfItHadNeverStopped) {
  constexpr std::uint32_t kBefore = 60, kAfter = 40;
  const ScratchFolder folder;
  const auto straight = begun(tiny());
  const std::vector<std::uint64_t> before = play(*straight, kBefore);
  ASSERT_TRUE(save_checkpoint(*straight, folder / "middle"));
  const std::vector<std::uint64_t> after = play(*straight, kAfter);
  ASSERT_TRUE(save_checkpoint(*straight, folder / "straight"));
  const std::vector<std::string> expected = files_of(folder / "straight");
  EXPECT_NE(before.front(), before.back());

  int run = 0;
  for_each_executor([&](const Executor* executor) {
    const std::string name = "resumed" + std::to_string(++run);
    const auto begun_anew = begun(tiny(), executor);
    EXPECT_EQ(play(*begun_anew, kBefore), before);
    const auto resumed = loaded(folder / "middle", executor);
    ASSERT_NE(resumed, nullptr);
    EXPECT_EQ(resumed->tick(), kBefore);
    EXPECT_EQ(resumed->scenario, straight->scenario);
    EXPECT_EQ(state_hash(*resumed), before.back());
    EXPECT_EQ(play(*resumed, kAfter), after);
    ASSERT_TRUE(save_checkpoint(*resumed, folder / name));
    EXPECT_TRUE(files_of(folder / name) == expected);
  });
}

TEST(SectorResume, WithEnoughShipsForManyTasks) {
  constexpr std::uint32_t kBefore = 20, kAfter = 20;
  const ScratchFolder folder;
  const auto straight = begun(*preset("skirmish"));
  (void)play(*straight, kBefore);
  ASSERT_TRUE(save_checkpoint(*straight, folder.path()));
  const std::vector<std::uint64_t> after = play(*straight, kAfter);
  for (const unsigned threads : {1U, 2U, 4U, 8U}) {
    const juxta::test::ThreadsExecutor executor(threads);
    const auto resumed = loaded(folder.path(), &executor);
    ASSERT_NE(resumed, nullptr);
    EXPECT_EQ(play(*resumed, kAfter), after) << threads << " threads";
  }
}

TEST(SectorResume, AtEveryTick) {
  constexpr std::uint32_t kTicks = 40;
  const ScratchFolder folder;
  const std::vector<std::uint64_t> straight = play(*begun(tiny(8)), kTicks);
  auto world = begun(tiny(8));
  for (std::uint32_t i = 0; i < kTicks; ++i) {
    ASSERT_TRUE(save_checkpoint(*world, folder.path()));
    world = loaded(folder.path());
    ASSERT_NE(world, nullptr);
    ASSERT_EQ(play(*world, 1).front(), straight[i]) << i;
  }
}

TEST(SectorResume, SavedIsWhatLoadedSaves) {
  const ScratchFolder folder;
  const auto world = begun(tiny(5));
  (void)play(*world, 70);
  ASSERT_TRUE(save_checkpoint(*world, folder / "a"));
  ASSERT_TRUE(save_checkpoint(*loaded(folder / "a"), folder / "b"));
  EXPECT_TRUE(files_of(folder / "a") == files_of(folder / "b"));
}

TEST(SectorResume, WithNobodyInIt) {
  const ScratchFolder folder;
  Scenario empty = tiny();
  empty.ships = empty.spawn_points = empty.asteroids = 0;
  const auto world = begun(empty);
  (void)play(*world, 3);
  ASSERT_TRUE(save_checkpoint(*world, folder.path()));
  const auto resumed = loaded(folder.path());
  ASSERT_NE(resumed, nullptr);
  EXPECT_EQ(play(*resumed, 3), play(*world, 3));
}

}  // namespace
}  // namespace juxta::sector
