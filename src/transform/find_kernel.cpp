// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bulk calls: from Ids to rows, and which transforms the store does not keep as they are.
//
//   ids     | s | s+1 | s+2 ..        slots that follow each other: two loads and a few comparisons for
//   slots   | r | r+1 | r+2 ..        sixteen of them; others one by one, asked for 64 ahead
//
// Per node:     looked up: 4 vector operations, or a load from each of two arrays; checked: 2 loads, 2
//               shuffles and 20 operations on 8 rows (AVX-512). About 0.3 ns each in the caches.
//
// Limit:        memory: 16 bytes read and 4 written to look up, 32 read to check. Of Ids in no order: a miss
//               of the second cache for each, where the table fits the third.
//
// Determinism:  whole numbers; sums of squares in the order of length_squared(Quat), nothing fused.
#include "transform/bulk_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/find_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
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

using RowTag = hn::CappedTag<std::uint32_t, kBulk>;
using SlotTag = hn::Repartition<std::uint64_t, RowTag>;
using SlotRowTag = hn::Rebind<std::uint32_t, SlotTag>;

inline constexpr std::size_t kSlotsAhead = 64;  // Ids between asking for a slot and reading it

static_assert(sizeof(Id) == 8 && sizeof(Slot) == 8);

/// Sixteen Ids whose slots follow each other in a page. False: they do not. Clears `alive` when one is dead.
HWY_INLINE bool FindInARow(const SlotTable& slots, const Id* ids, Row* rows, bool& alive) {
  const std::uint32_t first = ids[0].slot;
  if (ids[kBulk - 1].slot - first != kBulk - 1 || first % Paged<Slot>::kPage > Paged<Slot>::kPage - kBulk ||
      first >= slots.size || slots.size - first < kBulk) {
    return false;
  }
  const SlotTag d;
  const RowTag words;
  const Slot* const from = &slots.pages[first / Paged<Slot>::kPage][first % Paged<Slot>::kPage];
  const auto lower = hn::Set(d, 0xFFFF'FFFFU),
             ahead = hn::Iota(d, 0);                  // of a variable it goes through memory
  auto other_slot = hn::Zero(d), dead = hn::Zero(d);  // 0 where all is well
  for (std::size_t i = 0; i < kBulk; i += hn::Lanes(d)) {
    const auto id = hn::BitCast(d, hn::LoadU(words, &ids[i].slot));
    const auto slot = hn::BitCast(d, hn::LoadU(words, &from[i].generation));
    other_slot = hn::Or(other_slot, hn::And(lower, hn::Sub(id, hn::Add(ahead, hn::Set(d, first + i)))));
    const auto generation = hn::ShiftRight<32>(id);
    const auto odd = hn::Xor(hn::And(generation, hn::Set(d, 1)), hn::Set(d, 1));
    dead = hn::Or(dead, hn::Or(odd, hn::Xor(generation, hn::And(slot, lower))));
    hn::StoreU(hn::TruncateTo(SlotRowTag(), hn::ShiftRight<32>(slot)), SlotRowTag(), rows + i);
  }
  if (!hn::AllTrue(d, hn::Eq(other_slot, hn::Zero(d)))) {
    return false;
  }
  alive = alive && hn::AllTrue(d, hn::Eq(dead, hn::Zero(d)));
  AskForLines(ids, kStreamAhead, kBulk * sizeof(Id));
  const std::uint32_t next = first + kStreamAhead / sizeof(Slot);
  if (next < slots.size) {
    AskForLines(&slots.pages[next / Paged<Slot>::kPage][next % Paged<Slot>::kPage], 0, kBulk * sizeof(Slot));
  }
  return true;
}

HWY_INLINE void FindEach(const SlotTable& slots, const Id* ids, std::size_t count, Row* rows, bool& alive) {
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t at = ids[i].slot < slots.size ? ids[i].slot : 0;
    const Slot& slot = slots.pages[at / Paged<Slot>::kPage][at % Paged<Slot>::kPage];
    wrong |= (at ^ ids[i].slot) | (slot.generation ^ ids[i].generation) | (~slot.generation & 1);
    rows[i] = slot.row;
  }
  alive = alive && wrong == 0;
}

HWY_INLINE void AskFor(const SlotTable& slots, const Id* ids, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t at = ids[i].slot < slots.size ? ids[i].slot : 0;
    core_detail::prefetch_line(&slots.pages[at / Paged<Slot>::kPage][at % Paged<Slot>::kPage]);
  }
}

/// Slots so near each other come into the cache without being asked for: instances have theirs side by side.
HWY_INLINE bool IsNear(std::uint32_t slot, std::uint32_t other) {
  constexpr std::uint32_t kNear = 512;
  return other - slot + kNear <= 2 * kNear;
}

HWY_INLINE bool AllIn(std::uint32_t tile, const Row* rows) {
  const RowTag d;
  auto others = hn::Zero(d);
  for (std::size_t i = 0; i < kBulk; i += hn::Lanes(d)) {
    others = hn::Or(others, hn::Xor(hn::ShiftRight<10>(hn::LoadU(d, rows + i)), hn::Set(d, tile)));
  }
  return hn::AllTrue(d, hn::Eq(others, hn::Zero(d)));
}
static_assert(kTileRows == 1 << 10);

HWY_INLINE void LookAt(const Row* rows, std::size_t count, std::uint32_t& tile, FoundRows& found) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t next = rows[i] / kTileRows;
    found.changes += next != tile ? 1 : 0;
    found.ascending = found.ascending && next >= tile;
    tile = next;
  }
}

FoundRows FindRows(const SlotTable& slots, const Id* ids, std::size_t count, std::size_t further, Row before,
                   Row* rows) {
  FoundRows found;
  if (count == 0 || slots.size == 0) {
    found.alive = count == 0;
    return found;
  }
  std::uint32_t tile = before / kTileRows;
  for (std::size_t i = 0; i < count;) {
    const std::size_t some = count - i < kBulk ? count - i : kBulk;
    if (some < kBulk || !FindInARow(slots, ids + i, rows + i, found.alive)) {
      if (count + further - i >= kSlotsAhead + kBulk && !IsNear(ids[i].slot, ids[i + kSlotsAhead].slot)) {
        AskFor(slots, ids + i + kSlotsAhead, kBulk);
      }
      FindEach(slots, ids + i, some, rows + i, found.alive);
    }
    tile = i == 0 && before == kNoRow ? rows[0] / kTileRows : tile;
    if (some < kBulk || !AllIn(tile, rows + i)) {
      LookAt(rows + i, some, tile, found);
    }
    i += some;
  }
  return found;
}

HWY_INLINE std::uint32_t UnfitOf(const LocalTransform* rows) {
  std::uint32_t unfit = 0;
  for (std::size_t n = 0; n < kBulk; n += kNodes) {
    const Mask fit = Fits(LoadColumns<kLocalFloats>(&rows->rotation.x, InRow{n}),
                          LoadColumns<kLocalFloats>(&rows->position.x, InRow{n}));
    unfit |= BitsOf(FloatTag(), hn::Not(fit)) << n;
  }
  return unfit;
}

bool FindUnfit(const LocalTransform* locals, std::size_t count, std::uint16_t* masks) {
  std::uint32_t any = 0;
  std::size_t i = 0;
  for (; i + kBulk <= count; i += kBulk) {
    const std::uint32_t unfit = UnfitOf(locals + i);
    masks[i / kBulk] = static_cast<std::uint16_t>(unfit);
    any |= unfit;
  }
  return (i < count && find_unfit_reference({locals + i, count - i}, masks + i / kBulk)) || any != 0;
}
#else
FoundRows FindRows(const SlotTable& slots, const Id* ids, std::size_t count, std::size_t, Row before,
                   Row* rows) {
  return find_rows_reference(slots, {ids, count}, before, rows);
}
bool FindUnfit(const LocalTransform* locals, std::size_t count, std::uint16_t* masks) {
  return find_unfit_reference({locals, count}, masks);
}
#endif

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(FindRows);
JUXTA_KERNEL(FindUnfit);

FoundRows find_rows(const SlotTable& slots, std::span<const Id> ids, std::size_t further, Row before,
                    Row* rows) noexcept {
  return kernels_run() ? JUXTA_CALL_KERNEL(FindRows)(slots, ids.data(), ids.size(), further, before, rows)
                       : find_rows_reference(slots, ids, before, rows);
}
bool find_unfit(std::span<const LocalTransform> locals, std::uint16_t* masks) noexcept {
  return kernels_run() ? JUXTA_CALL_KERNEL(FindUnfit)(locals.data(), locals.size(), masks)
                       : find_unfit_reference(locals, masks);
}

}  // namespace juxta::transform_detail
#endif
