// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/models/epidemic_plain.h"

#include <algorithm>
#include <span>

#include "juxta/agents/lanes.h"

namespace juxta::bench {
namespace {
constexpr float kEdge = 100;
}  // namespace

/// A counting sort into cells as wide as people see.
void PlainEpidemic::file(bool all) {
  cells_ = std::max(1, static_cast<std::int32_t>(kEdge / radius));
  inverse_ = static_cast<float>(cells_) / kEdge;
  begins_.assign(static_cast<std::size_t>(cells_) * static_cast<std::size_t>(cells_) + 1, 0);
  cell_of_.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (all || days[i] > 0) {
      const auto cx = std::min(static_cast<std::int32_t>(x[i] * inverse_), cells_ - 1);
      const auto cy = std::min(static_cast<std::int32_t>(y[i] * inverse_), cells_ - 1);
      cell_of_[i] = static_cast<std::uint32_t>(cy * cells_ + cx);
      ++begins_[cell_of_[i]];
    }
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : begins_) {
    sum += begin;
    begin = sum;
  }
  filed_x_.resize(sum);
  filed_y_.resize(sum);
  filed_days_.resize(sum);
  for (std::size_t i = x.size(); i-- > 0;) {
    if (all || days[i] > 0) {
      const std::uint32_t at = --begins_[cell_of_[i]];
      filed_x_[at] = x[i];
      filed_y_[at] = y[i];
      filed_days_[at] = days[i];
    }
  }
  if (escapes_.empty()) {
    for (int n = 0; n < 4096; ++n) {
      escapes_.push_back(juxta::exp(juxta::log(1 - infect) * static_cast<float>(n)));
    }
  }
}

std::size_t PlainEpidemic::ill_near(std::size_t i) const {
  const auto cell = [&](float at) {
    return std::clamp(static_cast<std::int32_t>(at * inverse_), 0, cells_ - 1);
  };
  const auto left = std::max(cell(x[i]) - 1, 0), right = std::min(cell(x[i]) + 1, cells_ - 1);
  const auto top = std::min(cell(y[i]) + 1, cells_ - 1);
  std::size_t count = 0;
  for (auto row = std::max(cell(y[i]) - 1, 0); row <= top; ++row) {  // cells of a row follow each other
    const std::uint32_t end = begins_[static_cast<std::size_t>(row * cells_ + right) + 1];
    for (std::uint32_t j = begins_[static_cast<std::size_t>(row * cells_ + left)]; j < end; ++j) {
      const float dx = filed_x_[j] - x[i], dy = filed_y_[j] - y[i];
      const bool near = dx * dx + dy * dy <= radius * radius;
      count += ((filed_days_[j] > 0) & near) ? 1 : 0;
    }
  }
  return count;
}

void PlainEpidemic::live(std::size_t i, std::size_t near, const std::array<std::uint32_t, 4>& lot) {
  if (days[i] > 0) {
    days[i] = days[i] > 1 ? days[i] - 1 : -1;
  } else if (near > 0 && random_fraction(lot[0]) >= escapes_[std::min(near, escapes_.size() - 1)]) {
    days[i] = illness;
  }
  x[i] = std::clamp(x[i] + stride * (2 * random_fraction(lot[1]) - 1), 0.0F, kEdge);
  y[i] = std::clamp(y[i] + stride * (2 * random_fraction(lot[2]) - 1), 0.0F, kEdge);
}

void PlainEpidemic::step_all(const RandomKey& key) {
  file(true);
  for (std::size_t i = 0; i < x.size(); ++i) {
    live(i, days[i] == 0 ? ill_near(i) : 0, random_block(key, first_id + i));
  }
}

void PlainEpidemic::step_ill(const RandomKey& key) {
  file(false);
  lots_.resize(x.size());
  fill_random(key, first_id, std::span(lots_));
  for (std::size_t i = 0; i < x.size(); ++i) {
    live(i, days[i] == 0 && !filed_x_.empty() ? ill_near(i) : 0, lots_[i]);
  }
}

}  // namespace juxta::bench
