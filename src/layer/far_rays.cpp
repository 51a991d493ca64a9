// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/far_rays.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "layer/ray_kernel.h"

namespace juxta::layer_detail {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The lanes of a block that a ray enters at or before `end`, and where.
template <int D>
std::uint32_t enter_block(const BoxBlock<D>& block, const Ray<D>& ray, float end,
                          float (&enters)[kBlockLanes]) noexcept {
  std::uint32_t bits = 0;
  for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    const double t = enters_in_doubles<D>(ray, block.box(lane));
    enters[lane] = static_cast<float>(t);
    bits |= static_cast<std::uint32_t>(t >= 0 && enters[lane] <= end) << lane;
  }
  return bits;
}

template <int D>
class DoubleSearch {
 public:
  DoubleSearch(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
               FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept
      : view_(view), ray_(ray), options_(options), visitor_(visitor), work_(work), end_(ray.max) {}

  // False: the visitor has seen enough.
  bool look_into(std::uint32_t level, std::uint32_t block) noexcept {
    float enters[kBlockLanes];
    ++work_.visited;
    std::uint32_t bits = enter_block<D>(view_.tree->level[level][block], ray_, end_, enters);
    for (work_.tested += level == 0 ? kBlockLanes : 0; bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t child = block * kBlockLanes + lane;
      if (enters[lane] <= end_ && !(level > 0 ? look_into(level - 1, child) : visit(child, enters[lane]))) {
        return false;
      }
    }
    return true;
  }

 private:
  bool visit(std::uint32_t lane, float t) noexcept {
    if (view_.category != nullptr && !options_.filter.meets({view_.category[lane], view_.mask[lane]})) {
      return true;
    }
    if (!options_.takes(view_.body_of[lane])) {
      return true;
    }
    const float next = visitor_(RayHit{view_.body_of[lane], t});
    end_ = std::min(end_, next);
    return next >= 0;
  }

  const LayerView<D>& view_;
  const Ray<D>& ray_;
  const QueryOptions& options_;
  FunctionRef<float(RayHit)> visitor_;
  SearchWork& work_;
  float end_;
};

}  // namespace

template <int D>
double enters_in_doubles(const Ray<D>& ray, const Aabb<D>& box) noexcept {
  double enter = 0, leave = ray.max;
  for (int axis = 0; axis < D; ++axis) {
    const double lo = box.lo[axis], hi = box.hi[axis], from = ray.origin[axis], way = ray.direction[axis];
    if (way == 0) {
      leave = lo <= from && from <= hi ? leave : -1;
      continue;
    }
    enter = std::max(enter, ((way > 0 ? lo : hi) - from) / way);
    leave = std::min(leave, ((way > 0 ? hi : lo) - from) / way);
  }
  return enter <= leave ? enter : -1;
}

template <int D>
void hits_in_doubles(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                     FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept {
  DoubleSearch<D>(view, ray, options, visitor, work).look_into(view.tree->levels - 1, 0);
}

template <int D>
double FarOrder<D>::t(const RayHit& hit) const noexcept {
  const std::uint32_t lane = store.lane_of[hit.body];
  return hit.t < kInfinity
             ? hit.t
             : enters_in_doubles<D>(ray, store.tree.level[0][lane / kBlockLanes].box(lane % kBlockLanes));
}

template <int D>
bool FarOrder<D>::operator()(const RayHit& a, const RayHit& b) const noexcept {
  if (a.t != b.t) {
    return a.t < b.t;
  }
  const double t_a = t(a), t_b = t(b);
  return t_a < t_b || (t_a == t_b && a.body < b.body);
}

template <int D>
void hits_however_far(const LayerStore<D>& store, const Ray<D>& ray, const QueryOptions& options,
                      FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept {
  if (leaves_floats<D>(ray)) {
    hits_in_doubles<D>(store.view(), ray, options, visitor, work);
    return;
  }
  const FarOrder<D> order{store, ray};
  const auto each = [&](RayHit hit) {
    return hit.t < kInfinity || order.t(hit) >= 0 ? visitor(hit) : kInfinity;
  };
  hits_on_ray<D>(store.view(), ray, options, each, work);
}

template <int D>
FarRayHit closest_however_far(const LayerStore<D>& store, const Ray<D>& ray, const QueryOptions& options,
                              SearchWork& work) noexcept {
  if (!leaves_floats<D>(ray)) {
    const RayHit hit = closest_on_ray<D>(store.view(), ray, options, work);
    if (!hit || hit.t < kInfinity) {
      return {hit, hit.t};
    }
  }
  const FarOrder<D> order{store, ray};
  RayHit closest;
  const auto each = [&](RayHit hit) {
    closest = !closest || order(hit, closest) ? hit : closest;
    return closest.t;
  };
  hits_however_far<D>(store, ray, options, each, work);
  return closest ? FarRayHit{closest, order.t(closest)} : FarRayHit{};
}

#define JUXTA_INSTANTIATE(D)                                                                       \
  template double enters_in_doubles(const Ray<D>&, const Aabb<D>&) noexcept;                       \
  template void hits_in_doubles(const LayerView<D>&, const Ray<D>&, const QueryOptions&,           \
                                FunctionRef<float(RayHit)>, SearchWork&) noexcept;                 \
  template void hits_however_far(const LayerStore<D>&, const Ray<D>&, const QueryOptions&,         \
                                 FunctionRef<float(RayHit)>, SearchWork&) noexcept;                \
  template FarRayHit closest_however_far(const LayerStore<D>&, const Ray<D>&, const QueryOptions&, \
                                         SearchWork&) noexcept;                                    \
  template struct FarOrder<D>;
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta::layer_detail
