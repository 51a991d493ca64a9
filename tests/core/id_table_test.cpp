// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/id_table.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

// What an owner keeps: the Id of each row, moved as remove() and reorder() say.
struct Model {
  IdTable table;
  std::vector<Id> rows;
  std::vector<Id> dead;

  void insert() {
    const auto id = table.insert();
    RC_ASSERT(bool(id));
    RC_ASSERT(std::find(dead.begin(), dead.end(), *id) == dead.end());
    rows.push_back(*id);
  }
  void remove(std::size_t pick) {
    if (rows.empty()) {
      return;
    }
    const Id id = rows[pick % rows.size()];
    const auto removed = table.remove(id);
    RC_ASSERT(bool(removed));
    RC_ASSERT(removed->last + 1 == rows.size() && rows[removed->row] == id);
    rows[removed->row] = rows[removed->last];
    rows.pop_back();
    dead.push_back(id);
  }
  void reorder(std::uint32_t seed) {
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = order.size(); i > 1; --i) {
      seed = seed * 1664525U + 1013904223U;
      std::swap(order[i - 1], order[(seed >> 8) % i]);
    }
    RC_ASSERT(bool(table.reorder(order)));
    std::vector<Id> next;
    for (const std::uint32_t row : order) {
      next.push_back(rows[row]);
    }
    rows = next;
  }
  void save_and_restore() {
    const IdTable::State state = table.state();
    auto restored = IdTable::restore(state);
    RC_ASSERT(bool(restored));
    table = std::move(*restored);
  }
  void check() const {
    RC_ASSERT(table.size() == rows.size());
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      RC_ASSERT(table.alive(rows[row]) && table.id_of(row) == rows[row]);
      RC_ASSERT(*table.row_of(rows[row]) == row);
    }
    for (const Id id : dead) {
      RC_ASSERT(!table.alive(id) && !table.row_of(id));
    }
  }
};

TEST(IdTable, FollowsTheOwnerThroughAnyHistory) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::uint8_t, std::uint16_t>>& history) {
    Model model;
    for (const auto& [what, pick] : history) {
      switch (what % 8) {
        case 0:
        case 1:
          model.remove(pick);
          break;
        case 2:
          model.reorder(pick);
          break;
        case 3:
          model.save_and_restore();
          break;
        default:
          model.insert();
      }
      model.check();
    }
  }));
}

TEST(IdTable, RestoredTablesContinueTheSameWay) {
  IdTable table;
  std::vector<Id> ids;
  for (int i = 0; i < 20; ++i) {
    ids.push_back(*table.insert());
  }
  for (const int i : {3, 17, 4, 9}) {
    ASSERT_TRUE(table.remove(ids[static_cast<std::size_t>(i)]));
  }
  auto copy = IdTable::restore(table.state());
  ASSERT_TRUE(copy);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(*table.insert(), *copy->insert());
  }
}

TEST(IdTable, DeadAndForeignIdsAreRecognised) {
  IdTable table;
  const Id id = *table.insert();
  EXPECT_FALSE(table.alive(Id{}));
  EXPECT_FALSE(table.alive({5, 1}));
  EXPECT_FALSE(table.alive({id.slot, id.generation + 2}));
  ASSERT_TRUE(table.remove(id));
  const auto again = table.remove(id);
  ASSERT_FALSE(again);
  EXPECT_EQ(test::code_of(again), ErrorCode::kNotFound);
  EXPECT_FALSE(table.alive({id.slot, id.generation + 1}));  // the generation of a free slot is nobody's
  const Id next = *table.insert();
  EXPECT_EQ(next.slot, id.slot);
  EXPECT_NE(next.generation, id.generation);
}

TEST(IdTable, ASlotWhoseGenerationsAreUsedUpIsRetired) {
  const std::vector<std::uint32_t> generations{0xFFFF'FFFEU}, links{IdTable::kNone};
  auto table = IdTable::restore({generations, links, 0});
  ASSERT_TRUE(table);
  const Id last = *table->insert();
  EXPECT_EQ(last, (Id{0, 0xFFFF'FFFFU}));
  ASSERT_TRUE(table->remove(last));
  EXPECT_FALSE(table->alive(last));
  EXPECT_EQ(*table->insert(), (Id{1, 1}));
  EXPECT_TRUE(IdTable::restore(table->state()));
}

TEST(IdTable, ReorderRefusesWhatIsNoPermutation) {
  IdTable table;
  const Id a = *table.insert(), b = *table.insert(), c = *table.insert();
  for (const auto& [order, index] : std::vector<std::pair<std::vector<std::uint32_t>, std::uint64_t>>{
           {{0, 1}, Error::kNowhere}, {{0, 1, 1}, 2}, {{0, 3, 1}, 1}, {{0, 1, 2, 3}, Error::kNowhere}}) {
    const auto result = table.reorder(order);
    ASSERT_FALSE(result);
    EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
    EXPECT_EQ(result.error().index, index);
  }
  EXPECT_EQ(*table.row_of(a), 0U);
  EXPECT_EQ(*table.row_of(b), 1U);
  EXPECT_EQ(*table.row_of(c), 2U);
}

TEST(IdTable, ReordersTheSameWayOnEveryExecutor) {
  test::for_each_executor([](const Executor* executor) {
    IdTable table;
    constexpr std::uint32_t kCount = 200'000;
    std::vector<Id> ids;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      ids.push_back(*table.insert());
    }
    std::vector<std::uint32_t> order(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      order[i] = static_cast<std::uint32_t>(std::uint64_t{i} * 7919 % kCount);
    }
    ASSERT_TRUE(table.reorder(order, {.executor = executor}));
    for (std::uint32_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(table.id_of(i), ids[order[i]]);
      ASSERT_EQ(*table.row_of(ids[order[i]]), i);
    }
  });
}

TEST(IdTable, RestoreIsSafeOnAnyNumbers) {
  EXPECT_TRUE(rc::check([](std::vector<std::uint8_t> small, std::uint8_t first_free) {
    std::vector<std::uint32_t> generations, links;
    for (std::size_t i = 0; i + 1 < small.size(); i += 2) {
      generations.push_back(small[i]);
      links.push_back(small[i + 1] > 200 ? IdTable::kNone : small[i + 1] % 16);
    }
    const std::uint32_t first = first_free > 128 ? IdTable::kNone : first_free % 16;
    auto table = IdTable::restore({generations, links, first});
    if (!table) {
      RC_ASSERT(table.error().code == ErrorCode::kCorruptFile);
      return;
    }
    for (std::uint32_t row = 0; row < table->size(); ++row) {
      RC_ASSERT(*table->row_of(table->id_of(row)) == row);
    }
    const std::size_t before = table->size();
    for (std::size_t i = 0; i < 20; ++i) {
      RC_ASSERT(bool(table->insert()));
    }
    RC_ASSERT(table->size() == before + 20);
  }));
}

// Two tables of one set of things, each with some of the rows, give what one table would.
TEST(IdTable, SomeThingsAreElsewhere) {
  IdTable one, here, there;
  for (int i = 0; i < 6; ++i) {
    const Id id = one.insert().value();
    EXPECT_EQ(i % 2 == 0 ? here.insert().value() : here.insert_elsewhere().value(), id);
    EXPECT_EQ(i % 2 == 0 ? there.insert_elsewhere().value() : there.insert().value(), id);
  }
  EXPECT_EQ(here.size(), 3U);
  EXPECT_TRUE(here.alive({1, 1}));
  EXPECT_EQ(test::code_of(here.row_of({1, 1})), ErrorCode::kNotFound);
  EXPECT_EQ(there.row_of({1, 1}).value(), 0U);

  // Thing 4 moves, and the rows get another order.
  here.settle(std::vector<std::uint32_t>{2, 0});
  there.settle(std::vector<std::uint32_t>{5, 4, 3, 1});
  EXPECT_EQ(here.row_of({0, 1}).value(), 1U);
  EXPECT_EQ(there.row_of({4, 1}).value(), 1U);
  EXPECT_FALSE(here.row_of({4, 1}));

  for (const std::uint32_t slot : {1U, 2U}) {
    EXPECT_TRUE(one.remove({slot, 1}));
    const auto gone = here.remove({slot, 1});
    ASSERT_TRUE(gone);
    EXPECT_EQ(gone->row, slot == 2 ? 0U : IdTable::kNone);
    EXPECT_TRUE(there.remove({slot, 1}));
    EXPECT_FALSE(here.alive({slot, 1}));
  }
  EXPECT_EQ(here.size(), 1U);
  EXPECT_EQ(there.size(), 3U);
  for (int i = 0; i < 3; ++i) {  // freed slots come back in one order
    const Id id = one.insert().value();
    EXPECT_EQ(here.insert_elsewhere().value(), id);
    EXPECT_EQ(there.insert().value(), id);
  }
}

}  // namespace
}  // namespace juxta
