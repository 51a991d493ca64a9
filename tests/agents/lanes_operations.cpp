// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Compiled once for each instruction set, with JUXTA_TEST_LANES its suffix.
#include "agents/lanes_operations.h"

#include "juxta/agents/lanes.h"

#define JUXTA_TEST_JOIN(a, b) a##b
#define JUXTA_TEST_NAME(a, b) JUXTA_TEST_JOIN(a, b)

namespace juxta::test {
namespace {

template <class F, int width>
F load(const float* from) {
  F lanes(0.0F);
  for (int i = 0; i < width; ++i) {
    lanes.parts[i / kPartLanes][i % kPartLanes] = from[i];
  }
  return lanes;
}

template <int width>
void operations(const float* a_from, const float* b_from, float* out) {
  using F = Lanes<float, width>;
  const F a = load<F, width>(a_from), b = load<F, width>(b_from);
  const auto put = [&](LaneOperation operation, const F& result) {
    for (int i = 0; i < width; ++i) {
      out[operation * kLanes + i] = result.parts[i / kPartLanes][i % kPartLanes];
    }
  };
  const auto put_mask = [&](LaneOperation operation, const LaneMaskOf<width>& mask) {
    put(operation, select(mask, F(1), F(0)));
  };
  put(kAdd, a + b);
  put(kSubtract, a - b);
  put(kMultiply, a * b);
  put(kDivide, a / b);
  F c = a;
  put(kAddTo, c += b);
  c = a;
  put(kSubtractFrom, c -= b);
  c = a;
  put(kMultiplyBy, c *= b);
  c = a;
  put(kDivideBy, c /= b);
  put(kNegate, -a);
  put_mask(kLess, a < b);
  put_mask(kLessEqual, a <= b);
  put_mask(kGreater, a > b);
  put_mask(kGreaterEqual, a >= b);
  put_mask(kEqual, a == b);
  put_mask(kNotEqual, a != b);
  put_mask(kAnd, (a < b) & (0.0F < b));
  put_mask(kOr, (a < b) | (0.0F < b));
  put_mask(kNot, !(a < b));
  put_mask(kAll, LaneMaskOf<width>(true));
  put_mask(kNone, LaneMaskOf<width>(false));
  put(kSelect, select(a < b, a, b));
  put(kSqrt, sqrt(a));
  put(kMin, min(a, b));
  put(kMax, max(a, b));
  put(kAbs, abs(a));
  put(kClamp, clamp(a, -1, b));
  put(kSame, F(3.25F));
}

}  // namespace

void JUXTA_TEST_NAME(lane_operations_, JUXTA_TEST_LANES)(const float* a, const float* b, float* out) {
  operations<kLanes>(a, b, out);
}

void JUXTA_TEST_NAME(part_operations_, JUXTA_TEST_LANES)(const float* a, const float* b, float* out) {
  for (int i = 0; i < kLanes; i += kPartLanes) {
    operations<kPartLanes>(a + i, b + i, out + i);
  }
}

void JUXTA_TEST_NAME(lane_look_, JUXTA_TEST_LANES)(const float* a_from, const float* b_from, bool* less,
                                                   float* sum) {
  using F = Lanes<float>;
  const F a = load<F, kLanes>(a_from), b = load<F, kLanes>(b_from);
  const LaneMask mask = a < b;
  const F both = a + b;
  for (int i = 0; i < kLanes; ++i) {
    less[i] = mask.lane(i);
    sum[i] = both.lane(i);
  }
}

}  // namespace juxta::test
