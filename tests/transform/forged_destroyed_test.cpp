// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files whose checksum fits and whose list of destroyed nodes does not.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "transform/hierarchy_file.h"
#include "transform/seal.h"

namespace juxta {
namespace {

using transform_detail::HierarchyFileHeader;

TEST(TransformForgedDestroyed, IsRefused) {
  Hierarchy world({.destroyed = true});
  std::vector<Id> ids;
  for (int i = 0; i < 4; ++i) {
    ids.push_back(world.insert({}).value());
  }
  const auto propagated = [&] { return world.propagate().value().version; };
  ASSERT_EQ(propagated(), 1u);
  ASSERT_TRUE(world.remove(ids[3]));
  ASSERT_EQ(propagated(), 2u);
  ASSERT_TRUE(world.forget_destroyed(2));
  ASSERT_TRUE(world.remove(ids[0]));  // slot 0, generation 1, version 3
  ASSERT_EQ(propagated(), 3u);
  ASSERT_EQ(world.insert({}).value(), (Id{0, 3}));
  ASSERT_EQ(propagated(), 4u);
  ASSERT_TRUE(world.remove(Id{0, 3}));  // slot 0, generation 3, version 5: none has told of it
  ASSERT_TRUE(world.remove(ids[2]));    // slot 2, generation 1, version 5
  ASSERT_GT(world.shrink(), 0u);        // names 2 and 3 are gone: slot 2 of the list is past the others
  ASSERT_EQ(world.slot_count(), 2u);
  const auto good = test::saved_bytes(world);
  HierarchyFileHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  ASSERT_EQ(header.destroyed, 3u);
  ASSERT_EQ(header.forgotten, 2u);
  ASSERT_EQ(header.generation, 2u);
  const std::size_t begin =
      transform_detail::HierarchyFileLayout(header).begin[transform_detail::kHierarchyDestroyed];
  const test::ScratchFile file;
  const auto load = [&](std::size_t at, std::uint32_t value) {
    auto damaged = good;
    std::memcpy(damaged.data() + at, &value, sizeof value);
    test::seal(damaged);
    file.write(damaged);
    return Hierarchy::load(file.path().string());
  };
  const auto refuses = [&](std::size_t at, std::uint32_t value) {
    const auto loaded = load(at, value);
    return !loaded && test::code_of(loaded) == ErrorCode::kCorruptFile;
  };
  using Record = transform_detail::DestroyedRecord;
  const auto at = [&](std::size_t record, std::size_t field) {
    return begin + record * sizeof(Record) + field;
  };
  ASSERT_TRUE(load(at(0, offsetof(Record, slot)), 0));           // as it was
  EXPECT_TRUE(refuses(at(0, offsetof(Record, slot)), 1));        // is alive
  EXPECT_TRUE(refuses(at(0, offsetof(Record, generation)), 2));  // never lived
  EXPECT_TRUE(refuses(at(0, offsetof(Record, generation)), 3));  // destroyed twice
  EXPECT_TRUE(refuses(at(1, offsetof(Record, generation)), 5));  // did not live yet
  EXPECT_TRUE(refuses(at(0, offsetof(Record, version)), 2));     // forgotten
  EXPECT_TRUE(refuses(at(1, offsetof(Record, version)), 2));     // forgotten, and before the other
  EXPECT_TRUE(refuses(at(2, offsetof(Record, version)), 6));     // not yet
  EXPECT_TRUE(refuses(at(2, offsetof(Record, version)), 4));     // descends
  EXPECT_TRUE(refuses(at(2, offsetof(Record, generation)), 3));  // given back with generation 2
  EXPECT_TRUE(refuses(at(2, offsetof(Record, slot)), ~std::uint32_t{0}));
  EXPECT_TRUE(refuses(at(1, offsetof(Record, zero)), 1));
  EXPECT_TRUE(refuses(offsetof(HierarchyFileHeader, forgotten), 3));
  EXPECT_TRUE(refuses(offsetof(HierarchyFileHeader, forgotten), 9));
  EXPECT_TRUE(refuses(offsetof(HierarchyFileHeader, flags), 0));
  EXPECT_TRUE(refuses(offsetof(HierarchyFileHeader, destroyed) + 4, 1));
  EXPECT_TRUE(refuses(offsetof(HierarchyFileHeader, generation), 0));
}

}  // namespace
}  // namespace juxta
