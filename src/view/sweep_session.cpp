// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/sweep_session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/version.h"
#include "view/arguments.h"

namespace juxta::view_detail {
namespace {

constexpr std::size_t kMostValues = 200'000, kMostRuns = 20'000;  // of an answer

}  // namespace

Result<void> SweepSession::begin() {
  JUXTA_TRY(check_sweep(sweep_));
  const std::span<const std::string> names = sweep_.table.names();
  const auto step = std::find(names.begin() + 2, names.end(), "step");
  vary_.assign(names.begin() + 2, step);
  reports_.assign(step + 1, names.end());
  const auto replica = sweep_.table.column(std::size_t{0});
  for (std::size_t r = 0; r < replica.size(); ++r) {
    if (r == 0 || replica[r] != replica[r - 1]) {
      runs_.push_back({r, r});
    }
    runs_.back().last = r + 1;
  }
  const auto steps = sweep_.table.column(2 + vary_.size());
  for (const double each : steps) {
    last_step_ = std::isfinite(each) ? std::max(last_step_, each) : last_step_;
  }
  for (std::size_t v = 0; v < vary_.size(); ++v) {
    const auto column = sweep_.table.column(2 + v);
    std::vector<double>& values = values_.emplace_back(column.begin(), column.end());
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return {};
}

void SweepSession::turn() {
  auto question = exchange_.next(Exchange::Clock::now() + std::chrono::milliseconds(50));
  if (question) {
    question->answer(answer(*question));
  } else if (exchange_.state_wanted()) {
    exchange_.publish(std::make_shared<Snapshot>());  // nothing here moves
  }
}

Answer SweepSession::answer(const Question& question) const {
  if (question.name == "info")
    return info();
  if (question.name == "status")
    return Json{{"clients", exchange_.clients()}};
  if (question.name == "curves")
    return curves(question.body);
  return fail(ErrorCode::kNotFound,
              "there is no question '" + question.name + "': a sweep answers info, status and curves");
}

Json SweepSession::info() const {
  Json vary = Json::array();
  for (std::size_t v = 0; v < vary_.size(); ++v) {
    vary.push_back({{"name", vary_[v]}, {"values", values_[v]}});
  }
  return {{"kind", "sweep"},         {"title", sweep_.title}, {"version", JUXTA_VERSION_STRING},
          {"vary", std::move(vary)}, {"reports", reports_},   {"runs", runs_.size()},
          {"steps", last_step_}};
}

/// How many rows of a run are told: every so many, and the last.
std::size_t SweepSession::told(const Rows& rows, std::size_t every) {
  const std::size_t count = rows.last - rows.first;
  return (count - 1 + every - 1) / every + 1;
}

Answer SweepSession::curves(const Json& body) const {
  JUXTA_TRY_LET(const std::string report, text_in(body, "report"));
  const auto found = std::ranges::find(reports_, report);
  if (found == reports_.end()) {
    return fail(ErrorCode::kNotFound, "nothing reports '" + report + "': info names what is reported");
  }
  const std::size_t every_run = (runs_.size() + kMostRuns - 1) / kMostRuns;
  std::size_t every = 1, sum = kMostValues + 1;
  for (; sum > kMostValues; every *= 2) {
    sum = 0;
    for (std::size_t r = 0; r < runs_.size(); r += every_run) {
      sum += told(runs_[r], every);
    }
  }
  every /= 2;  // the loop went one further
  // By their places: what varies and what is reported may have one name.
  const std::size_t step_column = 2 + vary_.size();
  const auto seed = sweep_.table.column(std::size_t{1}), step = sweep_.table.column(step_column),
             value =
                 sweep_.table.column(step_column + 1 + static_cast<std::size_t>(found - reports_.begin()));
  Json runs = Json::array();
  for (std::size_t run = 0; run < runs_.size(); run += every_run) {
    const Rows& rows = runs_[run];
    Json at = Json::array(), steps = Json::array(), values = Json::array();
    for (std::size_t v = 0; v < vary_.size(); ++v) {
      at.push_back(json_number(sweep_.table.column(2 + v)[rows.first]));
    }
    for (std::size_t r = rows.first; r < rows.last;
         r = r + 1 == rows.last ? rows.last : std::min(r + every, rows.last - 1)) {
      steps.push_back(json_number(step[r]));
      values.push_back(r < value.size() ? json_number(value[r]) : Json());  // of text: none
    }
    runs.push_back({{"seed", json_number(seed[rows.first])},
                    {"at", std::move(at)},
                    {"steps", std::move(steps)},
                    {"values", std::move(values)}});
  }
  return Json{{"found", runs_.size()}, {"runs", std::move(runs)}};
}

}  // namespace juxta::view_detail
