// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sixteen floats at once, in plain C++, for interactions and actions.
//
// The same file is compiled once per instruction set. What depends on it stands in a namespace of its own, so
// that the copies never mix; results are the same bits in all of them: each lane is computed by the IEEE
// operation that the scalar would be, and nothing is fused.
#pragma once

#include <cmath>
#include <cstdint>

#include "juxta/agents/detail/lanes_math.h"
#include "juxta/agents/detail/lanes_parts.h"
#include "juxta/agents/detail/lanes_pow.h"

namespace juxta {
inline namespace JUXTA_LANES_NAMESPACE {

inline constexpr int kLanes = 16;

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
  /// Per lane: a, or the end of [lo, hi] that it is beyond. NaN gives hi.
  JUXTA_LANES_INLINE friend Lanes clamp(const Lanes& a, const Lanes& lo, const Lanes& hi) noexcept {
    return max(min(a, hi), lo);
  }
  JUXTA_LANES_INLINE friend Lanes abs(const Lanes& a) noexcept {
    Lanes c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = (FloatPart)((MaskPart)a.parts[i] & 0x7fffffff);
    }
    return c;
  }
#define JUXTA_LANES_FUNCTION(name)                                \
  JUXTA_LANES_INLINE friend Lanes name(const Lanes& a) noexcept { \
    Lanes c;                                                      \
    JUXTA_LANES_EACH_PART {                                       \
      c.parts[i] = agents_detail::name##_part(a.parts[i]);        \
    }                                                             \
    return c;                                                     \
  }
  /// e to the power of a. Error: at most 1 ulp. Above 88.72283 +infinity, below -103.97208 0.
  JUXTA_LANES_FUNCTION(exp)
  /// The natural logarithm. Error: at most 0.9 ulp. Of +-0 -infinity, of a number below 0 NaN.
  JUXTA_LANES_FUNCTION(log)
  /// Sine and cosine of an angle in radians. Error: at most 1.6 ulp where -100000 <= a <= 100000. NaN beyond:
  /// floats are so far apart there that the sine of one says little.
  JUXTA_LANES_FUNCTION(sin)
  JUXTA_LANES_FUNCTION(cos)
#undef JUXTA_LANES_FUNCTION
  /// a to the power of b, with the special values of C's pow. Error: at most 0.51 ulp.
  JUXTA_LANES_INLINE friend Lanes pow(const Lanes& a, const Lanes& b) noexcept {
    Lanes c;
    JUXTA_LANES_EACH_PART {
      c.parts[i] = agents_detail::pow_part(a.parts[i], b.parts[i]);
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
    FloatPart b{};
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
JUXTA_LANES_INLINE float clamp(float a, float lo, float hi) noexcept {
  return max(min(a, hi), lo);
}
JUXTA_LANES_INLINE float abs(float a) noexcept {
  return __builtin_fabsf(a);
}
// One register does the work, so that a float alone gets the same bits.
JUXTA_LANES_INLINE float exp(float a) noexcept {
  return agents_detail::exp_part(agents_detail::in_all_lanes(a))[0];
}
JUXTA_LANES_INLINE float log(float a) noexcept {
  return agents_detail::log_part(agents_detail::in_all_lanes(a))[0];
}
JUXTA_LANES_INLINE float sin(float a) noexcept {
  return agents_detail::sin_part(agents_detail::in_all_lanes(a))[0];
}
JUXTA_LANES_INLINE float cos(float a) noexcept {
  return agents_detail::cos_part(agents_detail::in_all_lanes(a))[0];
}
JUXTA_LANES_INLINE float pow(float a, float b) noexcept {
  return agents_detail::pow_part(agents_detail::in_all_lanes(a), agents_detail::in_all_lanes(b))[0];
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta

#undef JUXTA_LANES_FENCE
#undef JUXTA_LANES_EACH_PART
