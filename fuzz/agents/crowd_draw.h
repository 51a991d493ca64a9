// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Fuzz bytes as the draws that the crowds of tests/agents take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fuzz/draw.h"

namespace juxta::fuzz {

class CrowdDraw {
 public:
  CrowdDraw(const std::uint8_t* data, std::size_t size) : draw_(data, size) {}
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(draw_.below(bound)); }

 private:
  Draw draw_;
};

/// Words say what is wrong.
inline void expect_nothing(const std::string& words) {
  if (!words.empty()) {
    std::fprintf(stderr, "differs: %s\n", words.c_str());
    std::abort();
  }
}

}  // namespace juxta::fuzz
