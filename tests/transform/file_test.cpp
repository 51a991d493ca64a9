// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// save() and load(): everything comes back, goes on alike, and damage is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <memory_resource>
#include <string>
#include <vector>

#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "transform/history.h"
#include "transform/scenario.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;
using scenes::Draws;
using test::Flags;
using test::from_bytes;
using test::saved_bytes;

using TestHistory = test::History<Draws>;

void live(TestHistory& history, Draws& draws, int changes) {
  for (int i = 0; i < changes; ++i) {
    ASSERT_EQ(history.change(), "");
    if (draws.below(20) == 0) {
      ASSERT_EQ(history.begin_step(), "");
      ASSERT_EQ(history.propagate(), "");
    }
  }
}

TEST(TransformFile, RoundTripAndOnFromThere) {
  for (const bool history : {false, true}) {
    for (const std::uint32_t most : {1U, 30U, 400U, 3000U}) {
      SCOPED_TRACE(std::to_string(most) + (history ? " with history" : ""));
      const test::HistoryOptions options{
          .most = most, .flags = Flags::kExact, .history = history, .destroyed = !history};
      Draws draws(most);
      TestHistory saved(draws, options);
      ASSERT_EQ(saved.create_tree(test::Tree::kRandom, most), "");
      ASSERT_NO_FATAL_FAILURE(live(saved, draws, 300));  // some of it not propagated yet
      const auto bytes = saved_bytes(saved.hierarchy);
      Draws same = draws;
      TestHistory loaded(same, options);
      loaded.go_on_from(saved, from_bytes<Hierarchy>(bytes));
      ASSERT_EQ(loaded.compare(), "");
      ASSERT_TRUE(saved_bytes(loaded.hierarchy) == bytes);
      ASSERT_NO_FATAL_FAILURE(live(saved, draws, 200));
      ASSERT_NO_FATAL_FAILURE(live(loaded, same, 200));
      ASSERT_EQ(saved.compare(), "");
      ASSERT_EQ(loaded.compare(), "");
      ASSERT_TRUE(saved_bytes(saved.hierarchy) == saved_bytes(loaded.hierarchy));
    }
  }
}

/// Memory that holds something when it is given.
class UsedMemory : public std::pmr::memory_resource {
 public:
  explicit UsedMemory(int byte) : byte_(byte) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const memory = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    return std::memset(memory, byte_, bytes);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  int byte_;
};

TEST(TransformFile, HoldsNothingThatTheMemoryHeldBefore) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::vector<std::vector<char>> files;
    for (const int byte : {0, 0x3F, 0xFF}) {
      UsedMemory memory(byte);
      Draws draws(seed);
      TestHistory history(draws,
                          {.most = 1500, .flags = Flags::kExact, .history = seed % 2 == 0, .destroyed = true},
                          &memory);
      ASSERT_EQ(history.create_tree(test::Tree::kRandom, 1000), "");
      ASSERT_NO_FATAL_FAILURE(live(history, draws, 300));
      for (int i = 0; i < 20; ++i) {  // some nodes were never propagated
        ASSERT_EQ(history.change(), "");
      }
      files.push_back(saved_bytes(history.hierarchy));
      ASSERT_TRUE(files.back() == files.front()) << seed << " " << byte;
    }
  }
}

TEST(TransformFile, AnEmptyOneAndAnEmptiedOne) {
  Hierarchy hierarchy;
  Hierarchy copy = from_bytes<Hierarchy>(saved_bytes(hierarchy));
  EXPECT_EQ(copy.size(), 0u);
  const Id id = hierarchy.insert({}).value();
  ASSERT_TRUE(hierarchy.propagate() && hierarchy.remove(id));
  copy = from_bytes<Hierarchy>(saved_bytes(hierarchy));
  EXPECT_FALSE(copy.alive(id));
  EXPECT_EQ(copy.version(), 1u);
  EXPECT_EQ(copy.insert({}).value(), hierarchy.insert({}).value());
}

TEST(TransformFile, TheSameCallsGiveTheSameBytes) {
  const auto bytes = [] {
    test::Scenario scenario({.frames = 3}, nullptr);
    scenario.run();
    return saved_bytes(scenario.hierarchy);
  };
  const auto first = bytes();
  {
    // Used memory, so that what nobody wrote would show.
    std::vector<std::vector<char>> rubbish(200, std::vector<char>(100'000, 'x'));
  }
  EXPECT_TRUE(first == bytes());
}

TEST(TransformFile, EveryTruncationAndEveryFlippedByteIsRefused) {
  Draws draws(5);
  TestHistory history(draws, {.most = 50, .flags = Flags::kExact, .history = true});
  ASSERT_NO_FATAL_FAILURE(live(history, draws, 400));
  const auto good = saved_bytes(history.hierarchy);
  const test::ScratchFile file;
  const auto refused = [&](std::span<const char> bytes) {
    file.write(bytes);
    const auto loaded = Hierarchy::load(file.path().string());
    return !loaded && loaded.error().code == ErrorCode::kCorruptFile &&
           loaded.error().message.find(file.path().string()) != std::string::npos;
  };
  EXPECT_FALSE(refused(good));
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 7) {
    ASSERT_TRUE(refused(std::span(good).first(size))) << size;
  }
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 700) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    ASSERT_TRUE(refused(damaged)) << at;
  }
  auto longer = good;
  longer.resize(good.size() + 64);
  EXPECT_TRUE(refused(longer));
}

TEST(TransformFile, WhatTheSystemRefusesIsAnError) {
  Hierarchy hierarchy;
  ASSERT_TRUE(hierarchy.insert({}));
  const fs::path folder = fs::temp_directory_path();
  EXPECT_EQ(test::code_of(Hierarchy::load((folder / "no such hierarchy.jxh").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(Hierarchy::load(folder.string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(hierarchy.save((folder / "no" / "such" / "folder.jxh").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(hierarchy.save(folder.string())), ErrorCode::kIo);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(hierarchy.save("/dev/full")), ErrorCode::kIo);
  }
}

}  // namespace
}  // namespace juxta
