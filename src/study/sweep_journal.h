// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a sweep finished, line by line, in a file that only grows. docs/formats/sweep.md describes
// it.
//
//   juxta sweep journal 2 | fingerprint of the sweep
//   replica | 3 | 2 | w:step | n:happy      number, rows, kinds and names of the columns
//   10 | 0.5                                as many lines as it has rows
//   20 | 0.75
//   end | sum of the lines above
//
// with a tab where a | stands here. A group without its end, or with another sum, was torn: it and all behind
// it is cut off when the journal is opened, and done again.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/os.h"
#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/study/table.h"

namespace juxta::study_detail {

/// What one replica reported, row by row.
struct ReplicaRows {
  std::size_t replica = 0;
  std::vector<TableColumn> columns;
  std::vector<Cell> values;
};

/// How many rows a replica may have.
struct RowCount {
  std::size_t least = 1, most = 1;
};

/// FNV-1a (Fowler, Noll, Vo) with 64 bits.
[[nodiscard]] std::uint64_t text_sum(std::string_view text) noexcept;

/// The group of a replica.
[[nodiscard]] std::string group_text(const ReplicaRows& rows);
/// A line's cells, which tabs divide.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line);
template <class T>
[[nodiscard]] bool reads_number(std::string_view cell, T& number) noexcept {
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return error == std::errc() && end == cell.data() + cell.size();
}

/// Hands out the groups from the front of `text`, which begins behind the first line, up to the first that is
/// torn, or that is not one of `replicas` replicas with as many rows as they may have. The bytes that they
/// take.
[[nodiscard]] std::size_t read_groups(std::string_view text, std::size_t replicas, RowCount rows,
                                      FunctionRef<void(ReplicaRows&&)> take);

class SweepJournal {
 public:
  /// Makes it, or hands out what it holds and cuts off what was torn. Errors: kIo; kInvalidArgument (the
  /// journal of another sweep, or no journal; nothing was changed).
  [[nodiscard]] static Result<SweepJournal> open(const std::filesystem::path& path, std::uint64_t fingerprint,
                                                 std::size_t replicas, RowCount rows,
                                                 FunctionRef<void(ReplicaRows&&)> take);
  /// Errors: kIo.
  [[nodiscard]] Result<void> add(const ReplicaRows& finished);
  /// To the disk itself. Errors: kIo.
  [[nodiscard]] Result<void> flush() { return file_.flush(); }

 private:
  explicit SweepJournal(core_detail::AppendFile file) noexcept : file_(std::move(file)) {}

  core_detail::AppendFile file_;
};

}  // namespace juxta::study_detail
