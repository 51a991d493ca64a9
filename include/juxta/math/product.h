// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// Where the target has fused multiply-add, GCC fuses a * b + c unless told not to, and GCC 12 does so for
// pairs of a * b - c and a * b + c even under -ffp-contract=off (its PR 107647). An empty asm statement that
// claims to change the product stops both. It emits nothing, but loops around it are not vectorised. Clang
// fuses within one expression only, so a function that returns the product is enough there.
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)
#define JUXTA_FENCE_PRODUCT(p) __asm__("" : "+x"(p))
#elif defined(__aarch64__)
#define JUXTA_FENCE_PRODUCT(p) __asm__("" : "+w"(p))
#endif
#endif

namespace juxta {

/// a * b rounded to float, also where the result is added to or subtracted from something and the compiler
/// could compute both in one fused instruction. Inline functions of public headers use it, so that they give
/// the same bits under a user's flags as in the library. Exceptions: -ffast-math, and clang's
/// -ffp-contract=fast.
[[nodiscard]] constexpr float product(float a, float b) noexcept {
  float p = a * b;
#if defined(JUXTA_FENCE_PRODUCT)
  if (!__builtin_is_constant_evaluated()) {
    JUXTA_FENCE_PRODUCT(p);
  }
#endif
  return p;
}

}  // namespace juxta

#undef JUXTA_FENCE_PRODUCT
