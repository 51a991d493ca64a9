// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the rules of an interaction are written with; docs/interactions.md is the guide.
#pragma once

#include <array>
#include <limits>

#include "juxta/agents/lanes.h"
#include "juxta/agents/named_columns.h"  // IWYU pragma: export

namespace juxta {

/// The names of columns, in the order of the fields that hold their values.
template <class... Names>
[[nodiscard]] constexpr std::array<const char*, sizeof...(Names)> names(Names... list) noexcept {
  return {list...};
}

/// For an interaction that reads no column of the seer, or of the seen.
template <class F>
struct NoColumns {
  static constexpr std::array<const char*, 0> kNames{};
};

/// What a comparison of two F gives: bool, or LaneMask.
template <class F>
using MaskOf = decltype(F() < F());

/// A seer and one of its neighbours: what is seen, seen from the seer.
template <class F>
struct Neighbour {
  F dx, dy, dz;  ///< Position of the seen less that of the seer, to the nearest image; in 2D dz is 0.
  F distance2;   ///< dx*dx + dy*dy (+ dz*dz); with extents, of the gap between the two boxes.
  [[nodiscard]] JUXTA_LANES_INLINE F distance() const noexcept { return sqrt(distance2); }
};

/// A total over all that a seer sees. Pairs that are not near add nothing: no condition is needed for that.
template <class F>
struct Sum {
  static constexpr float kNobody = 0;
  JUXTA_LANES_INLINE void add(const F& value) noexcept { add_where(near, value); }
  /// Only where the condition holds too.
  JUXTA_LANES_INLINE void add_if(const MaskOf<F>& condition, const F& value) noexcept {
    add_where(near & condition, value);
  }
  F total;
  MaskOf<F> near;  // set by the pass

 private:
  JUXTA_LANES_INLINE void add_where(const MaskOf<F>& where, const F& value) noexcept {
#if JUXTA_LANES_PART == 16  // one masked instruction; elsewhere adding 0 is cheaper, and a total is never -0
    total = select(where, total + value, total);
#else
    total = total + select(where, value, F(0));
#endif
  }
};

/// The least value over all that a seer sees; +infinity when there is nobody.
template <class F>
struct Least {
  static constexpr float kNobody = std::numeric_limits<float>::infinity();
  JUXTA_LANES_INLINE void add(const F& value) noexcept { add_if(near, value); }
  JUXTA_LANES_INLINE void add_if(const MaskOf<F>& condition, const F& value) noexcept {
    total = select(near & condition & (value < total), value, total);
  }
  F total;
  MaskOf<F> near;
};

/// The largest value over all that a seer sees; -infinity when there is nobody.
template <class F>
struct Most {
  static constexpr float kNobody = -std::numeric_limits<float>::infinity();
  JUXTA_LANES_INLINE void add(const F& value) noexcept { add_if(near, value); }
  JUXTA_LANES_INLINE void add_if(const MaskOf<F>& condition, const F& value) noexcept {
    total = select(near & condition & (value > total), value, total);
  }
  F total;
  MaskOf<F> near;
};

/// Which of all that a seer sees has the least value: its Id, or Id{} when there is nobody. The column is one
/// of references to agents of the seen (Population::add_references()). Of equal values the first row of the
/// seen counts, in the order that its sort() left: the same one for any executor and instruction set. Values
/// that are NaN or +infinity do not count. For the largest value, add its negative.
template <class F>
struct ArgLeast {
  static constexpr float kNobody = std::numeric_limits<float>::infinity();
  JUXTA_LANES_INLINE void add(const F& value) noexcept { add_if(near, value); }
  JUXTA_LANES_INLINE void add_if(const MaskOf<F>& condition, const F& value) noexcept {
    const MaskOf<F> less = near & condition & (value < total);
    total = select(less, value, total);
    who = select(less, candidate, who);
  }
  F total;
  MaskOf<F> near;
  /// Slots of Ids: 32 bits that are moved and never computed with. The pass sets the candidate.
  F who, candidate;
};

}  // namespace juxta
