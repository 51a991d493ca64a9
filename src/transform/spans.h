// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: loops from spans to spans.
#pragma once

#include <cstddef>
#include <string>

#include "juxta/core/error.h"

namespace juxta::transform_detail {

/// Elements per task: enough to pay for the hand-over, few enough to share 10,000 among threads.
inline constexpr std::size_t kSpanGrain = 2048;

[[nodiscard]] inline Result<void> same_length(const char* what, std::size_t length, std::size_t expected) {
  if (length == expected) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument, std::string(what) + " must be as long as the transforms: " +
                                               std::to_string(expected) + ", not " + std::to_string(length));
}

}  // namespace juxta::transform_detail
