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
  least_ = 1;
}

void History::add(std::uint64_t step, const std::vector<double>& values) {
  if (values.size() != values_.size() || values.empty()) {
    return;
  }
  const auto after = std::ranges::lower_bound(steps_, step);  // a recording goes back and forth
  const bool near_next = after != steps_.end() && *after - step < least_;
  const bool near_last = after != steps_.begin() && step - *(after - 1) < least_;
  if (near_next || near_last) {
    return;
  }
  const auto at = after - steps_.begin();
  steps_.insert(after, step);
  for (std::size_t r = 0; r < values.size(); ++r) {
    values_[r].insert(values_[r].begin() + at, values[r]);
  }
  if (steps_.size() >= kMost) {
    thin();
  }
}

/// Every second row goes. From then on rows must be as far apart as the closest that are left.
void History::thin() {
  std::size_t n = 0;
  for (std::size_t i = 0; i < steps_.size(); i += 2, ++n) {
    steps_[n] = steps_[i];
    for (auto& column : values_) {
      column[n] = column[i];
    }
  }
  steps_.resize(n);
  for (auto& column : values_) {
    column.resize(n);
  }
  least_ = ~std::uint64_t{0};
  for (std::size_t i = 1; i < n; ++i) {
    least_ = std::min(least_, steps_[i] - steps_[i - 1]);
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
