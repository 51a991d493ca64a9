// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/history.h"

#include <algorithm>
#include <span>
#include <utility>

#include "view/arguments.h"

namespace juxta::view_detail {

void History::clear(std::size_t reports) {
  steps_.clear();
  values_.assign(reports, {});
  every_ = 1;
}

void History::add(std::uint64_t step, const std::vector<double>& values) {
  if (values.size() != values_.size() || values.empty() || step % every_ != 0) {
    return;
  }
  const auto at = std::ranges::lower_bound(steps_, step) - steps_.begin();  // a recording goes back and forth
  if (at != std::ssize(steps_) && steps_[static_cast<std::size_t>(at)] == step) {
    return;
  }
  steps_.insert(steps_.begin() + at, step);
  for (std::size_t r = 0; r < values.size(); ++r) {
    values_[r].insert(values_[r].begin() + at, values[r]);
  }
  if (steps_.size() < kMost) {
    return;
  }
  every_ *= 2;
  std::size_t n = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i] % every_ == 0) {
      steps_[n] = steps_[i];
      for (auto& column : values_) {
        column[n] = column[i];
      }
      ++n;
    }
  }
  steps_.resize(n);
  for (auto& column : values_) {
    column.resize(n);
  }
}

Json History::since(std::uint64_t step, const std::vector<std::string>& names) const {
  const auto first = static_cast<std::size_t>(std::ranges::lower_bound(steps_, step) - steps_.begin());
  Json reports = Json::object();
  for (std::size_t r = 0; r < values_.size() && r < names.size(); ++r) {
    reports[names[r]] = numbers(std::span(values_[r]).subspan(first));
  }
  return {{"steps", std::vector(steps_.begin() + static_cast<std::ptrdiff_t>(first), steps_.end())},
          {"reports", std::move(reports)}};
}

}  // namespace juxta::view_detail
