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

namespace juxta {
inline namespace JUXTA_LANES_NAMESPACE {

inline constexpr int kLanes = 16;
/// Lanes of one register, and how many of them there are.
inline constexpr int kPartLanes = JUXTA_LANES_PART;
inline constexpr int kParts = kLanes / kPartLanes;
using FloatPart = float __attribute__((vector_size(4 * kPartLanes)));
using MaskPart = std::int32_t __attribute__((vector_size(4 * kPartLanes)));

template <class T>
class Lanes;

/// Sixteen answers: which lanes a condition holds for.
class LaneMask {
 public:
  LaneMask() = default;
  /// The same answer in all lanes.
  JUXTA_LANES_INLINE LaneMask(bool all) noexcept {  // NOLINT(google-explicit-constructor): as bool does
    for (MaskPart& part : parts) {
      part = MaskPart{} - static_cast<std::int32_t>(all);
    }
  }
  JUXTA_LANES_INLINE friend LaneMask operator&(const LaneMask& a, const LaneMask& b) noexcept {
    LaneMask c;
    for (int i = 0; i < kParts; ++i) {
      c.parts[i] = a.parts[i] & b.parts[i];
    }
    return c;
  }
  JUXTA_LANES_INLINE friend LaneMask operator|(const LaneMask& a, const LaneMask& b) noexcept {
    LaneMask c;
    for (int i = 0; i < kParts; ++i) {
      c.parts[i] = a.parts[i] | b.parts[i];
    }
    return c;
  }
  JUXTA_LANES_INLINE friend LaneMask operator!(const LaneMask& a) noexcept {
    LaneMask c;
    for (int i = 0; i < kParts; ++i) {
      c.parts[i] = ~a.parts[i];
    }
    return c;
  }
  /// One lane, for tests.
  [[nodiscard]] bool lane(int i) const noexcept { return parts[i / kPartLanes][i % kPartLanes] != 0; }

  MaskPart parts[kParts];  ///< Per lane 0 or -1.
};

/// One float of each of sixteen pairs or agents.
template <>
class Lanes<float> {
 public:
  using Mask = LaneMask;

  Lanes() = default;
  /// The same number in all lanes.
  JUXTA_LANES_INLINE Lanes(float all) noexcept {  // NOLINT(google-explicit-constructor): as in float code
    for (FloatPart& part : parts) {
      part = FloatPart{} + all;
    }
  }
#define JUXTA_LANES_OPERATOR(op)                                                         \
  JUXTA_LANES_INLINE friend Lanes operator op(const Lanes& a, const Lanes& b) noexcept { \
    Lanes c;                                                                             \
    for (int i = 0; i < kParts; ++i) {                                                   \
      c.parts[i] = a.parts[i] op b.parts[i];                                             \
    }                                                                                    \
    return c;                                                                            \
  }                                                                                      \
  JUXTA_LANES_INLINE Lanes& operator op##=(const Lanes& b) noexcept {                    \
    return *this = *this op b;                                                           \
  }
  JUXTA_LANES_OPERATOR(+)
  JUXTA_LANES_OPERATOR(-)
  JUXTA_LANES_OPERATOR(*)
  JUXTA_LANES_OPERATOR(/)
#undef JUXTA_LANES_OPERATOR
#define JUXTA_LANES_COMPARISON(op)                                                          \
  JUXTA_LANES_INLINE friend LaneMask operator op(const Lanes& a, const Lanes& b) noexcept { \
    LaneMask c;                                                                             \
    for (int i = 0; i < kParts; ++i) {                                                      \
      c.parts[i] = a.parts[i] op b.parts[i];                                                \
    }                                                                                       \
    return c;                                                                               \
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
    for (int i = 0; i < kParts; ++i) {
      c.parts[i] = -a.parts[i];
    }
    return c;
  }
  /// One lane, for tests.
  [[nodiscard]] float lane(int i) const noexcept {
    return parts[i / kPartLanes][i % kPartLanes];
  }

  FloatPart parts[kParts];
};

/// Per lane: a where the mask holds, else b.
JUXTA_LANES_INLINE Lanes<float> select(const LaneMask& mask, const Lanes<float>& a,
                                       const Lanes<float>& b) noexcept {
  Lanes<float> c;
  for (int i = 0; i < kParts; ++i) {
    c.parts[i] = mask.parts[i] ? a.parts[i] : b.parts[i];
  }
  return c;
}
/// Square roots, correctly rounded.
JUXTA_LANES_INLINE Lanes<float> sqrt(const Lanes<float>& a) noexcept {
  Lanes<float> c;
  for (int i = 0; i < kParts; ++i) {
#if defined(__GNUC__) && !defined(__clang__) && JUXTA_LANES_PART == 16
    c.parts[i] = __builtin_ia32_sqrtps512_mask(a.parts[i], a.parts[i], static_cast<unsigned short>(-1), 4);
#elif defined(__GNUC__) && !defined(__clang__) && JUXTA_LANES_PART == 8
    c.parts[i] = __builtin_ia32_sqrtps256(a.parts[i]);
#elif defined(__GNUC__) && !defined(__clang__) && defined(__SSE__)
    c.parts[i] = __builtin_ia32_sqrtps(a.parts[i]);
#else
    for (int k = 0; k < kPartLanes; ++k) {
      c.parts[i][k] = __builtin_sqrtf(a.parts[i][k]);
    }
#endif
  }
  return c;
}
/// a where a < b, else b: of a NaN and a number, the second operand.
JUXTA_LANES_INLINE Lanes<float> min(const Lanes<float>& a, const Lanes<float>& b) noexcept {
  return select(a < b, a, b);
}
JUXTA_LANES_INLINE Lanes<float> max(const Lanes<float>& a, const Lanes<float>& b) noexcept {
  return select(a > b, a, b);
}
JUXTA_LANES_INLINE Lanes<float> abs(const Lanes<float>& a) noexcept {
  Lanes<float> c;
  for (int i = 0; i < kParts; ++i) {
    c.parts[i] = (FloatPart)((MaskPart)a.parts[i] & 0x7fffffff);
  }
  return c;
}

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
