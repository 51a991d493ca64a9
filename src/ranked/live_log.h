// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the log of changes that lies beside a file of live points (docs/formats/live_points.md).
//
//   | header, 64 B | record | record | ...       a record is one change: all of it counts, or nothing
//
//   record: sum of the next 32 B | sequence | flushed | entries | sum of the entries | 48 B an entry, with
//   numbers 64
//           |<----------------- 40 B ------------------------------>|
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/os.h"
#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "ranked/live_generation.h"

namespace juxta::ranked_detail {

/// What a change did to a slot.
struct LiveLogEntry {
  LiveRecord record;  // of an erased one, slot and generation alone
  bool is_erased;
};

/// A change in a log: its number, and up to which one all were known to be on the disk when it was written.
struct LiveLogMark {
  std::uint64_t sequence, flushed;
};

class LiveLog {
 public:
  /// An empty log in place of whatever was there. `number`: that of the file of points that it follows.
  /// Errors: kIo.
  [[nodiscard]] static Result<LiveLog> create(const std::string& path, std::uint64_t number,
                                              const LiveTypes& types);

  /// What reading a log found.
  struct Contents {
    std::uint64_t sequence = 0;     // of the last change that counts
    std::uint64_t whole_bytes = 0;  // up to its end; 0: not even the header is whole
    bool cuts_whole_ones = false;   // behind it are whole records all the same
  };
  /// Calls apply(sequence, entries) for each record from `sequence` + 1 on. What is behind the first damaged
  /// one is cut off, unless a change that is lost with it was on the disk already. Errors: kIo, kCorruptFile
  /// (with the byte), and those of `apply`.
  using Apply = FunctionRef<Result<void>(std::uint64_t, std::span<const LiveLogEntry>)>;
  [[nodiscard]] static Result<Contents> read(const std::string& path, std::uint64_t number,
                                             const LiveTypes& types, std::uint64_t sequence, Apply apply);
  /// Goes on behind the first `bytes`. Errors: kIo.
  [[nodiscard]] static Result<LiveLog> reopen(const std::string& path, std::uint64_t bytes,
                                              const LiveTypes& types);

  /// One record. Errors: kIo (full disk); then it is not there.
  [[nodiscard]] Result<void> append(const LiveLogMark& mark, std::span<const LiveLogEntry> entries);
  [[nodiscard]] Result<void> flush() { return file_.flush(); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  LiveLog(core_detail::AppendFile file, std::string path, std::size_t record_bytes)
      : file_(std::move(file)), path_(std::move(path)), record_bytes_(record_bytes) {}

  core_detail::AppendFile file_;
  std::string path_;
  std::size_t record_bytes_;       // of each LiveRecord, as far as it is written
  std::vector<std::byte> record_;  // kept from one to the next
};

}  // namespace juxta::ranked_detail
