// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many rays against one mesh: sixteen at a time into its coordinates, down the tree, and back.
//
//   16 rays    | o.x of 16 | o.y ... | max |    floats of the world
//   prepare    | o.x of 16 | w.x ... |          doubles of the mesh; and the same as floats, for the tree
//   search     one packet, or each alone (triangle_packet-inl.h)
//   finish     | a.x of 16 | ... | c.z |        corners of what was hit; t by the plane, in doubles
//
// A ray that asks for nothing, or misses the box, has another one of the sixteen in its lane: it costs
// nothing and answers nothing.
//
// Work:         to prepare a ray 18 products, 15 sums, a root and a division in doubles; to finish it some 45
//               products and sums, a root and three divisions; 28 bytes are read, 40 written.
// Limit:        the moves between rays and columns, about as many instructions as all arithmetic; then the
//               search itself.
// Determinism:  the steps of make_mesh_ray() and finish_mesh_ray(), in their order, never fused; what is
//               special about a ray (it starts far away) is computed by the same function as there.
#include "shape/mesh_ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/shape/mesh_rays_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "shape/triangle_packet-inl.h"
#include "shape/triangle_ray-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {

using WideTag = hn::CappedTag<double, 8>;
using HalfTag = hn::Rebind<float, WideTag>;
using Wide = hn::Vec<WideTag>;
inline constexpr std::uint32_t kWideStep = static_cast<std::uint32_t>(hn::MaxLanes(WideTag()));

struct Wide3 {
  Wide x, y, z;
};
HWY_INLINE Wide3 Sub3(const Wide3& a, const Wide3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Wide3 Scale3(const Wide3& a, Wide s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
HWY_INLINE Wide Dot3(const Wide3& a, const Wide3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE Wide3 Cross3(const Wide3& a, const Wide3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(b.y, a.z)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(b.z, a.x)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(b.x, a.y))};
}
HWY_INLINE Wide3 Set3(const V3& v) {
  const WideTag d;
  return {hn::Set(d, v.x), hn::Set(d, v.y), hn::Set(d, v.z)};
}
HWY_INLINE Wide LoadFloats(const float* from) {
  return hn::PromoteTo(WideTag(), hn::Load(HalfTag(), from));
}
HWY_INLINE Wide3 LoadFloats3(const float (&rows)[3][kPacket], std::uint32_t s) {
  return {LoadFloats(rows[0] + s), LoadFloats(rows[1] + s), LoadFloats(rows[2] + s)};
}
HWY_INLINE void StoreFloats(Wide v, float* to) {
  hn::Store(hn::DemoteTo(HalfTag(), v), HalfTag(), to);
}
HWY_INLINE void StoreFloats3(const Wide3& v, float (&rows)[3][kPacket], std::uint32_t s) {
  StoreFloats(v.x, rows[0] + s);
  StoreFloats(v.y, rows[1] + s);
  StoreFloats(v.z, rows[2] + s);
}
HWY_INLINE Wide3 Load3(const double (&rows)[3][kPacket], std::uint32_t s) {
  const WideTag d;
  return {hn::Load(d, rows[0] + s), hn::Load(d, rows[1] + s), hn::Load(d, rows[2] + s)};
}
HWY_INLINE void Store3(const Wide3& v, double (&rows)[3][kPacket], std::uint32_t s) {
  const WideTag d;
  hn::Store(v.x, d, rows[0] + s);
  hn::Store(v.y, d, rows[1] + s);
  hn::Store(v.z, d, rows[2] + s);
}

/// A MeshPlace in every lane.
struct PlaceLanes {
  Wide3 row[3], position, stretch, middle, reach;
  Wide longest, beyond, slack, trust;
  bool unstretched;

  HWY_INLINE PlaceLanes(const MeshPlace& place, const V3& at)
      : row{Set3(place.frame.row[0]), Set3(place.frame.row[1]), Set3(place.frame.row[2])},
        position(Set3(at)),
        stretch(Set3(place.frame.stretch)),
        middle(Set3(place.extent.middle)),
        reach(Set3(place.extent.reach)),
        longest(hn::Set(WideTag(), place.extent.longest())),
        beyond(hn::Set(WideTag(), place.extent.beyond())),
        slack(hn::Set(WideTag(), place.extent.slack())),
        trust(hn::Set(WideTag(), place.extent.trust())),
        unstretched(place.unstretched) {}

  HWY_INLINE Wide3 Unstretch(const Wide3& v) const {
    return unstretched ? v : Wide3{hn::Div(v.x, stretch.x), hn::Div(v.y, stretch.y), hn::Div(v.z, stretch.z)};
  }
  /// Frame::local_way
  HWY_INLINE Wide3 LocalWay(const Wide3& v) const {
    const Wide3 a = Scale3(row[0], v.x), b = Scale3(row[1], v.y), c = Scale3(row[2], v.z);
    return Unstretch(
        {hn::Add(hn::Add(a.x, b.x), c.x), hn::Add(hn::Add(a.y, b.y), c.y), hn::Add(hn::Add(a.z, b.z), c.z)});
  }
  /// Frame::normal
  HWY_INLINE Wide3 Normal(const Wide3& n) const {
    const Wide3 v = Unstretch(n);
    return {Dot3(row[0], v), Dot3(row[1], v), Dot3(row[2], v)};
  }
};

/// Sixteen rays on their way.
class alignas(64) MeshPacket {
 public:
  HWY_INLINE MeshPacket(const MeshPlace& place, const PlaceLanes& lanes) : place_(place), lanes_(lanes) {}

  /// Takes 1 ... 16 rays; the bits of those that meet the box.
  HWY_INLINE std::uint32_t Prepare(const Ray3* rays, std::uint32_t count) {
    Take(rays, count);
    std::uint32_t alive = 0, close = 0;
    for (std::uint32_t s = 0; s < kPacket; s += kWideStep) {
      PrepareSome(s, alive, close);
    }
    alive &= (2U << (count - 1)) - 1;
    if (HWY_UNLIKELY((alive & ~close) != 0)) {
      StartFar(alive, close);
    }
    if (HWY_UNLIKELY(alive != (1U << kPacket) - 1 && alive != 0)) {
      Fill(alive);
    }
    return alive;
  }

  HWY_INLINE void Search(const TriangleTree& tree, std::uint32_t alive) {
    if (SearchPacket(tree, cast_, choice_, hits_)) {
      return;
    }
    Ray3 rays[kPacket];
    TriangleHit hits[kPacket];
    std::uint32_t count = 0;
    for (std::uint32_t bits = alive; bits != 0; bits &= bits - 1) {
      rays[count++] = cast_.At(LowestBitOf(bits));
    }
    SearchApart(tree, rays, count, hits);
    for (std::uint32_t bits = alive; bits != 0; bits &= bits - 1) {
      const std::uint32_t i = LowestBitOf(bits);
      const TriangleHit& hit = hits[PopCountBelow(alive, i)];
      hits_.number[i] = hit.triangle;
      hits_.best[i] = hit.t;
      hits_.slot[i] = hit.slot;
    }
  }

  HWY_INLINE void Finish(const TriangleTree& tree, std::uint32_t alive, std::uint32_t count,
                         SurfaceHit* HWY_RESTRICT out) {
    const hn::Repartition<std::uint32_t, RayTag> w;
    std::uint32_t met = 0;
    for (std::uint32_t s = 0; s < kPacket; s += kRayStep) {
      met |= BitsOf(w, hn::Ne(hn::Load(w, hits_.number + s), hn::Set(w, kNoTriangle))) << s;
    }
    met &= alive;
    if (met != 0) {
      TakeCorners(tree, met);
      std::uint32_t within = 0;
      for (std::uint32_t s = 0; s < kPacket; s += kWideStep) {
        within |= FinishSome(s) << s;
      }
      met &= within;
    }
    if (met == 0) {
      std::fill(out, out + count, SurfaceHit{});
      return;
    }
    ForgetOthers(met);
    if (HWY_LIKELY(count == kPacket)) {
      answer_.Store(out);
      return;
    }
    SurfaceHit all[kPacket];
    answer_.Store(all);
    std::copy(all, all + count, out);
  }

 private:
  static HWY_INLINE std::uint32_t PopCountBelow(std::uint32_t bits, std::uint32_t i) {
    return static_cast<std::uint32_t>(hwy::PopCount(bits & ((1U << i) - 1)));
  }

  HWY_INLINE void Take(const Ray3* rays, std::uint32_t count) {
    if (HWY_LIKELY(count == kPacket)) {
      world_.Load(rays);
      return;
    }
    Ray3 all[kPacket];
    for (std::uint32_t i = 0; i < kPacket; ++i) {
      all[i] = rays[i < count ? i : 0];
    }
    world_.Load(all);
  }

  /// is_valid(), and make_mesh_ray() of a ray that starts near.
  HWY_INLINE void PrepareSome(std::uint32_t s, std::uint32_t& alive, std::uint32_t& close) {
    const WideTag d;
    const auto zero = hn::Zero(d), largest = hn::Set(d, double{std::numeric_limits<float>::max()});
    const Wide3 origin = LoadFloats3(world_.origin, s), direction = LoadFloats3(world_.direction, s);
    const Wide max = LoadFloats(world_.max + s);
    const Wide3 from = lanes_.LocalWay(Sub3(origin, lanes_.position));
    const Wide3 local = lanes_.LocalWay(direction);
    const Wide speed = hn::Sqrt(Dot3(local, local));
    const Wide3 scaled = Scale3(local, hn::Div(hn::Set(d, 1.0), speed));
    const Wide3 way{hn::Add(scaled.x, zero), hn::Add(scaled.y, zero), hn::Add(scaled.z, zero)};  // no -0
    const Wide most = hn::Mul(max, speed);
    const auto finite = [&](const Wide3& v) {
      return hn::And(hn::Le(hn::Abs(v.x), largest),
                     hn::And(hn::Le(hn::Abs(v.y), largest), hn::Le(hn::Abs(v.z), largest)));
    };
    const auto valid =
        hn::And(hn::And(finite(origin), finite(direction)), hn::And(hn::Ge(max, zero), hn::Gt(speed, zero)));
    const Wide3 off = Sub3(from, lanes_.middle);
    const auto near_by =
        hn::And(hn::Le(hn::Abs(off.x), lanes_.reach.x),
                hn::And(hn::Le(hn::Abs(off.y), lanes_.reach.y), hn::Le(hn::Abs(off.z), lanes_.reach.z)));
    alive |= BitsOf(d, valid) << s;
    close |= BitsOf(d, near_by) << s;
    Store3(from, from_, s);
    Store3(way, way_, s);
    hn::Store(speed, d, speed_ + s);
    hn::Store(most, d, most_ + s);
    hn::Store(zero, d, enter_ + s);
    StoreFloats3(from, cast_.origin, s);
    StoreFloats3(way, cast_.direction, s);
    StoreFloats(hn::Add(hn::Min(most, lanes_.longest), lanes_.beyond), cast_.max + s);
  }

  HWY_NOINLINE void StartFar(std::uint32_t& alive, std::uint32_t close) {
    for (std::uint32_t bits = alive & ~close; bits != 0; bits &= bits - 1) {
      const std::uint32_t i = LowestBitOf(bits);
      MeshRay ray;
      ray.unit = {{from_[0][i], from_[1][i], from_[2][i]}, {way_[0][i], way_[1][i], way_[2][i]}, most_[i]};
      if (!start_far(place_, ray)) {
        alive &= ~(1U << i);
        continue;
      }
      enter_[i] = ray.enter;
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        cast_.origin[axis][i] = ray.cast.origin[axis];
      }
      cast_.max[i] = ray.cast.max;
    }
  }

  /// The first that is alive stands in for those that are not.
  HWY_NOINLINE void Fill(std::uint32_t alive) {
    const std::uint32_t first = LowestBitOf(alive);
    for (std::uint32_t bits = ~alive & ((1U << kPacket) - 1); bits != 0; bits &= bits - 1) {
      const std::uint32_t i = LowestBitOf(bits);
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        cast_.origin[axis][i] = cast_.origin[axis][first];
        cast_.direction[axis][i] = cast_.direction[axis][first];
      }
      cast_.max[i] = cast_.max[first];
    }
  }

  HWY_INLINE void TakeCorners(const TriangleTree& tree, std::uint32_t met) {
    const std::uint32_t first = LowestBitOf(met);
    for (std::uint32_t i = 0; i < kPacket; ++i) {
      const std::uint32_t slot = hits_.slot[(met >> i & 1) != 0 ? i : first];
      const TriangleBlock& block = tree.blocks[slot / kBlockLanes];
      const std::uint32_t lane = slot % kBlockLanes;
      for (std::uint32_t c = 0; c < 3; ++c) {
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
          corner_[c][axis][i] = block.corner[c][axis][lane];
        }
      }
    }
  }

  /// The answers of rays that hit nothing.
  HWY_INLINE void ForgetOthers(std::uint32_t met) {
    const RayTag d;
    const hn::Repartition<std::uint32_t, RayTag> w;
    for (std::uint32_t s = 0; s < kPacket; s += kRayStep) {
      const auto own = hn::Shl(hn::Set(w, 1), hn::Iota(w, 0));
      const auto hit = hn::TestBit(hn::Set(w, met >> s), own);
      hn::Store(hn::IfThenElseZero(hit, hn::Set(w, 1)), w, answer_.hit + s);
      hn::Store(hn::IfThenElse(hit, hn::Load(w, hits_.number + s), hn::Set(w, kNoPart)), w,
                answer_.triangle + s);
      const auto keep = [&](float* row, float other) {
        hn::Store(hn::IfThenElse(hn::RebindMask(d, hit), hn::Load(d, row + s), hn::Set(d, other)), d,
                  row + s);
      };
      keep(answer_.t, std::numeric_limits<float>::infinity());
      for (int axis = 0; axis < 3; ++axis) {
        keep(answer_.point[axis], 0);
        keep(answer_.normal[axis], 0);
      }
    }
  }

  /// finish_mesh_ray(), and what raycast() makes of it.
  HWY_INLINE std::uint32_t FinishSome(std::uint32_t s) {
    const WideTag d;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0);
    const Wide3 a = LoadFloats3(corner_[0], s), way = Load3(way_, s);
    const Wide3 normal = Cross3(Sub3(LoadFloats3(corner_[1], s), a), Sub3(LoadFloats3(corner_[2], s), a));
    const Wide about = hn::Add(hn::Load(d, enter_ + s), LoadFloats(hits_.best + s));
    const Wide exact = hn::Div(Dot3(normal, Sub3(a, Load3(from_, s))), Dot3(normal, way));
    const auto trusted = hn::Le(hn::Abs(hn::Sub(exact, about)), lanes_.trust);
    const Wide t = hn::IfThenElse(trusted, exact, about);
    const auto beyond = hn::Gt(t, hn::Add(hn::Load(d, most_ + s), lanes_.slack));
    // std::clamp
    const Wide max = LoadFloats(world_.max + s), ratio = hn::Div(t, hn::Load(d, speed_ + s));
    const Wide world_t =
        hn::IfThenElse(hn::Lt(ratio, zero), zero, hn::IfThenElse(hn::Lt(max, ratio), max, ratio));
    const Wide3 placed = lanes_.Normal(normal), direction = LoadFloats3(world_.direction, s);
    const Wide k = hn::Div(one, hn::Sqrt(Dot3(placed, placed)));
    const auto against = hn::Lt(Dot3(placed, direction), zero);
    const Wide3 origin = LoadFloats3(world_.origin, s), along = Scale3(direction, world_t);
    StoreFloats(world_t, answer_.t + s);
    StoreFloats3({hn::Add(origin.x, along.x), hn::Add(origin.y, along.y), hn::Add(origin.z, along.z)},
                 answer_.point, s);
    StoreFloats3(Scale3(placed, hn::IfThenElse(against, k, hn::Neg(k))), answer_.normal, s);
    return ~BitsOf(d, beyond) & ((1U << kWideStep) - 1);
  }

  const MeshPlace& place_;
  const PlaceLanes& lanes_;
  alignas(64) RayColumns world_, cast_;
  alignas(64) double from_[3][kPacket], way_[3][kPacket];  // of the mesh; way has length 1
  alignas(64) double speed_[kPacket], most_[kPacket], enter_[kPacket];
  alignas(64) float corner_[3][3][kPacket];
  HitColumns answer_;
  PacketHits hits_;
  PacketChoice choice_;
};

void RaysAtMesh(const MeshPlace& place, const V3& position, const Ray3* rays, std::size_t count,
                SurfaceHit* out) {
  const PlaceLanes lanes(place, position);
  const TriangleTree& tree = place.triangles.tree();
  MeshPacket packet(place, lanes);
  for (std::size_t i = 0; i < count; i += kPacket) {
    const auto some = static_cast<std::uint32_t>(HWY_MIN(count - i, kPacket));
    const std::uint32_t alive = packet.Prepare(rays + i, some);
    if (alive != 0) {
      packet.Search(tree, alive);
    }
    packet.Finish(tree, alive, some, out + i);
  }
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::shape_detail {

JUXTA_KERNEL(RaysAtMesh);

void raycast_mesh(const MeshPlace& place, const V3& position, std::span<const Ray3> rays,
                  std::span<SurfaceHit> out) noexcept {
  if (place.extent.empty()) {
    std::fill(out.begin(), out.end(), SurfaceHit{});
    return;
  }
  JUXTA_CALL_KERNEL(RaysAtMesh)(place, position, rays.data(), rays.size(), out.data());
}

}  // namespace juxta::shape_detail
#endif  // HWY_ONCE
