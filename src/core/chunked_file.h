// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: flat files that can be checked a part at a time.
//
//   4,096 B header | body: sections, each from a multiple of 64 bytes | sums: u64 per 64 KiB of body | zeros
//                  |- chunk 0 -|- chunk 1 -|- ... -|
//
// The header's checksum covers header and sums, and each sum its chunk. A page of memory lies in one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/flat_file.h"
#include "core/mutex.h"
#include "core/os.h"

namespace juxta::core_detail {

inline constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

[[nodiscard]] constexpr std::size_t chunks_of(std::uint64_t body_end) noexcept {
  return static_cast<std::size_t>((body_end - kHeaderBytes + kChunkBytes - 1) / kChunkBytes);
}
/// Of a whole file, by where its body ends.
[[nodiscard]] constexpr std::uint64_t chunked_size(std::uint64_t body_end) noexcept {
  return body_end + std::uint64_t{padded_to_section(chunks_of(body_end) * sizeof(std::uint64_t))};
}

/// The sums of a body that arrives in pieces.
class JUXTA_API ChunkSums {
 public:
  /// A multiple of 8 bytes.
  void add(std::span<const std::byte> piece);
  /// Ends the last chunk. Nothing may be added after it.
  [[nodiscard]] std::span<const std::uint64_t> finish();

 private:
  void end_chunk();

  std::vector<std::uint64_t> sums_;
  Checksum sum_;
  std::size_t filled_ = 0;  // bytes in sum_
};

/// As FlatFormat, with sums of chunks behind the body.
struct JUXTA_API ChunkedFormat : FlatFormat {
  /// Exactly as long as it should be, header and sums undamaged. After check_head().
  [[nodiscard]] Result<void> check_sums(std::span<const std::byte> file, std::uint64_t body_end) const;
  [[nodiscard]] Result<void> save(const std::filesystem::path& path,
                                  std::array<std::byte, kHeaderBytes> header, FlatPieces pieces) const;
  /// Writes the right sums and checksum into the bytes of a file: for tests that damage one. False, and
  /// nothing written, when no file is so long.
  bool seal(std::span<std::byte> file) const;

 private:
  [[nodiscard]] std::uint64_t checksum_of(std::array<std::byte, kHeaderBytes> header,
                                          std::span<const std::uint64_t> sums) const;
};

/// Which chunks of a file are known to be undamaged. Any number of threads may ask at once.
class JUXTA_API FileChunks {
 public:
  /// Of a file that check_sums() passed, and that lives as long.
  FileChunks(const ChunkedFormat& format, std::span<const std::byte> file, std::size_t body_end);

  /// All chunks. About 0.1 ns a byte of memory.
  [[nodiscard]] Result<void> check_all();
  /// Those that this process has read since the file was mapped, by the system's table of its pages, and that
  /// were not checked yet. All, where the system does not tell, and in a forked process, whose table is new.
  /// 0.5 us for a MiB mapped (2 before Linux 6.7), and 8 for a chunk that was read, or brought along with
  /// one.
  [[nodiscard]] Result<void> check_read();
  /// Copies bytes of the body from `at` on, which it checks first, and none of the file's pages counts as
  /// read by this (MappedFile::copy()). `file` is the one that was given. 10 us for a chunk that was not
  /// checked yet. Errors also: kIo.
  [[nodiscard]] Result<void> copy(const MappedFile& file, std::size_t at, std::span<std::byte> out);

 private:
  [[nodiscard]] Result<void> check(std::size_t chunk);
  /// The same of its bytes, wherever they are.
  [[nodiscard]] Result<void> check(std::size_t chunk, std::span<const std::byte> bytes);

  const ChunkedFormat& format_;
  std::span<const std::byte> file_;
  std::size_t body_end_;
  std::int64_t process_;
  Mutex mutex_;
  std::vector<std::uint8_t> good_;  // per chunk: 1 when it was checked
  std::vector<std::byte> buffer_;   // a chunk that copy() checks
};

}  // namespace juxta::core_detail
