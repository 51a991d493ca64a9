// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "core/chunked_file.h"

#include <algorithm>
#include <cstring>

#include "core/os.h"
#include "juxta/core/try.h"

namespace juxta::core_detail {
namespace {

std::span<const std::byte> chunk_of(std::span<const std::byte> file, std::size_t body_end,
                                    std::size_t chunk) noexcept {
  const std::size_t begin = kHeaderBytes + chunk * kChunkBytes;
  return file.subspan(begin, std::min(kChunkBytes, body_end - begin));
}

std::uint64_t sum_of(std::span<const std::byte> chunk) noexcept {
  Checksum sum;
  sum.add(chunk);
  return sum.value();
}

}  // namespace

void ChunkSums::add(std::span<const std::byte> piece) {
  while (!piece.empty()) {
    const auto part = piece.first(std::min(piece.size(), kChunkBytes - filled_));
    sum_.add(part);
    filled_ += part.size();
    piece = piece.subspan(part.size());
    if (filled_ == kChunkBytes) {
      end_chunk();
    }
  }
}

std::span<const std::uint64_t> ChunkSums::finish() {
  if (filled_ != 0) {
    end_chunk();
  }
  return sums_;
}

void ChunkSums::end_chunk() {
  sums_.push_back(sum_.value());
  sum_ = {};
  filled_ = 0;
}

std::uint64_t ChunkedFormat::checksum_of(std::array<std::byte, kHeaderBytes> header,
                                         std::span<const std::uint64_t> sums) const {
  std::fill_n(header.begin() + static_cast<std::ptrdiff_t>(checksum_at), sizeof(std::uint64_t), std::byte{0});
  Checksum sum;
  sum.add(header);
  sum.add(std::as_bytes(sums));
  return sum.value();
}

Result<void> ChunkedFormat::check_sums(std::span<const std::byte> file, std::uint64_t end) const {
  JUXTA_TRY(check_size(file, chunked_size(end)));
  const auto body_end = static_cast<std::size_t>(end);  // it is inside of the file
  std::array<std::byte, kHeaderBytes> header;
  std::copy_n(file.begin(), kHeaderBytes, header.begin());
  std::vector<std::uint64_t> sums(chunks_of(body_end));
  const auto table = file.subspan(body_end, sums.size() * sizeof(std::uint64_t));
  std::copy(table.begin(), table.end(), std::as_writable_bytes(std::span(sums)).begin());
  const auto rest = file.subspan(body_end + table.size());
  if (checksum_of(header, sums) != stated_checksum(file) ||
      std::ranges::any_of(rest, [](std::byte b) { return b != std::byte{0}; })) {
    return corrupt("the checksum of the header and of the sums does not match", checksum_at);
  }
  return {};
}

Result<void> ChunkedFormat::save(const std::filesystem::path& path,
                                 std::array<std::byte, kHeaderBytes> header, FlatPieces pieces) const {
  ChunkSums body;
  const auto add = [&](std::span<const std::byte> bytes) {
    body.add(bytes);
    return Result<void>{};
  };
  JUXTA_TRY(pieces(add));
  const auto sums = body.finish();
  const std::uint64_t value = checksum_of(header, sums);
  std::memcpy(header.data() + checksum_at, &value, sizeof value);
  const auto rest = [&](FlatSink sink) -> Result<void> {
    JUXTA_TRY(pieces(sink));
    return put_section(std::as_bytes(sums), sink);
  };
  return write_atomically(path, header, rest);
}

bool ChunkedFormat::seal(std::span<std::byte> file) const {
  if (file.size() < kHeaderBytes || file.size() % kSectionAlignment != 0) {
    return false;
  }
  std::size_t body_end = kHeaderBytes;
  while (chunked_size(body_end) < file.size()) {
    body_end += kSectionAlignment;
  }
  if (chunked_size(body_end) != file.size()) {
    return false;
  }
  ChunkSums body;
  body.add(file.subspan(kHeaderBytes, body_end - kHeaderBytes));
  const auto sums = body.finish();
  std::ranges::fill(file.subspan(body_end), std::byte{0});
  std::ranges::copy(std::as_bytes(sums), file.begin() + static_cast<std::ptrdiff_t>(body_end));
  std::array<std::byte, kHeaderBytes> header;
  std::copy_n(file.begin(), kHeaderBytes, header.begin());
  const std::uint64_t value = checksum_of(header, sums);
  std::memcpy(file.data() + checksum_at, &value, sizeof value);
  return true;
}

FileChunks::FileChunks(const ChunkedFormat& format, std::span<const std::byte> file, std::size_t body_end)
    : format_(format), file_(file), body_end_(body_end), process_(process_id()), good_(chunks_of(body_end)) {}

Result<void> FileChunks::check_all() {
  const Lock lock(mutex_);
  for (std::size_t chunk = 0; chunk < good_.size(); ++chunk) {
    JUXTA_TRY(check(chunk));
  }
  return {};
}

Result<void> FileChunks::check_read() {
  const Lock lock(mutex_);
  std::vector<std::uint8_t> read(good_.size());
  const auto mark = [&](std::size_t begin, std::size_t end) {  // of a page: in one chunk, or in several
    for (std::size_t at = std::max(begin, kHeaderBytes); at < std::min(end, body_end_);) {
      const std::size_t chunk = (at - kHeaderBytes) / kChunkBytes;
      read[chunk] = 1;
      at = kHeaderBytes + (chunk + 1) * kChunkBytes;
    }
  };
  const bool told = process_id() == process_ && visit_pages_read(file_, mark);
  for (std::size_t chunk = 0; chunk < good_.size(); ++chunk) {
    if (!told || read[chunk] != 0) {
      JUXTA_TRY(check(chunk));
    }
  }
  return {};
}

Result<void> FileChunks::copy(const MappedFile& file, std::size_t at, std::span<std::byte> out) {
  const Lock lock(mutex_);
  while (!out.empty()) {
    const std::size_t chunk = (at - kHeaderBytes) / kChunkBytes, begin = kHeaderBytes + chunk * kChunkBytes;
    const std::size_t size = std::min(kChunkBytes, body_end_ - begin),
                      part = std::min(out.size(), begin + size - at);
    if (good_[chunk] != 0) {
      JUXTA_TRY(file.copy(at, out.first(part)));
    } else {
      buffer_.resize(kChunkBytes);
      const auto bytes = std::span(buffer_).first(size);
      JUXTA_TRY(file.copy(begin, bytes));
      JUXTA_TRY(check(chunk, bytes));
      std::ranges::copy(bytes.subspan(at - begin, part), out.begin());
    }
    out = out.subspan(part);
    at += part;
  }
  return {};
}

Result<void> FileChunks::check(std::size_t chunk) {
  return good_[chunk] != 0 ? Result<void>{} : check(chunk, chunk_of(file_, body_end_, chunk));
}

Result<void> FileChunks::check(std::size_t chunk, std::span<const std::byte> bytes) {
  std::uint64_t stated;
  std::memcpy(&stated, file_.data() + body_end_ + chunk * sizeof stated, sizeof stated);
  if (sum_of(bytes) != stated) {
    return format_.corrupt("a checksum does not match the contents", kHeaderBytes + chunk * kChunkBytes);
  }
  good_[chunk] = 1;
  return {};
}

}  // namespace juxta::core_detail
