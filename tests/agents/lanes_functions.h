// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What lanes_functions.cpp exports, once for each instruction set that it is compiled for. Plain functions,
// as in lanes_operations.h.
#pragma once

namespace juxta::test {

enum LaneFunction : int { kExp, kLog, kSin, kCos, kPow, kLaneFunctions };

/// out[function * 16 + lane] of x[lane], and y[lane] for pow.
using LaneFunctionCall = void(const float* x, const float* y, float* out);

/// Sixteen lanes at once.
LaneFunctionCall lane_functions_plain, lane_functions_sse4, lane_functions_avx2, lane_functions_avx3;
/// A register at a time.
LaneFunctionCall part_functions_plain, part_functions_sse4, part_functions_avx2, part_functions_avx3;
/// One float at a time.
LaneFunctionCall float_functions_plain, float_functions_sse4, float_functions_avx2, float_functions_avx3;

}  // namespace juxta::test
