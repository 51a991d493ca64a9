// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sixteen floats at once, in plain C++, for interactions and actions.
//
// The same file is compiled once per instruction set. What depends on it stands in a namespace of its own, so
// that the copies never mix; results are the same bits in all of them: each lane is computed by the IEEE
// operation that the scalar would be, and nothing is fused.
#pragma once

#include <cmath>
#include <cstdint>

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

inline constexpr int kLanes = 16;
/// Lanes of one register.
inline constexpr int kPartLanes = JUXTA_LANES_PART;
using FloatPart = float __attribute__((vector_size(4 * kPartLanes)));
using MaskPart = std::int32_t __attribute__((vector_size(4 * kPartLanes)));

/// Some answers: which lanes a condition holds for.
template <int width>
class LaneMaskOf {
 public:
  static constexpr int kParts = width / kPartLanes;

  LaneMaskOf() = default;
  /// The same answer in all lanes.
  JUXTA_LANES_INLINE LaneMaskOf(bool all) noexcept {  // NOLINT(google-explicit-constructor): as bool does
    JUXTA_LANES_EACH_PART {
      parts[i] = MaskPart{} - static_cast<std::int32_t>(all);
    }
  }
  JUXTA_LANES_INLINE friend LaneMaskOf operator&(const LaneMaskOf& a, const LaneMaskOf& b) noexcept {
    LaneMaskOf c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = a.parts[i] & b.parts[i];
    }
    return c;
  }
  JUXTA_LANES_INLINE friend LaneMaskOf operator|(const LaneMaskOf& a, const LaneMaskOf& b) noexcept {
    LaneMaskOf c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = a.parts[i] | b.parts[i];
    }
    return c;
  }
  JUXTA_LANES_INLINE friend LaneMaskOf operator!(const LaneMaskOf& a) noexcept {
    LaneMaskOf c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = ~a.parts[i];
    }
    return c;
  }
  /// One lane, for tests.
  [[nodiscard]] bool lane(int k) const noexcept { return parts[k / kPartLanes][k % kPartLanes] != 0; }

  MaskPart parts[kParts];  ///< Per lane 0 or -1.
};
using LaneMask = LaneMaskOf<kLanes>;

/// One number of each of sixteen pairs or agents. Passes may take fewer at once (as many as one register
/// holds): rules are written for any F.
template <class T, int width = kLanes>
class Lanes;

template <int width>
class Lanes<float, width> {
 public:
  using Mask = LaneMaskOf<width>;
  static constexpr int kParts = width / kPartLanes;

  Lanes() = default;
  /// The same number in all lanes.
  JUXTA_LANES_INLINE Lanes(float all) noexcept {  // NOLINT(google-explicit-constructor): as in float code
    JUXTA_LANES_EACH_PART {
      parts[i] = FloatPart{} + all;
    }
  }
#define JUXTA_LANES_OPERATOR(op, fence)                                                  \
  JUXTA_LANES_INLINE friend Lanes operator op(const Lanes& a, const Lanes& b) noexcept { \
    Lanes c;                                                                             \
    JUXTA_LANES_EACH_PART {                                                              \
      c.parts[i] = a.parts[i] op b.parts[i];                                             \
      fence(c.parts[i]);                                                                 \
    }                                                                                    \
    return c;                                                                            \
  }                                                                                      \
  JUXTA_LANES_INLINE Lanes& operator op##=(const Lanes& b) noexcept {                    \
    return *this = *this op b;                                                           \
  }
  JUXTA_LANES_OPERATOR(+, static_cast<void>)
  JUXTA_LANES_OPERATOR(-, static_cast<void>)
  JUXTA_LANES_OPERATOR(*, JUXTA_LANES_FENCE)
  JUXTA_LANES_OPERATOR(/, static_cast<void>)
#undef JUXTA_LANES_OPERATOR
#define JUXTA_LANES_COMPARISON(op)                                                      \
  JUXTA_LANES_INLINE friend Mask operator op(const Lanes& a, const Lanes& b) noexcept { \
    Mask c;                                                                             \
    JUXTA_LANES_EACH_PART {                                                             \
      c.parts[i] = a.parts[i] op b.parts[i];                                            \
    }                                                                                   \
    return c;                                                                           \
  }
  JUXTA_LANES_COMPARISON(<)
  JUXTA_LANES_COMPARISON(<=)
  JUXTA_LANES_COMPARISON(>)
  JUXTA_LANES_COMPARISON(>=)
  JUXTA_LANES_COMPARISON(==)
  JUXTA_LANES_COMPARISON(!=)
#undef JUXTA_LANES_COMPARISON
  JUXTA_LANES_INLINE friend Lanes operator-(const Lanes& a) noexcept {
    Lanes c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = -a.parts[i];
    }
    return c;
  }
  /// Per lane: a where the mask holds, else b.
  JUXTA_LANES_INLINE friend Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) noexcept {
    Lanes c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = mask.parts[i] ? a.parts[i] : b.parts[i];
    }
    return c;
  }
  /// Square roots, correctly rounded.
  JUXTA_LANES_INLINE friend Lanes sqrt(const Lanes& a) noexcept {
    Lanes c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = sqrt_part(a.parts[i]);
    }
    return c;
  }
  /// a where a < b, else b: of a NaN and a number, the second operand.
  JUXTA_LANES_INLINE friend Lanes min(const Lanes& a, const Lanes& b) noexcept {
    return select(a < b, a, b);
  }
  /// a where a > b, else b.
  JUXTA_LANES_INLINE friend Lanes max(const Lanes& a, const Lanes& b) noexcept {
    return select(a > b, a, b);
  }
  JUXTA_LANES_INLINE friend Lanes abs(const Lanes& a) noexcept {
    Lanes c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = (FloatPart)((MaskPart)a.parts[i] & 0x7fffffff);
    }
    return c;
  }
  /// One lane, for tests.
  [[nodiscard]] float lane(int k) const noexcept {
    return parts[k / kPartLanes][k % kPartLanes];
  }

  FloatPart parts[kParts];

 private:
  JUXTA_LANES_INLINE static FloatPart sqrt_part(const FloatPart& a) noexcept {
#if defined(__clang__) || !defined(__SSE__)
    FloatPart b;
    for (int k = 0; k < kPartLanes; ++k) {
      b[k] = __builtin_sqrtf(a[k]);
    }
    return b;
#elif JUXTA_LANES_PART == 16
    return __builtin_ia32_sqrtps512_mask(a, a, static_cast<unsigned short>(-1), 4);
#elif JUXTA_LANES_PART == 8
    return __builtin_ia32_sqrtps256(a);
#else
    return __builtin_ia32_sqrtps(a);
#endif
  }
};

// The same words for a single float, so that one function serves both.
JUXTA_LANES_INLINE float select(bool mask, float a, float b) noexcept {
  return mask ? a : b;
}
JUXTA_LANES_INLINE float sqrt(float a) noexcept {
  return __builtin_sqrtf(a);
}
JUXTA_LANES_INLINE float min(float a, float b) noexcept {
  return a < b ? a : b;
}
JUXTA_LANES_INLINE float max(float a, float b) noexcept {
  return a > b ? a : b;
}
JUXTA_LANES_INLINE float abs(float a) noexcept {
  return __builtin_fabsf(a);
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta

#undef JUXTA_LANES_FENCE
#undef JUXTA_LANES_EACH_PART
