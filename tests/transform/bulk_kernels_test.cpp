// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The loops of bulk calls against their plain twins, bit for bit, on every instruction set: in both kinds of
// tiles, in runs of rows that begin and end anywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "scenes/draws.h"
#include "support/each_isa.h"
#include "transform/bulk_rows.h"
#include "transform/draw_transforms.h"

namespace juxta::transform_detail {
namespace {

constexpr std::uint32_t kTiles = 3;

LocalTransform draw_local(scenes::Draws& draws) {
  const Qvvs drawn = test::draw_transform(draws);
  return {drawn.rotation, drawn.position, drawn.scale};
}

/// A tile of lanes between two of rows, every number drawn; some rows have flags.
struct Tiles {
  std::array<std::unique_ptr<Tile>, kTiles> owned;
  std::array<Tile*, kTiles> tiles;

  explicit Tiles(std::uint64_t seed) {
    scenes::Draws draws(seed);
    for (std::uint32_t t = 0; t < kTiles; ++t) {
      owned[t] = std::make_unique<Tile>();
      tiles[t] = owned[t].get();
      Tile& tile = *tiles[t];
      tile.lanes = t == 1;
      tile.used = kTileRows;
      for (std::uint32_t row = 0; row < kTileRows; ++row) {
        tile.put_local(row, draw_local(draws));
        tile.put_world(row, draw_local(draws));
        tile.cold[row] = {{draws.unit(), draws.unit(), draws.unit()},
                          static_cast<std::int32_t>(draws.below(99))};
        tile.parent[row] = row % 3;
        tile.put(Rare::kSpecial, row, draws.below(20) == 0);
        tile.linked.put(row, draws.below(4) == 0);
        tile.flags[row] =
            static_cast<std::uint16_t>(draws.below(2) == 0 ? Inherit::kUserWorld : Inherit::kWorldScale);
      }
    }
  }
  [[nodiscard]] bool operator==(const Tiles& other) const {
    for (std::uint32_t t = 0; t < kTiles; ++t) {
      const Tile &a = *tiles[t], &b = *other.tiles[t];
      if (std::memcmp(&a.local, &b.local, sizeof a.local) != 0 ||
          std::memcmp(&a.pending, &b.pending, sizeof a.pending) != 0 ||
          std::memcmp(&a.written, &b.written, sizeof a.written) != 0) {
        return false;
      }
    }
    return true;
  }
};

/// Runs of consecutive rows: whole groups, parts of them, and across the ends of tiles; and single rows.
std::vector<Row> draw_rows(scenes::Draws& draws, std::size_t count) {
  std::vector<Row> rows;
  while (rows.size() < count) {
    const Row first = draws.below(kTiles * kTileRows);
    const Row aligned = draws.below(2) == 0 ? first / kGroupRows * kGroupRows : first;
    const Row length = draws.below(3) == 0 ? 1 : draws.below(60) + 1;
    for (Row row = aligned; row < std::min(aligned + length, kTiles * kTileRows); ++row) {
      rows.push_back(row);
    }
  }
  return rows;
}

TEST(TransformBulkKernels, WritesLocals) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(5);
    for (const bool streamed : {false, true}) {
      Tiles got(1), want(1);
      for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 500U, 5000U}) {
        const std::vector<Row> rows = draw_rows(draws, count);
        std::vector<LocalTransform> locals(rows.size());
        std::ranges::generate(locals, [&] { return draw_local(draws); });
        put_locals(got.tiles.data(), rows, locals.data(), streamed);
        put_locals_reference(want.tiles.data(), rows, locals.data());
        ASSERT_TRUE(got == want) << count << streamed;
      }
    }
  });
}

TEST(TransformBulkKernels, WritesChosenLocals) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(6);
    std::vector<LocalTransform> locals(700);
    std::ranges::generate(locals, [&] { return draw_local(draws); });
    for (const std::uint32_t missing : {0U, 1U, 10U, 80U, 100U}) {  // of a hundred rows
      Tiles got(2), want(2);
      std::vector<std::uint32_t> which(2 * kTileRows, kNone);
      for (std::uint32_t& local : which) {
        local = draws.below(100) < missing ? kNone : draws.below(700);
      }
      std::vector<std::uint32_t> same = which;
      put_chosen(got.tiles.data(), kTileRows, which, locals.data(), missing % 20 == 0);
      put_chosen_reference(want.tiles.data(), kTileRows, same, locals.data());
      ASSERT_TRUE(got == want) << missing;
      ASSERT_EQ(std::ranges::count(which, kNone), static_cast<std::ptrdiff_t>(which.size()));
      ASSERT_EQ(got == Tiles(2), missing == 100) << "something is written, if there is something";
    }
  });
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(TransformBulkKernels, ReadsWorldsAndLocals) {
  const Tiles from(3);
  test::for_each_isa([&](Isa) {
    scenes::Draws draws(7);
    for (const std::size_t count : {1U, 7U, 8U, 9U, 64U, 5000U}) {
      const std::vector<Row> rows = draw_rows(draws, count);
      for (const bool streamed : {false, true}) {
        for (const std::size_t shift : {0U, 1U}) {  // of the output, against the alignment of streams
          std::vector<float> space(rows.size() * sizeof(Qvvs) / sizeof(float) + 1);
          auto* const out = reinterpret_cast<Qvvs*>(space.data() + shift);
          get_worlds(from.tiles.data(), rows, out, streamed);
          std::vector<Qvvs> got(rows.size()), want(rows.size());
          std::memcpy(got.data(), static_cast<const void*>(out), rows.size() * sizeof(Qvvs));
          get_worlds_reference(from.tiles.data(), rows, want.data());
          ASSERT_TRUE(same_bytes(got, want)) << count;
        }
        std::vector<LocalTransform> got(rows.size()), want(rows.size());
        get_locals(from.tiles.data(), rows, got.data(), streamed);
        get_locals_reference(from.tiles.data(), rows, want.data());
        ASSERT_TRUE(same_bytes(got, want)) << count;
      }
    }
  });
}

TEST(TransformBulkKernels, FindsWhatTheStoreDoesNotKeepAsItIs) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInf = std::numeric_limits<float>::infinity();
  test::for_each_isa([&](Isa) {
    scenes::Draws draws(8);
    for (std::size_t count = 0; count < 70; ++count) {
      std::vector<LocalTransform> locals(count);
      for (LocalTransform& local : locals) {
        const float bad[] = {kNan, kInf, -kInf, 0, -1, 1.0001F, 0.9999F, 3e38F};
        if (draws.below(12) == 0) {
          (&local.rotation.x)[draws.below(8)] = bad[draws.below(8)];
        }
      }
      std::array<std::uint16_t, 5> got{}, want{};
      ASSERT_EQ(find_unfit(locals, got.data()), find_unfit_reference(locals, want.data()));
      ASSERT_EQ(got, want);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(got[i / kBulk] >> i % kBulk & 1, kept_as_it_is(locals[i]) ? 0 : 1);
      }
    }
  });
}

/// Slots of two pages and a bit, whose rows lie anywhere or in a row.
struct Slots {
  std::vector<Slot> slots;
  std::array<const Slot*, 3> pages{};
  SlotTable table;

  explicit Slots(scenes::Draws& draws) : slots(3 * Paged<Slot>::kPage) {
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      slots[i] = {2 * draws.below(3) + 1, i % 500 < 250 ? i : draws.below(50'000)};
    }
    for (std::uint32_t page = 0; page < 3; ++page) {
      pages[page] = &slots[page * Paged<Slot>::kPage];
    }
    table = {pages.data(), 2 * Paged<Slot>::kPage + 77};
  }
  [[nodiscard]] std::vector<Id> draw_ids(scenes::Draws& draws, std::size_t count) const {
    std::vector<Id> ids;
    while (ids.size() < count) {
      const std::uint32_t first = draws.below(table.size),
                          length = draws.below(2) == 0 ? 1 : draws.below(90) + 1;
      for (std::uint32_t slot = first; slot < std::min(first + length, table.size); ++slot) {
        ids.push_back({slot, slots[slot].generation});
      }
    }
    return ids;
  }
};

void expect_the_same_rows(const Slots& slots, const std::vector<Id>& ids, Row before) {
  std::vector<Row> got(ids.size() + 1, 77), want = got;
  const FoundRows a = find_rows(slots.table, ids, 0, before, got.data());
  const FoundRows b = find_rows_reference(slots.table, ids, before, want.data());
  ASSERT_EQ(a.alive, b.alive);
  ASSERT_EQ(got.back(), 77U);
  if (a.alive) {
    ASSERT_EQ(got, want);
    ASSERT_EQ(a.changes, b.changes);
    ASSERT_EQ(a.ascending, b.ascending);
  }
}

TEST(TransformBulkKernels, FindsRows) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(9);
    const Slots slots(draws);
    for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 200U, 3000U}) {
      for (const Row before : {kNoRow, Row{5}, Row{40'000}}) {
        expect_the_same_rows(slots, slots.draw_ids(draws, count), before);
      }
      std::vector<Id> ascending;
      for (std::uint32_t slot = 0; slot < std::min<std::size_t>(count, 250); ++slot) {
        ascending.push_back({slot + 4000, slots.slots[slot + 4000].generation});
      }
      expect_the_same_rows(slots, ascending, kNoRow);
      for (int round = 0; round < 40 && count != 0; ++round) {  // one of them is dead, in each way
        std::vector<Id> ids = slots.draw_ids(draws, count);
        Id& id = ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
        const Id dead[] = {{id.slot, id.generation + 1}, {id.slot, id.generation + 2},   {id.slot, 0},
                           {slots.table.size, 1},        {slots.table.size + 20'000, 1}, Id{}};
        id = dead[round % 6];
        expect_the_same_rows(slots, ids, kNoRow);
        std::vector<Row> rows(ids.size());
        ASSERT_FALSE(find_rows(slots.table, ids, 0, kNoRow, rows.data()).alive);
      }
    }
    const std::vector<Id> none(20);
    std::vector<Row> rows(20);
    ASSERT_FALSE(find_rows({}, none, 0, kNoRow, rows.data()).alive);
    ASSERT_TRUE(find_rows({}, {}, 0, kNoRow, rows.data()).alive);
  });
}

}  // namespace
}  // namespace juxta::transform_detail
