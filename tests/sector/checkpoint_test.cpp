// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a folder of checkpoints holds, and that nothing damaged, foreign or half written is taken for one.
#include "sector/checkpoint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>

#include "sector/checkpoint_file.h"
#include "sector/tiny.h"
#include "study/scratch.h"
#include "support/code_of.h"

namespace juxta::sector {
namespace {

using juxta::test::code_of;

namespace fs = std::filesystem;
using juxta::test::read_text;
using juxta::test::ScratchFolder;
#if !defined(_WIN32)
using juxta::test::SmallDisk;
#endif
using juxta::test::write_text;
using test::begun;
using test::play;
using test::tiny;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

void expect_refused(const fs::path& path, ErrorCode code, std::initializer_list<std::string_view> words) {
  const auto world = load_checkpoint(path);
  ASSERT_FALSE(world);
  EXPECT_EQ(code_of(world), code) << world.error().message;
  for (const std::string_view word : words) {
    EXPECT_NE(world.error().message.find(word), std::string::npos)
        << word << ", in: " << world.error().message;
  }
}

/// A folder with checkpoints of the ticks 20 and 30 of one battle, made once.
class SectorCheckpoint : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<ScratchFolder>();
    const auto world = begun(tiny());
    (void)play(*world, 20);
    ASSERT_TRUE(save_checkpoint(*world, made_->path()));
    at20_ = state_hash(*world);
    (void)play(*world, 10);
    ASSERT_TRUE(save_checkpoint(*world, made_->path()));
    at30_ = state_hash(*world);
  }
  static void TearDownTestSuite() { made_.reset(); }
  void SetUp() override { fs::copy(made_->path(), folder_); }

  void expect_holds(std::uint64_t hash) const { expect_holds(folder_, hash); }
  static void expect_holds(const fs::path& path, std::uint64_t hash) {
    const auto world = load_checkpoint(path);
    ASSERT_TRUE(world) << world.error().message;
    EXPECT_EQ(state_hash(**world), hash);
  }
  [[nodiscard]] Manifest manifest() const { return read_manifest(folder_ / kManifest).value(); }
  void put(const Manifest& changed) const { write_text(folder_ / kManifest, manifest_text(changed)); }

  static inline std::unique_ptr<ScratchFolder> made_;
  static inline std::uint64_t at20_ = 0, at30_ = 0;
  ScratchFolder scratch_;
  fs::path folder_ = scratch_ / "battle";
};

TEST_F(SectorCheckpoint, KeepsTheLastTwo) {
  EXPECT_EQ(names_in(folder_), (std::vector<std::string>{"checkpoint.json", "previous.json",
                                                         "tick_000020.hierarchy", "tick_000020.simulation",
                                                         "tick_000030.hierarchy", "tick_000030.simulation"}));
  expect_holds(at30_);
  expect_holds(folder_ / "checkpoint.json", at30_);
  expect_holds(folder_ / "previous.json", at20_);

  const auto world = load_checkpoint(folder_).value();
  (void)play(*world, 1);
  ASSERT_TRUE(save_checkpoint(*world, folder_));
  EXPECT_EQ(names_in(folder_), (std::vector<std::string>{"checkpoint.json", "previous.json",
                                                         "tick_000030.hierarchy", "tick_000030.simulation",
                                                         "tick_000031.hierarchy", "tick_000031.simulation"}));
  expect_holds(state_hash(*world));
  expect_holds(folder_ / "previous.json", at30_);
}

TEST_F(SectorCheckpoint, NeverWritesToAFileThatAManifestNames) {
  const auto other = begun(tiny(77));
  (void)play(*other, 30);
  ASSERT_TRUE(save_checkpoint(*other, folder_));  // the same tick of another battle
  expect_holds(state_hash(*other));
  expect_holds(folder_ / "previous.json", at30_);
  const auto third = begun(tiny(78));
  (void)play(*third, 30);
  ASSERT_TRUE(save_checkpoint(*third, folder_));
  expect_holds(state_hash(*third));
  expect_holds(folder_ / "previous.json", state_hash(*other));
  EXPECT_EQ(names_in(folder_).size(), 6u);
}

TEST_F(SectorCheckpoint, ClearsAwayWhatItLeftBehindAndNothingElse) {
  for (const char* const name :
       {"tick_000025.simulation", "tick_000030_2.hierarchy", "tick_000030.simulation.77-0.tmp",
        "checkpoint.json.77-1.tmp", "previous.json.77-2.tmp", "tick_notes.txt", "my.tmp",
        "checkpoint.json.bak"}) {
    write_text(folder_ / name, "words");
  }
  const auto world = load_checkpoint(folder_).value();
  ASSERT_TRUE(save_checkpoint(*world, folder_));
  const auto names = names_in(folder_);
  EXPECT_EQ(names.size(), 9u) << testing::PrintToString(names);
  for (const char* const name : {"tick_notes.txt", "my.tmp", "checkpoint.json.bak"}) {
    EXPECT_TRUE(std::ranges::find(names, name) != names.end()) << name;
  }
}

TEST_F(SectorCheckpoint, AnyDamagedByteOfAFileIsFound) {
  for (const std::string& name : {manifest().simulation.name, manifest().hierarchy.name}) {
    const std::string good = read_text(folder_ / name);
    for (int i = 0; i < 60; ++i) {
      std::string bad = good;
      const std::size_t at = i == 0   ? 0
                             : i == 1 ? bad.size() - 1
                                      : bad.size() * static_cast<std::size_t>(i) / 60;
      bad[at] = static_cast<char>(bad[at] ^ 1 << i % 8);
      write_text(folder_ / name, bad);
      expect_refused(folder_, ErrorCode::kCorruptFile,
                     {name, "is damaged", "the previous one, of tick 20, is whole: give", "previous.json"});
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, good.size() / 2, good.size() - 1}) {
      write_text(folder_ / name, good.substr(0, size));
      expect_refused(folder_, ErrorCode::kCorruptFile, {name, "bytes where", "previous.json"});
    }
    write_text(folder_ / name, good + "x");
    expect_refused(folder_, ErrorCode::kCorruptFile, {name, "bytes where"});
    fs::remove(folder_ / name);
    expect_refused(folder_, ErrorCode::kIo, {name, "No such file", "previous.json"});
    fs::create_directory(folder_ / name);
    expect_refused(folder_, ErrorCode::kIo, {name, "not a regular file"});
    fs::remove(folder_ / name);
    write_text(folder_ / name, good);
  }
  expect_holds(at30_);
}

TEST_F(SectorCheckpoint, AnyDamagedByteOfAManifestIsFound) {
  const Manifest good = manifest();
  const std::string text = manifest_text(good);
  ASSERT_EQ(parse_manifest(text).value(), good);
  std::size_t harmless = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const int bit : {0, 5}) {
      std::string bad = text;
      bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
      const auto read = parse_manifest(bad);
      if (read) {  // of one space another, say
        EXPECT_EQ(*read, good) << at;
        ++harmless;
      } else {
        EXPECT_EQ(code_of(read), ErrorCode::kCorruptFile);
      }
    }
  }
  EXPECT_LT(harmless, text.size() / 50);
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    EXPECT_FALSE(parse_manifest(text.substr(0, size))) << size;
  }
}

TEST_F(SectorCheckpoint, SaysWhatIsWrongWithAManifest) {
  const std::string good = read_text(folder_ / kManifest);
  const auto refused = [&](const std::string& text, std::string_view words) {
    write_text(folder_ / kManifest, text);
    expect_refused(folder_, ErrorCode::kCorruptFile, {words, "checkpoint.json", "of tick 20, is whole"});
  };
  const auto with = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    return text;
  };
  refused("", "not JSON");
  refused("{\"juxta\": ", "not JSON");
  refused("[1]", "not JSON");
  refused(std::string(1'000'000, '['), "not JSON");
  refused(std::string(2'000'000, ' '), "at most");
  refused("{\"juxta\": \"replay\", \"version\": 1}", "not the manifest of a battle checkpoint");
  refused(with("\"version\": 1", "\"version\": 2"), "version 2, and this program reads version 1");
  refused(with("\"version\": 1", "\"version\": \"1\""), "version ?");
  refused(with("\"tick\": 30", "\"tick\": 31"), "checksum");
  refused(with("\"tick\": 30", "\"tick\": 4294967296"), "tick is missing or makes no sense");
  refused(with("\"tick\": 30", "\"tick\": -1"), "tick is missing");
  refused(with("sight = 24", "sight = 25"), "checksum");
  refused(with("tick_000030.sim", "../000030.sim"), "simulation is missing or makes no sense");
  refused(with("\"hierarchy\"", "\"hierarchies\""), "hierarchy is missing");
  refused(with("\"checksum\"", "\"checksums\""), "simulation is missing");
}

TEST_F(SectorCheckpoint, RefusesWhatIsWellSealedButNoBattle) {
  const Manifest good = manifest();
  const auto refused = [&](const Manifest& changed, std::initializer_list<std::string_view> words) {
    put(changed);
    expect_refused(folder_, ErrorCode::kCorruptFile, words);
  };
  Manifest changed = good;
  changed.hash ^= 1;
  refused(changed, {"the files of another battle", "of tick 20, is whole"});
  changed = good;
  changed.tick = 29;
  refused(changed, {"the files of another battle"});
  changed = good;
  changed.scenario.seed = 4;
  refused(changed, {"names no battle", "seed"});
  changed = good;
  changed.scenario.width = 91;
  refused(changed, {"names no battle", "size"});
  changed = good;
  changed.scenario.factions = 1;
  refused(changed, {"names no battle", "is of no faction"});
  changed = good;
  changed.simulation = read_manifest(folder_ / kPreviousManifest)->simulation;  // of another tick
  refused(changed, {"battle"});
  changed = good;
  std::swap(changed.simulation, changed.hierarchy);
  refused(changed, {"this is not a file of"});
  changed = good;
  changed.scenario.sight = -1;
  refused(changed, {"scenario cannot be read: its line", "[steer] sight: give a number from"});
  put(good);
  expect_holds(at30_);
}

TEST_F(SectorCheckpoint, SaysWhetherThePreviousOneIsWhole) {
  const Manifest previous = read_manifest(folder_ / kPreviousManifest).value();
  write_text(folder_ / kManifest, "{}");
  expect_refused(folder_, ErrorCode::kCorruptFile, {"of tick 20, is whole"});
  write_text(folder_ / previous.hierarchy.name, "damage");
  expect_refused(folder_, ErrorCode::kCorruptFile, {"the previous one is damaged too"});
  fs::remove(folder_ / kPreviousManifest);
  expect_refused(folder_, ErrorCode::kCorruptFile, {"there is no previous one"});
  fs::remove(folder_ / kManifest);
  expect_refused(folder_, ErrorCode::kIo, {"checkpoint.json", "there is no previous one"});
  expect_refused(scratch_ / "nowhere", ErrorCode::kIo, {"nowhere"});
}

TEST_F(SectorCheckpoint, ADamagedLastOneDoesNotReplaceThePrevious) {
  const auto world = load_checkpoint(folder_ / kPreviousManifest).value();
  (void)play(*world, 5);
  write_text(folder_ / kManifest, "{}");
  ASSERT_TRUE(save_checkpoint(*world, folder_));
  expect_holds(state_hash(*world));
  expect_holds(folder_ / kPreviousManifest, at20_);

  write_text(folder_ / manifest().hierarchy.name, "cut");
  (void)play(*world, 1);
  ASSERT_TRUE(save_checkpoint(*world, folder_));
  expect_holds(state_hash(*world));
  expect_holds(folder_ / kPreviousManifest, at20_);

  std::string bad = read_text(folder_ / manifest().simulation.name);  // one bit, and all of its size
  bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
  write_text(folder_ / manifest().simulation.name, bad);
  (void)play(*world, 1);
  ASSERT_TRUE(save_checkpoint(*world, folder_));
  expect_holds(state_hash(*world));
  expect_holds(folder_ / kPreviousManifest, at20_);
  EXPECT_EQ(names_in(folder_).size(), 6u);
}

#if !defined(_WIN32)  // Windows has no limit for the size of a file
TEST_F(SectorCheckpoint, AFullDiskLeavesTheLastOne) {
  const auto before = names_in(folder_);
  const auto world = load_checkpoint(folder_).value();
  (void)play(*world, 1);
  const std::uint64_t first = manifest().simulation.bytes, second = manifest().hierarchy.bytes;
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{4096}, first / 2,
                                    std::min(first, second) - 1, std::max(first, second) - 4096}) {
    Result<void> saved;
    {
      const SmallDisk disk(bytes);
      saved = save_checkpoint(*world, folder_);
    }
    ASSERT_FALSE(saved) << bytes;
    EXPECT_EQ(code_of(saved), ErrorCode::kIo);
    EXPECT_EQ(names_in(folder_), before) << bytes;
    expect_holds(at30_);
    expect_holds(folder_ / kPreviousManifest, at20_);
  }
  ASSERT_TRUE(save_checkpoint(*world, folder_));  // there is room again
  expect_holds(state_hash(*world));
}
#endif

TEST_F(SectorCheckpoint, AManifestThatCannotBeReplacedLeavesTheLastOne) {
  const auto world = load_checkpoint(folder_).value();
  (void)play(*world, 1);
  fs::remove(folder_ / kPreviousManifest);
  fs::create_directory(folder_ / kPreviousManifest);
  const auto saved = save_checkpoint(*world, folder_);
  ASSERT_FALSE(saved);
  EXPECT_EQ(code_of(saved), ErrorCode::kIo);
  EXPECT_NE(saved.error().message.find("previous.json"), std::string::npos);
  expect_holds(at30_);
}

TEST_F(SectorCheckpoint, NeedsAFolderItMayWriteTo) {
  const auto world = load_checkpoint(folder_).value();
  EXPECT_EQ(code_of(save_checkpoint(*world, folder_ / "checkpoint.json")), ErrorCode::kIo);
  EXPECT_EQ(code_of(save_checkpoint(*world, "/proc/here")), ErrorCode::kIo);
  ASSERT_TRUE(save_checkpoint(*world, scratch_ / "a" / "b" / "c"));  // made when it is not there
  expect_holds(scratch_ / "a" / "b" / "c", at30_);
  if (::geteuid() == 0) {
    return;  // who may write everywhere
  }
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const auto saved = save_checkpoint(*world, folder_);
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_FALSE(saved);
  EXPECT_EQ(code_of(saved), ErrorCode::kIo);
  expect_holds(at30_);
  fs::permissions(folder_ / manifest().hierarchy.name, fs::perms::none);
  expect_refused(folder_, ErrorCode::kIo, {"Permission denied", "of tick 20, is whole"});
}

TEST(SectorSeal, SeesEveryByteAndTheSize) {
  const ScratchFolder folder;
  const auto seal = [&](const std::string& bytes) {
    write_text(folder / "f", bytes);
    return seal_of(folder / "f").value();
  };
  std::vector<std::uint64_t> sums;
  for (std::size_t size = 0; size < 100; ++size) {  // zeros, and how many
    const Sealed sealed = seal(std::string(size, '\0'));
    EXPECT_EQ(sealed.bytes, size);
    sums.push_back(sealed.checksum);
  }
  for (std::size_t at = 0; at < 100; ++at) {
    std::string one(100, '\0');
    one[at] = 1;
    sums.push_back(seal(one).checksum);
  }
  std::ranges::sort(sums);
  EXPECT_TRUE(std::ranges::adjacent_find(sums) == sums.end());
  // More than a block of the reader, and the same on every machine.
  std::string large((std::size_t{5} << 18) + 3, 'a');
  for (std::size_t i = 0; i < large.size(); ++i) {
    large[i] = static_cast<char>(i * 7 + i / 251);
  }
  EXPECT_EQ(seal(large).checksum, 617300387455104500u);
}

}  // namespace
}  // namespace juxta::sector
