// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the sides of world boxes, a node a lane. For kernel files only.

#if defined(JUXTA_TRANSFORM_BOX_SIDES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_BOX_SIDES_INL_H
#undef JUXTA_TRANSFORM_BOX_SIDES_INL_H
#else
#define JUXTA_TRANSFORM_BOX_SIDES_INL_H
#endif

#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "transform/node_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

/// scale * stretch, exact, and its leading 26 bits: these times a float are exact, and so is the rest.
struct Size {
  Doubles all, high, low;
};

HWY_INLINE Doubles WithoutBits(Doubles v, int bits) {
  const LongTag longs;
  return hn::BitCast(DoubleTag(), hn::And(hn::BitCast(longs, v), hn::Set(longs, -(std::int64_t{1} << bits))));
}

/// position + size * coordinate in two doubles. `behind` is below half a step of `sum`, unless position and
/// product cancel: then the sum of both is a double.
struct Sum {
  Doubles sum, behind;
};
HWY_INLINE Sum SumOf(Doubles position, const Size& size, Doubles c) {
  const Doubles product = hn::Mul(size.all, c);
  const Doubles tail = hn::Add(hn::Sub(hn::Mul(size.high, c), product), hn::Mul(size.low, c));
  const Doubles sum = hn::Add(product, position), part = hn::Sub(sum, product);
  const Doubles rest = hn::Add(hn::Sub(product, hn::Sub(sum, part)), hn::Sub(position, part));
  return {sum, hn::Add(rest, tail)};  // this rounds, but not across a float
}

/// stepped() of exact_side.h, where `lacks` is negative.
template <bool kUp>
HWY_INLINE Floats Stepped(Floats from, Words lacks) {
  const FloatTag d;
  const WordTag words;
  const Words bits = hn::BitCast(words, from);
  const Words away = hn::And(lacks, hn::Or(hn::ShiftRight<31>(bits), hn::Set(words, 1)));
  const Words moved = kUp ? hn::Add(bits, away) : hn::Sub(bits, away);
  const Words from_zero = hn::And(lacks, hn::Set(words, kUp ? 1 : static_cast<std::int32_t>(0x80000001U)));
  return hn::IfThenElse(hn::Eq(from, hn::Zero(d)), hn::BitCast(d, from_zero), hn::BitCast(d, moved));
}

/// The nearest floats to position + size * coordinate, and a number whose sign is set where that is beyond
/// them. Without a position of -0 it is never -0.
struct Nearest {
  PartFloats nearest;
  Doubles lacks;
};

template <bool kUp>
HWY_INLINE Nearest NearestOf(Doubles position, const Size& size, Doubles c) {
  const auto [sum, behind] = SumOf(position, size, c);
  const PartFloats nearest = hn::DemoteTo(PartTag(), hn::Add(sum, behind));
  const Doubles back = hn::PromoteTo(DoubleTag(), nearest);
  return {nearest, kUp ? hn::Sub(hn::Sub(back, sum), behind) : hn::Add(hn::Sub(sum, back), behind)};
}

/// The same of an exact product. Both differences from the nearest float have the right sign, or are 0; where
/// one of them has rounded, the other one is exact.
template <bool kUp>
HWY_INLINE Nearest NearestOfShort(Doubles position, const Size& size, Doubles c) {
  const Doubles product = hn::Mul(size.all, c);
  const PartFloats nearest = hn::DemoteTo(PartTag(), hn::Add(product, position));
  const Doubles back = hn::PromoteTo(DoubleTag(), nearest);
  const Doubles without_position = hn::Sub(back, position), without_product = hn::Sub(back, product);
  return {nearest, kUp ? hn::Add(hn::Sub(without_position, product), hn::Sub(without_product, position))
                       : hn::Add(hn::Sub(product, without_position), hn::Sub(position, without_product))};
}

/// exact_side() of exact_side.h. kShort: the products are exact.
template <bool kUp, bool kShort>
struct Exact {
  HWY_INLINE Floats operator()(Floats position, const Size* size, Floats coordinate) const {
    PartFloats nearest[kParts];
    Doubles lacks[kParts];
    for (int part = 0; part < kParts; ++part) {
      const Doubles at = Wide(position, part), c = Wide(coordinate, part);
      const Nearest side =
          kShort ? NearestOfShort<kUp>(at, size[part], c) : NearestOf<kUp>(at, size[part], c);
      nearest[part] = side.nearest;
      lacks[part] = side.lacks;
    }
    return Stepped<kUp>(Join(nearest), Signs(lacks));
  }
};

/// Whether all sizes have at most 29 bits, so that their products with floats are exact. Usually they have,
/// because most nodes are not stretched.
HWY_INLINE bool SizesAreShort(const Places& places) {
  const LongTag longs;
  auto bits = hn::Zero(longs);
  for (const Floats& stretch : places.stretch) {
    for (int part = 0; part < kParts; ++part) {
      const Doubles size = hn::Mul(Wide(places.scale, part), Wide(stretch, part));
      bits = hn::Or(bits, hn::BitCast(longs, size));
    }
  }
  return hn::AllTrue(longs, hn::Eq(hn::And(bits, hn::Set(longs, 0xFFFFFF)), hn::Zero(longs)));
}

/// straight_box() of world_boxes.cpp for unrotated nodes. `down` and `up` compute the lower and upper sides.
template <class Down, class Up>
HWY_INLINE Sides RoundedSides(const Places& places, const Sides& local, Down down, Up up) {
  Sides out;
  for (int axis = 0; axis < 3; ++axis) {
    Size size[kParts];
    for (int part = 0; part < kParts; ++part) {
      const Doubles all = hn::Mul(Wide(places.scale, part), Wide(places.stretch[axis], part));
      const Doubles high = WithoutBits(all, 27);
      size[part] = {all, high, hn::Sub(all, high)};
    }
    // The sign alone decides: where the size is 0, either order is right.
    const Floats mirrored = hn::Xor(places.scale, places.stretch[axis]);
    const Floats low = hn::IfNegativeThenElse(mirrored, local.hi[axis], local.lo[axis]);
    const Floats high = hn::IfNegativeThenElse(mirrored, local.lo[axis], local.hi[axis]);
    const Floats position = hn::Add(places.position[axis], hn::Zero(FloatTag()));
    out.lo[axis] = down(position, size, low);
    out.hi[axis] = up(position, size, high);
  }
  return out;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// Exact, with rounding modes of instructions. Rounding downwards to double and then to float gives the same
/// as rounding once, so one sum and one conversion are enough.
template <bool kUp, bool kShort>
struct Directed {
  HWY_INLINE Floats operator()(Floats position, const Size* size, Floats coordinate) const {
    constexpr int kWay = (kUp ? _MM_FROUND_TO_POS_INF : _MM_FROUND_TO_NEG_INF) | _MM_FROUND_NO_EXC;
    const Doubles at = Wide(position, 0), c = Wide(coordinate, 0);
    const Sum sum = kShort ? Sum{hn::Mul(size->all, c), at} : SumOf(at, *size, c);
    return Floats{_mm512_cvt_roundpd_ps(_mm512_add_round_pd(sum.sum.raw, sum.behind.raw, kWay), kWay)};
  }
};

template <bool kUp>
HWY_INLINE Floats UnitSide(Floats position, Floats coordinate) {
  constexpr int kWay = (kUp ? _MM_FROUND_TO_POS_INF : _MM_FROUND_TO_NEG_INF) | _MM_FROUND_NO_EXC;
  const __m512 sum =
      _mm512_add_round_ps(_mm512_castps256_ps512(position.raw), _mm512_castps256_ps512(coordinate.raw), kWay);
  return Floats{_mm512_castps512_ps256(sum)};
}

/// Sides that instructions rounded, with the twin's zeros.
template <bool kShort>
HWY_INLINE Sides WithZeros(const Places& places, const Sides& local, Sides out) {
  const FloatTag d;
  const WordTag words;
  auto minus_zero = hn::FirstN(words, 0);
  for (int axis = 0; axis < 3; ++axis) {
    out.lo[axis] = hn::Add(out.lo[axis], hn::Zero(d));  // x - x rounds downwards to -0
    const auto least = hn::Set(words, std::numeric_limits<std::int32_t>::min());
    minus_zero = hn::Or(minus_zero, hn::Eq(hn::BitCast(words, out.hi[axis]), least));
  }
  // Less than one step below 0, the twin gives a zero of either sign. The general way knows which.
  return HWY_LIKELY(hn::AllFalse(words, minus_zero))
             ? out
             : RoundedSides(places, local, Exact<false, kShort>(), Exact<true, kShort>());
}

template <bool kShort>
HWY_INLINE Sides StraightSidesOf(const Places& places, const Sides& local) {
  return WithZeros<kShort>(places, local,
                           RoundedSides(places, local, Directed<false, kShort>(), Directed<true, kShort>()));
}

/// The sizes, and whether all of them are floats. A size that is not tiny is one if nothing is left of the
/// product.
HWY_INLINE bool SizesAreFloats(const Places& places, Floats (&sizes)[3]) {
  const FloatTag d;
  Floats rest = hn::Zero(d), least = hn::Set(d, std::numeric_limits<float>::max());
  for (int axis = 0; axis < 3; ++axis) {
    sizes[axis] = hn::Mul(places.scale, places.stretch[axis]);
    rest = hn::Or(rest, hn::MulSub(places.scale, places.stretch[axis], sizes[axis]));
    least = hn::Min(least, hn::Abs(sizes[axis]));
  }
  return hn::AllTrue(d, hn::And(hn::Eq(rest, hn::Zero(d)), hn::Ge(least, hn::Set(d, 0x1p-60F))));
}

template <bool kUp>
HWY_INLINE Floats FusedSide(Floats position, Floats size, Floats coordinate) {
  constexpr int kWay = (kUp ? _MM_FROUND_TO_POS_INF : _MM_FROUND_TO_NEG_INF) | _MM_FROUND_NO_EXC;
  const __m512 side =
      _mm512_fmadd_round_ps(_mm512_castps256_ps512(size.raw), _mm512_castps256_ps512(coordinate.raw),
                            _mm512_castps256_ps512(position.raw), kWay);
  return Floats{_mm512_castps512_ps256(side)};
}

/// Nodes whose sizes are floats: product and sum are rounded once, and in the right direction. Elsewhere
/// fused sums are avoided, because they depend on the machine; an exact side has one right answer, on all of
/// them.
HWY_INLINE Sides FusedSides(const Places& places, const Floats (&sizes)[3], const Sides& local) {
  Sides out;
  for (int axis = 0; axis < 3; ++axis) {
    const Floats low = hn::IfNegativeThenElse(sizes[axis], local.hi[axis], local.lo[axis]);
    const Floats high = hn::IfNegativeThenElse(sizes[axis], local.lo[axis], local.hi[axis]);
    const Floats position = hn::Add(places.position[axis], hn::Zero(FloatTag()));
    out.lo[axis] = FusedSide<false>(position, sizes[axis], low);
    out.hi[axis] = FusedSide<true>(position, sizes[axis], high);
  }
  return WithZeros<true>(places, local, out);
}
#else
template <bool kUp>
HWY_INLINE Floats UnitSide(Floats position, Floats coordinate) {
  const WordTag words;
  const Floats sum = hn::Add(coordinate, position), part = hn::Sub(sum, coordinate);
  const Floats kept = hn::Sub(sum, part);
  const Floats lacks = kUp ? hn::Add(hn::Sub(kept, coordinate), hn::Sub(part, position))
                           : hn::Add(hn::Sub(coordinate, kept), hn::Sub(position, part));
  return Stepped<kUp>(sum, hn::ShiftRight<31>(hn::BitCast(words, lacks)));
}

template <bool kShort>
HWY_INLINE Sides StraightSidesOf(const Places& places, const Sides& local) {
  return RoundedSides(places, local, Exact<false, kShort>(), Exact<true, kShort>());
}
#endif

/// Nodes of size 1: the sides are sums of two floats, which need no doubles.
HWY_INLINE Sides MovedSides(const Places& places, const Sides& local) {
  const Floats zero = hn::Zero(FloatTag());
  Sides out;
  for (int axis = 0; axis < 3; ++axis) {
    const Floats position = hn::Add(places.position[axis], zero);
    out.lo[axis] = hn::Add(UnitSide<false>(position, local.lo[axis]), zero);
    out.hi[axis] = UnitSide<true>(position, local.hi[axis]);
  }
  return out;
}

HWY_INLINE bool SizesAreOne(const Places& places) {
  const FloatTag d;
  const WordTag words;
  const Words one = hn::BitCast(words, hn::Set(d, 1.0F));
  Words differs = hn::Xor(hn::BitCast(words, places.scale), one);
  for (const Floats& stretch : places.stretch) {
    differs = hn::Or(differs, hn::Xor(hn::BitCast(words, stretch), one));
  }
  return hn::AllTrue(words, hn::Eq(differs, hn::Zero(words)));
}

HWY_INLINE Sides StraightSides(const Places& places, const Sides& local) {
  if (SizesAreOne(places)) {
    return MovedSides(places, local);
  }
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  Floats sizes[3];
  if (HWY_LIKELY(SizesAreFloats(places, sizes))) {
    return FusedSides(places, sizes, local);
  }
#endif
  return HWY_LIKELY(SizesAreShort(places)) ? StraightSidesOf<true>(places, local)
                                           : StraightSidesOf<false>(places, local);
}

/// Components of -1, 0 and 1: the matrix is exact in small integers.
HWY_INLINE Floats Unit(Floats v) {
  const FloatTag d;
  return hn::IfThenZeroElse(hn::Eq(v, hn::Zero(d)), hn::CopySign(hn::Set(d, 1.0F), v));
}

template <class V>
struct Matrix3 {
  V m[3][3];
};

/// The matrix of a rotation of length 1, the operations of turned_box() of world_boxes.cpp.
template <class D, class V>
HWY_INLINE Matrix3<V> MatrixOf(D d, V x, V y, V z, V w) {
  const V one = hn::Set(d, hn::TFromD<D>{1}), two = hn::Set(d, hn::TFromD<D>{2});
  const auto twice = [&](V v) HWY_ATTR { return hn::Mul(two, v); };
  const V xx = hn::Mul(x, x), yy = hn::Mul(y, y), zz = hn::Mul(z, z), xy = hn::Mul(x, y), xz = hn::Mul(x, z),
          yz = hn::Mul(y, z), wx = hn::Mul(w, x), wy = hn::Mul(w, y), wz = hn::Mul(w, z);
  return {{{hn::Sub(one, twice(hn::Add(yy, zz))), twice(hn::Sub(xy, wz)), twice(hn::Add(xz, wy))},
           {twice(hn::Add(xy, wz)), hn::Sub(one, twice(hn::Add(xx, zz))), twice(hn::Sub(yz, wx))},
           {twice(hn::Sub(xz, wy)), twice(hn::Add(yz, wx)), hn::Sub(one, twice(hn::Add(xx, yy)))}}};
}

/// straight_box() of world_boxes.cpp: permutes stretches and sides and changes signs, then treats the nodes
/// as unrotated.
HWY_INLINE Sides MappedSides(const Rotations& q, const Places& places, const Sides& local) {
  const FloatTag d;
  const Floats zero = hn::Zero(d);
  const Floats x = Unit(q.x), y = Unit(q.y), z = Unit(q.z), w = Unit(q.w);
  const Floats xx = hn::Mul(x, x), yy = hn::Mul(y, y), zz = hn::Mul(z, z), ww = hn::Mul(w, w);
  Matrix3<Floats> matrix = MatrixOf(d, x, y, z, w);  // right but for the diagonal of longer rotations
  matrix.m[0][0] = hn::Sub(hn::Add(ww, xx), hn::Add(yy, zz));
  matrix.m[1][1] = hn::Sub(hn::Add(ww, yy), hn::Add(xx, zz));
  matrix.m[2][2] = hn::Sub(hn::Add(ww, zz), hn::Add(xx, yy));
  Places moved = places;
  Sides from;
  for (int row = 0; row < 3; ++row) {
    const Floats* m = matrix.m[row];
    const Mask first = hn::Ne(m[0], zero), second = hn::Ne(m[1], zero);
    const auto pick = [&](const Floats* of) HWY_ATTR {
      return hn::IfThenElse(first, of[0], hn::IfThenElse(second, of[1], of[2]));
    };
    moved.stretch[row] = hn::Xor(pick(places.stretch), hn::And(pick(m), hn::SignBit(d)));
    from.lo[row] = pick(local.lo);
    from.hi[row] = pick(local.hi);
  }
  return StraightSides(moved, from);
}

/// turned_box() of world_boxes.cpp, the same operations in the same order.
HWY_INLINE Sides TurnedSides(const Rotations& q, const Places& places, const Sides& local) {
  const DoubleTag d;
  PartFloats lo[3][kParts], hi[3][kParts];
  for (int part = 0; part < kParts; ++part) {
    const Doubles x = Wide(q.x, part), y = Wide(q.y, part), z = Wide(q.z, part), w = Wide(q.w, part);
    const Matrix3<Doubles> matrix = MatrixOf(d, x, y, z, w);
    const Doubles scale = Wide(places.scale, part);
    Doubles low[3], high[3], reach = hn::Zero(d);
    for (int axis = 0; axis < 3; ++axis) {
      const Doubles size = hn::Mul(scale, Wide(places.stretch[axis], part));
      low[axis] = hn::Mul(size, Wide(local.lo[axis], part));
      high[axis] = hn::Mul(size, Wide(local.hi[axis], part));
      reach = hn::Add(reach, hn::Max(hn::Abs(low[axis]), hn::Abs(high[axis])));
    }
    const Doubles length =
        hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Add(hn::Mul(z, z), hn::Mul(w, w)));
    const Doubles off = hn::Abs(hn::Sub(length, hn::Set(d, 1.0)));
    const Doubles by = hn::Mul(hn::Add(hn::Set(d, 0x1p-19), hn::Mul(hn::Set(d, 2.0), off)), reach);
    for (int row = 0; row < 3; ++row) {
      const Doubles position = Wide(places.position[row], part);
      Doubles least = position, most = position;
      for (int axis = 0; axis < 3; ++axis) {
        const Doubles a = hn::Mul(matrix.m[row][axis], low[axis]),
                      b = hn::Mul(matrix.m[row][axis], high[axis]);
        least = hn::Add(least, hn::Min(a, b));
        most = hn::Add(most, hn::Max(a, b));
      }
      const Doubles far = hn::Mul(hn::Set(d, 0x1p-22), hn::Abs(position));
      const Doubles slack = hn::Add(hn::Add(by, far), hn::Set(d, 0x1p-148));
      lo[row][part] = hn::DemoteTo(PartTag(), hn::Sub(least, slack));
      hi[row][part] = hn::DemoteTo(PartTag(), hn::Add(most, slack));
    }
  }
  return {{Join(lo[0]), Join(lo[1]), Join(lo[2])}, {Join(hi[0]), Join(hi[1]), Join(hi[2])}};
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
