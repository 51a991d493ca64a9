// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/point_columns.h"

#include <array>
#include <cmath>

#include "files/from_chars.h"

namespace juxta::files_detail {
namespace {

constexpr std::array<std::string_view, 6> kXTitles = {"x", "lon", "longitude", "lng", "long", "easting"};
constexpr std::array<std::string_view, 4> kYTitles = {"y", "lat", "latitude", "northing"};
constexpr std::array<std::string_view, 4> kNameTitles = {"name", "label", "title", "city"};
constexpr std::size_t kAscendingTitles = 3;  // of the next list; the others are larger-is-better
constexpr std::array<std::string_view, 12> kRankTitles = {"rank",   "scalerank", "priority",   "population",
                                                          "pop",    "pop_max",   "importance", "score",
                                                          "weight", "magnitude", "elevation",  "votes"};

constexpr char lower(char c) noexcept {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::optional<std::size_t> find_title(std::span<const std::string_view> titles, std::string_view title) {
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (same_title(titles[i], title)) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

bool same_title(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) {
      return false;
    }
  }
  return true;
}

std::optional<std::size_t> usual_title(Role role, std::string_view title) {
  switch (role) {
    case Role::kX:
      return find_title(kXTitles, title);
    case Role::kY:
      return find_title(kYTitles, title);
    case Role::kRank:
      return find_title(kRankTitles, title);
    case Role::kName:
      return find_title(kNameTitles, title);
  }
  return std::nullopt;
}

bool larger_is_better(std::string_view rank_title, RankDirection direction) {
  if (direction != RankDirection::kByTitle) {
    return direction == RankDirection::kDescending;
  }
  const auto place = usual_title(Role::kRank, rank_title);
  return place && *place >= kAscendingTitles;
}

std::string_view trimmed(std::string_view cell) noexcept {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) {
    cell.remove_prefix(1);
  }
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) {
    cell.remove_suffix(1);
  }
  return cell;
}

std::optional<double> parse_number(std::string_view cell) noexcept {
  cell = trimmed(cell);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') {
    cell.remove_prefix(1);  // from_chars knows no plus
  }
  double value = 0;
  const char* last = cell.data() + cell.size();
  const auto [end, error] = from_chars(cell.data(), last, value);
  if (error != std::errc{} || end != last || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::string quoted(std::string_view cell) {
  constexpr std::size_t kShown = 40;
  std::string text = "'";
  for (const char c : cell.substr(0, kShown)) {
    const auto code = static_cast<unsigned char>(c);
    text.push_back(code < 0x20 || code == 0x7F ? '?' : c);
  }
  text += cell.size() > kShown ? "...'" : "'";
  return text;
}

tl::unexpected<Error> fail_at_line(ErrorCode code, std::uint64_t line, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), Error::kNowhere, line, Error::kNowhere});
}

}  // namespace juxta::files_detail
