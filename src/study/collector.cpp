// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "juxta/core/random.h"

namespace juxta {
namespace {

/// What a column of numbers is, as a handle for read().
template <class T>
double value_at(const Population& population, std::uint32_t column, std::size_t row) {
  return static_cast<double>(population.read(Column<T>{column})[row]);
}

bool is_number(ColumnKind kind) noexcept {
  return kind != ColumnKind::kReference && kind != ColumnKind::kOther;
}

double number_at(const Population& population, std::uint32_t column, std::size_t row) {
  switch (population.kind_of(column)) {
    case ColumnKind::kDouble:
      return value_at<double>(population, column, row);
    case ColumnKind::kInt:
      return value_at<std::int32_t>(population, column, row);
    case ColumnKind::kUnsigned:
      return value_at<std::uint32_t>(population, column, row);
    case ColumnKind::kByte:
      return value_at<std::uint8_t>(population, column, row);
    default:
      return value_at<float>(population, column, row);
  }
}

}  // namespace

Collector::Collector() : names_{"step"}, steps_(names_) {}

void Collector::add(std::string_view name, std::function<double()> reporter) {
  names_.emplace_back(name);
  reporters_.push_back(std::move(reporter));
  steps_ = Table(names_);
}

Result<void> Collector::add_agents(const Population& population, std::vector<std::string> columns,
                                   std::uint32_t every) {
  Agents agents{&population, {}, std::max(every, 1u), {}};
  std::vector<std::string> names = {"step", "id"};
  for (std::uint32_t c = 0; c < population.column_count(); ++c) {
    const std::string name(population.column_name(c));
    const auto asked = std::find(columns.begin(), columns.end(), name);
    if (asked != columns.end() && !is_number(population.kind_of(c))) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("the column '{}' is not one of numbers", name));
    }
    if (is_number(population.kind_of(c)) && (columns.empty() || asked != columns.end())) {
      agents.columns.push_back(c);
      names.push_back(name);
    }
  }
  for (const std::string& name : columns) {
    if (std::find(names.begin() + 2, names.end(), name) == names.end()) {
      return fail(ErrorCode::kNotFound, fmt::format("'{}' has no column '{}'", population.name(), name));
    }
  }
  agents.table = Table(std::move(names));
  agents_.push_back(std::move(agents));
  return {};
}

void Collector::collect(std::uint32_t step) {
  row_.assign(1, static_cast<double>(step));
  for (const auto& reporter : reporters_) {
    row_.push_back(reporter());
  }
  steps_.append(row_);
  for (Agents& agents : agents_) {
    for (std::uint32_t row = 0; step % agents.every == 0 && row < agents.population->size(); ++row) {
      row_.assign({static_cast<double>(step), static_cast<double>(random_id(agents.population->id_of(row)))});
      for (const std::uint32_t column : agents.columns) {
        row_.push_back(number_at(*agents.population, column, row));
      }
      agents.table.append(row_);
    }
  }
}

Result<void> Collector::go_on(std::vector<Table> earlier) {
  const auto same_names = [](const Table& a, const Table& b) {
    return std::ranges::equal(a.names(), b.names());
  };
  bool fits = earlier.size() == agents_.size() + 1 && same_names(earlier.front(), steps_);
  for (std::size_t i = 0; fits && i < agents_.size(); ++i) {
    fits = same_names(earlier[i + 1], agents_[i].table);
  }
  if (!fits) {
    return fail(ErrorCode::kCorruptFile,
                "what was collected before has other columns than this model reports");
  }
  steps_ = std::move(earlier.front());
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    agents_[i].table = std::move(earlier[i + 1]);
  }
  return {};
}

}  // namespace juxta
