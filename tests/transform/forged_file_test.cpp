// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files whose checksum fits and whose numbers do not: each contradiction is named, and whatever loads can be
// asked, changed and saved.
#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "transform/hierarchy_file.h"
#include "transform/seal.h"
#include "transform/tile_file.h"

namespace juxta {
namespace {

using scenes::Draws;
using transform_detail::HierarchyFileHeader;
using transform_detail::LinkRecord;
using transform_detail::Slot;
using transform_detail::TileRecord;

/// Trees of prefabs and single nodes.
std::vector<Id> populate(Hierarchy& world, std::size_t instances) {
  const std::vector<NodeDescription> nodes = {
      {.local = {{}, {0, 1, 0}, 1}},
      {.local = {{}, {1, 0, 0}, 1}, .parent = 0},
      {.local = {{}, {0, 0, 2}, 0.5F}, .parent = 0, .stretch = {1, 2, 1}},
      {.local = {{}, {3, 0, 0}, 1}, .parent = 2},
      {.local = {}, .parent = 3, .inherit = Inherit::kWorldY}};
  const auto prefab = Prefab::build(nodes).value();
  std::vector<LocalTransform> roots(instances);
  std::vector<Id> ids(instances * prefab.size());
  EXPECT_TRUE(world.instantiate(prefab, roots, ids));
  for (std::size_t i = 0; i < instances; ++i) {
    ids.push_back(world.insert({{}, {2, 0, 0}, 1}, ids[i]).value());
  }
  return ids;
}

/// Moves, new parents, dead nodes, new nodes; a dead Id or a cycle is refused, and that is all.
void change(Hierarchy& world, const std::vector<Id>& ids, Draws& draws, int changes) {
  const auto any = [&] { return ids[draws.below(static_cast<std::uint32_t>(ids.size()))]; };
  for (int i = 0; i < changes; ++i) {
    const Id id = any(), other = any();
    const std::uint32_t kind = draws.below(12);
    if (kind < 5) {
      (void)world.set_position(id, {draws.uniform(-9, 9), 0, 1});
    } else if (kind < 8) {
      (void)world.reparent(id, kind == 7 ? Id{} : other, kind == 5 ? Keep::kLocal : Keep::kWorld);
    } else if (kind == 8 && draws.below(3) == 0) {
      (void)world.remove(id, draws.below(2) == 0 ? Children::kDestroy : Children::kToAncestor);
    } else if (kind == 9) {
      (void)world.insert({{}, {0, 0, 1}, 1}, id);
    } else if (kind == 10) {
      (void)world.set_inherit(id, draws.below(2) == 0 ? Inherit::kWorldX : Inherit::kCopyParent);
    } else if (draws.below(10) == 0) {
      (void)world.propagate();
      (void)world.begin_step();
    }
  }
}

std::vector<char> lived_in(bool history, std::size_t instances, std::uint64_t seed) {
  Hierarchy world({.history = history, .destroyed = true});
  const auto ids = populate(world, instances);
  Draws draws(seed);
  change(world, ids, draws, 400);
  return test::saved_bytes(world);
}

template <class T>
T read_at(const std::vector<char>& file, std::size_t at) {
  T value;
  std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

/// Everything that can be asked, and every kind of change.
void use(Hierarchy& world, std::uint64_t seed) {
  std::vector<Id> ids;
  world.for_each([&](Id id) { ids.push_back(id); });
  ASSERT_EQ(ids.size(), world.size());
  std::size_t children = 0, roots = 0;
  for (const Id id : ids) {
    ASSERT_TRUE(world.world(id));
    roots += world.parent(id).value() == Id{};
    ASSERT_TRUE(world.for_each_child(id, [&](Id child) {
      ++children;
      EXPECT_EQ(world.parent(child).value(), id);
    }));
  }
  EXPECT_EQ(children + roots, ids.size());
  EXPECT_EQ(world.stats().roots, roots);
  Draws draws(seed);
  if (!ids.empty()) {
    change(world, ids, draws, 60);
  }
  (void)world.propagate();
  world.changed_since(0, [](Id, const Qvvs&) {});
  (void)world.destroyed_since(world.version() / 2, [&](Id id) { EXPECT_FALSE(world.alive(id)); });
  (void)world.forget_destroyed(world.version());
  if (seed % 2 == 0) {
    (void)world.shrink();
  }
  for (const Id id : ids) {
    (void)world.remove(id);
  }
  EXPECT_TRUE(world.insert({}));
  if (seed % 16 == 0) {  // a save waits for the disk
    (void)test::saved_bytes(world);
  }
}

TEST(TransformForgedFile, ALoadedOneGoesOnAlike) {
  for (const bool history : {false, true}) {
    for (const std::size_t instances : std::initializer_list<std::size_t>{1, 30, 1500}) {
      Hierarchy world({.history = history});
      const auto ids = populate(world, instances);
      Draws draws(instances);
      for (int round = 0; round < 6; ++round) {
        change(world, ids, draws, 300);
        const auto bytes = test::saved_bytes(world);
        Hierarchy loaded = test::from_bytes<Hierarchy>(bytes);
        ASSERT_TRUE(test::saved_bytes(loaded) == bytes);
        Draws same = draws;
        change(world, ids, draws, 300);
        change(loaded, ids, same, 300);
        const auto one = world.propagate(), other = loaded.propagate();
        ASSERT_TRUE(one && other);
        EXPECT_EQ(one->computed, other->computed);
        EXPECT_EQ(one->rounds, other->rounds);
        EXPECT_EQ(one->moved_nodes, other->moved_nodes);
        std::vector<Id> changed, changed_other;
        world.changed_since(one->version - 1, [&](Id id, const Qvvs&) { changed.push_back(id); });
        loaded.changed_since(one->version - 1, [&](Id id, const Qvvs&) { changed_other.push_back(id); });
        EXPECT_EQ(changed, changed_other);
        ASSERT_TRUE(test::saved_bytes(world) == test::saved_bytes(loaded)) << instances << " " << round;
      }
    }
  }
}

TEST(TransformForgedFile, DamageUnderAValidChecksumIsRefusedOrCanBeUsed) {
  std::size_t refused = 0, used = 0;
  for (const bool history : {false, true}) {
    const auto good = lived_in(history, 60, 2);
    const transform_detail::HierarchyFileLayout layout(read_at<HierarchyFileHeader>(good, 0));
    Draws draws(3);
    const test::ScratchFile file;
    for (std::uint64_t round = 0; round < 800; ++round) {
      auto damaged = good;
      const std::size_t section = draws.below(transform_detail::kHierarchySections + 1);
      const bool in_header = section == transform_detail::kHierarchySections;
      const std::size_t begin = in_header ? 8 : layout.begin[section];
      std::size_t size = in_header ? sizeof(HierarchyFileHeader) - 8 : layout.bytes[section];
      if (size < 4) {
        continue;
      }
      // Half of the blows to tiles go to their masks and counts.
      size = section == transform_detail::kHierarchyTiles && draws.below(2) == 0 ? offsetof(TileRecord, world)
                                                                                 : size;
      const std::size_t at = begin + std::size_t{draws.below(static_cast<std::uint32_t>(size / 4))} * 4;
      const std::uint32_t values[] = {
          0, 1, 2, 7, 1023, 1024, 0xFFFFFFFFU, 0x7FC00000U, 0x3F800000U, 0x04000400U, draws.below(400)};
      const std::uint32_t flipped =
          read_at<std::uint32_t>(damaged, at) ^ (std::uint32_t{1} << draws.below(32));
      const std::uint32_t value = draws.below(2) == 0 ? flipped : values[draws.below(std::size(values))];
      std::memcpy(damaged.data() + at, &value, sizeof value);
      test::seal(damaged);
      file.write(damaged);
      auto loaded = Hierarchy::load(file.path().string());
      refused += !loaded;
      if (loaded) {
        ++used;
        ASSERT_NO_FATAL_FAILURE(use(*loaded, round)) << at;
      }
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(used, 200u);
}

/// A small tree of which everything is known: a (root) with b and c below it; d, made later, linked below b;
/// e, linked below d; f, a root. Rows: tile 0 a b c, then f; tile 1 d e.
class TransformContradictions : public ::testing::Test {
 protected:
  TransformContradictions() {
    const std::vector<NodeDescription> tree = {
        {}, {.local = {}, .parent = 0}, {.local = {}, .parent = 0}, {}};
    std::vector<Id> ids(tree.size());
    Hierarchy world;
    EXPECT_TRUE(world.insert(tree, ids));
    const Id d = world.insert({}, ids[1]).value(), e = world.insert({}).value();
    const Id gone = world.insert({}).value();
    EXPECT_TRUE(world.insert({}));
    EXPECT_TRUE(world.reparent(e, d, Keep::kLocal) && world.reparent(gone, e, Keep::kLocal));
    EXPECT_TRUE(world.propagate());
    EXPECT_TRUE(world.remove(gone));  // a free name, a free link, a row without a node
    EXPECT_TRUE(world.set_position(e, {1, 2, 3}));
    good_ = test::saved_bytes(world);
    header_ = read_at<HierarchyFileHeader>(good_, 0);
    EXPECT_EQ(header_.tiles, 2u);
    EXPECT_EQ(header_.links, 4u);
  }
  template <class T>
  void refuses(std::size_t at, T value, const char* word) const {
    SCOPED_TRACE(word);
    auto damaged = good_;
    std::memcpy(damaged.data() + at, &value, sizeof value);
    ASSERT_NE(damaged, good_);
    test::seal(damaged);
    const test::ScratchFile file;
    file.write(damaged);
    const auto loaded = Hierarchy::load(file.path().string());
    ASSERT_FALSE(loaded);
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
    EXPECT_NE(loaded.error().message.find(word), std::string::npos) << loaded.error().message;
    EXPECT_NE(loaded.error().byte, Error::kNowhere);
  }
  [[nodiscard]] std::size_t begin(transform_detail::HierarchySection section, std::size_t element,
                                  std::size_t size) const {
    return transform_detail::HierarchyFileLayout(header_).begin[section] + element * size;
  }
  [[nodiscard]] std::size_t tile(std::size_t number) const {
    return begin(transform_detail::kHierarchyTiles, number, sizeof(TileRecord));
  }
  [[nodiscard]] std::size_t link(std::size_t number) const {
    return begin(transform_detail::kHierarchyLinks, number, sizeof(LinkRecord));
  }
  [[nodiscard]] std::size_t slot(std::size_t number) const {
    return begin(transform_detail::kHierarchySlots, number, sizeof(Slot));
  }

  std::vector<char> good_;
  HierarchyFileHeader header_;
};

TEST_F(TransformContradictions, InTheHeader) {
  const std::uint32_t none = transform_detail::kNoRow;
  refuses(0, 'x', "not a file of a hierarchy");
  refuses(8, 9u, "version 9");
  refuses(12, 0x04030201u, "byte order");
  refuses(offsetof(HierarchyFileHeader, flags), 8u, "counts");
  refuses(offsetof(HierarchyFileHeader, flags), 1u, "bytes");
  refuses(offsetof(HierarchyFileHeader, tiles), 1u << 22, "counts");
  refuses(offsetof(HierarchyFileHeader, tiles), 3u, "bytes");
  refuses(offsetof(HierarchyFileHeader, links), 0u, "counts");
  refuses(offsetof(HierarchyFileHeader, depths), none, "counts");
  refuses(offsetof(HierarchyFileHeader, depths), 1u, "link leads nowhere");
  refuses(offsetof(HierarchyFileHeader, dirty), 3u, "counts");
  refuses(offsetof(HierarchyFileHeader, version), 0u, "version");
  refuses(offsetof(HierarchyFileHeader, open), 2u, "counts");
  refuses(offsetof(HierarchyFileHeader, open), 0u, "counts");  // that of whole trees
  refuses(offsetof(HierarchyFileHeader, filled), header_.open, "counts");
  refuses(offsetof(HierarchyFileHeader, first_free_slot), none, "free names");
  refuses(offsetof(HierarchyFileHeader, first_free_slot), 0u, "free names");
  refuses(offsetof(HierarchyFileHeader, first_free_link), 0u, "free links");
  refuses(offsetof(HierarchyFileHeader, first_free_link), 1u, "free links");
  refuses(offsetof(HierarchyFileHeader, generation), 1u, "counts");
  refuses(offsetof(HierarchyFileHeader, destroyed), std::uint64_t{1}, "counts");  // they are not kept
  refuses(offsetof(HierarchyFileHeader, forgotten), 1u, "counts");
  refuses(offsetof(HierarchyFileHeader, vacant), std::uint64_t{1} << 40, "fewer");
}

TEST_F(TransformContradictions, InATile) {
  const auto masks = [&](std::size_t number, std::size_t field) {
    return read_at<std::uint64_t>(good_, tile(number) + field);
  };
  const std::uint64_t live = masks(0, offsetof(TileRecord, live));
  ASSERT_EQ(live, 0b1111u);  // roots a and f, then b and c
  ASSERT_EQ(masks(0, offsetof(TileRecord, linked)), 0b0011u);
  ASSERT_EQ(masks(1, offsetof(TileRecord, live)), 0b1011u);
  refuses(tile(1) + offsetof(TileRecord, number), 0u, "ascend");
  refuses(tile(0) + offsetof(TileRecord, used), 1025u, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, used), 3u, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, live), live >> 1, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, live), live << 1 | live, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, linked), std::uint64_t{0b0010}, "children");
  refuses(tile(0) + offsetof(TileRecord, linked), std::uint64_t{0b1000011}, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, pending), std::uint64_t{1} << 60, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, pending), std::uint64_t{1}, "brought up to date");
  refuses(tile(0) + offsetof(TileRecord, step), 2u, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, version), 2u, "version");
  refuses(tile(0) + offsetof(TileRecord, version), 0u, "version");
  refuses(tile(0) + offsetof(TileRecord, changes), ~std::uint64_t{0}, "rows of a tile");
  refuses(tile(0) + offsetof(TileRecord, row_version) + 8, 7u, "version");
  refuses(tile(0) + offsetof(TileRecord, local), std::numeric_limits<float>::quiet_NaN(), "finite");
  refuses(tile(0) + offsetof(TileRecord, local) + offsetof(LocalTransform, scale), -1.0F, "finite");
  refuses(tile(0) + offsetof(TileRecord, local) + offsetof(Quat, w), 0.0F, "finite");
  refuses(tile(0) + offsetof(TileRecord, cold), std::numeric_limits<float>::infinity(), "finite");
  refuses(tile(0) + offsetof(TileRecord, world), 1e30F, "finite");  // no rotation of a node has such a length
  const auto child = [&](std::size_t row) { return tile(0) + offsetof(TileRecord, first_child) + 2 * row; };
  refuses(child(0), std::uint16_t{0}, "children");
  refuses(child(0), std::uint16_t{3}, "children");  // b has no parent
  refuses(child(0), std::uint16_t{1025}, "children");
  refuses(child(1), std::uint16_t{1}, "children");
  refuses(child(2), std::uint16_t{2}, "children");  // below itself
  refuses(child(4), std::uint16_t{1025}, "children");
}

TEST_F(TransformContradictions, InNamesAndLists) {
  const std::size_t dirty = begin(transform_detail::kHierarchyDirty, 0, 4);
  refuses(dirty, 0u, "brought up to date");
  refuses(dirty, 9u, "brought up to date");
  const Slot first = read_at<Slot>(good_, slot(0));
  refuses(slot(0) + offsetof(Slot, generation), 2u, "names and nodes");
  refuses(slot(0) + offsetof(Slot, row), first.row + 1, "names and nodes");
  refuses(slot(0) + offsetof(Slot, row), 5000u, "names and nodes");
  refuses(slot(0) + offsetof(Slot, row), 100u, "names and nodes");
  refuses(slot(6) + offsetof(Slot, generation), 1u, "names and nodes");
  refuses(slot(6) + offsetof(Slot, generation), 0u, "free names");
  refuses(slot(6) + offsetof(Slot, row), 6u, "free names");
}

TEST_F(TransformContradictions, InLinks) {
  const auto record = [&](std::size_t number) { return read_at<LinkRecord>(good_, link(number)); };
  ASSERT_EQ(record(1).depth, 1u);  // d below b
  ASSERT_EQ(record(2).depth, 2u);  // e below d
  refuses(link(1) + offsetof(LinkRecord, parent_row), 100u, "leads nowhere");
  refuses(link(1) + offsetof(LinkRecord, parent_row), 1u << 30, "leads nowhere");
  refuses(link(1) + offsetof(LinkRecord, parent_row), transform_detail::kNoRow, "free links");
  refuses(link(1) + offsetof(LinkRecord, parent_row), record(2).first, "below itself");  // a cycle: d below e
  refuses(link(1) + offsetof(LinkRecord, first), 1u << 30, "leads nowhere");
  refuses(link(1) + offsetof(LinkRecord, first), record(1).first + 1, "its link");
  refuses(link(1) + offsetof(LinkRecord, span), 0u, "leads nowhere");
  refuses(link(1) + offsetof(LinkRecord, span), 1025u, "leads nowhere");
  refuses(link(1) + offsetof(LinkRecord, next), 4u, "leads nowhere");
  refuses(link(1) + offsetof(LinkRecord, next), 1u, "links of a parent");
  refuses(link(1) + offsetof(LinkRecord, next), 2u, "links of a parent");
  refuses(link(1) + offsetof(LinkRecord, depth), 0u, "waits for the wrong one");
  refuses(link(2) + offsetof(LinkRecord, depth), 1u, "waits for the wrong one");
  refuses(link(2) + offsetof(LinkRecord, depth), 99u, "leads nowhere");
  refuses(link(3) + offsetof(LinkRecord, next), 3u, "free links");
  const std::size_t links = tile(1) + offsetof(TileRecord, link);
  refuses(links, 0u, "its link");  // d a root: its link has no rows
  refuses(links, 2u, "its link");
  refuses(links, 3u, "its link");  // a free one
  refuses(links, 99u, "its link");
}

}  // namespace
}  // namespace juxta
