// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "juxta/core/error.h"

namespace juxta {

/// What a reader left out because it was told to (skip_bad).
struct SkippedRows {
  static constexpr std::size_t kTold = 5;
  std::uint64_t count = 0;
  std::vector<Error> first;  ///< Why, of the first kTold; with the line (CSV) or the index of the feature.

  void add(Error why) {
    if (count++ < kTold) {
      first.push_back(std::move(why));
    }
  }
};

}  // namespace juxta
