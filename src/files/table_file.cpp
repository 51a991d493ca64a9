// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The flat table file, little-endian, every array at a multiple of 8 bytes:
//
//   magic[8] version count name_bytes flags title_bytes[4] checksum filter_bytes | titles | filters? | x | y
//   |
//   |--------------------------- 88 bytes, words of 8 ---------------------------|   rank? | name_end? |
//   names
//
// The checksum covers everything but itself.

#include "juxta/files/table_file.h"
#include "juxta/core/try.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "files/point_columns.h"

namespace juxta {
namespace {

static_assert(std::endian::native == std::endian::little, "the table file is little-endian");

struct Header {
  char magic[8];
  std::uint64_t version, count, name_bytes, flags, title_bytes[4], checksum, filter_bytes;
};
static_assert(sizeof(Header) == 88);
constexpr char kMagic[8] = {'J', 'X', 'T', 'A', 'B', 'L', 'E', '\n'};
constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kDescending = 1, kHasRank = 2, kHasNames = 4, kHasFilters = 8;
constexpr std::uint64_t kMaxTitle = 1 << 20;
// Columns of numbers, categories: how many titles and names of each are at most in the filters.
constexpr std::uint32_t kMaxValues = 2, kMaxCategories = 64;
constexpr std::uint64_t kMaxFilters = 8 + (kMaxValues + kMaxCategories) * (4 + kMaxTitle);

/// Four independent FNV-like lanes over words of 8 bytes, so that the multiplications overlap.
std::uint64_t checksum(std::string_view bytes) noexcept {
  constexpr std::uint64_t kPrime = 0x100000001B3u;
  std::array<std::uint64_t, 4> lane = {1, 2, 3, 4};
  std::size_t i = 0;
  for (; i + 32 <= bytes.size(); i += 32) {
    for (std::size_t l = 0; l < 4; ++l) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + i + 8 * l, 8);
      lane[l] = (std::rotl(lane[l], 23) ^ word) * kPrime;
    }
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t l : lane) {
    sum = (std::rotl(sum, 23) ^ l) * kPrime;
  }
  for (; i < bytes.size(); ++i) {
    sum = (std::rotl(sum, 23) ^ static_cast<unsigned char>(bytes[i])) * kPrime;
  }
  return sum;
}

/// Of a whole file: the header without its checksum, then the rest.
std::uint64_t checksum(Header header, std::string_view body) noexcept {
  header.checksum = checksum(body);
  return checksum({reinterpret_cast<const char*>(&header), sizeof(header)});
}

template <class T>
void append(std::string& out, const std::vector<T>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::size_t padded(std::size_t bytes) noexcept {
  return (bytes + 7) / 8 * 8;
}

tl::unexpected<Error> corrupt(const char* what, std::size_t byte) {
  return tl::unexpected<Error>(Error{ErrorCode::kCorruptFile, what, Error::kNowhere, Error::kNowhere, byte});
}

/// Takes arrays from the body one after the other; the sizes were checked before.
struct Cursor {
  const char* at;

  template <class T>
  std::span<const T> take(std::size_t count) {
    const auto* first = reinterpret_cast<const T*>(at);
    at += count * sizeof(T);
    return {first, count};
  }
  std::string_view text(std::size_t count) {
    const char* first = at;
    at += count;
    return {first, count};
  }
};

/// Refuses a header whose sizes do not add up to the file's.
Result<void> check_header(const Header& header, std::size_t file_size) {
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
    return corrupt("not a point table: build the index again with its table", 0);
  }
  if (header.version != kVersion) {
    return corrupt("a point table of another version: build the index again", offsetof(Header, version));
  }
  if (header.count > files_detail::kMaxPoints || header.name_bytes > file_size || header.flags > 15) {
    return corrupt("the point table's sizes are wrong: build the index again", offsetof(Header, count));
  }
  std::uint64_t titles = 0;
  for (const std::uint64_t bytes : header.title_bytes) {
    if (bytes > kMaxTitle) {
      return corrupt("the point table's titles are too long: build the index again",
                     offsetof(Header, title_bytes));
    }
    titles += bytes;
  }
  if (header.filter_bytes > ((header.flags & kHasFilters) != 0 ? kMaxFilters : 0)) {
    return corrupt("the point table's filters are too long: build the index again",
                   offsetof(Header, filter_bytes));
  }
  titles += header.filter_bytes;
  const std::uint64_t columns = 2 + (header.flags & kHasRank ? 1 : 0) + (header.flags & kHasNames ? 1 : 0);
  if (file_size != sizeof(Header) + padded(titles) + columns * 8 * header.count + header.name_bytes) {
    return corrupt("the point table is cut off or damaged: build the index again", file_size);
  }
  return {};
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

bool names_ascend(const PointTableView& table) {
  std::uint64_t last = 0;
  for (const std::uint64_t end : table.name_end) {
    if (end < last || end > table.name_bytes.size()) {
      return false;
    }
    last = end;
  }
  return last == table.name_bytes.size();
}

/// A header whose sizes add up to those of the bytes.
Result<Header> header_of(std::string_view bytes) {
  Header header{};
  if (bytes.size() < sizeof(Header)) {
    return corrupt("not a point table: build the index again with its table", bytes.size());
  }
  std::memcpy(&header, bytes.data(), sizeof(Header));
  JUXTA_TRY(check_header(header, bytes.size()));
  return header;
}

/// What points may be filtered by:
///
///   how many titles, how many names | bytes of each | titles names
///   u32, u32                          u32 each
std::string filters_of(const PointTable& table) {
  std::string numbers, texts;
  const auto add = [&](std::size_t number) {
    const auto word = static_cast<std::uint32_t>(number);
    numbers.append(reinterpret_cast<const char*>(&word), sizeof(word));
  };
  add(table.value_titles.size());
  add(table.category_names.size());
  for (const auto* names : {&table.value_titles, &table.category_names}) {
    for (const std::string& name : *names) {
      add(name.size());
      texts += name;
    }
  }
  return numbers + texts;
}

Result<void> check_filters(const PointTable& table) {
  if (table.value_titles.size() > kMaxValues || table.category_names.size() > kMaxCategories) {
    return fail(ErrorCode::kInvalidArgument, "more than 2 columns of numbers, or more than 64 categories");
  }
  const auto too_long = [](const std::string& name) { return name.size() > kMaxTitle; };
  if (std::ranges::any_of(table.value_titles, too_long) ||
      std::ranges::any_of(table.category_names, too_long)) {
    return fail(ErrorCode::kInvalidArgument,
                "the title of a column of numbers or a category is longer than 1 MiB: shorten it");
  }
  return {};
}

/// The titles and names of filters_of(), in place. False: no filters_of() made these bytes.
bool view_filters(std::string_view bytes, PointTableView& table) {
  const auto number = [&](std::size_t i) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + 4 * i, sizeof(word));
    return word;
  };
  if (bytes.size() < 8 || number(0) > kMaxValues || number(1) > kMaxCategories) {
    return false;
  }
  const std::size_t values = number(0), all = values + number(1);
  if (bytes.size() < 4 * (2 + all)) {
    return false;
  }
  std::string_view texts = bytes.substr(4 * (2 + all));
  for (std::size_t i = 0; i < all; ++i) {
    const std::size_t size = number(2 + i);
    if (size > texts.size()) {
      return false;
    }
    (i < values ? table.value_titles : table.category_names).push_back(texts.substr(0, size));
    texts.remove_prefix(size);
  }
  return texts.empty();
}

Result<PointTableView> view_of(const Header& header, std::string_view bytes) {
  PointTableView table;
  const auto count = static_cast<std::size_t>(header.count);
  Cursor cursor{bytes.data() + sizeof(Header)};
  std::size_t t = 0;
  for (std::string_view* title : {&table.x_title, &table.y_title, &table.rank_title, &table.name_title}) {
    *title = cursor.text(static_cast<std::size_t>(header.title_bytes[t++]));
  }
  const std::string_view filters = cursor.text(static_cast<std::size_t>(header.filter_bytes));
  if ((header.flags & kHasFilters) != 0 && !view_filters(filters, table)) {
    return corrupt("the point table's filters are damaged: build the index again",
                   static_cast<std::size_t>(filters.data() - bytes.data()));
  }
  cursor.at = bytes.data() + sizeof(Header) +
              padded(static_cast<std::size_t>(cursor.at - bytes.data()) - sizeof(Header));
  table.x = cursor.take<double>(count);
  table.y = cursor.take<double>(count);
  table.rank = cursor.take<double>(header.flags & kHasRank ? count : 0);
  table.name_end = cursor.take<std::uint64_t>(header.flags & kHasNames ? count : 0);
  table.name_bytes = cursor.text(static_cast<std::size_t>(header.name_bytes));
  table.descending = (header.flags & kDescending) != 0;
  return table;
}

template <class T>
std::vector<T> copy_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace

Result<std::string> point_table_bytes(const PointTable& table) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.count = table.size();
  header.name_bytes = table.name_bytes.size();
  header.flags = (table.descending ? kDescending : 0) | (table.rank.empty() ? 0 : kHasRank) |
                 (table.has_names() ? kHasNames : 0);
  if (!table.value_titles.empty() || !table.category_names.empty()) {
    header.flags |= kHasFilters;
  }
  std::string bytes(sizeof(Header), '\0');
  std::size_t t = 0;
  for (const std::string* title : {&table.x_title, &table.y_title, &table.rank_title, &table.name_title}) {
    if (title->size() > kMaxTitle) {
      return fail(ErrorCode::kInvalidArgument, "a column title is longer than 1 MiB: shorten it");
    }
    header.title_bytes[t++] = title->size();
    bytes += *title;
  }
  if ((header.flags & kHasFilters) != 0) {
    JUXTA_TRY(check_filters(table));
    const std::string filters = filters_of(table);
    header.filter_bytes = filters.size();
    bytes += filters;
  }
  bytes.resize(padded(bytes.size()));
  append(bytes, table.x);
  append(bytes, table.y);
  append(bytes, table.rank);
  append(bytes, table.name_end);
  bytes += table.name_bytes;
  header.checksum = checksum(header, std::string_view(bytes).substr(sizeof(Header)));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

Result<PointTableView> view_point_table(std::string_view bytes) {
  JUXTA_TRY_LET(const Header header, header_of(bytes));
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(double) != 0) {
    return fail(ErrorCode::kInvalidArgument, "the bytes of a point table begin at no multiple of 8");
  }
  return view_of(header, bytes);
}

Result<void> check_point_table(const PointTableView& table) {
  if (!all_finite(table.x) || !all_finite(table.y) || !all_finite(table.rank) || !names_ascend(table)) {
    return corrupt("the point table holds impossible values: build the index again", sizeof(Header));
  }
  return {};
}

Result<PointTable> parse_point_table(std::string_view bytes) {
  JUXTA_TRY_LET(const Header header, header_of(bytes));
  if (checksum(header, bytes.substr(sizeof(Header))) != header.checksum) {
    return corrupt("the point table's checksum is wrong: build the index again", offsetof(Header, checksum));
  }
  std::vector<std::uint64_t> moved;  // to where a double may be
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(double) != 0) {
    moved.resize((bytes.size() + 7) / 8);
    std::memcpy(moved.data(), bytes.data(), bytes.size());
    bytes = {reinterpret_cast<const char*>(moved.data()), bytes.size()};
  }
  JUXTA_TRY_LET(const PointTableView view, view_of(header, bytes));
  JUXTA_TRY(check_point_table(view));
  PointTable table;
  table.x = copy_of(view.x);
  table.y = copy_of(view.y);
  table.rank = copy_of(view.rank);
  table.name_end = copy_of(view.name_end);
  table.name_bytes = view.name_bytes;
  table.x_title = view.x_title;
  table.y_title = view.y_title;
  table.rank_title = view.rank_title;
  table.name_title = view.name_title;
  table.value_titles.assign(view.value_titles.begin(), view.value_titles.end());
  table.category_names.assign(view.category_names.begin(), view.category_names.end());
  table.descending = view.descending;
  return table;
}

}  // namespace juxta
