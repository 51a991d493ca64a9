// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: x, y and z of one vector in the lanes of one register, and a fourth lane that means nothing.
// For kernel files only.
//
// One product of such lanes is one instruction where three numbers would take three. Sums over x, y and z are
// taken in this order, as dot() does.

#if defined(JUXTA_SHAPE_XYZ_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_XYZ_INL_H
#undef JUXTA_SHAPE_XYZ_INL_H
#else
#define JUXTA_SHAPE_XYZ_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "core/simd/doubles-inl.h"
#include "hwy/highway.h"
#include "juxta/math/vec.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using XyzTag = hn::FixedTag<float, 4>;
using Xyz = hn::Vec<XyzTag>;

/// The fourth lane is 0. Three loads and no single one, which would have to wait for x, y and z where they
/// were written one by one just before.
HWY_INLINE Xyz GatherXyz(float x, float y, float z) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  using Four = float __attribute__((vector_size(16)));  // two insertions, where Highway takes five shuffles
  Four all = {x, 0, 0, 0};
  all[1] = y;
  all[2] = z;
  return hn::Load(XyzTag(), reinterpret_cast<const float*>(&all));
#else
  const XyzTag d;
  return hn::ConcatLowerLower(d, hn::InterleaveLower(d, hn::Set(d, z), hn::Zero(d)),
                              hn::InterleaveLower(d, hn::Set(d, x), hn::Set(d, y)));
#endif
}
HWY_INLINE Xyz GatherXyz(const Vec3& v) {
  return GatherXyz(v.x, v.y, v.z);
}
/// y, z, x.
HWY_INLINE Xyz YzxOf(Xyz v) {
  HWY_ALIGN static constexpr std::int32_t kYzx[4] = {1, 2, 0, 3};
  return hn::TableLookupLanes(v, hn::SetTableIndices(XyzTag(), kYzx));
}
HWY_INLINE Vec3 Vec3Of(Xyz v) {
  HWY_ALIGN float all[4];
  hn::Store(v, XyzTag(), all);
  return {all[0], all[1], all[2]};
}

/// In doubles: one register, or two.
class WideXyz {
 public:
  static HWY_INLINE WideXyz Load(const double* HWY_RESTRICT from) {
    WideXyz v;
    for (std::size_t i = 0; i < kParts; ++i) {
      v.part_[i] = hn::Load(Tag(), from + i * kLanes);
    }
    return v;
  }
  static HWY_INLINE WideXyz Zero() {
    WideXyz v;
    for (std::size_t i = 0; i < kParts; ++i) {
      v.part_[i] = hn::Zero(Tag());
    }
    return v;
  }
  static HWY_INLINE WideXyz Of(Xyz xyz) {
    HWY_ALIGN float all[4];
    hn::Store(xyz, XyzTag(), all);
    WideXyz v;
    for (std::size_t i = 0; i < kParts; ++i) {
      v.part_[i] = hn::PromoteTo(Tag(), hn::Load(Floats(), all + i * kLanes));
    }
    return v;
  }
  HWY_INLINE void Store(double* HWY_RESTRICT to) const {
    for (std::size_t i = 0; i < kParts; ++i) {
      hn::Store(part_[i], Tag(), to + i * kLanes);
    }
  }
  HWY_INLINE Xyz Rounded() const {
    HWY_ALIGN float all[4];
    for (std::size_t i = 0; i < kParts; ++i) {
      hn::Store(hn::DemoteTo(Floats(), part_[i]), Floats(), all + i * kLanes);
    }
    return hn::Load(XyzTag(), all);
  }
  HWY_INLINE WideXyz Times(double s) const {
    return Each([s](V a, V) { return hn::Mul(a, hn::Set(Tag(), s)); }, *this);
  }
  friend HWY_INLINE WideXyz operator+(const WideXyz& a, const WideXyz& b) {
    return a.Each([](V x, V y) { return hn::Add(x, y); }, b);
  }
  friend HWY_INLINE WideXyz operator-(const WideXyz& a, const WideXyz& b) {
    return a.Each([](V x, V y) { return hn::Sub(x, y); }, b);
  }
  friend HWY_INLINE WideXyz operator*(const WideXyz& a, const WideXyz& b) {
    return a.Each([](V x, V y) { return hn::Mul(x, y); }, b);
  }
  friend HWY_INLINE WideXyz operator/(const WideXyz& a, const WideXyz& b) {
    return a.Each([](V x, V y) { return hn::Div(x, y); }, b);
  }
  HWY_INLINE double Sum() const {
    HWY_ALIGN double v[4];
    Store(v);
    return v[0] + v[1] + v[2];
  }
  /// Whether |x| <= most in all four lanes.
  HWY_INLINE bool Within(const WideXyz& most) const {
    bool all = true;
    for (std::size_t i = 0; i < kParts; ++i) {
      all = all && hn::AllTrue(Tag(), hn::Le(hn::Abs(part_[i]), most.part_[i]));
    }
    return all;
  }

 private:
  using Tag = hn::CappedTag<double, 4>;
  using Floats = hn::Rebind<float, Tag>;
  using V = hn::Vec<Tag>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Tag()), kParts = 4 / kLanes;

  template <class Op>
  HWY_INLINE WideXyz Each(Op op, const WideXyz& other) const {
    WideXyz v;
    for (std::size_t i = 0; i < kParts; ++i) {
      v.part_[i] = op(part_[i], other.part_[i]);
    }
    return v;
  }

  V part_[kParts];
};

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
