// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bulk calls: local transforms of users to rows, a group of eight rows at a time.
//
//   locals  | qx qy qz qw px py pz s |    8 rows     group   qx | r0 .. r7 |  qy | r0 .. r7 |  ..
//                                                    or eight rows of 32 bytes, as they are
//
// Per row:      2 loads, 2 shuffles and 1 store: about 0.6 ns in the caches. A row that is turned, and is not
//               one of eight that follow each other: 8 loads and 8 stores.
//
// Limit:        memory: 32 bytes read and 32 written (64 moved, unless they bypass the caches).
//
// Determinism:  bits are moved.
#include "transform/bulk_rows.h"
#include "transform/write_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/put_kernel.cpp"  // this file, from the repository root
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
using namespace core_detail::HWY_NAMESPACE;

template <bool kStreamed, class D>
HWY_INLINE void PutVector(hn::Vec<D> v, D d, float* to) {
  if constexpr (kStreamed) {
    hn::Stream(v, d, to);
  } else {
    hn::Store(v, d, to);
  }
}

struct Listed {
  const std::uint32_t* which;
  HWY_INLINE std::size_t operator[](std::size_t i) const { return which[i]; }
};
struct ListedFrom {
  Listed list;
  std::size_t first;
  HWY_INLINE std::size_t operator[](std::size_t i) const { return list[first + i]; }
};
HWY_INLINE InRow After(InRow lanes, std::size_t n) {
  return {lanes.first + n};
}
HWY_INLINE ListedFrom After(Listed lanes, std::size_t n) {
  return {lanes, n};
}

/// locals[lanes[0]] to locals[lanes[7]] to the rows from `row` on.
template <bool kStreamed, class Lanes>
HWY_INLINE void PutGroup(Tile& tile, std::uint32_t row, const LocalTransform* locals, const Lanes& lanes) {
  if (Tile::has_turned(tile.local_turned.bits(), row)) {
    const FloatTag d;
    GroupTransforms& group = tile.local.group(row / kGroupRows);
    for (std::size_t n = 0; n < kGroupRows; n += kNodes) {
      const Four q = LoadColumns<kLocalFloats>(&locals->rotation.x, After(lanes, n)),
                 p = LoadColumns<kLocalFloats>(&locals->position.x, After(lanes, n));
      PutVector<kStreamed>(q.a, d, group.qx + n);
      PutVector<kStreamed>(q.b, d, group.qy + n);
      PutVector<kStreamed>(q.c, d, group.qz + n);
      PutVector<kStreamed>(q.e, d, group.qw + n);
      PutVector<kStreamed>(p.a, d, group.x + n);
      PutVector<kStreamed>(p.b, d, group.y + n);
      PutVector<kStreamed>(p.c, d, group.z + n);
      PutVector<kStreamed>(p.e, d, group.scale + n);
    }
  } else {
    const hn::CappedTag<float, kLocalFloats> d;
    for (std::size_t i = 0; i < kGroupRows; ++i) {
      for (std::size_t n = 0; n < kLocalFloats; n += hn::Lanes(d)) {
        PutVector<kStreamed>(hn::LoadU(d, &locals[lanes[i]].rotation.x + n), d,
                             &tile.local.rows()[row + i].rotation.x + n);
      }
    }
  }
  mark_rows(tile, row / 64, std::uint64_t{0xFF} << row % 64);
}

template <bool kStreamed>
void PutLocalsAs(Tile* const* tiles, const Row* rows, std::size_t count, const LocalTransform* locals) {
  for (std::size_t i = 0; i < count;) {
    Tile& tile = *tiles[rows[i] / kTileRows];
    const std::uint32_t row = rows[i] % kTileRows;
    if (count - i >= kGroupRows && IsGroup(rows + i)) {
      PutGroup<kStreamed>(tile, row, locals, InRow{i});
      i += kGroupRows;
    } else {
      if (count - i > kAhead) {
        prefetch_row(*tiles[rows[i + kAhead] / kTileRows], rows[i + kAhead] % kTileRows);
      }
      tile.put_local(row, locals[i]);
      mark_row(tile, row);
      ++i;
    }
  }
  if constexpr (kStreamed) {
    hwy::FlushStream();  // other threads see them as they see all else
  }
}
void PutLocals(Tile* const* tiles, const Row* rows, std::size_t count, const LocalTransform* locals,
               bool streamed) {
  if (streamed) {
    PutLocalsAs<true>(tiles, rows, count, locals);
  } else {
    PutLocalsAs<false>(tiles, rows, count, locals);
  }
}

template <bool kStreamed>
HWY_INLINE void PutChosenAs(Tile* const* tiles, Row first, std::uint32_t* which, std::size_t count,
                            const LocalTransform* locals) {
  const hn::CappedTag<std::uint32_t, kGroupRows> d;
  for (std::size_t i = 0; i < count; i += kGroupRows) {
    auto some = hn::Zero(d), lacking = hn::Zero(d);
    for (std::size_t n = 0; n < kGroupRows; n += hn::Lanes(d)) {
      const auto w = hn::LoadU(d, which + i + n);
      const auto none = hn::VecFromMask(d, hn::Eq(w, hn::Set(d, kNone)));
      some = hn::Or(some, hn::Not(none));
      lacking = hn::Or(lacking, none);
    }
    if (hn::AllTrue(d, hn::Eq(some, hn::Zero(d)))) {
      continue;
    }
    const Row row = first + static_cast<Row>(i);
    if (hn::AllTrue(d, hn::Eq(lacking, hn::Zero(d)))) {
      PutGroup<kStreamed>(*tiles[row / kTileRows], row % kTileRows, locals, Listed{which + i});
      for (std::size_t n = 0; n < kGroupRows; n += hn::Lanes(d)) {
        hn::StoreU(hn::Set(d, kNone), d, which + i + n);
      }
    } else {
      put_chosen_reference(tiles, row, {which + i, kGroupRows}, locals);
    }
  }
  if constexpr (kStreamed) {
    hwy::FlushStream();
  }
}
void PutChosen(Tile* const* tiles, Row first, std::uint32_t* which, std::size_t count,
               const LocalTransform* locals, bool streamed) {
  if (streamed) {
    PutChosenAs<true>(tiles, first, which, count, locals);
  } else {
    PutChosenAs<false>(tiles, first, which, count, locals);
  }
}
#else
void PutLocals(Tile* const* tiles, const Row* rows, std::size_t count, const LocalTransform* locals, bool) {
  put_locals_reference(tiles, {rows, count}, locals);
}
void PutChosen(Tile* const* tiles, Row first, std::uint32_t* which, std::size_t count,
               const LocalTransform* locals, bool) {
  put_chosen_reference(tiles, first, {which, count}, locals);
}
#endif

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(PutLocals);
JUXTA_KERNEL(PutChosen);

void put_locals(Tile* const* tiles, std::span<const Row> rows, const LocalTransform* locals,
                bool streamed) noexcept {
  kernels_run() ? JUXTA_CALL_KERNEL(PutLocals)(tiles, rows.data(), rows.size(), locals, streamed)
                : put_locals_reference(tiles, rows, locals);
}
void put_chosen(Tile* const* tiles, Row first, std::span<std::uint32_t> which, const LocalTransform* locals,
                bool streamed) noexcept {
  kernels_run() ? JUXTA_CALL_KERNEL(PutChosen)(tiles, first, which.data(), which.size(), locals, streamed)
                : put_chosen_reference(tiles, first, which, locals);
}

}  // namespace juxta::transform_detail
#endif
