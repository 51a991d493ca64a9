// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bulk calls: transforms of rows to arrays of users, a group of eight rows at a time.
//
//   group | qx | r0 .. r7 |  qy | ..        | qx qy qz qw | px py pz context | stretch, scale |    8 worlds
//   or eight rows, and cold           -->
//
// Per row:      3 loads, 2 shuffles and 3 stores: about 1 ns in the caches.
//
// Limit:        memory: 48 bytes read and 48 written (96 moved, unless they bypass the caches).
//
// Determinism:  bits are moved.
#include "transform/bulk_rows.h"
#include "transform/write_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/get_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#if HWY_HAVE_FLOAT64
#include "transform/bulk-inl.h"
#include "transform/node_lanes-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

#if HWY_HAVE_FLOAT64
using QuadTag = hn::FixedTag<float, 4>;
using Quad = hn::Vec<QuadTag>;

template <bool kStreamed>
HWY_INLINE void PutQuad(Quad v, float* to) {
  if constexpr (kStreamed) {
    hn::Stream(v, QuadTag(), to);
  } else {
    hn::StoreU(v, QuadTag(), to);
  }
}

/// Eight rows from `row` on: where they stand, or in `space`.
HWY_INLINE const LocalTransform* RowsOf(const TransformColumn& column, std::uint64_t turned,
                                        std::uint32_t row, LocalTransform* space) {
  if (!Tile::has_turned(turned, row)) {
    return &column.rows()[row];
  }
  const FloatTag d;
  const GroupTransforms& g = column.group(row / kGroupRows);
  for (std::size_t n = 0; n < kGroupRows; n += kNodes) {
    const InRow lanes{n};
    StoreColumns<kLocalFloats>(
        {hn::Load(d, g.qx + n), hn::Load(d, g.qy + n), hn::Load(d, g.qz + n), hn::Load(d, g.qw + n)},
        &space->rotation.x, lanes);
    StoreColumns<kLocalFloats>(
        {hn::Load(d, g.x + n), hn::Load(d, g.y + n), hn::Load(d, g.z + n), hn::Load(d, g.scale + n)},
        &space->position.x, lanes);
  }
  return space;
}

/// The context moves to the position, and the scale to the stretch.
template <bool kStreamed>
HWY_INLINE void GetGroup(const Tile& tile, std::uint32_t row, Qvvs* out) {
  const QuadTag d;
  const hn::RebindToUnsigned<QuadTag> words;
  const auto last = hn::RebindMask(d, hn::Eq(hn::Iota(words, 0), hn::Set(words, 3)));
  alignas(64) LocalTransform space[kGroupRows];
  const LocalTransform* const from = RowsOf(tile.world, tile.world_turned.bits(), row, space);
  for (std::size_t i = 0; i < kGroupRows; ++i) {
    const Quad place = hn::LoadU(d, &from[i].position.x), cold = hn::LoadU(d, &tile.cold[row + i].stretch.x);
    float* const to = &out[i].rotation.x;
    PutQuad<kStreamed>(hn::LoadU(d, &from[i].rotation.x), to);
    PutQuad<kStreamed>(hn::IfThenElse(last, cold, place), to + 4);
    PutQuad<kStreamed>(hn::IfThenElse(last, place, cold), to + 8);
  }
}
template <bool kStreamed>
HWY_INLINE void GetGroup(const Tile& tile, std::uint32_t row, LocalTransform* out) {
  const QuadTag d;
  alignas(64) LocalTransform space[kGroupRows];
  const LocalTransform* const from = RowsOf(tile.local, tile.local_turned.bits(), row, space);
  for (std::size_t i = 0; i < kGroupRows; ++i) {
    PutQuad<kStreamed>(hn::LoadU(d, &from[i].rotation.x), &out[i].rotation.x);
    PutQuad<kStreamed>(hn::LoadU(d, &from[i].position.x), &out[i].position.x);
  }
}

inline constexpr std::size_t kRowsAhead = kStreamAhead / sizeof(LocalTransform);
HWY_INLINE void AskForGroup(const Tile& tile, std::uint32_t row, const Qvvs*) {
  AskForLines(&tile.world.rows()[row], 0, kGroupRows * sizeof(HotWorld));
  AskForLines(&tile.cold[row], 0, kGroupRows * sizeof(Cold));
}
HWY_INLINE void AskForGroup(const Tile& tile, std::uint32_t row, const LocalTransform*) {
  AskForLines(&tile.local.rows()[row], 0, kGroupRows * sizeof(LocalTransform));
}

template <bool kStreamed, class T>
void GetRowsAs(const Tile* const* tiles, const Row* rows, std::size_t count, T* out) {
  for (std::size_t i = 0; i < count;) {
    const Tile& tile = *tiles[rows[i] / kTileRows];
    if (count - i >= kGroupRows && IsGroup(rows + i)) {
      GetGroup<kStreamed>(tile, rows[i] % kTileRows, out + i);
      if (count - i > kRowsAhead) {
        const Row next = rows[i + kRowsAhead];
        AskForGroup(*tiles[next / kTileRows], next % kTileRows, out);
      }
      i += kGroupRows;
    } else {
      if (count - i > kAhead) {
        ask_row(*tiles[rows[i + kAhead] / kTileRows], rows[i + kAhead] % kTileRows, out);
      }
      get_row(tile, rows[i] % kTileRows, out[i]);
      ++i;
    }
  }
  if constexpr (kStreamed) {
    hwy::FlushStream();
  }
}
/// What bypasses the caches must be aligned.
template <class T>
HWY_INLINE void GetRows(const Tile* const* tiles, const Row* rows, std::size_t count, T* out, bool streamed) {
  if (streamed && reinterpret_cast<std::uintptr_t>(out) % sizeof(Quad) == 0) {
    GetRowsAs<true>(tiles, rows, count, out);
  } else {
    GetRowsAs<false>(tiles, rows, count, out);
  }
}

template <bool kStreamed, class T>
HWY_INLINE void CopyRowsAs(const T* tile, const Row* rows, std::size_t count, T* out) {
  constexpr std::size_t kFloats = sizeof(T) / sizeof(float);
  for (std::size_t i = 0; i < count; ++i) {
    const float* const from = &tile[rows[i] % kTileRows].rotation.x;
    for (std::size_t n = 0; n < kFloats; n += hn::Lanes(QuadTag())) {
      PutQuad<kStreamed>(hn::LoadU(QuadTag(), from + n), &out[i].rotation.x + n);
    }
  }
  if constexpr (kStreamed) {
    hwy::FlushStream();
  }
}
template <class T>
HWY_INLINE void CopyRowsOf(const T* tile, const Row* rows, std::size_t count, T* out, bool streamed) {
  if (streamed && reinterpret_cast<std::uintptr_t>(out) % sizeof(Quad) == 0) {
    CopyRowsAs<true>(tile, rows, count, out);
  } else {
    CopyRowsAs<false>(tile, rows, count, out);
  }
}
void CopyWorlds(const Qvvs* tile, const Row* rows, std::size_t count, Qvvs* out, bool streamed) {
  CopyRowsOf(tile, rows, count, out, streamed);
}
void CopyLocals(const LocalTransform* tile, const Row* rows, std::size_t count, LocalTransform* out,
                bool streamed) {
  CopyRowsOf(tile, rows, count, out, streamed);
}
void GetWorlds(const Tile* const* tiles, const Row* rows, std::size_t count, Qvvs* out, bool streamed) {
  GetRows(tiles, rows, count, out, streamed);
}
void GetLocals(const Tile* const* tiles, const Row* rows, std::size_t count, LocalTransform* out,
               bool streamed) {
  GetRows(tiles, rows, count, out, streamed);
}
#else
void CopyWorlds(const Qvvs* tile, const Row* rows, std::size_t count, Qvvs* out, bool) {
  copy_rows_reference(tile, {rows, count}, out);
}
void CopyLocals(const LocalTransform* tile, const Row* rows, std::size_t count, LocalTransform* out, bool) {
  copy_rows_reference(tile, {rows, count}, out);
}
void GetWorlds(const Tile* const* tiles, const Row* rows, std::size_t count, Qvvs* out, bool) {
  get_worlds_reference(tiles, {rows, count}, out);
}
void GetLocals(const Tile* const* tiles, const Row* rows, std::size_t count, LocalTransform* out, bool) {
  get_locals_reference(tiles, {rows, count}, out);
}
#endif

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(CopyWorlds);
JUXTA_KERNEL(CopyLocals);
JUXTA_KERNEL(GetWorlds);
JUXTA_KERNEL(GetLocals);

void get_worlds(const Tile* const* tiles, std::span<const Row> rows, Qvvs* out, bool streamed) noexcept {
  kernels_run() ? JUXTA_CALL_KERNEL(GetWorlds)(tiles, rows.data(), rows.size(), out, streamed)
                : get_worlds_reference(tiles, rows, out);
}
void get_locals(const Tile* const* tiles, std::span<const Row> rows, LocalTransform* out,
                bool streamed) noexcept {
  kernels_run() ? JUXTA_CALL_KERNEL(GetLocals)(tiles, rows.data(), rows.size(), out, streamed)
                : get_locals_reference(tiles, rows, out);
}
void copy_rows(const Qvvs* tile, std::span<const Row> rows, Qvvs* out, bool streamed) noexcept {
  kernels_run() ? JUXTA_CALL_KERNEL(CopyWorlds)(tile, rows.data(), rows.size(), out, streamed)
                : copy_rows_reference(tile, rows, out);
}
void copy_rows(const LocalTransform* tile, std::span<const Row> rows, LocalTransform* out,
               bool streamed) noexcept {
  kernels_run() ? JUXTA_CALL_KERNEL(CopyLocals)(tile, rows.data(), rows.size(), out, streamed)
                : copy_rows_reference(tile, rows, out);
}

}  // namespace juxta::transform_detail
#endif
