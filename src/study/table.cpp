// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "juxta/files/output_file.h"
#include "juxta/study/parameters.h"

namespace juxta {
namespace {

/// As RFC 4180 has it.
std::string cell_of(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) {
    return name;
  }
  std::string cell = "\"";
  for (const char c : name) {
    cell += c;
    if (c == '"') {
      cell += c;
    }
  }
  return cell + '"';
}

}  // namespace

Table::Table(std::vector<std::string> names) : names_(std::move(names)), columns_(names_.size()) {}

std::span<const double> Table::column(std::string_view name) const noexcept {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? std::span<const double>()
                               : columns_[static_cast<std::size_t>(found - names_.begin())];
}

std::span<const double> Table::column(std::size_t index) const noexcept {
  return columns_[index];
}

std::size_t Table::rows() const noexcept {
  return columns_.empty() ? 0 : columns_.front().size();
}

void Table::append(std::span<const double> row) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].push_back(row[c]);
  }
}

void Table::clear() noexcept {
  for (auto& column : columns_) {
    column.clear();
  }
}

std::string Table::csv() const {
  std::string text;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    text += c == 0 ? "" : ",";
    text += cell_of(names_[c]);
  }
  text += '\n';
  for (std::size_t r = 0; r < rows(); ++r) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      text += c == 0 ? "" : ",";
      text += std::isnan(columns_[c][r]) ? "" : number_text(columns_[c][r]);
    }
    text += '\n';
  }
  return text;
}

Result<void> Table::write_csv(std::string_view path) const {
  return write_file(path, csv());
}

}  // namespace juxta
