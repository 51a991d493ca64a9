// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rights, links, devices, pipes and limits of POSIX.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "core/os_files.h"

namespace juxta::core_detail {
namespace {

using MappedFileTest = Files;
using AtomicFileTest = Files;
using AppendFileTest = Files;

TEST_F(MappedFileTest, RefusesDevicesAndPipes) {
  expect_io_error(MappedFile::open("/dev/zero"), "/dev/zero", "not a regular file");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_io_error(MappedFile::open(pipe), pipe, "not a regular file");  // and does not wait for a writer
  expect_io_error(AppendFile::open("/dev/null"), "/dev/null", "not a regular file");
}

TEST_F(MappedFileTest, NeedsTheRight) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may read everything";
  }
  put(folder_ / "a", "hello");
  fs::permissions(folder_ / "a", fs::perms::none);
  expect_io_error(MappedFile::open(folder_ / "a"), folder_ / "a", "Permission denied");
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
