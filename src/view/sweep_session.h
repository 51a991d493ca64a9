// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A sweep on show: what it is asked. On the engine's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/view/viewed_sweep.h"
#include "view/exchange.h"

namespace juxta::view_detail {

class SweepSession {
 public:
  SweepSession(const ViewedSweep& sweep, Exchange& exchange) : sweep_(sweep), exchange_(exchange) {}

  /// Errors: kInvalidArgument (columns other than those of a sweep).
  [[nodiscard]] Result<void> begin();
  /// Answers what waits; returns after 50 ms at the latest.
  void turn();

 private:
  struct Rows {
    std::size_t first, last;  ///< Of one replica: [first, last).
  };
  [[nodiscard]] static std::size_t told(const Rows& rows, std::size_t every);
  [[nodiscard]] Answer answer(const Question& question) const;
  [[nodiscard]] Json info() const;
  [[nodiscard]] Answer curves(const Json& body) const;

  const ViewedSweep& sweep_;
  Exchange& exchange_;
  std::vector<std::string> vary_, reports_;
  std::vector<Rows> runs_;
  std::vector<std::vector<double>> values_;  // that each of vary_ takes, ascending
  double last_step_ = 0;
};

}  // namespace juxta::view_detail
