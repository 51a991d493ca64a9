// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "core/os.h"
#include "support/code_of.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace juxta::core_detail {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "juxta_os_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  static void put(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string get(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static Result<void> save(const fs::path& path, const std::vector<std::string>& parts) {
    auto file = AtomicFile::create(path);
    if (!file) {
      return tl::unexpected<Error>(file.error());
    }
    for (const std::string& part : parts) {
      if (auto written = file->write(std::as_bytes(std::span(part))); !written) {
        return written;
      }
    }
    return file->commit();
  }
  template <class T>
  static void expect_io_error(const Result<T>& result, const fs::path& path, const std::string& reason) {
    ASSERT_FALSE(result);
    EXPECT_EQ(test::code_of(result), ErrorCode::kIo);
    EXPECT_NE(result.error().message.find(path.string()), std::string::npos) << result.error().message;
    EXPECT_NE(result.error().message.find(reason), std::string::npos) << result.error().message;
  }

  fs::path folder_;
};

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
  expect_io_error(MappedFile::open(folder_ / "missing"), folder_ / "missing", "No such file");
  expect_io_error(MappedFile::open(folder_), folder_, "not a regular file");
  expect_io_error(MappedFile::open("/dev/zero"), "/dev/zero", "not a regular file");
  expect_io_error(MappedFile::open(""), "", "No such file");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_io_error(MappedFile::open(pipe), pipe, "not a regular file");  // and does not wait for a writer
}

TEST_F(MappedFileTest, NeedsTheRight) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may read everything";
  }
  put(folder_ / "a", "hello");
  fs::permissions(folder_ / "a", fs::perms::none);
  expect_io_error(MappedFile::open(folder_ / "a"), folder_ / "a", "Permission denied");
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

TEST_F(AtomicFileTest, KeepsRightsAndFollowsLinks) {
  put(folder_ / "a", "old");
  fs::permissions(folder_ / "a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a", folder_ / "link");
  ASSERT_TRUE(save(folder_ / "link", {"new"}));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(get(folder_ / "a"), "new");
  EXPECT_EQ(fs::status(folder_ / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, RefusesWhatCannotBeWritten) {
  expect_io_error(save(folder_ / "no" / "a", {"x"}), folder_ / "no" / "a", "No such file");
  expect_io_error(save(folder_, {"x"}), folder_, "Is a directory");
  expect_io_error(AtomicFile::create(""), "", "does not name a file");
  EXPECT_EQ(entries(), 0U);
}

TEST_F(AtomicFileTest, NeedsTheRight) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  expect_io_error(save(folder_ / "a", {"x"}), folder_ / "a", "Permission denied");
}

TEST_F(AtomicFileTest, AFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) {
    GTEST_SKIP() << "no /dev/full here";
  }
  expect_io_error(save("/dev/full", {"x"}), "/dev/full", "No space left");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// A limit on file sizes fails in the middle of a file as a full disk does.
TEST_F(AtomicFileTest, ADiskThatFillsLeavesTheOldFile) {
  put(folder_ / "a", "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limited = before;
  limited.rlim_cur = 100'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limited), 0);
  const auto result = save(folder_ / "a", {std::string(90'000, 'x'), std::string(90'000, 'y')});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  expect_io_error(result, folder_ / "a", "File too large");
  EXPECT_EQ(get(folder_ / "a"), "old");
  EXPECT_EQ(entries(), 1U);
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

Result<void> append(AppendFile& file, const std::string& text) {
  return file.append(std::as_bytes(std::span(text)));
}

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
  expect_io_error(AppendFile::open(folder_ / "no" / "a"), folder_ / "no" / "a", "No such file");
  expect_io_error(AppendFile::open(folder_), folder_, "Is a directory");
  expect_io_error(AppendFile::open("/dev/null"), "/dev/null", "not a regular file");
}

TEST_F(AppendFileTest, ADiskThatFillsLeavesWhatStoodThere) {
  auto file = AppendFile::open(folder_ / "a");
  ASSERT_TRUE(file);
  ASSERT_TRUE(append(*file, "old"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limited = before;
  limited.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limited), 0);
  const auto result = append(*file, std::string(2000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  expect_io_error(result, folder_ / "a", "File too large");
  EXPECT_EQ(get(folder_ / "a"), "old");
  EXPECT_TRUE(append(*file, " and new"));
  EXPECT_EQ(get(folder_ / "a"), "old and new");
}

}  // namespace
}  // namespace juxta::core_detail
