// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Passes errors on, in functions that return a Result:
//
//   JUXTA_TRY(layer.refit(boxes));                                       // returns its error, if it has one
//   JUXTA_TRY_LET(const Layer layer, Layer::build(boxes, {}, context));  // the same, and declares the value
#pragma once

#include <utility>

#include "juxta/core/error.h"

#define JUXTA_TRY(...)                                                         \
  do {                                                                         \
    if (auto juxta_try = (__VA_ARGS__); !juxta_try) [[unlikely]] {             \
      return ::tl::unexpected<::juxta::Error>(::std::move(juxta_try).error()); \
    }                                                                          \
  } while (false)

#define JUXTA_TRY_LET(declaration, ...) \
  JUXTA_TRY_LET_AS(JUXTA_TRY_NAME(juxta_try_, __COUNTER__), declaration, __VA_ARGS__)
#define JUXTA_TRY_LET_AS(name, declaration, ...)                        \
  auto name = (__VA_ARGS__);                                            \
  if (!name) [[unlikely]] {                                             \
    return ::tl::unexpected<::juxta::Error>(::std::move(name).error()); \
  }                                                                     \
  declaration = *::std::move(name)
#define JUXTA_TRY_NAME(a, b) JUXTA_TRY_JOIN(a, b)
#define JUXTA_TRY_JOIN(a, b) a##b
