// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace juxta::bench {

/// A whole number from the environment: JUXTA_BENCH_POINTS=100000 makes a run small enough for a smoke test.
/// Ends the program with a sentence when the variable holds anything else.
[[nodiscard]] std::size_t number_setting(const char* variable, std::size_t otherwise);

/// A text from the environment, or "".
[[nodiscard]] std::string text_setting(const char* variable);

/// Ends the program: a benchmark that cannot be trusted must not print a number.
[[noreturn]] void give_up(const std::string& why);

}  // namespace juxta::bench
