// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/live_log.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/flat_file.h"
#include "core/path.h"
#include "juxta/core/try.h"

namespace juxta::ranked_detail {
namespace {

struct LogHeader {
  char magic[8] = {'J', 'U', 'X', 'T', 'A', 'L', 'L', '\n'};
  std::uint32_t version = 1;  // 2: with numbers
  std::uint32_t byte_order = core_detail::kByteOrder;
  std::uint64_t number = 0;
  std::uint32_t coordinate_type = 0, rank_type = 0;
  std::uint32_t value_columns = 0, value_types[2] = {};
  std::uint32_t zeros[3] = {};
  std::uint64_t checksum = 0;  // of the fields before
};
static_assert(sizeof(LogHeader) == 64);

struct RecordHeader {
  std::uint64_t sum;  // of the fields behind it
  std::uint64_t sequence, flushed;
  std::uint64_t entries;
  std::uint64_t entries_sum;
};
static_assert(sizeof(RecordHeader) == 40);

/// An entry: whether it is erased (u64), and the record, without its numbers if no point has any.
constexpr std::size_t kWithoutNumbers = 40, kWithNumbers = 56;
static_assert(offsetof(LiveRecord, values) == kWithoutNumbers && sizeof(LiveRecord::values) == 16);

std::size_t record_bytes(const LiveTypes& types) noexcept {
  return types.value_columns == 0 ? kWithoutNumbers : kWithNumbers;
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
  core_detail::Checksum sum;
  sum.add(bytes);
  return sum.value();
}

LogHeader header_of(std::uint64_t number, const LiveTypes& types) {
  LogHeader header;
  header.number = number;
  header.coordinate_type = static_cast<std::uint32_t>(types.coordinate);
  header.rank_type = static_cast<std::uint32_t>(types.rank);
  header.version = types.value_columns == 0 ? 1 : 2;
  header.value_columns = types.value_columns;
  for (std::size_t c = 0; c < types.value_columns; ++c) {
    header.value_types[c] = static_cast<std::uint32_t>(types.values[c]);
  }
  header.checksum = checksum_of(std::as_bytes(std::span(&header, 1)).first(offsetof(LogHeader, checksum)));
  return header;
}

tl::unexpected<Error> corrupt(const std::string& path, const std::string& what, std::size_t byte) {
  Error error{ErrorCode::kCorruptFile, path + ": " + what};
  error.byte = byte;
  return tl::unexpected(std::move(error));
}

std::uint64_t sum_of(const RecordHeader& header) noexcept {
  return checksum_of(std::as_bytes(std::span(&header, 1)).subspan(sizeof header.sum));
}

/// The header of a whole record at the front of `rest`; of no entries: there is none.
RecordHeader whole_record(std::span<const std::byte> rest, std::size_t entry_bytes) {
  RecordHeader header{};
  if (rest.size() < sizeof header) {
    return {};
  }
  std::memcpy(&header, rest.data(), sizeof header);
  if (sum_of(header) != header.sum || header.entries > (rest.size() - sizeof header) / entry_bytes) {
    return {};
  }
  const auto entries = rest.subspan(sizeof header, header.entries * entry_bytes);
  return checksum_of(entries) == header.entries_sum ? header : RecordHeader{};
}

/// What whole records say that stand behind a damaged one, in front of `at`.
struct Behind {
  std::size_t first = 0;      // the place of the first one; 0: there is none
  std::uint64_t flushed = 0;  // the last change that one of them knows to be on the disk
};
/// Headers alone are looked at first, so the cost is 5 ns a word.
Behind whole_ones_from(std::span<const std::byte> bytes, std::size_t at, std::size_t entry_bytes) {
  Behind behind;
  while (at + sizeof(RecordHeader) <= bytes.size()) {
    const RecordHeader record = whole_record(bytes.subspan(at), entry_bytes);
    if (record.entries == 0) {
      at += 8;
      continue;
    }
    behind.first = behind.first == 0 ? at : behind.first;
    behind.flushed = std::max(behind.flushed, record.flushed);
    at += sizeof record + record.entries * entry_bytes;
  }
  return behind;
}

void read_entries(std::span<const std::byte> bytes, std::size_t entry_bytes,
                  std::vector<LiveLogEntry>& entries) {
  entries.clear();
  for (; !bytes.empty(); bytes = bytes.subspan(entry_bytes)) {
    std::uint64_t is_erased = 0;
    LiveRecord record{};
    std::memcpy(&is_erased, bytes.data(), sizeof is_erased);
    std::memcpy(static_cast<void*>(&record), bytes.data() + sizeof is_erased, entry_bytes - sizeof is_erased);
    entries.push_back({record, is_erased != 0});
  }
}

}  // namespace

Result<LiveLog> LiveLog::create(const std::string& path, std::uint64_t number, const LiveTypes& types) {
  JUXTA_TRY_LET(core_detail::AppendFile file, core_detail::AppendFile::open(path_of(path)));
  JUXTA_TRY(file.keep(0));
  const LogHeader header = header_of(number, types);
  JUXTA_TRY(file.append(std::as_bytes(std::span(&header, 1))));
  JUXTA_TRY(core_detail::flush_folder_of(path_of(path)));
  return LiveLog(std::move(file), path, record_bytes(types));
}

Result<LiveLog> LiveLog::reopen(const std::string& path, std::uint64_t bytes, const LiveTypes& types) {
  JUXTA_TRY_LET(core_detail::AppendFile file, core_detail::AppendFile::open(path_of(path)));
  JUXTA_TRY(file.keep(bytes));
  return LiveLog(std::move(file), path, record_bytes(types));
}

Result<LiveLog::Contents> LiveLog::read(const std::string& path, std::uint64_t number, const LiveTypes& types,
                                        std::uint64_t sequence, Apply apply) {
  JUXTA_TRY_LET(const core_detail::MappedFile file, core_detail::MappedFile::open(path_of(path)));
  const std::span<const std::byte> bytes = file.bytes();
  const LogHeader header = header_of(number, types);
  if (bytes.size() < sizeof header) {  // the program ended while it made the file
    return Contents{sequence, 0, false};
  }
  if (std::memcmp(bytes.data(), &header, sizeof header) != 0) {
    return corrupt(path, "it is not the log of these points", 0);
  }
  std::vector<LiveLogEntry> entries;
  const std::size_t entry_bytes = sizeof(std::uint64_t) + record_bytes(types);
  std::size_t at = sizeof header;
  for (RecordHeader record; (record = whole_record(bytes.subspan(at), entry_bytes)).entries != 0;) {
    if (record.sequence != sequence + 1) {
      break;
    }
    const std::size_t size = record.entries * entry_bytes;
    read_entries(bytes.subspan(at + sizeof record, size), entry_bytes, entries);
    JUXTA_TRY(apply(record.sequence, entries).map_error([&](Error error) {
      error.message = path + ": " + error.message;
      error.byte = at;
      return error;
    }));
    at += sizeof record + size;
    ++sequence;
  }
  const Behind behind = whole_ones_from(bytes, at, entry_bytes);
  if (behind.flushed > sequence) {
    return corrupt(path,
                   "a change is damaged that was on the disk, and others follow it at byte " +
                       std::to_string(behind.first),
                   at);
  }
  return Contents{sequence, at, behind.first != 0};
}

Result<void> LiveLog::append(const LiveLogMark& mark, std::span<const LiveLogEntry> entries) {
  record_.resize(sizeof(RecordHeader) + entries.size() * (sizeof(std::uint64_t) + record_bytes_));
  std::byte* to = record_.data() + sizeof(RecordHeader);
  for (const LiveLogEntry& from : entries) {
    const std::uint64_t is_erased = from.is_erased ? 1 : 0;
    std::memcpy(to, &is_erased, sizeof is_erased);
    std::memcpy(to + sizeof is_erased, static_cast<const void*>(&from.record), record_bytes_);
    to += sizeof is_erased + record_bytes_;
  }
  const std::span<const std::byte> written(record_);
  RecordHeader header = {0, mark.sequence, mark.flushed, entries.size(),
                         checksum_of(written.subspan(sizeof(RecordHeader)))};
  header.sum = sum_of(header);
  std::memcpy(record_.data(), &header, sizeof header);
  return file_.append(record_);
}

}  // namespace juxta::ranked_detail
