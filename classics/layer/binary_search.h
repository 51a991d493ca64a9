// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace juxta::classics {

/// The first of `size` ascending values that is not below `x`; `size` when there is none. As printed in "Find
/// Objects 1" (after P.-V. Khuong and P. Morin), but for an empty array, whose first value the printed search
/// reads.
///
/// The form wants the choice of `at` to be a conditional move, so that every search of one size takes the
/// same steps and none is guessed. Nothing holds a compiler to that: gcc 12 makes one (but a branch of the
/// same search by indices), clang 14 a branch, and so does Burst 1.8 in the article.
inline std::uint32_t first_not_below(const float* values, std::uint32_t size, float x) {
  if (size == 0) {
    return 0;
  }
  const float* at = values;
  std::uint32_t left = size;
  while (left > 1) {
    const std::uint32_t half = left / 2;
    left -= half;
    const float* const next = at + half;
    at = *next < x ? next : at;
  }
  return static_cast<std::uint32_t>(at - values) + (*at < x ? 1 : 0);
}

/// Not the printed form: the same steps with the choice made by arithmetic. Without a branch with gcc 12;
/// clang 14 sees through it and makes one.
inline std::uint32_t first_not_below_masked(const float* values, std::uint32_t size, float x) {
  if (size == 0) {
    return 0;
  }
  std::uint32_t at = 0, left = size;
  while (left > 1) {
    const std::uint32_t half = left / 2;
    left -= half;
    at += half & (0U - static_cast<std::uint32_t>(values[at + half] < x));
  }
  return at + static_cast<std::uint32_t>(values[at] < x);
}

}  // namespace juxta::classics
