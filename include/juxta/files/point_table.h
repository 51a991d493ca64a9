// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/files/skipped_rows.h"

namespace juxta {

/// Points with a rank and (optionally) a name each, as plain columns of equal length.
struct PointTable {
  std::vector<double> x, y;  ///< Finite.
  std::vector<double> rank;  ///< Finite, as in the file; empty when the file has no rank column.
  std::vector<std::uint64_t>
      name_end;            ///< Name i is name_bytes[name_end[i - 1], name_end[i]); empty: no names.
  std::string name_bytes;  ///< All names one after the other, UTF-8 as in the file.

  std::string x_title = "x", y_title = "y", rank_title = "rank", name_title = "name";  ///< Column headings.
  bool descending = false;  ///< True when a larger rank is more important (population), see RankDirection.

  /// What points may be filtered by, ready for RankedPointsOptions: columns of numbers (NaN: the point has
  /// none), and a bit for each category of a point. Empty: not asked for, or read from a saved table, which
  /// keeps the titles and names only.
  std::vector<std::vector<double>> values;
  std::vector<std::uint64_t> categories;
  std::vector<std::string> value_titles;    ///< One for each column of numbers.
  std::vector<std::string> category_names;  ///< Of bit i, up to 64; "": no point has this bit.

  SkippedRows skipped;              ///< Of a reader with PointColumns::skip_bad.
  std::uint64_t without_place = 0;  ///< GeoJSON features whose geometry is null: they are no points.

  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
  [[nodiscard]] bool has_names() const noexcept { return !name_end.empty(); }
  /// The name of point i < size(), or "" when there are no names. Valid while the table is unchanged.
  [[nodiscard]] std::string_view name(std::size_t i) const noexcept {
    if (name_end.empty()) {
      return {};
    }
    const std::uint64_t first = i == 0 ? 0 : name_end[i - 1];
    return std::string_view(name_bytes)
        .substr(static_cast<std::size_t>(first), static_cast<std::size_t>(name_end[i] - first));
  }
};

/// The columns of a PointTable, borrowed: from one, or from the bytes of a saved one. Valid while these are
/// unchanged and in place.
struct PointTableView {
  std::span<const double> x, y, rank;
  std::span<const std::uint64_t> name_end;
  std::string_view name_bytes, x_title, y_title, rank_title, name_title;
  std::vector<std::string_view> value_titles, category_names;
  bool descending = false;

  PointTableView() = default;
  explicit PointTableView(const PointTable& table)
      : x(table.x),
        y(table.y),
        rank(table.rank),
        name_end(table.name_end),
        name_bytes(table.name_bytes),
        x_title(table.x_title),
        y_title(table.y_title),
        rank_title(table.rank_title),
        name_title(table.name_title),
        value_titles(table.value_titles.begin(), table.value_titles.end()),
        category_names(table.category_names.begin(), table.category_names.end()),
        descending(table.descending) {}

  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
  [[nodiscard]] bool has_names() const noexcept { return !name_end.empty(); }
  /// The name of point i < size(), or "" when there are no names, or when the ends of a damaged table do not
  /// ascend there.
  [[nodiscard]] std::string_view name(std::size_t i) const noexcept {
    if (name_end.empty()) {
      return {};
    }
    const std::uint64_t first = i == 0 ? 0 : name_end[i - 1], last = name_end[i];
    return first <= last && last <= name_bytes.size()
               ? name_bytes.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first))
               : std::string_view{};
  }
};

/// Which ranks are the important ones.
enum class RankDirection : std::uint8_t {
  kByTitle,     ///< Largest first for population, pop, pop_max, importance, score, weight, magnitude,
                ///< elevation and votes; smallest first otherwise.
  kAscending,   ///< The smallest rank is the most important.
  kDescending,  ///< The largest is.
};

/// Where a reader finds its columns. An empty title: the first of the usual ones, in any case of letters:
///   x     x, lon, longitude, lng, long, easting
///   y     y, lat, latitude, northing
///   rank  rank, scalerank, priority, population, pop, pop_max, importance, score, weight, magnitude,
///   elevation,
///         votes
///   name  name, label, title, city
/// A given title is matched exactly, then in any case of letters, then (CSV, TSV) as a column number from 1.
struct PointColumns {
  std::string x = {}, y = {}, rank = {}, name = {};
  RankDirection direction = RankDirection::kByTitle;
  bool rank_required = true;  ///< False: a file without a rank column is read, with PointTable::rank empty.
  /// True: a bad row or feature is left out, and PointTable::skipped tells of it. False: it is an error. With
  /// nothing else in the file it is an error all the same.
  bool skip_bad = false;
  /// Columns of numbers to filter by, up to two: PointTable::values. An empty cell is no number. CSV and TSV.
  std::vector<std::string> values = {};
  /// The column of categories: PointTable::categories. A cell holds words between commas, semicolons or bars,
  /// perhaps none. Up to 64 different ones get their bits in the order in which they come; if all are whole
  /// numbers from 0 to 63, each is the number of its bit. CSV and TSV.
  std::string categories = {};
};

}  // namespace juxta
