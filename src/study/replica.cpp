// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/replica.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>

#include "juxta/core/try.h"
#include "study/started.h"

namespace juxta::study_detail {
namespace {

/// One NaN for all, as the journal knows no other.
Cell plain(Cell cell) {
  const auto* const number = std::get_if<double>(&cell);
  return number != nullptr && std::isnan(*number) ? Cell(std::numeric_limits<double>::quiet_NaN())
                                                  : std::move(cell);
}

Result<ReplicaRows> rows_of(std::size_t number, const Table& table) {
  ReplicaRows rows;
  rows.replica = number;
  for (const std::string& name : table.names()) {
    if (name.empty() || std::ranges::any_of(name, [](char c) { return c == '\t' || c == '\n'; })) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the model reports under the name '{}': name it without tabs and line ends", name));
    }
  }
  rows.columns = table.columns();
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (std::size_t c = 0; c < rows.columns.size(); ++c) {
      rows.values.push_back(plain(table.cell(r, c)));
    }
  }
  return rows;
}

}  // namespace

Result<void> check_sweep(const Sweep& sweep) {
  if (sweep.model == nullptr) {
    return fail(ErrorCode::kInvalidArgument, "a sweep needs a model: set Sweep::model");
  }
  if (sweep.replicas() > kMostReplicas) {
    return fail(ErrorCode::kTooLarge, fmt::format("{} replicas are more than {}: make several sweeps of it",
                                                  sweep.replicas(), kMostReplicas));
  }
  Parameters parameters = sweep.parameters;
  for (std::size_t v = 0; v < sweep.vary.size(); ++v) {
    const auto& [name, values] = sweep.vary[v];
    if (sweep.together && values.size() != sweep.vary.front().second.size()) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("values that go together are as many for each parameter: {} has {}, and {} has {}",
                      sweep.vary.front().first, sweep.vary.front().second.size(), name, values.size()));
    }
    for (std::size_t w = 0; w < v; ++w) {
      if (sweep.vary[w].first == name) {
        return fail(ErrorCode::kInvalidArgument, fmt::format("{} varies twice: give one list", name));
      }
    }
    for (const double value : values) {
      JUXTA_TRY(parameters.set(name, value));
    }
  }
  return {};
}

std::uint64_t fingerprint(const Sweep& sweep) {
  std::string text = fmt::format("{}\nsteps {}\nevery {}\n", sweep.model->name, sweep.steps, sweep.every);
  for (const Parameter& parameter : sweep.parameters.declared()) {
    const auto varies = [&](const auto& each) { return each.first == parameter.name; };
    if (std::ranges::none_of(sweep.vary, varies)) {
      text += fmt::format("set {} {}\n", parameter.name, number_text(parameter.value));
    }
  }
  for (const auto& [name, values] : sweep.vary) {
    text += fmt::format("vary {}", name);
    for (const double value : values) {
      text += fmt::format(" {}", number_text(value));
    }
    text += '\n';
  }
  text += sweep.together ? "together\n" : "";  // nothing for what older journals do not know
  text += sweep.until ? fmt::format("until {}\n", sweep.until->text()) : "";
  text += "seeds";
  for (const std::uint64_t seed : sweep.seeds) {
    text += fmt::format(" {}", seed);
  }
  return text_sum(text);
}

RowCount rows_of_replica(const Sweep& sweep) noexcept {
  if (sweep.every == 0) {
    return {1, 1};
  }
  const std::size_t rows = std::size_t{sweep.steps} / sweep.every + 1;
  return sweep.until ? RowCount{1, rows + (sweep.steps % sweep.every != 0 ? 1 : 0)} : RowCount{rows, rows};
}

// Digits of a number whose last one counts the seeds, and the one before it the values of the last that
// varies, or the values that go together.
Replica::Replica(const Sweep& sweep, std::size_t number)
    : sweep_(sweep),
      number_(number),
      seed_(sweep.seeds[number % sweep.seeds.size()]),
      values_(sweep.vary.size()) {
  std::size_t rest = number / sweep.seeds.size();
  for (std::size_t v = sweep.vary.size(); v-- > 0;) {
    const std::vector<double>& values = sweep.vary[v].second;
    values_[v] = values[rest % values.size()];
    rest /= sweep.together ? 1 : values.size();
  }
}

Result<ReplicaRows> Replica::run(FunctionRef<bool()> goes_on) {
  return try_run(goes_on).map_error([&](Error error) {
    std::string who = fmt::format("replica {} (seed {}", number_, seed_);
    for (std::size_t v = 0; v < values_.size(); ++v) {
      who += fmt::format(", {} = {}", sweep_.vary[v].first, number_text(values_[v]));
    }
    error.message = fmt::format("{}): {}", who, error.message);
    error.index = number_;
    return error;
  });
}

Result<ReplicaRows> Replica::try_run(FunctionRef<bool()> goes_on) {
  Parameters parameters = sweep_.parameters;
  for (std::size_t v = 0; v < values_.size(); ++v) {
    JUXTA_TRY(parameters.set(sweep_.vary[v].first, values_[v]));
  }
  JUXTA_TRY_LET(auto started, Started::begin(*sweep_.model, parameters, seed_, {.until = sweep_.until}));
  for (std::uint32_t step = 0;; ++step) {
    const bool ends =
        step == sweep_.steps || (sweep_.until && step != 0 && sweep_.until->met_by(started->until_value()));
    const bool noted = sweep_.every == 0 || (ends && sweep_.until) ? ends : step % sweep_.every == 0;
    if (auto good = noted ? started->collect() : started->watch(); !good) {
      diverged_ = started->collector.diverged();
      return tl::unexpected<Error>(std::move(good.error()));
    }
    if (ends) {
      return rows_of(number_, started->collector.steps());
    }
    if (!goes_on()) {
      return fail(ErrorCode::kCancelled, "stopped");
    }
    JUXTA_TRY(started->step({}));
  }
}

}  // namespace juxta::study_detail
