// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "core/flat_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/os.h"
#include "juxta/core/try.h"

namespace juxta::core_detail {
namespace {

constexpr std::size_t kVersionAt = 8, kByteOrderAt = 12;

std::uint32_t word_at(std::span<const std::byte> file, std::size_t at) noexcept {
  std::uint32_t word;
  std::memcpy(&word, file.data() + at, sizeof word);
  return word;
}

}  // namespace

void Checksum::add(std::span<const std::byte> bytes) noexcept {
  const auto step = [](std::uint64_t chain, const std::byte* at) {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio, odd
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return std::rotl((chain ^ word) * kFactor, 29);
  };
  const std::byte *at = bytes.data(), *const end = at + bytes.size() / 8 * 8;
  const auto one = [&] {
    chains_[words_ % 4] = step(chains_[words_ % 4], at);
    ++words_;
    at += 8;
  };
  while (at != end && words_ % 4 != 0) {
    one();
  }
  // In four variables: through memory, each step would wait for the store before it.
  auto [a, b, c, d] = chains_;
  for (; end - at >= 32; at += 32, words_ += 4) {
    a = step(a, at);
    b = step(b, at + 8);
    c = step(c, at + 16);
    d = step(d, at + 24);
  }
  chains_ = {a, b, c, d};
  while (at != end) {
    one();
  }
}

std::uint64_t Checksum::value() const noexcept {
  Checksum last;
  std::array<std::uint64_t, 5> all = {chains_[0], chains_[1], chains_[2], chains_[3], words_};
  last.add(std::as_bytes(std::span(all)));
  return last.chains_[0] ^ std::rotl(last.chains_[1], 16) ^ std::rotl(last.chains_[2], 32) ^
         std::rotl(last.chains_[3], 48);
}

Result<void> put_section(std::span<const std::byte> section, FlatSink sink) {
  const std::size_t rest = section.size() % kSectionAlignment;
  const auto whole = section.first(section.size() - rest);
  if (!whole.empty()) {
    JUXTA_TRY(sink(whole));
  }
  if (rest == 0) {
    return {};
  }
  std::array<std::byte, kSectionAlignment> tail{};
  std::copy_n(section.end() - static_cast<std::ptrdiff_t>(rest), rest, tail.begin());
  return sink(tail);
}

Result<void> write_atomically(const std::filesystem::path& path,
                              const std::array<std::byte, kHeaderBytes>& header, FlatPieces pieces) {
  return AtomicFile::create(path).and_then([&](AtomicFile file) {
    return file.write(header)
        .and_then([&] { return pieces([&](std::span<const std::byte> bytes) { return file.write(bytes); }); })
        .and_then([&] { return file.commit(); });
  });
}

void FlatCatalogue::put(const void* data, std::size_t bytes) {
  const std::size_t at = bytes_.size();
  bytes_.resize(padded_to_word(at + bytes));
  std::copy_n(static_cast<const std::byte*>(data), bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(at));
}

tl::unexpected<Error> FlatFormat::corrupt(std::string what, std::uint64_t byte) const {
  Error error;
  error.code = ErrorCode::kCorruptFile;
  error.message = std::move(what) + ": " + advice;
  error.byte = byte;
  return tl::unexpected<Error>(std::move(error));
}

Result<void> FlatFormat::check_head(std::span<const std::byte> file) const {
  if (file.size() < kHeaderBytes) {
    return corrupt("the file is shorter than a header", file.size());
  }
  if (std::memcmp(file.data(), magic.data(), magic.size()) != 0) {
    return corrupt(std::string("this is not a file of ") + contents, 0);
  }
  const std::uint32_t found = word_at(file, kVersionAt);
  if (found != version || word_at(file, kByteOrderAt) != kByteOrder) {
    return corrupt("version " + std::to_string(found) +
                       " or its byte order is not the one of this library (" + std::to_string(version) + ")",
                   kVersionAt);
  }
  return {};
}

Result<void> FlatFormat::check_size(std::span<const std::byte> file, std::uint64_t total) const {
  if (file.size() != total) {
    return corrupt(
        "the file has " + std::to_string(file.size()) + " bytes where " + std::to_string(total) + " are due",
        std::min<std::uint64_t>(file.size(), total));
  }
  return {};
}

Result<void> FlatFormat::check_whole(std::span<const std::byte> file, std::uint64_t total) const {
  JUXTA_TRY(check_size(file, total));
  if (checksum_of(file) != stated_checksum(file)) {
    return corrupt("the checksum does not match the contents", checksum_at);
  }
  return {};
}

std::uint64_t FlatFormat::stated_checksum(std::span<const std::byte> file) const noexcept {
  std::uint64_t stated;
  std::memcpy(&stated, file.data() + checksum_at, sizeof stated);
  return stated;
}

std::uint64_t FlatFormat::checksum_of(std::span<const std::byte> file) const noexcept {
  std::array<std::byte, kHeaderBytes> head;
  std::copy_n(file.begin(), kHeaderBytes, head.begin());
  std::fill_n(head.begin() + static_cast<std::ptrdiff_t>(checksum_at), sizeof(std::uint64_t), std::byte{0});
  Checksum sum;
  sum.add(head);
  sum.add(file.subspan(kHeaderBytes));
  return sum.value();
}

Result<void> FlatFormat::save(const std::filesystem::path& path, std::array<std::byte, kHeaderBytes> header,
                              FlatPieces pieces) const {
  Checksum sum;
  std::fill_n(header.begin() + static_cast<std::ptrdiff_t>(checksum_at), sizeof(std::uint64_t), std::byte{0});
  sum.add(header);
  const auto add = [&](std::span<const std::byte> bytes) {
    sum.add(bytes);
    return Result<void>{};
  };
  JUXTA_TRY(pieces(add));
  const std::uint64_t value = sum.value();
  std::memcpy(header.data() + checksum_at, &value, sizeof value);
  return write_atomically(path, header, pieces);
}

}  // namespace juxta::core_detail
