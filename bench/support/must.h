// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include "bench/support/settings.h"
#include "juxta/core/error.h"

namespace juxta::bench {

/// The value, or the end of the program with the error's sentence.
template <class T>
T must(Result<T> result) {
  if (!result) {
    give_up(result.error().message);
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*result);
  }
}

}  // namespace juxta::bench
