// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/csv_scanner.h"
#include "files/from_chars.h"
#include "files/point_columns.h"
#include "juxta/core/try.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace juxta::files_detail {
namespace {

tl::unexpected<Error> broken(std::uint64_t line, std::string message) {
  return tl::unexpected<Error>(
      Error{ErrorCode::kParse, std::move(message), Error::kNowhere, line, Error::kNowhere});
}

}  // namespace

void append_cell(const CsvCell& cell, std::string& out) {
  if (!cell.escaped) {
    out.append(cell.text);
    return;
  }
  for (std::size_t i = 0; i < cell.text.size(); ++i) {
    out.push_back(cell.text[i]);
    i += cell.text[i] == '"' ? 1 : 0;  // the scanner let quotes through in pairs only
  }
}

std::string cell_text(const CsvCell& cell) {
  std::string text;
  append_cell(cell, text);
  return std::string(trimmed(text));
}

char find_delimiter(std::string_view text) noexcept {
  bool quoted = false, comma = false, semicolon = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '\n' || c == '\r')) {
      if (comma || semicolon) {
        break;
      }
    } else if (!quoted && c == '\t') {
      return '\t';
    } else if (!quoted) {
      comma = comma || c == ',';
      semicolon = semicolon || c == ';';
    }
  }
  return comma || !semicolon ? ',' : ';';
}

std::string_view skip_bom(std::string_view text) noexcept {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

CsvScanner::CsvScanner(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {
  for (const char c : {delimiter, '\r', '\n'}) {
    ends_cell_[static_cast<unsigned char>(c)] = true;
  }
}

void CsvScanner::end_line() noexcept {
  if (text_[position_] == '\r' && position_ + 1 < text_.size() && text_[position_ + 1] == '\n') {
    ++position_;
  }
  ++position_;
  ++line_;
}

/// The first delimiter, line end or end of the text from `at` on, by eight characters at a time.
const char* CsvScanner::end_of_cell(const char* at) const noexcept {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  // The high bit of the first zero byte, and perhaps of bytes behind it.
  const auto zeros = [](std::uint64_t bytes) { return (bytes - kOnes) & ~bytes & kHigh; };
  const char* const last = text_.data() + text_.size();
  for (; last - at >= 8; at += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    const std::uint64_t ends = zeros(bytes ^ kOnes * static_cast<unsigned char>(delimiter_)) |
                               zeros(bytes ^ kOnes * '\n') | zeros(bytes ^ kOnes * '\r');
    if (ends != 0) {
      return at + std::countr_zero(ends) / 8;
    }
  }
  while (at != last && !ends_cell_[static_cast<unsigned char>(*at)]) {
    ++at;
  }
  return at;
}

CsvCell CsvScanner::plain_cell() noexcept {
  const char* const first = text_.data() + position_;
  const auto length = static_cast<std::size_t>(end_of_cell(first) - first);
  position_ += length;
  return {{first, length}, false};
}

bool CsvScanner::next_numbers(std::span<const CsvTarget> columns) noexcept {
  const char *at = text_.data() + position_, *const last = text_.data() + text_.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const char* const first = at;
    if (double* const number = columns[i].number; number != nullptr) {
      const auto [end, error] = from_chars(at, last, *number);
      if (error != std::errc{} || !std::isfinite(*number)) {
        return false;
      }
      at = end;
    } else if (at == last || *at == '"') {
      return false;
    } else {
      at = end_of_cell(at);
    }
    const bool ends = at == last || *at == '\n' || *at == '\r';
    if (ends != (i + 1 == columns.size()) || (!ends && *at != delimiter_) ||
        (columns.size() == 1 && at == first)) {
      return false;
    }
    if (columns[i].text != nullptr) {
      *columns[i].text = {first, static_cast<std::size_t>(at - first)};
    }
    at += ends ? 0 : 1;
  }
  record_line_ = line_;
  record_position_ = position_;
  position_ = static_cast<std::size_t>(at - text_.data());
  if (at != last) {
    end_line();
  }
  return true;
}

Result<CsvCell> CsvScanner::quoted_cell() {
  const std::uint64_t opened = line_;
  const std::size_t first = ++position_;
  bool escaped = false;
  for (;;) {
    const std::size_t quote = text_.find('"', position_);
    if (quote == std::string_view::npos) {
      return broken(opened, "the quote that opens here is never closed: add the closing quote");
    }
    line_ += static_cast<std::uint64_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(position_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(quote), '\n'));
    position_ = quote + 1;
    if (position_ == text_.size() || text_[position_] != '"') {
      break;
    }
    escaped = true;
    ++position_;
  }
  if (position_ < text_.size() && !ends_cell_[static_cast<unsigned char>(text_[position_])]) {
    return broken(line_, "text follows a closing quote: double the quotes inside a quoted cell");
  }
  return CsvCell{text_.substr(first, position_ - 1 - first), escaped};
}

void CsvScanner::skip_line() noexcept {
  position_ = std::min(text_.find_first_of("\r\n", record_position_), text_.size());
  line_ = record_line_;
}

Result<bool> CsvScanner::next(std::vector<CsvCell>& cells) {
  while (position_ < text_.size() && (text_[position_] == '\n' || text_[position_] == '\r')) {
    end_line();
  }
  cells.clear();
  record_line_ = line_;
  record_position_ = position_;
  if (position_ == text_.size()) {
    return false;
  }
  for (;;) {
    if (position_ < text_.size() && text_[position_] == '"') {
      JUXTA_TRY_LET(const auto cell, quoted_cell());
      cells.push_back(cell);
    } else {
      cells.push_back(plain_cell());
    }
    if (position_ == text_.size()) {
      return true;
    }
    if (text_[position_] != delimiter_) {
      end_line();
      return true;
    }
    ++position_;
  }
}

}  // namespace juxta::files_detail
