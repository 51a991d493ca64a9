// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

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

Row row_of(const Points& points, std::size_t place, std::uint32_t index) {
  Row row = {std::to_string(place), std::to_string(index)};
  const PointTableView& t = points.table;
  if (t.has_names()) {
    row.emplace_back(t.name(index));
  }
  if (points.has_table) {
    row.insert(row.end(), {fmt::format("{}", t.x[index]), fmt::format("{}", t.y[index])});
  }
  if (!t.rank.empty()) {
    row.push_back(fmt::format("{}", t.rank[index]));
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

std::string json(const Points& points, std::span<const std::uint32_t> indices) {
  auto list = nlohmann::ordered_json::array();
  const PointTableView& t = points.table;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint32_t index = indices[i];
    nlohmann::ordered_json item = {{"place", i + 1}, {"index", index}};
    if (t.has_names()) {
      item["name"] = std::string(t.name(index));
    }
    if (points.has_table) {
      item["x"] = t.x[index];
      item["y"] = t.y[index];
    }
    if (!t.rank.empty()) {
      item["rank"] = t.rank[index];
    }
    list.push_back(std::move(item));
  }
  // A name that is no UTF-8 gets the replacement character: JSON has no other way.
  return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string format_answer(const Points& points, std::span<const std::uint32_t> indices, Format format) {
  if (format == Format::kJson) {
    return json(points, indices);
  }
  std::vector<Row> rows = {titles(points)};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    rows.push_back(row_of(points, i + 1, indices[i]));
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
