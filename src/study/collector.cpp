// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "juxta/core/random.h"

namespace juxta {
namespace {

/// What a column of numbers is, as a handle for read().
template <class T>
double value_at(const Population& population, std::uint32_t column, std::size_t row) {
  return static_cast<double>(population.read(Column<T>{column})[row]);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

void Collector::add(std::string_view name, std::function<double()> reporter, ReporterOptions options) {
  names_.emplace_back(name);
  reporters_.push_back({std::move(reporter), std::move(options), kNan});
  steps_ = Table(names_);
}

Result<void> Collector::check(std::uint32_t step, std::size_t reporter, double value) {
  const ReporterOptions& options = reporters_[reporter].options;
  double& first = reporters_[reporter].first;
  const auto diverged = [&](const std::string& what) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("step {}: '{}' is {:g}: {}. {}", step, names_[reporter + 1], value, what,
                    options.advice.empty() ? "Give a smaller time step, or parameters that are less extreme"
                                           : options.advice));
  };
  if (std::isnan(value) && options.gaps) {
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
      good = check(step, i, reporters_[i].value());
    }
  }
  diverged_ = !good;
  return good;
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

Result<void> Collector::collect(std::uint32_t step) {
  row_.assign(1, static_cast<double>(step));
  Result<void> good;
  for (std::size_t i = 0; i < reporters_.size(); ++i) {
    row_.push_back(reporters_[i].value());
    if (good) {
      good = check(step, i, row_.back());
    }
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
  diverged_ = !good;
  return good;
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
  for (std::size_t i = 0; i < reporters_.size(); ++i) {
    auto& [report, options, first] = reporters_[i];
    for (std::size_t row = 0; std::isnan(first) && row < steps_.rows(); ++row) {
      first = steps_.column(0)[row] >= options.from_step ? steps_.column(i + 1)[row] : kNan;
    }
  }
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    agents_[i].table = std::move(earlier[i + 1]);
  }
  return {};
}

}  // namespace juxta
