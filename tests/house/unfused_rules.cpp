// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A loop over complex numbers in a file of interactions: GCC 12.2 fuses it for AVX-512 despite
// -ffp-contract=off when it vectorises it. unfused_test.py looks for fused instructions in each copy.
#include <juxta/agents/lanes.h>

#include <cstddef>

namespace juxta {
inline namespace JUXTA_LANES_NAMESPACE {

void turn(float* __restrict out, const float* __restrict a, const float* __restrict b, std::size_t count) {
  for (std::size_t i = 0; i < 2 * count; i += 2) {
    out[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
    out[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
  }
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta
