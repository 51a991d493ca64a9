// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <span>

#include "classics/layer/collision_layer.h"
#include "classics/layer/dual_axis-inl.h"
#include "classics/layer/sweep-inl.h"

namespace juxta::classics {
namespace {

// Pairs of one layer, the smaller index first.
struct OrderedPairs {
  std::span<Pair> out;
  std::size_t found = 0;
  void operator()(std::uint32_t a, std::uint32_t b) {
    if (found < out.size()) {
      out[found] = {std::min(a, b), std::max(a, b)};
    }
    ++found;
  }
};

struct PairsOfTwo {
  std::span<Pair> out;
  std::size_t found = 0;
  void operator()(std::uint32_t a, std::uint32_t b) {
    if (found < out.size()) {
      out[found] = {a, b};
    }
    ++found;
  }
};

struct FlagBoth {
  std::span<std::uint8_t> hit;
  void operator()(std::uint32_t a, std::uint32_t b) const {
    hit[a] = 1;
    hit[b] = 1;
  }
};

struct FlagFirst {
  std::span<std::uint8_t> hit;
  void operator()(std::uint32_t a, std::uint32_t) const { hit[a] = 1; }
};

// Below this, copying out what is near costs more than sweeping all of it.
constexpr std::uint32_t kWorthFiltering = 32;

}  // namespace

// The rows of this layer's cross bucket that reach into the bounds of another layer's bucket, in their order.
LayerRows CollisionLayer::cross_rows_near(std::uint32_t bucket, const CollisionLayer& cells_of,
                                          Workspace& workspace) const {
  const LayerRows cross = rows(buckets() - 1);
  if (cross.size < kWorthFiltering) {
    return cross;
  }
  const auto xmin = workspace.take<float>(cross.size), xmax = workspace.take<float>(cross.size);
  const auto yz = workspace.take<YzBounds>(cross.size);
  const auto source = workspace.take<std::uint32_t>(cross.size);
  const YzTest test(cells_of.bounds_[bucket]);
  std::uint32_t near = 0;
  for (std::uint32_t row = 0; row < cross.size; ++row) {
    // Written first, counted after, so that nothing depends on how many came through.
    xmin[near] = cross.xmin[row];
    xmax[near] = cross.xmax[row];
    yz[near] = cross.yz[row];
    source[near] = cross.source[row];
    near += test.overlaps(cross.yz[row]) ? 1 : 0;
  }
  return {xmin.data(), xmax.data(), yz.data(), source.data(), near};
}

// The rows of the cross bucket that are swept against a bucket.
template <Sweep kSweep>
LayerRows CollisionLayer::cross_rows(std::uint32_t bucket, const CollisionLayer& cells_of,
                                     Workspace& workspace) const {
  return kSweep == Sweep::kUnfiltered ? rows(buckets() - 1) : cross_rows_near(bucket, cells_of, workspace);
}

template <Sweep kSweep, class Sink>
void CollisionLayer::sweep_self(Workspace& workspace, Sink& sink) const {
  constexpr bool kPaired = kSweep == Sweep::kPaired;
  const std::uint32_t cross = buckets() - 1;
  for (std::uint32_t bucket = 0; bucket <= cross; ++bucket) {
    const LayerRows here = rows(bucket);
    if constexpr (kSweep == Sweep::kTwoAxes) {
      sweep_two_axes(here, workspace, sink);
    } else {
      sweep_rows<kPaired>(here, sink);
    }
    if (bucket != cross && here.size > 0) {
      const Workspace::Scope scope(workspace);
      sweep_rows<kPaired>(here, cross_rows<kSweep>(bucket, *this, workspace), sink);
    }
  }
}

template <Sweep kSweep, class Sink>
void CollisionLayer::sweep_both(const CollisionLayer& other, Workspace& workspace, Sink& sink) const {
  constexpr bool kPaired = kSweep == Sweep::kPaired;
  const std::uint32_t cross = buckets() - 1;
  sweep_rows<kPaired>(rows(cross), other.rows(cross), sink);
  for (std::uint32_t bucket = 0; bucket < cross; ++bucket) {
    const Workspace::Scope scope(workspace);
    const LayerRows here = rows(bucket), there = other.rows(bucket);
    if (here.size > 0) {
      sweep_rows<kPaired>(here, there, sink);
      sweep_rows<kPaired>(here, other.cross_rows<kSweep>(bucket, *this, workspace), sink);
    }
    if (there.size > 0) {
      sweep_rows<kPaired>(cross_rows<kSweep>(bucket, other, workspace), there, sink);
    }
  }
}

namespace {

// Calls run.operator()<sweep>(): each way of sweeping is compiled with each sink.
template <class Run>
void with(Sweep sweep, const Run& run) {
  switch (sweep) {
    case Sweep::kOneAxis:
      return run.template operator()<Sweep::kOneAxis>();
    case Sweep::kPaired:
      return run.template operator()<Sweep::kPaired>();
    case Sweep::kTwoAxes:
      return run.template operator()<Sweep::kTwoAxes>();
    case Sweep::kUnfiltered:
      return run.template operator()<Sweep::kUnfiltered>();
  }
}

}  // namespace

std::size_t CollisionLayer::find_pairs(Workspace& workspace, std::span<Pair> out, Sweep sweep) const {
  OrderedPairs sink{out};
  with(sweep, [&]<Sweep kSweep>() { sweep_self<kSweep>(workspace, sink); });
  return sink.found;
}

std::size_t CollisionLayer::find_pairs(const CollisionLayer& other, Workspace& workspace, std::span<Pair> out,
                                       Sweep sweep) const {
  PairsOfTwo sink{out};
  with(sweep, [&]<Sweep kSweep>() { sweep_both<kSweep>(other, workspace, sink); });
  return sink.found;
}

void CollisionLayer::flag_pairs(Workspace& workspace, std::span<std::uint8_t> hit, Sweep sweep) const {
  FlagBoth sink{hit};
  with(sweep, [&]<Sweep kSweep>() { sweep_self<kSweep>(workspace, sink); });
}

void CollisionLayer::flag_pairs(const CollisionLayer& other, Workspace& workspace,
                                std::span<std::uint8_t> hit, Sweep sweep) const {
  FlagFirst sink{hit};
  with(sweep, [&]<Sweep kSweep>() { sweep_both<kSweep>(other, workspace, sink); });
}

}  // namespace juxta::classics
