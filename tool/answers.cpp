// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "juxta/core/try.h"

namespace juxta::tool {
namespace {

using Row = std::vector<std::string>;

/// A name for a terminal: control characters could move its cursor.
std::string printable(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return out;
}

/// Characters, not bytes.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Row titles(const Points& points) {
  Row row = {"place", "index"};
  const PointTableView& t = points.table;
  if (t.has_names()) {
    row.emplace_back(t.name_title);
  }
  if (points.has_table) {
    row.insert(row.end(), {std::string(t.x_title), std::string(t.y_title)});
  }
  if (!t.rank.empty()) {
    row.emplace_back(t.rank_title);
  }
  return row;
}

Row row_of(const Points& points, const PointTable& rows, std::size_t i, std::uint32_t index) {
  Row row = {std::to_string(i + 1), std::to_string(index)};
  if (points.table.has_names()) {
    row.emplace_back(rows.name(i));
  }
  if (points.has_table) {
    row.insert(row.end(), {fmt::format("{}", rows.x[i]), fmt::format("{}", rows.y[i])});
  }
  if (!rows.rank.empty()) {
    row.push_back(fmt::format("{}", rows.rank[i]));
  }
  return row;
}

std::string aligned(const std::vector<Row>& rows, bool names) {
  std::vector<std::size_t> width(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      width[c] = std::max(width[c], characters(row[c]));
    }
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(width[c] - characters(row[c]), ' ');
      const bool left = names && c == 2;  // names stand left, numbers right
      line += (c == 0 ? "" : "  ") + (left ? row[c] + space : space + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string json(const Points& points, const PointTable& rows, std::span<const std::uint32_t> indices) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    nlohmann::ordered_json item = {{"place", i + 1}, {"index", indices[i]}};
    if (points.table.has_names()) {
      item["name"] = std::string(rows.name(i));
    }
    if (points.has_table) {
      item["x"] = rows.x[i];
      item["y"] = rows.y[i];
    }
    if (!rows.rank.empty()) {
      item["rank"] = rows.rank[i];
    }
    list.push_back(std::move(item));
  }
  // A name that is no UTF-8 gets the replacement character: JSON has no other way.
  return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Reads rows of the table. Of a saved one, a few are copied: each place that is looked at costs the check of
/// up to 2 MiB around it (RankedPoints::copy_attachment()). Many are looked at.
class RowReader {
 public:
  RowReader(const Points& points, std::size_t rows)
      : points_(points), copies_(points.read == nullptr && rows <= kMostCopies) {}

  template <class T>
  Result<T> number(std::span<const T> column, std::size_t i) const {
    if (!copies_) {
      return column[i];
    }
    T number;
    JUXTA_TRY(copy(&column[i], std::as_writable_bytes(std::span(&number, 1))));
    return number;
  }

  /// Adds the name of point i.
  Result<void> add_name(std::size_t i, PointTable& rows) const {
    const PointTableView& t = points_.table;
    std::uint64_t first = 0;
    if (i != 0) {
      JUXTA_TRY_LET(first, number(t.name_end, i - 1));
    }
    JUXTA_TRY_LET(const std::uint64_t last, number(t.name_end, i));
    // Names of which each is as long as all are those of a damaged file.
    const std::size_t before = rows.name_bytes.size();
    if (first > last || last > t.name_bytes.size() || last - first > t.name_bytes.size() - before) {
      return fail(ErrorCode::kCorruptFile, "the index has impossible names: build it again");
    }
    const auto size = static_cast<std::size_t>(last - first);
    const char* const text = t.name_bytes.data() + first;
    rows.name_bytes.resize(before + size);
    rows.name_end.push_back(rows.name_bytes.size());
    if (copies_) {
      return copy(text, std::as_writable_bytes(std::span(rows.name_bytes)).subspan(before));
    }
    std::copy_n(text, size, rows.name_bytes.data() + before);
    return {};
  }

 private:
  static constexpr std::size_t kMostCopies = 1000;

  Result<void> copy(const void* from, std::span<std::byte> out) const {
    const std::byte* const all = points_.index.attachment().data();
    return points_.index.copy_attachment(static_cast<std::size_t>(static_cast<const std::byte*>(from) - all),
                                         out);
  }

  const Points& points_;
  bool copies_;
};

}  // namespace

Result<PointTable> rows_of(const Points& points, std::span<const std::uint32_t> indices) {
  const PointTableView& t = points.table;
  const RowReader reader(points, indices.size());
  PointTable rows;
  for (const std::uint32_t i : indices) {
    if (i >= points.index.size()) {
      return fail(ErrorCode::kCorruptFile, "the index names points that it does not have: build it again");
    }
    if (points.has_table) {
      JUXTA_TRY_LET(rows.x.emplace_back(), reader.number(t.x, i));
      JUXTA_TRY_LET(rows.y.emplace_back(), reader.number(t.y, i));
    }
    if (!t.rank.empty()) {
      JUXTA_TRY_LET(rows.rank.emplace_back(), reader.number(t.rank, i));
    }
    if (t.has_names()) {
      JUXTA_TRY(reader.add_name(i, rows));
    }
  }
  return rows;
}

std::string format_answer(const Points& points, const PointTable& answer,
                          std::span<const std::uint32_t> indices, Format format) {
  if (format == Format::kJson) {
    return json(points, answer, indices);
  }
  std::vector<Row> rows = {titles(points)};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    rows.push_back(row_of(points, answer, i, indices[i]));
  }
  for (Row& row : rows) {
    std::transform(row.begin(), row.end(), row.begin(), [&](const std::string& cell) {
      return format == Format::kCsv ? csv_cell(cell) : printable(cell);
    });
  }
  if (format == Format::kTable) {
    return aligned(rows, points.table.has_names());
  }
  std::string out;
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      out += (c == 0 ? "" : ",") + row[c];
    }
    out += "\n";
  }
  return out;
}

std::string draw_answer(const PointTableView& table, std::span<const std::uint32_t> indices, const Area& area,
                        const SvgMapOptions& options) {
  std::vector<MapLabel> labels;
  for (const std::uint32_t index : indices) {
    std::string text(table.name(index));
    if (text.empty()) {
      text = table.rank.empty() ? fmt::format("#{}", index) : fmt::format("{}", table.rank[index]);
    }
    labels.push_back({area.continued(table.x[index]), table.y[index], std::move(text)});
  }
  const auto point = [&](std::size_t i) { return MapPoint{area.continued(table.x[i]), table.y[i]}; };
  return svg_map(table.size(), point, labels, options);
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + "\"";
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) {
    return 0;
  }
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

}  // namespace juxta::tool
