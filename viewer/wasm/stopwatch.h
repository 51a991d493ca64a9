// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace juxta::page {

/// Milliseconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace juxta::page
