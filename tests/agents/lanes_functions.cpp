// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Compiled once for each instruction set, with JUXTA_TEST_LANES its suffix.
#include "agents/lanes_functions.h"

#include "juxta/agents/lanes.h"

#define JUXTA_TEST_JOIN(a, b) a##b
#define JUXTA_TEST_NAME(a, b) JUXTA_TEST_JOIN(a, b)

namespace juxta::test {
namespace {

template <int width>
void functions(const float* x_from, const float* y_from, float* out) {
  using F = Lanes<float, width>;
  F x, y;
  __builtin_memcpy(&x, x_from, sizeof(x));
  __builtin_memcpy(&y, y_from, sizeof(y));
  const F results[kLaneFunctions] = {exp(x), log(x), sin(x), cos(x), pow(x, y)};
  for (int i = 0; i < kLaneFunctions; ++i) {
    __builtin_memcpy(out + i * kLanes, &results[i], sizeof(F));
  }
}

}  // namespace

void JUXTA_TEST_NAME(lane_functions_, JUXTA_TEST_LANES)(const float* x, const float* y, float* out) {
  functions<kLanes>(x, y, out);
}

void JUXTA_TEST_NAME(part_functions_, JUXTA_TEST_LANES)(const float* x, const float* y, float* out) {
  for (int i = 0; i < kLanes; i += kPartLanes) {
    functions<kPartLanes>(x + i, y + i, out + i);
  }
}

void JUXTA_TEST_NAME(float_functions_, JUXTA_TEST_LANES)(const float* x, const float* y, float* out) {
  for (int i = 0; i < kLanes; ++i) {
    const float results[kLaneFunctions] = {exp(x[i]), log(x[i]), sin(x[i]), cos(x[i]), pow(x[i], y[i])};
    for (int k = 0; k < kLaneFunctions; ++k) {
      out[k * kLanes + i] = results[k];
    }
  }
}

}  // namespace juxta::test
