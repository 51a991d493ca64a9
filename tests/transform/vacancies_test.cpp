// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Instances take the places of trees of their shape that went, and nothing of those is left.
#include <gtest/gtest.h>

#include <cstring>
#include <memory_resource>
#include <set>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/saved_bytes.h"
#include "transform/access.h"
#include "transform/compare.h"
#include "transform/draw_transforms.h"
#include "transform/hierarchy_file.h"
#include "transform/seal.h"
#include "transform/store.h"
#include "transform/values.h"

namespace juxta {
namespace {

using transform_detail::Row;

std::vector<NodeDescription> draw_nodes(scenes::Draws& draws, std::uint32_t size) {
  std::vector<NodeDescription> nodes(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    nodes[i].parent = i == 0 ? NodeDescription::kRoot : draws.below(i);
    nodes[i].local = test::draw_local(draws, false);
  }
  return nodes;
}

/// Instances of prefabs; the Ids of all nodes, instance by instance.
struct World {
  World() : hierarchy(HierarchyOptions{.history = true}) {}

  Hierarchy hierarchy;
  std::vector<std::vector<Id>> instances;

  void add(const Prefab& prefab, std::size_t count) {
    std::vector<Id> ids(count * prefab.size());
    const std::vector<LocalTransform> roots(count, LocalTransform{{}, {1, 2, 3}, 1});
    ASSERT_TRUE(hierarchy.instantiate(prefab, roots, ids));
    for (std::size_t i = 0; i < count; ++i) {
      instances.emplace_back(ids.begin() + static_cast<std::ptrdiff_t>(i * prefab.size()),
                             ids.begin() + static_cast<std::ptrdiff_t>((i + 1) * prefab.size()));
    }
  }
  void remove(std::size_t instance) {
    ASSERT_TRUE(hierarchy.remove(instances[instance][0]));
    instances.erase(instances.begin() + static_cast<std::ptrdiff_t>(instance));
  }
  [[nodiscard]] std::size_t propagate() { return hierarchy.propagate().value().moved_nodes; }
  [[nodiscard]] std::size_t tiles() const { return hierarchy.stats().tiles; }
  [[nodiscard]] Row row_of(Id id) const {
    return transform_detail::Access::store(hierarchy).slots[id.slot].row;
  }
  [[nodiscard]] std::set<Row> rows_of(std::size_t instance) const {
    std::set<Row> rows;
    for (const Id id : instances[instance]) {
      rows.insert(row_of(id));
    }
    return rows;
  }
};

/// Sizes whose instances stand side by side, and one whose do not.
constexpr std::uint32_t kSizes[] = {1, 10, 30, 100};

TEST(TransformVacancies, AreTakenByTheSameShape) {
  for (const std::uint32_t size : kSizes) {
    SCOPED_TRACE(size);
    scenes::Draws draws(size);
    const auto prefab = Prefab::build(draw_nodes(draws, size));
    World world;
    world.add(*prefab, 40);
    static_cast<void>(world.propagate());
    const std::size_t tiles = world.tiles();
    std::set<Row> left;
    for (const std::size_t one : {3U, 17U, 18U, 30U}) {
      left.merge(world.rows_of(one));
      world.remove(one);
    }
    world.add(*prefab, 3);
    world.add(*prefab, 1);
    std::set<Row> taken;
    for (std::size_t i = 36; i < 40; ++i) {
      taken.merge(world.rows_of(i));
    }
    EXPECT_EQ(taken, left);
    EXPECT_EQ(world.propagate(), 0U);
    EXPECT_EQ(world.tiles(), tiles);
    world.add(*prefab, 1);  // there is no place any more
    EXPECT_EQ(left.count(world.row_of(world.instances.back()[0])), 0U);
  }
}

TEST(TransformVacancies, AreNotTakenByOthers) {
  std::vector<NodeDescription> chain(4), star(4);
  for (std::uint32_t i = 1; i < 4; ++i) {
    chain[i].parent = i - 1;
    star[i].parent = 0;
  }
  const auto a = Prefab::build(chain), b = Prefab::build(star);
  World world;
  world.add(*a, 8);
  world.add(*b, 8);
  const Row left = world.row_of(world.instances[0][0]);
  world.remove(0);
  world.add(*b, 1);
  EXPECT_NE(world.row_of(world.instances.back()[0]), left);
  world.add(*a, 1);
  EXPECT_EQ(world.row_of(world.instances.back()[0]), left);
}

TEST(TransformVacancies, AreNotTakenWhileSomeoneStaysThere) {
  std::vector<NodeDescription> chain(3);
  chain[1].parent = 0;
  chain[2].parent = 1;
  const auto prefab = Prefab::build(chain);
  World world;
  world.add(*prefab, 8);
  const Row left = world.row_of(world.instances[0][0]);
  const Id stays = world.instances[0][2];
  ASSERT_TRUE(world.hierarchy.reparent(stays, Id{}));
  world.remove(0);
  world.add(*prefab, 1);
  EXPECT_NE(world.row_of(world.instances.back()[0]), left);
  EXPECT_TRUE(world.hierarchy.alive(stays));
}

/// Places that are none any more cost one call 64 looks, not all of them.
TEST(TransformVacancies, AreNotSearchedWithoutEnd) {
  const auto prefab = Prefab::build(std::vector<NodeDescription>{{}, {.parent = 0}});
  World world;
  world.add(*prefab, 104);
  const Row left = world.row_of(world.instances[0][0]);
  world.remove(0);
  for (int i = 0; i < 100; ++i) {  // their children stay where they are
    ASSERT_TRUE(world.hierarchy.reparent(world.instances[0][1], Id{}));
    world.remove(0);
  }
  world.add(*prefab, 1);
  EXPECT_NE(world.row_of(world.instances.back()[0]), left);
  world.add(*prefab, 1);
  EXPECT_EQ(world.row_of(world.instances.back()[0]), left);
}

/// What nodes may differ in, of those that go.
void change_all(Hierarchy& h, const std::vector<Id>& ids, bool seen) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_TRUE(h.set_local(ids[i], {{0, 1, 0, 0}, {7, 8, 9}, 3}));
    ASSERT_TRUE(h.set_stretch(ids[i], {2, 3, 4}));
    ASSERT_TRUE(h.set_context(ids[i], 5));
    ASSERT_TRUE(h.set_tags(ids[i], 6));
    ASSERT_TRUE(h.set_inherit(ids[i], i % 2 == 0 ? Inherit::kWorldPosition : Inherit::kWorldRotation));
    if (seen) {
      ASSERT_TRUE(h.propagate());
      ASSERT_TRUE(h.begin_step());
    }
  }
}

TEST(TransformVacancies, KeepNothingOfThoseWhoWent) {
  test::for_each_isa([](Isa) {
    for (const std::uint32_t size : kSizes) {
      for (const bool seen : {false, true}) {
        SCOPED_TRACE(size);
        scenes::Draws draws(size);
        const auto prefab = Prefab::build(draw_nodes(draws, size));
        World world;
        world.add(*prefab, 24);
        for (int frame = 0; frame < 3; ++frame) {  // until groups are known to be alike
          static_cast<void>(world.propagate());
          ASSERT_TRUE(world.hierarchy.set_position(world.instances[0][0], {4, 5, static_cast<float>(frame)}));
        }
        change_all(world.hierarchy, world.instances[9], seen);
        const std::set<Row> left = world.rows_of(9);
        world.remove(9);
        world.add(*prefab, 1);
        ASSERT_EQ(world.rows_of(23), left);
        for (int frame = 0; frame < 3; ++frame) {
          for (std::size_t i = 0; i < size; ++i) {
            const Id one = world.instances[23][i], other = world.instances[1][i];
            const Qvvs expected = *world.hierarchy.world(other);
            EXPECT_TRUE(test::same_bits(*world.hierarchy.world(one), expected)) << "node " << i;
            EXPECT_TRUE(test::same_bits(*world.hierarchy.local(one), *world.hierarchy.local(other)));
            EXPECT_TRUE(test::same_bits(*world.hierarchy.previous(one), expected));
            EXPECT_EQ(*world.hierarchy.inherit(one), Inherit::kNormal);
            EXPECT_EQ(*world.hierarchy.tags(one), 0);
          }
          static_cast<void>(world.propagate());
          if (frame == 1) {  // all of them move: the whole tile is swept
            for (const std::vector<Id>& ids : world.instances) {
              ASSERT_TRUE(world.hierarchy.set_position(ids[0], {1, 2, 4}));
            }
            static_cast<void>(world.propagate());
            ASSERT_TRUE(world.hierarchy.begin_step());
          }
        }
      }
    }
  });
}

/// What a group shared is of no use once another group has its place (LaneTree::share()).
TEST(TransformVacancies, ForgetWhatTheirGroupShared) {
  const auto pair = [](float x) {
    return Prefab::build(std::vector<NodeDescription>{{}, {.local = {{}, {x, 0, 0}, 1}, .parent = 0}});
  };
  World world;
  world.add(*pair(1), 8);
  world.add(*pair(3), 8);
  const auto settle = [&] {
    for (int frame = 0; frame < 3; ++frame) {
      for (const std::vector<Id>& ids : world.instances) {
        ASSERT_TRUE(world.hierarchy.set_position(ids[0], {0, static_cast<float>(frame), 0}));
      }
      static_cast<void>(world.propagate());
    }
  };
  settle();
  for (int i = 0; i < 8; ++i) {
    world.remove(0);
  }
  for (const std::vector<Id>& ids : world.instances) {
    ASSERT_TRUE(world.hierarchy.set_position(ids[1], {2, 0, 0}));
  }
  settle();
  world.add(*pair(2), 8);
  settle();
  for (const std::vector<Id>& ids : world.instances) {
    EXPECT_EQ(world.hierarchy.local(ids[1])->position.x, 2.0F);
    EXPECT_EQ(world.hierarchy.world(ids[1])->position.x, 2.0F);
  }
}

TEST(TransformVacancies, KeepAChurningWorldInPlace) {
  scenes::Draws draws(5);
  const auto a = Prefab::build(draw_nodes(draws, 10)), b = Prefab::build(draw_nodes(draws, 7));
  World world;
  world.add(*a, 200);
  world.add(*b, 200);
  static_cast<void>(world.propagate());
  const std::size_t tiles = world.tiles();
  for (int frame = 0; frame < 200; ++frame) {
    std::size_t gone_of_a = 0;
    for (int i = 0; i < 8; ++i) {
      const std::size_t one = draws.below(static_cast<std::uint32_t>(world.instances.size()));
      gone_of_a += world.instances[one].size() == 10;
      world.remove(one);
    }
    world.add(*a, gone_of_a);
    world.add(*b, 8 - gone_of_a);
    ASSERT_EQ(world.propagate(), 0U);
    ASSERT_EQ(world.tiles(), tiles);
  }
}

TEST(TransformVacancies, GoOnAfterLoading) {
  scenes::Draws draws(6);
  const auto a = Prefab::build(draw_nodes(draws, 10)), b = Prefab::build(draw_nodes(draws, 100));
  World world;
  world.add(*a, 30);
  world.add(*b, 5);
  static_cast<void>(world.propagate());
  for (const std::size_t one : {33U, 31U, 20U, 12U, 11U, 3U}) {
    world.remove(one);
  }
  World loaded;
  loaded.hierarchy = test::from_bytes<Hierarchy>(test::saved_bytes(world.hierarchy));
  for (World* one : {&world, &loaded}) {
    one->add(*b, 1);
    one->add(*a, 6);
  }
  EXPECT_EQ(test::saved_bytes(world.hierarchy), test::saved_bytes(loaded.hierarchy));
}

/// Memory that held something else before.
class DirtyMemory final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return std::memset(std::pmr::new_delete_resource()->allocate(bytes, alignment), 0xCD, bytes);
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

/// Names of rows without a node are none: after load() and shrink() least of all.
TEST(TransformVacancies, OfTreesWithHoles) {
  const std::vector<NodeDescription> chain = {{}, {.parent = 0}, {.parent = 1}};
  const auto prefab = Prefab::build(chain);
  DirtyMemory memory;
  for (const bool shrinks : {false, true}) {
    World world;
    world.add(*prefab, 16);
    std::vector<Id> tops;
    for (std::size_t i = 0; i < 16; ++i) {
      ASSERT_TRUE(world.hierarchy.remove(world.instances[i][2]));
      tops.push_back(world.instances[i][0]);
    }
    const test::ScratchFile file;
    ASSERT_TRUE(world.hierarchy.save(file.path().string()));
    auto loaded = Hierarchy::load(file.path().string(), &memory);
    ASSERT_TRUE(loaded);
    if (shrinks) {
      loaded->shrink();
    }
    ASSERT_TRUE(loaded->remove(tops));
    EXPECT_EQ(loaded->size(), 0U);
  }
}

TEST(TransformVacancies, GoWithTheMemory) {
  const auto prefab = Prefab::build(std::vector<NodeDescription>(1));
  Hierarchy hierarchy;
  static_cast<void>(hierarchy.shrink());
  const std::size_t empty = hierarchy.stats().memory_bytes;
  std::vector<Id> ids(100'000);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(hierarchy.instantiate(*prefab, std::vector<LocalTransform>(ids.size()), ids));
    ASSERT_TRUE(hierarchy.remove(ids));
  }
  static_cast<void>(hierarchy.shrink());
  EXPECT_LT(hierarchy.stats().memory_bytes, empty + 16384);
}

/// A world with two vacancies of one shape, saved.
class ForgedVacancies : public testing::Test {
 protected:
  using Header = transform_detail::HierarchyFileHeader;
  using Record = transform_detail::VacantRecord;

  void SetUp() override {
    world_.add(*prefab_, 16);
    world_.remove(11);
    world_.remove(4);
    good_ = test::saved_bytes(world_.hierarchy);
    Header header;
    std::memcpy(&header, good_.data(), sizeof header);
    ASSERT_EQ(header.vacant, 3U);
    begin_ = transform_detail::HierarchyFileLayout(header).begin[transform_detail::kHierarchyVacant];
  }
  template <class T>
  auto load(std::size_t record, std::size_t field, T value) {
    std::vector<char> file = good_;
    std::memcpy(file.data() + begin_ + record * sizeof(Record) + field, &value, sizeof value);
    test::seal(file);
    file_.write(file);
    return Hierarchy::load(file_.path().string());
  }
  template <class T>
  bool refuses(std::size_t record, std::size_t field, T value) {
    return test::code_of(load(record, field, value)) == ErrorCode::kCorruptFile;
  }

  std::vector<NodeDescription> nodes_{{}, {.parent = 0}, {.parent = 1}};
  Result<Prefab> prefab_ = Prefab::build(nodes_);
  World world_;
  std::vector<char> good_;
  std::size_t begin_ = 0;
  test::ScratchFile file_;
};

TEST_F(ForgedVacancies, AreRefused) {
  EXPECT_TRUE(refuses(0, offsetof(Record, row), 0U));  // no shape begins
  EXPECT_TRUE(refuses(1, offsetof(Record, zero), 1U));
  EXPECT_TRUE(refuses(1, offsetof(Record, shape), std::uint64_t{1}));  // of a shape that did not begin
  EXPECT_TRUE(refuses(1, offsetof(Record, row), 1024U));               // there is one tile
  EXPECT_TRUE(refuses(2, offsetof(Record, row), ~0U));                 // the shape begins again
}

TEST_F(ForgedVacancies, AreLookedAt) {
  // Alive; in the middle of a tree; behind the last block; the end of the tile.
  for (const std::uint32_t row : {0U, 8U, 12U, 64U, 1023U}) {
    SCOPED_TRACE(row);
    auto loaded = load(2, offsetof(Record, row), row);
    ASSERT_TRUE(loaded);
    std::vector<Id> ids(6);
    ASSERT_TRUE(loaded->instantiate(*prefab_, std::vector<LocalTransform>(2), ids));
    ASSERT_TRUE(loaded->propagate());
    EXPECT_EQ(loaded->size(), 48U);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(*loaded->parent(ids[i]), i % 3 == 0 ? Id{} : ids[i - 1]);
    }
  }
}

}  // namespace
}  // namespace juxta
