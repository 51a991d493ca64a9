// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The error of a result. `result.error()` of one that has none is memory that may hold an earlier error: a
// test that reads it can pass when nothing was refused.
#pragma once

#include <optional>

#include "juxta/core/error.h"

namespace juxta::test {

/// Nothing: there was no error.
template <class T>
[[nodiscard]] std::optional<ErrorCode> code_of(const Result<T>& result) {
  return result.has_value() ? std::nullopt : std::optional(result.error().code);
}

}  // namespace juxta::test
