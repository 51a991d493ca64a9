// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files on every system. What a system has of its own: os_posix_test.cpp, os_windows_test.cpp.
#include "core/os_files.h"

#include <thread>

namespace juxta::core_detail {
namespace {

#if defined(_WIN32)
constexpr const char* kMissing = "': ";  // and a sentence of Windows, in the user's language
#else
constexpr const char* kMissing = "No such file";
#endif

using MappedFileTest = Files;
using AtomicFileTest = Files;

TEST_F(MappedFileTest, ShowsTheBytes) {
  put(folder_ / "a", "hello");
  auto file = MappedFile::open(folder_ / "a");
  ASSERT_TRUE(file);
  MappedFile moved = std::move(*file);
  ASSERT_EQ(moved.bytes().size(), 5U);
  EXPECT_EQ(static_cast<char>(moved.bytes()[4]), 'o');
  EXPECT_TRUE(file->bytes().empty());
  moved = MappedFile();
  EXPECT_TRUE(moved.bytes().empty());
}

TEST_F(MappedFileTest, AnEmptyFileIsEmpty) {
  put(folder_ / "a", "");
  const auto file = MappedFile::open(folder_ / "a");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

TEST_F(MappedFileTest, RefusesWhatIsNoReadableFile) {
  expect_io_error(MappedFile::open(folder_ / "missing"), folder_ / "missing", kMissing);
  expect_io_error(MappedFile::open(folder_), folder_, "not a regular file");
  expect_io_error(MappedFile::open(""), "", kMissing);
}

TEST_F(MappedFileTest, KeepsTheOldContentsWhenTheFileIsReplaced) {
  put(folder_ / "a", std::string(100'000, 'o'));
  const auto file = MappedFile::open(folder_ / "a");
  ASSERT_TRUE(file);
  ASSERT_TRUE(save(folder_ / "a", {"n"}));
  EXPECT_EQ(get(folder_ / "a"), "n");
  EXPECT_EQ(static_cast<char>(file->bytes()[99'999]), 'o');
}

TEST_F(AtomicFileTest, WritesSeveralSpans) {
  ASSERT_TRUE(save(folder_ / "a", {"one ", "", "two ", std::string(3'000'000, 'x')}));
  EXPECT_EQ(get(folder_ / "a"), "one two " + std::string(3'000'000, 'x'));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFileTest, WithoutCommitNothingHappened) {
  put(folder_ / "a", "old");
  {
    auto file = AtomicFile::create(folder_ / "a");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(std::as_bytes(std::span("new"))));
    EXPECT_EQ(get(folder_ / "a"), "old");
    EXPECT_EQ(entries(), 2U);
    const AtomicFile moved = std::move(*file);
    EXPECT_EQ(entries(), 2U);
  }
  EXPECT_EQ(get(folder_ / "a"), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFileTest, NothingCanBeWrittenAfterTheCommit) {
  auto file = AtomicFile::create(folder_ / "a");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->commit());
  EXPECT_FALSE(file->write(std::as_bytes(std::span("late"))));
  EXPECT_FALSE(file->commit());
  EXPECT_EQ(get(folder_ / "a"), "");
}

TEST_F(AtomicFileTest, RefusesWhatCannotBeWritten) {
  expect_io_error(save(folder_ / "no" / "a", {"x"}), folder_ / "no" / "a", kMissing);
  expect_io_error(save(folder_, {"x"}), folder_, "Is a directory");
  expect_io_error(AtomicFile::create(""), "", "does not name a file");
  EXPECT_EQ(entries(), 0U);
}

TEST_F(AtomicFileTest, ManyWritersOfOneFileLeaveOneWholeFile) {
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'i'; ++c) {
    writers.emplace_back([this, c] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(save(folder_ / "a", {std::string(5000, c), std::string(5000, c)}));
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  const std::string text = get(folder_ / "a");
  EXPECT_EQ(text, std::string(10'000, text.at(0)));
  EXPECT_EQ(entries(), 1U);
}

using AppendFileTest = Files;

TEST_F(AppendFileTest, GrowsIsCutAndGrowsAgain) {
  put(folder_ / "a", "one ");
  {
    auto file = AppendFile::open(folder_ / "a");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->size(), 4U);
    ASSERT_TRUE(append(*file, "two three"));
    EXPECT_EQ(get(folder_ / "a"), "one two three");  // before anything is closed
    AppendFile moved = std::move(*file);
    ASSERT_TRUE(moved.keep(8));
    ASSERT_TRUE(append(moved, "four"));
    EXPECT_EQ(moved.size(), 12U);
    ASSERT_TRUE(moved.flush());
  }
  EXPECT_EQ(get(folder_ / "a"), "one two four");
}

TEST_F(AppendFileTest, HasOneHolderAtATime) {
  {
    const auto file = AppendFile::open(folder_ / "a");
    ASSERT_TRUE(file);
    expect_io_error(AppendFile::open(folder_ / "a"), folder_ / "a", "another program");
  }
  EXPECT_TRUE(AppendFile::open(folder_ / "a"));
}

TEST_F(AppendFileTest, RefusesWhatCannotGrow) {
  expect_io_error(AppendFile::open(folder_ / "no" / "a"), folder_ / "no" / "a", kMissing);
  expect_io_error(AppendFile::open(folder_), folder_, "Is a directory");
}

}  // namespace
}  // namespace juxta::core_detail
