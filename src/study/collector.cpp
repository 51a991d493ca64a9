// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

namespace juxta {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_number(ColumnKind kind) noexcept {
  return kind != ColumnKind::kReference && kind != ColumnKind::kOther;
}

CellKind kind_of_cells(ColumnKind kind) noexcept {
  switch (kind) {
    case ColumnKind::kInt:
    case ColumnKind::kUnsigned:
    case ColumnKind::kByte:
      return CellKind::kWhole;
    case ColumnKind::kReference:
      return CellKind::kId;
    default:
      return CellKind::kNumber;
  }
}

/// The value of a column, as it goes into a table.
template <class As, class T>
Cell value_at(const Population& population, std::uint32_t column, std::size_t row) {
  return static_cast<As>(population.read(Column<T>{column})[row]);
}

Cell cell_at(const Population& population, std::uint32_t column, std::size_t row) {
  switch (population.kind_of(column)) {
    case ColumnKind::kDouble:
      return value_at<double, double>(population, column, row);
    case ColumnKind::kInt:
      return value_at<std::int64_t, std::int32_t>(population, column, row);
    case ColumnKind::kUnsigned:
      return value_at<std::int64_t, std::uint32_t>(population, column, row);
    case ColumnKind::kByte:
      return value_at<std::int64_t, std::uint8_t>(population, column, row);
    case ColumnKind::kReference:
      return value_at<Id, Id>(population, column, row);
    default:
      return value_at<double, float>(population, column, row);
  }
}

double number_of(const Cell& cell) noexcept {
  const auto* const number = std::get_if<double>(&cell);
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  return number != nullptr ? *number : whole != nullptr ? static_cast<double>(*whole) : kNan;
}

}  // namespace

Collector::Collector() : columns_{{"step", CellKind::kWhole}}, steps_(Table::of(columns_)) {}

void Collector::add(std::string_view name, std::function<double()> reporter, ReporterOptions options) {
  add_cells(
      name, CellKind::kNumber, [reporter = std::move(reporter)]() -> Cell { return reporter(); },
      std::move(options));
}

void Collector::add_cells(std::string_view name, CellKind kind, std::function<Cell()> reporter,
                          ReporterOptions options) {
  columns_.push_back({std::string(name), kind});
  reporters_.push_back({std::move(reporter), std::move(options), kNan});
  steps_ = Table::of(columns_);
}

double Collector::report(std::size_t reporter) const {
  return number_of(reporters_[reporter].value());
}

Result<void> Collector::check(std::uint32_t step, std::size_t reporter, double value) {
  const ReporterOptions& options = reporters_[reporter].options;
  double& first = reporters_[reporter].first;
  const auto diverged = [&](const std::string& what) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("step {}: '{}' is {:g}: {}. {}", step, columns_[reporter + 1].name, value, what,
                    options.advice.empty() ? "Give a smaller time step, or parameters that are less extreme"
                                           : options.advice));
  };
  const CellKind kind = columns_[reporter + 1].kind;
  if ((std::isnan(value) && options.gaps) || kind == CellKind::kText || kind == CellKind::kId) {
    return {};
  }
  if (!std::isfinite(value)) {
    return diverged("the simulation has left finite numbers");
  }
  if (options.tolerance > 0 && step >= options.from_step) {
    first = std::isnan(first) ? value : first;
    const double most = options.tolerance * std::max(std::abs(first), options.scale);
    if (std::abs(value - first) > most) {
      return diverged(fmt::format("it is conserved, was {:g} at first, and may drift by {:g}", first, most));
    }
  }
  return {};
}

Result<void> Collector::watch(std::uint32_t step) {
  Result<void> good;
  for (std::size_t i = 0; good && i < reporters_.size(); ++i) {
    if (reporters_[i].options.tolerance > 0) {
      good = check(step, i, report(i));
    }
  }
  diverged_ = !good;
  return good;
}

Result<void> Collector::add_agents(const Population& population, std::vector<std::string> columns,
                                   std::uint32_t every) {
  Agents agents{&population, {}, std::max(every, 1u), {}};
  std::vector<TableColumn> noted = {{"step", CellKind::kWhole}, {"id", CellKind::kId}};
  for (std::uint32_t c = 0; c < population.column_count(); ++c) {
    const std::string name(population.column_name(c));
    const auto asked = std::find(columns.begin(), columns.end(), name);
    if (asked != columns.end() && population.kind_of(c) == ColumnKind::kOther) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("the column '{}' is not one of numbers", name));
    }
    if (columns.empty() ? is_number(population.kind_of(c)) : asked != columns.end()) {
      agents.columns.push_back(c);
      noted.push_back({name, kind_of_cells(population.kind_of(c))});
    }
  }
  for (const std::string& name : columns) {
    if (std::ranges::find(noted.begin() + 2, noted.end(), name, &TableColumn::name) == noted.end()) {
      return fail(ErrorCode::kNotFound, fmt::format("'{}' has no column '{}'", population.name(), name));
    }
  }
  agents.table = Table::of(std::move(noted));
  agents_.push_back(std::move(agents));
  return {};
}

Result<void> Collector::collect(std::uint32_t step) {
  row_.assign(1, static_cast<std::int64_t>(step));
  Result<void> good;
  for (std::size_t i = 0; i < reporters_.size(); ++i) {
    row_.push_back(reporters_[i].value());
    if (good) {
      good = check(step, i, number_of(row_.back()));
    }
  }
  steps_.append(row_);
  for (Agents& agents : agents_) {
    for (std::uint32_t row = 0; step % agents.every == 0 && row < agents.population->size(); ++row) {
      row_.clear();
      row_.emplace_back(static_cast<std::int64_t>(step));
      row_.emplace_back(agents.population->id_of(row));
      for (const std::uint32_t column : agents.columns) {
        row_.push_back(cell_at(*agents.population, column, row));
      }
      agents.table.append(row_);
    }
  }
  diverged_ = !good;
  return good;
}

Result<void> Collector::go_on(std::vector<Table> earlier) {
  const auto same_columns = [](const Table& a, const Table& b) { return a.columns() == b.columns(); };
  bool fits = earlier.size() == agents_.size() + 1 && same_columns(earlier.front(), steps_);
  for (std::size_t i = 0; fits && i < agents_.size(); ++i) {
    fits = same_columns(earlier[i + 1], agents_[i].table);
  }
  if (!fits) {
    return fail(ErrorCode::kCorruptFile,
                "what was collected before has other columns than this model reports");
  }
  steps_ = std::move(earlier.front());
  for (std::size_t i = 0; i < reporters_.size(); ++i) {
    auto& [report, options, first] = reporters_[i];
    for (std::size_t row = 0; std::isnan(first) && row < steps_.rows(); ++row) {
      first = steps_.column(0)[row] >= options.from_step ? number_of(steps_.cell(row, i + 1)) : kNan;
    }
  }
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    agents_[i].table = std::move(earlier[i + 1]);
  }
  return {};
}

}  // namespace juxta
