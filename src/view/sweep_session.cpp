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

constexpr std::size_t kMostValues = 200'000;  // of all curves of an answer

}  // namespace

Result<void> SweepSession::begin() {
  const std::span<const std::string> names = sweep_.table.names();
  const auto step = names.size() < 2 ? names.end() : std::find(names.begin() + 2, names.end(), "step");
  if (names.size() < 4 || names[0] != "replica" || names[1] != "seed" || step == names.end() ||
      step + 1 == names.end()) {
    return fail(
        ErrorCode::kInvalidArgument,
        "this is no table of a sweep: it has the columns replica, seed, what varies, step, and what is "
        "reported");
  }
  vary_.assign(names.begin() + 2, step);
  reports_.assign(step + 1, names.end());
  const auto replica = sweep_.table.column("replica");
  for (std::size_t r = 0; r < replica.size(); ++r) {
    if (r == 0 || replica[r] != replica[r - 1]) {
      runs_.push_back({r, r});
    }
    runs_.back().last = r + 1;
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
    const auto column = sweep_.table.column(2 + v);
    std::vector<double> values(column.begin(), column.end());
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    vary.push_back({{"name", vary_[v]}, {"values", std::move(values)}});
  }
  const auto steps = sweep_.table.column("step");
  const auto last = std::ranges::max_element(steps);
  return {{"kind", "sweep"},
          {"title", sweep_.title},
          {"version", JUXTA_VERSION_STRING},
          {"vary", std::move(vary)},
          {"reports", reports_},
          {"runs", runs_.size()},
          {"steps", last == steps.end() ? Json(0) : json_number(*last)}};
}

Answer SweepSession::curves(const Json& body) const {
  JUXTA_TRY_LET(const std::string report, text_in(body, "report"));
  const auto found = std::ranges::find(reports_, report);
  if (found == reports_.end()) {
    return fail(ErrorCode::kNotFound, "nothing reports '" + report + "': info names what is reported");
  }
  const std::size_t every = std::max<std::size_t>((sweep_.table.rows() + kMostValues - 1) / kMostValues, 1);
  // By their places: what varies and what is reported may have one name.
  const std::size_t step_column = 2 + vary_.size();
  const auto seed = sweep_.table.column(std::size_t{1}), step = sweep_.table.column(step_column),
             value =
                 sweep_.table.column(step_column + 1 + static_cast<std::size_t>(found - reports_.begin()));
  Json runs = Json::array();
  for (const Rows& rows : runs_) {
    Json at = Json::array(), steps = Json::array(), values = Json::array();
    for (std::size_t v = 0; v < vary_.size(); ++v) {
      at.push_back(json_number(sweep_.table.column(2 + v)[rows.first]));
    }
    for (std::size_t r = rows.first; r < rows.last; r += every) {
      steps.push_back(json_number(step[r]));
      values.push_back(json_number(value[r]));
    }
    runs.push_back({{"seed", json_number(seed[rows.first])},
                    {"at", std::move(at)},
                    {"steps", std::move(steps)},
                    {"values", std::move(values)}});
  }
  return Json{{"runs", std::move(runs)}};
}

}  // namespace juxta::view_detail
