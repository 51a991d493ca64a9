// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A map on show: what it is asked. On the engine's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/view/viewed_map.h"
#include "view/exchange.h"

namespace juxta::view_detail {

class MapSession {
 public:
  MapSession(const ViewedMap& map, Exchange& exchange) : map_(map), exchange_(exchange) {}

  /// Errors: kInvalidArgument (a table of another length than the index; ranks are there or not as it says).
  [[nodiscard]] Result<void> begin() const;
  /// Answers what waits; returns after 50 ms at the latest.
  void turn();

 private:
  struct Found {
    std::span<const std::uint32_t> points;
    double us = 0;
  };
  [[nodiscard]] Answer answer(const Question& question);
  [[nodiscard]] Json info() const;
  [[nodiscard]] Answer view(const Json& body);
  [[nodiscard]] Answer top(const Json& body);
  [[nodiscard]] Answer count(const Json& body) const;
  [[nodiscard]] Answer search(const Json& body) const;
  [[nodiscard]] Result<Json> heat(const RectD& rect, const Json& body, double& us) const;
  [[nodiscard]] Result<std::vector<std::uint32_t>> candidates(const RectD& rect,
                                                              std::span<const std::uint32_t> found,
                                                              const Json& body) const;
  [[nodiscard]] Found top_of(const RectD& rect, std::size_t k);
  [[nodiscard]] Json point(std::uint32_t index) const;

  const ViewedMap& map_;
  Exchange& exchange_;
  std::vector<std::uint32_t> found_;
  std::uint64_t answered_ = 0;
};

}  // namespace juxta::view_detail
