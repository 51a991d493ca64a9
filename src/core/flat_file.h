// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what every saved structure has in common (docs/decisions/0005-flat-files.md).
//
//   4,096 B header | sections, each from a multiple of 64 bytes, zeros between
//
// Where a section stands follows from the counts in the header, so there are no offsets to trust.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"

namespace juxta::core_detail {

inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::size_t kHeaderBytes = 4096;
inline constexpr std::size_t kSectionAlignment = 64;

/// A sum over 64-bit words in four independent chains, each xor, multiply, rotate: about memory speed. It
/// finds damage, not malice; load() therefore checks every index as well, if not told otherwise. The size is
/// a multiple of 8.
class JUXTA_API Checksum {
 public:
  void add(std::span<const std::byte> bytes) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  std::array<std::uint64_t, 4> chains_ = {1, 2, 3, 4};
  std::uint64_t words_ = 0;
};

/// Whether a file may hold `count` things of `each` bytes. Asked of every count in a header before anything
/// is planned with it: what follows from those that pass, size by size, is counted in a std::size_t even
/// where that has 32 bits.
[[nodiscard]] constexpr bool may_hold(std::span<const std::byte> file, std::uint64_t count,
                                      std::uint64_t each) noexcept {
  return count <= file.size() / each;
}

/// Where N sections stand: fill `bytes`, then place(). In 64 bits everywhere, so that check_size() sees the
/// sum.
template <std::size_t N>
struct FlatSections {
  std::array<std::uint64_t, N> begin{}, bytes{};
  std::uint64_t total = kHeaderBytes;

  void place() noexcept {
    for (std::size_t s = 0; s < N; ++s) {
      begin[s] = total;
      total = (total + bytes[s] + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
    }
  }
};

/// Takes a piece of a file; the first error ends the writing.
using FlatSink = FunctionRef<Result<void>(std::span<const std::byte>)>;
/// Hands everything behind the header to the sink, in pieces that are multiples of 8 bytes. Called twice:
/// once for the checksum, once for the file.
using FlatPieces = FunctionRef<Result<void>(FlatSink)>;

/// One section and the zeros behind it.
[[nodiscard]] JUXTA_API Result<void> put_section(std::span<const std::byte> section, FlatSink sink);

/// `bytes` and the zeros that end it at a multiple of 4.
[[nodiscard]] constexpr std::size_t padded_to_word(std::size_t bytes) noexcept {
  return (bytes + 3) / 4 * 4;
}
[[nodiscard]] constexpr std::size_t padded_to_section(std::size_t bytes) noexcept {
  return (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

/// A catalogue in the making: records and what belongs to them, each ended by zeros at a multiple of 4.
class JUXTA_API FlatCatalogue {
 public:
  template <class T>
  void record(const T& value) {
    put(&value, sizeof value);
  }
  void put(const void* data, std::size_t bytes);
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Takes pieces from the front of some bytes; once they do not suffice, everything is empty.
class FlatReader {
 public:
  FlatReader(std::span<const std::byte> file, std::size_t begin, std::size_t end) noexcept
      : rest_(file.subspan(begin, end - begin)) {}

  [[nodiscard]] bool whole() const noexcept { return whole_; }
  [[nodiscard]] bool empty() const noexcept { return rest_.empty(); }

  std::span<const std::byte> take(std::size_t bytes, std::size_t padded) noexcept {
    whole_ = whole_ && padded >= bytes && padded <= rest_.size();
    if (!whole_) {
      return {};
    }
    const auto piece = rest_.first(bytes);
    rest_ = rest_.subspan(padded);
    return piece;
  }
  template <class T>
  T record() noexcept {
    T value{};
    if (const auto piece = take(sizeof value, sizeof value); !piece.empty()) {
      std::memcpy(&value, piece.data(), sizeof value);
    }
    return value;
  }
  std::span<const std::byte> words(std::size_t bytes) noexcept { return take(bytes, padded_to_word(bytes)); }
  std::string_view text(std::size_t bytes) noexcept {
    const auto piece = words(bytes);
    return {reinterpret_cast<const char*>(piece.data()), piece.size()};
  }
  /// `count` values of `bytes` each, at least one.
  std::span<const std::byte> section(std::size_t count, std::size_t bytes) noexcept {
    if (count > rest_.size() / bytes) {
      whole_ = false;
      return {};
    }
    return take(count * bytes, padded_to_section(count * bytes));
  }

 private:
  std::span<const std::byte> rest_;
  bool whole_ = true;
};

/// Header and pieces become the file, as a whole or not at all. Errors: kIo.
[[nodiscard]] JUXTA_API Result<void> write_atomically(const std::filesystem::path& path,
                                                      const std::array<std::byte, kHeaderBytes>& header,
                                                      FlatPieces pieces);

/// One kind of file. Its header begins with magic, version (u32), byte order (u32).
struct JUXTA_API FlatFormat {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::size_t checksum_at;  // where the header keeps its u64
  const char* contents;     // "ranked points"
  const char* advice;       // what to do with a damaged one

  [[nodiscard]] tl::unexpected<Error> corrupt(std::string what, std::uint64_t byte) const;
  /// Long enough for a header, and of this kind, version and byte order.
  [[nodiscard]] Result<void> check_head(std::span<const std::byte> file) const;
  /// Exactly `total` bytes long.
  [[nodiscard]] Result<void> check_size(std::span<const std::byte> file, std::uint64_t total) const;
  /// Exactly `total` bytes long, and undamaged. After check_head().
  [[nodiscard]] Result<void> check_whole(std::span<const std::byte> file, std::uint64_t total) const;
  /// The checksum that the file's header states, and the one that belongs there.
  [[nodiscard]] std::uint64_t stated_checksum(std::span<const std::byte> file) const noexcept;
  [[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> file) const noexcept;
  /// Writes header, with its checksum, and pieces; the file is replaced as a whole or not at all. Errors:
  /// kIo.
  [[nodiscard]] Result<void> save(const std::filesystem::path& path,
                                  std::array<std::byte, kHeaderBytes> header, FlatPieces pieces) const;
};

}  // namespace juxta::core_detail
