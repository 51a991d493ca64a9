// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one register of floats, and what keeps the copies for different instruction sets apart. Include
// juxta/agents/lanes.h instead: it undefines the macros that others must not see.
#pragma once

#include <cstdint>

#if !defined(__GNUC__) && !defined(__clang__)
#error \
    "Interactions need GCC, Clang or, on Windows, clang-cl: they are written with the compiler's own vectors."
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define JUXTA_LANES_NAMESPACE lanes_avx3
#define JUXTA_LANES_PART 16
#elif defined(__AVX2__)
#define JUXTA_LANES_NAMESPACE lanes_avx2
#define JUXTA_LANES_PART 8
#elif defined(__SSE4_1__)
#define JUXTA_LANES_NAMESPACE lanes_sse4
#define JUXTA_LANES_PART 4
#else
#define JUXTA_LANES_NAMESPACE lanes_plain
#define JUXTA_LANES_PART 4
#endif

/// For functions that end up in interactions: inlined even without optimisation of their callers, so that no
/// copy for one instruction set can be called from code for another.
#define JUXTA_LANES_INLINE [[gnu::always_inline]] inline
/// Keeps a product from being fused with the sum that takes it, for files that did not come through
/// juxta_add_interactions() and its flags: see juxta/math/product.h. It costs no instruction.
#if defined(__GNUC__) && !defined(__clang__) && !defined(JUXTA_COPY) && \
    (defined(__FMA__) || defined(__AVX512F__))
#define JUXTA_LANES_FENCE(product) __asm__("" : "+v"(product))
#elif defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
#define JUXTA_LANES_FENCE(product) __asm__("" : "+w"(product))
#else
#define JUXTA_LANES_FENCE(product) static_cast<void>(product)
#endif
/// Unrolled: arrays that a loop walks through would stay in memory.
#define JUXTA_LANES_EACH_PART _Pragma("GCC unroll 8") for (int i = 0; i < kParts; ++i)

namespace juxta {
inline namespace JUXTA_LANES_NAMESPACE {

/// Lanes of one register.
inline constexpr int kPartLanes = JUXTA_LANES_PART;
using FloatPart = float __attribute__((vector_size(4 * kPartLanes)));
using MaskPart = std::int32_t __attribute__((vector_size(4 * kPartLanes)));

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta
