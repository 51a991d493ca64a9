// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "core/chunked_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/os.h"
#if defined(__linux__)
#include "core/os_posix.h"
#endif
#include "support/code_of.h"

namespace juxta::core_detail {
namespace {

namespace fs = std::filesystem;

constexpr ChunkedFormat kFormat = {
    {{'J', 'U', 'X', 'T', 'E', 'S', 'T', '\n'}, 1, 16, "a test", "write it again"}};

#if defined(_WIN32)
constexpr std::size_t kZeros = 0;  // behind a mapped file; Windows has none
#else
constexpr std::size_t kZeros = 1 << 20;
#endif

class ChunkedFiles : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("juxta_chunked_" + std::to_string(::getpid()));
  }
  void TearDown() override { fs::remove(path_); }

  /// A file of so many bytes, whose body arrives in pieces.
  void save(std::size_t body, std::size_t piece) const {
    std::array<std::byte, kHeaderBytes> header{};
    const std::uint32_t words[2] = {kFormat.version, kByteOrder};
    std::memcpy(header.data(), kFormat.magic.data(), 8);
    std::memcpy(header.data() + 8, words, sizeof words);
    std::vector<std::byte> bytes(body);
    for (std::size_t i = 0; i < body; ++i) {
      bytes[i] = static_cast<std::byte>(i * 7 + i / 1000);
    }
    const auto pieces = [&](FlatSink sink) -> Result<void> {
      for (std::size_t at = 0; at < body; at += piece) {
        if (auto done = sink(std::span(bytes).subspan(at, std::min(piece, body - at))); !done) {
          return done;
        }
      }
      return {};
    };
    ASSERT_TRUE(kFormat.save(path_, header, pieces));
  }
  [[nodiscard]] std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  fs::path path_;
};

std::span<const std::byte> as_file(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST_F(ChunkedFiles, HoldTheSameSumsHoweverTheyArrive) {
  for (const std::size_t body : {std::size_t{0}, std::size_t{64}, kChunkBytes - 64, kChunkBytes,
                                 kChunkBytes + 64, 3 * kChunkBytes + 128}) {
    save(body, 64);
    const std::string one = bytes();
    EXPECT_EQ(one.size(), chunked_size(kHeaderBytes + body));
    save(body, 200'000);
    EXPECT_EQ(bytes(), one) << body;
    EXPECT_TRUE(kFormat.check_sums(as_file(one), kHeaderBytes + body));
    EXPECT_TRUE(FileChunks(kFormat, as_file(one), kHeaderBytes + body).check_all());
    std::string sealed = one;
    ASSERT_TRUE(kFormat.seal(std::as_writable_bytes(std::span(sealed))));
    EXPECT_EQ(sealed, one);
  }
  std::string odd(kHeaderBytes + 64, 'x');  // a chunk without a sum
  EXPECT_FALSE(kFormat.seal(std::as_writable_bytes(std::span(odd))));
  odd.resize(odd.size() + 8);
  EXPECT_FALSE(kFormat.seal(std::as_writable_bytes(std::span(odd))));
}

TEST_F(ChunkedFiles, EveryFlippedByteIsFound) {
  const std::size_t body_end = kHeaderBytes + 2 * kChunkBytes + 192;
  save(body_end - kHeaderBytes, 4096);
  const std::string good = bytes();
  for (std::size_t at = 16; at < good.size(); at += at < kHeaderBytes + 64 || at > body_end - 64 ? 1 : 997) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    const auto sums = kFormat.check_sums(as_file(damaged), body_end);
    ASSERT_EQ(sums.has_value(), at >= kHeaderBytes && at < body_end) << at;
    if (sums) {
      const auto found = FileChunks(kFormat, as_file(damaged), body_end).check_all();
      ASSERT_FALSE(found) << at;
      EXPECT_EQ(test::code_of(found), ErrorCode::kCorruptFile);
      EXPECT_EQ(found.error().byte, kHeaderBytes + (at - kHeaderBytes) / kChunkBytes * kChunkBytes);
    }
  }
  EXPECT_FALSE(kFormat.check_sums(as_file(good).first(good.size() - 64), body_end));
}

TEST_F(ChunkedFiles, DamageIsFoundOnceItIsRead) {
  constexpr std::size_t kBody = 256 * kChunkBytes, kAt = 200 * kChunkBytes + 5000;
  save(kBody, kChunkBytes);
  std::string damaged = bytes();
  damaged[kAt] = static_cast<char>(damaged[kAt] ^ 1);
  put(damaged);
  const auto file = MappedFile::open(path_, kZeros).value();
  const auto mapped = file.bytes();
  ASSERT_EQ(mapped.size(), damaged.size());
  ASSERT_TRUE(kFormat.check_sums(mapped, kHeaderBytes + kBody));
  FileChunks chunks(kFormat, mapped, kHeaderBytes + kBody);
  const auto none = [](std::size_t, std::size_t) {};
  if (!visit_pages_read(mapped, none)) {
    EXPECT_FALSE(chunks.check_read());  // all is checked where nobody tells
    return;
  }
  EXPECT_TRUE(chunks.check_read());  // far from the header and from the sums
  volatile std::byte read = mapped[kAt + 4096];
  const auto found = chunks.check_read();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().byte, kHeaderBytes + (kAt - kHeaderBytes) / kChunkBytes * kChunkBytes);
  EXPECT_FALSE(chunks.check_read());
  EXPECT_FALSE(chunks.check_all());
  if (kZeros > 0) {
    read = mapped.data()[mapped.size() + kZeros - 1];  // zeros behind the file
    EXPECT_EQ(std::to_integer<int>(read), 0);
  }
}

// Copies count as read on no page, so what is damaged beside them is not found.
TEST_F(ChunkedFiles, CopiesAreNotReads) {
  constexpr std::size_t kBody = 256 * kChunkBytes, kAt = 200 * kChunkBytes + 5000;
  save(kBody, kChunkBytes);
  const std::string good = bytes();
  std::string damaged = good;
  damaged[kAt + kChunkBytes] = static_cast<char>(damaged[kAt + kChunkBytes] ^ 1);
  put(damaged);
  const auto file = MappedFile::open(path_, kZeros).value();
  FileChunks chunks(kFormat, file.bytes(), kHeaderBytes + kBody);
  std::string out(100, '?');
  ASSERT_TRUE(chunks.copy(file, kAt, std::as_writable_bytes(std::span(out))));
  EXPECT_EQ(out, good.substr(kAt, out.size()));
  const auto none = [](std::size_t, std::size_t) {};
  if (kZeros != 0 && ::sysconf(_SC_PAGESIZE) == 4096 && visit_pages_read(file.bytes(), none)) {
    EXPECT_TRUE(chunks.check_read());
  }
  out.resize(2 * kChunkBytes);
  EXPECT_EQ(test::code_of(chunks.copy(file, kAt, std::as_writable_bytes(std::span(out)))),
            ErrorCode::kCorruptFile);
}

TEST_F(ChunkedFiles, PagesThatWereReadAreVisited) {
  put(std::string(std::size_t{40} << 20, 'p'));
  const auto file = MappedFile::open(path_).value();
  std::size_t visited = 0;
  bool whole = true;
  const auto sum = [&](std::size_t begin, std::size_t end) {
    visited += end - begin;
    whole &= begin < end && end <= file.bytes().size();
  };
  if (!visit_pages_read(file.bytes(), sum)) {
    GTEST_SKIP() << "the system does not tell";
  }
  EXPECT_GE(visited, 4096U);  // the first page, which was read to try
  EXPECT_LT(visited, std::size_t{4} << 20);
  volatile std::byte read = file.bytes()[std::size_t{20} << 20];
  bool there = false;
  const auto has = [&](std::size_t begin, std::size_t end) {
    there |= begin <= std::size_t{20} << 20 && std::size_t{20} << 20 < end;
  };
  ASSERT_TRUE(visit_pages_read(file.bytes(), has));
  EXPECT_TRUE(there);
  for (std::size_t at = 0; at < file.bytes().size(); at += 4096) {
    read = file.bytes()[at];
  }
  EXPECT_EQ(std::to_integer<char>(read), 'p');
  visited = 0;
  ASSERT_TRUE(visit_pages_read(file.bytes(), sum));
  EXPECT_EQ(visited, file.bytes().size());
  EXPECT_TRUE(whole);
}

#if defined(__linux__)
// A page in every 128 KiB: as a rule 384 runs of 16 pages, more than one call returns.
TEST_F(ChunkedFiles, BothWaysTellTheSamePages) {
  constexpr std::size_t kPage = 4096;
  put(std::string((std::size_t{48} << 20) + 5, 'p'));
  const auto file = MappedFile::open(path_).value();
  const auto mapped = file.bytes();
  volatile std::byte read{};
  for (std::size_t at = 0; at < mapped.size(); at += 32 * kPage) {
    read = mapped[at];
  }
  EXPECT_EQ(std::to_integer<char>(read), 'p');
  const int map = core_detail::open_retrying("/proc/self/pagemap", O_RDONLY);
  const core_detail::Descriptor closes(map);
  if (map < 0 || ::sysconf(_SC_PAGESIZE) != static_cast<long>(kPage)) {
    GTEST_SKIP() << "no table of pages";
  }
  std::vector<char> scanned(mapped.size() / kPage + 1), listed(scanned.size());
  const auto into = [&](std::vector<char>& pages) {
    return [&pages](std::size_t begin, std::size_t end) {
      std::fill(pages.begin() + static_cast<std::ptrdiff_t>(begin / kPage),
                pages.begin() + static_cast<std::ptrdiff_t>((end + kPage - 1) / kPage), 1);
    };
  };
  if (!core_detail::scan_pages(map, mapped, kPage, into(scanned)) ||
      !core_detail::read_pages(map, mapped, kPage, into(listed))) {
    GTEST_SKIP() << "the system has only one of them";
  }
  EXPECT_EQ(scanned, listed);
  EXPECT_EQ(listed[0], 1);
}
#endif

TEST(MappedZeros, NoRoomForThemIsAnError) {
  const auto path = fs::temp_directory_path() / ("juxta_zeros_" + std::to_string(::getpid()));
  std::ofstream(path) << "text";
  const auto file = MappedFile::open(path, std::size_t{1} << 60);
  ASSERT_FALSE(file);
  EXPECT_EQ(test::code_of(file), ErrorCode::kIo);
  fs::remove(path);
}

}  // namespace
}  // namespace juxta::core_detail
