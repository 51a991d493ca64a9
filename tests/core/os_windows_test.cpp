// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files and threads as Windows has them: names, sharing, devices, processor masks.
#include <windows.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <thread>

#include "core/os_files.h"
#include "juxta/core/executor.h"

namespace juxta::core_detail {
namespace {

using WindowsFileTest = Files;

/// Written, mapped, appended to and read with the C library's functions under that name.
void expect_whole_use(const fs::path& path) {
  auto file = AtomicFile::create(path);
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->write(std::as_bytes(std::span("hello", 5))));
  const auto committed = file->commit();
  ASSERT_TRUE(committed) << committed.error().message;
  {
    auto longer = AppendFile::open(path);
    ASSERT_TRUE(longer) << longer.error().message;
    EXPECT_EQ(longer->size(), 5U);
    ASSERT_TRUE(append(*longer, "!"));
  }
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped) << mapped.error().message;
  EXPECT_EQ(mapped->bytes().size(), 6U);
  std::FILE* const stream = open_to_read(path);
  ASSERT_NE(stream, nullptr);
  char text[7] = {};
  EXPECT_EQ(std::fread(text, 1, sizeof text, stream), 6U);
  EXPECT_STREQ(text, "hello!");
  std::fclose(stream);
}

TEST_F(WindowsFileTest, NamesHaveEveryLetter) {
  const fs::path path = folder_ / path_of("\xC3\xA9 \xE2\x80\x93 \xE6\xB0\xB4 \xF0\x9F\x9A\x80.jxr");
  expect_whole_use(path);
  expect_io_error(MappedFile::open(folder_ / path_of("\xE6\xB0\xB4")), folder_ / path_of("\xE6\xB0\xB4"),
                  "': ");
}

TEST_F(WindowsFileTest, NamesMayBeLong) {
  fs::path path = folder_;
  for (int i = 0; i < 4; ++i) {
    path /= std::string(100, static_cast<char>('a' + i));
    const std::wstring name = L"\\\\?\\" + path.wstring();
    ASSERT_NE(::CreateDirectoryW(name.c_str(), nullptr), 0) << ::GetLastError();
  }
  expect_whole_use(path / "file");
  ASSERT_NE(::DeleteFileW((L"\\\\?\\" + (path / "file").wstring()).c_str()), 0);
  for (; path != folder_; path = path.parent_path()) {
    EXPECT_NE(::RemoveDirectoryW((L"\\\\?\\" + path.wstring()).c_str()), 0);
  }
}

/// What begins with "//?/" is the same as "\\?\", however long it is.
TEST_F(WindowsFileTest, LongNamesMayBeginWithSlashes) {
  const fs::path folder = folder_ / std::string(200, 'f');
  fs::create_directory(folder);
  const std::string name = std::string(100, 'n');
  const fs::path path = "//?/" + fs::absolute(folder).generic_string() + "/./" + name;
  expect_whole_use(path);
  EXPECT_EQ(get(LR"(\\?\)" + (fs::absolute(folder).make_preferred() / name).wstring()), "hello!");
  EXPECT_NE(::DeleteFileW((LR"(\\?\)" + (fs::absolute(folder).make_preferred() / name).wstring()).c_str()),
            0);
}

TEST_F(WindowsFileTest, SecondStreamsOfAFileAreRefused) {
  put(folder_ / "file", "old");
  expect_io_error(save(folder_ / "file:b", {"new"}), folder_ / "file:b", "a name has no ':'");
  expect_io_error(AppendFile::open(folder_ / "file:b"), folder_ / "file:b", "a name has no ':'");
  EXPECT_EQ(get(folder_ / "file"), "old");
  EXPECT_EQ(entries(), 1U);
}

/// Who reads a file by open_to_read() does not hold up whoever replaces it.
TEST_F(WindowsFileTest, AStreamThatIsReadLetsTheFileBeReplaced) {
  put(folder_ / "a", "old");
  std::FILE* const stream = open_to_read(folder_ / "a");
  ASSERT_NE(stream, nullptr);
  const auto saved = save(folder_ / "a", {"new"});
  EXPECT_TRUE(saved) << saved.error().message;
  char text[4] = {};
  EXPECT_EQ(std::fread(text, 1, sizeof text, stream), 3U);
  EXPECT_STREQ(text, "old");
  std::fclose(stream);
  EXPECT_EQ(get(folder_ / "a"), "new");
  errno = 0;
  EXPECT_EQ(open_to_read(folder_ / "missing"), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(open_to_read(folder_), nullptr);
  EXPECT_EQ(errno, EACCES);
}

/// In one step (NTFS) nothing is left. In two (Wine), what was mapped stays, and by its name it can be told.
TEST_F(WindowsFileTest, WhatWasMappedStaysAsOld) {
  put(folder_ / "a", "old");
  const auto mapped = MappedFile::open(folder_ / "a");
  ASSERT_TRUE(mapped);
  ASSERT_TRUE(save(folder_ / "a", {"new"}));
  EXPECT_EQ(get(folder_ / "a"), "new");
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const fs::path name = entry.path().filename();
    EXPECT_TRUE(name == "a" || (name.extension() == ".old" && get(entry.path()) == "old")) << utf8_of(name);
  }
}

TEST_F(WindowsFileTest, DevicesAreWrittenToDirectly) {
  const auto saved = save("NUL", {"x"});
  EXPECT_TRUE(saved) << saved.error().message;
  expect_io_error(MappedFile::open("NUL"), "NUL", "not a regular file");
  expect_io_error(AppendFile::open("NUL"), "NUL", "not a regular file");
}

TEST_F(WindowsFileTest, AReadOnlyFileStays) {
  put(folder_ / "a", "old");
  ASSERT_NE(::SetFileAttributesW((folder_ / "a").c_str(), FILE_ATTRIBUTE_READONLY), 0);
  expect_io_error(save(folder_ / "a", {"new"}), folder_ / "a", "': ");
  ::SetFileAttributesW((folder_ / "a").c_str(), FILE_ATTRIBUTE_NORMAL);
  EXPECT_EQ(get(folder_ / "a"), "old");
  EXPECT_EQ(entries(), 1U);
}

/// Nothing can take the name from whoever holds it without sharing: the old file stays, and no other one.
TEST_F(WindowsFileTest, AFileThatSomeoneHoldsAloneStays) {
  put(folder_ / "a", "old");
  const HANDLE held = ::CreateFileW((folder_ / "a").c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                    OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(held, INVALID_HANDLE_VALUE);
  expect_io_error(save(folder_ / "a", {"new"}), folder_ / "a", "': ");
  ::CloseHandle(held);
  EXPECT_EQ(get(folder_ / "a"), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(WindowsFileTest, AFileThatIsReadIsReplaced) {
  put(folder_ / "a", "old");
  const HANDLE held = ::CreateFileW((folder_ / "a").c_str(), GENERIC_READ,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(held, INVALID_HANDLE_VALUE);
  const auto saved = save(folder_ / "a", {"new"});
  EXPECT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(get(folder_ / "a"), "new");
  ::CloseHandle(held);
}

TEST_F(WindowsFileTest, ZerosBehindAMappedFileAreRefused) {
  put(folder_ / "a", "hello");
  expect_io_error(MappedFile::open(folder_ / "a", 1), folder_ / "a", "1 zeros behind it");
}

TEST(WindowsPages, AreAlignedZeroAndFreed) {
  for (const std::size_t bytes : {std::size_t{1}, kHugePageBytes - 1, 3 * kHugePageBytes + 5}) {
    auto* const block = static_cast<unsigned char*>(allocate_pages(bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kHugePageBytes, 0U);
    EXPECT_EQ(block[0], 0);
    EXPECT_EQ(block[bytes - 1], 0);
    block[bytes - 1] = 7;
    EXPECT_TRUE(offer_pages(block, bytes));
    block[bytes - 1] = 8;
    EXPECT_EQ(block[bytes - 1], 8);
    free_pages(block, bytes);
    MEMORY_BASIC_INFORMATION about{};
    ASSERT_NE(::VirtualQuery(block, &about, sizeof about), 0U);
    EXPECT_EQ(about.State, static_cast<DWORD>(MEM_FREE));
  }
  EXPECT_EQ(allocate_pages(~std::size_t{0}), nullptr);
  EXPECT_EQ(allocate_pages(std::size_t{1} << 60), nullptr);
}

TEST(WindowsThreads, FollowTheAffinityMask) {
  EXPECT_GE(usable_threads(), 1U);
  unsigned inside = 0;
  std::thread([&inside] {
    DWORD_PTR process = 0, system = 0;
    ASSERT_NE(::GetProcessAffinityMask(::GetCurrentProcess(), &process, &system), 0);
    ASSERT_NE(::SetThreadAffinityMask(::GetCurrentThread(), process & (~process + 1)), 0U);
    inside = usable_threads();
  }).join();
  EXPECT_EQ(inside, 1U);
  EXPECT_TRUE(std::isinf(cgroup_cpus("C:/")));
}

TEST(WindowsThreads, AreCountedAsTheyStart) {
  EXPECT_EQ(startable_threads(0, 1 << 20), 0U);
  EXPECT_EQ(startable_threads(5, 1 << 20), 5U);
}

TEST(WindowsThreads, HaveATimeOfTheirOwn) {
  const double before = thread_seconds();
  volatile double sum = 0;
  while (thread_seconds() - before < 0.05) {
    for (int i = 0; i < 100'000; ++i) {
      sum = sum + i;
    }
  }
  double other = 1;
  std::thread([&other] { other = thread_seconds(); }).join();
  EXPECT_LT(other, 0.05);
}

}  // namespace
}  // namespace juxta::core_detail
