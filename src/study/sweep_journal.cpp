// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/sweep_journal.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <variant>

#include "core/path.h"
#include "juxta/core/try.h"
#include "juxta/study/parameters.h"
#include "study/table_text.h"

namespace juxta::study_detail {
namespace {

constexpr std::string_view kFirstWords = "juxta sweep journal ";

std::string first_line(std::uint64_t fingerprint, int version = 2) {
  return fmt::format("{}{}\t{:016x}\n", kFirstWords, version, fingerprint);
}

/// Lines and their cells from the front of a text; only what has its end is there.
class Lines {
 public:
  explicit Lines(std::string_view text) noexcept : rest_(text) {}

  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
  std::optional<std::string_view> next() noexcept {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

 private:
  std::string_view rest_;
};

/// Kinds as letters, in the order of CellKind.
constexpr std::string_view kKinds = "nwti";

/// A cell as it stands between tabs: in text these, ends of lines and \\ have a \\ in front. NaN is "nan".
std::string text_of(const Cell& cell) {
  if (const auto* const number = std::get_if<double>(&cell)) {
    return number_text(*number);
  }
  const std::string plain = cell_text(cell);
  std::string text;
  for (const char c : plain) {
    text += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
  }
  return text;
}

std::optional<Cell> cell_of_text(CellKind kind, std::string_view text) {
  if (kind == CellKind::kNumber) {
    double number = 0;
    return reads_number(text, number) ? std::optional<Cell>(number) : std::nullopt;
  }
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] != '\\') {
      plain += text[i];
    } else if (next == 't' || next == 'n' || next == '\\') {
      plain += next == 't' ? '\t' : next == 'n' ? '\n' : '\\';
      ++i;
    } else {
      return {};
    }
  }
  return read_cell(kind, plain);
}

/// "w:step". False: it is no such thing.
bool read_column(std::string_view text, TableColumn& column) {
  const std::size_t kind = text.size() > 2 && text[1] == ':' ? kKinds.find(text[0]) : std::string_view::npos;
  if (kind == std::string_view::npos) {
    return false;
  }
  column = {std::string(text.substr(2)), static_cast<CellKind>(kind)};
  return true;
}

/// One group, and its text up to its last line.
std::optional<ReplicaRows> read_group(Lines& lines, std::size_t replicas, RowCount rows) {
  const std::string_view begin = lines.rest();
  const auto head = lines.next();
  const auto cells = cells_of(head.value_or(""));
  ReplicaRows group;
  std::size_t count = 0;
  if (cells.size() < 4 || cells[0] != "replica" || !reads_number(cells[1], group.replica) ||
      group.replica >= replicas || !reads_number(cells[2], count) || count < rows.least ||
      count > rows.most) {
    return {};
  }
  for (std::size_t c = 3; c < cells.size(); ++c) {
    if (!read_column(cells[c], group.columns.emplace_back())) {
      return {};
    }
  }
  for (std::size_t r = 0; r < count; ++r) {
    const auto line = lines.next();
    const auto row = cells_of(line.value_or(""));
    if (!line || row.size() != group.columns.size()) {
      return {};
    }
    for (std::size_t c = 0; c < row.size(); ++c) {
      auto cell = cell_of_text(group.columns[c].kind, row[c]);
      if (!cell) {
        return {};
      }
      group.values.push_back(std::move(*cell));
    }
  }
  const std::string_view text = begin.substr(0, begin.size() - lines.rest().size());
  const auto end = lines.next();
  if (!end || *end != fmt::format("end\t{:016x}", text_sum(text))) {
    return {};
  }
  return group;
}

}  // namespace

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t end = line.find('\t', at);
    cells.push_back(line.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : end + 1;
  }
  return cells;
}

std::string group_text(const ReplicaRows& rows) {
  const std::size_t width = rows.columns.size();
  std::string text = fmt::format("replica\t{}\t{}", rows.replica, rows.values.size() / width);
  for (const TableColumn& column : rows.columns) {
    text += fmt::format("\t{}:{}", kKinds[static_cast<std::size_t>(column.kind)], column.name);
  }
  text += '\n';
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    text += text_of(rows.values[i]);
    text += (i + 1) % width == 0 ? '\n' : '\t';
  }
  return text + fmt::format("end\t{:016x}\n", text_sum(text));
}

std::uint64_t text_sum(std::string_view text) noexcept {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : text) {
    sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return sum;
}

std::size_t read_groups(std::string_view text, std::size_t replicas, RowCount rows,
                        FunctionRef<void(ReplicaRows&&)> take) {
  Lines lines(text);
  std::size_t whole = 0;
  while (auto group = read_group(lines, replicas, rows)) {
    take(std::move(*group));
    whole = text.size() - lines.rest().size();
  }
  return whole;
}

Result<SweepJournal> SweepJournal::open(const std::filesystem::path& path, std::uint64_t fingerprint,
                                        std::size_t replicas, RowCount rows,
                                        FunctionRef<void(ReplicaRows&&)> take) {
  JUXTA_TRY_LET(auto file, core_detail::AppendFile::open(path));
  const std::string first = first_line(fingerprint);
  std::size_t keep = 0;  // nothing of a first line that was torn
  {
    JUXTA_TRY_LET(const auto mapped, core_detail::MappedFile::open(path));
    const std::span<const std::byte> bytes = mapped.bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(first)) {
      keep = first.size() + read_groups(text.substr(first.size()), replicas, rows, take);
    } else if (!first.starts_with(text)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' is {}: give another file, or remove it", utf8_of(path),
                              text.starts_with(first_line(fingerprint, 1))
                                  ? "the journal of an older version of Juxta"
                              : text.starts_with(kFirstWords) ? "the journal of another sweep"
                                                              : "not the journal of a sweep"));
    }
  }
  Result<void> ready = file.size() == keep ? Result<void>() : file.keep(keep);
  if (ready && keep == 0) {
    ready = file.append(std::as_bytes(std::span(first)));
  }
  return ready.map([&] { return SweepJournal(std::move(file)); });
}

Result<void> SweepJournal::add(const ReplicaRows& finished) {
  const std::string text = group_text(finished);
  return file_.append(std::as_bytes(std::span(text)));
}

}  // namespace juxta::study_detail
