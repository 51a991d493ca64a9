// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What lanes_operations.cpp exports, once for each instruction set that it is compiled for. Plain functions:
// a file compiled for AVX-512 may share no inline function with a program that must run without.
#pragma once

namespace juxta::test {

/// What is done to sixteen pairs of floats; masks become 1 and 0.
enum LaneOperation : int {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kAddTo,
  kSubtractFrom,
  kMultiplyBy,
  kDivideBy,
  kNegate,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,     // a < b and 0 < b
  kOr,      // a < b or 0 < b
  kNot,     // not a < b
  kAll,     // a mask of true
  kNone,    // a mask of false
  kSelect,  // a < b ? a : b
  kSqrt,
  kMin,
  kMax,
  kAbs,
  kClamp,
  kSame,  // 3.25 in all lanes
  kLaneOperations,
};

/// out[operation * 16 + lane] of a[lane] and b[lane].
using LaneCall = void(const float* a, const float* b, float* out);
/// The same through LaneMask::lane() and Lanes::lane(): mask a < b, then a + b.
using LaneLookCall = void(const float* a, const float* b, bool* less, float* sum);

LaneCall lane_operations_plain, lane_operations_sse4, lane_operations_avx2, lane_operations_avx3;
/// The same, a register at a time.
LaneCall part_operations_plain, part_operations_sse4, part_operations_avx2, part_operations_avx3;
LaneLookCall lane_look_plain, lane_look_sse4, lane_look_avx2, lane_look_avx3;

}  // namespace juxta::test
