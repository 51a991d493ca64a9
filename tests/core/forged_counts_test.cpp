// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files whose headers count more than 32 bits can, with checksums that fit. The sizes that follow from such
// counts come back to those of the file where a size has 32 bits, as in WebAssembly; so this test means most
// there (scripts/check_wasm). They are refused all the same, before anything is read or reserved.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "agents/simulation_file.h"
#include "grid/field_file.h"
#include "juxta/agents/simulation.h"
#include "juxta/grid/field.h"
#include "juxta/layer/layer.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/shape/parts.h"
#include "juxta/transform/hierarchy.h"
#include "layer/layer_file.h"
#include "ranked/ranked_file.h"
#include "shape/mesh_file.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "transform/hierarchy_file.h"

namespace juxta {
namespace {

/// A count in a header.
struct Count {
  const char* name;
  std::size_t at;
  std::size_t bytes;
};
#define JUXTA_COUNT(Header, member)                           \
  Count {                                                     \
#member, offsetof(Header, member), sizeof(Header::member) \
  }

using Bytes = std::vector<char>;
using Seal = std::function<void(Bytes&)>;

Seal seal_of(const core_detail::FlatFormat& format) {
  return [&format](Bytes& file) {
    const std::uint64_t sum = format.checksum_of(std::as_bytes(std::span(file)));
    std::memcpy(file.data() + format.checksum_at, &sum, sizeof sum);
  };
}

/// Adds every power of two from 2^20 on to each count, and to two counts at once: sizes are sums of products
/// of counts with small numbers, so some of these have the lower 32 bits of the right size.
template <class Load>
void expect_refused(const Bytes& good, std::span<const Count> counts, const Seal& seal, Load&& load) {
  const test::ScratchFile file;
  file.write(good);
  ASSERT_TRUE(load(file.path().string()));
  const auto add = [](Bytes& bytes, const Count& count, unsigned power) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + count.at, count.bytes);
    value += std::uint64_t{1} << power;
    std::memcpy(bytes.data() + count.at, &value, count.bytes);
  };
  for (const Count& first : counts) {
    for (const Count& second : counts) {
      for (unsigned power = 20; power < 8 * std::min(first.bytes, second.bytes); ++power) {
        Bytes forged = good;
        add(forged, first, power);
        if (&first != &second) {
          add(forged, second, power);
        }
        seal(forged);
        file.write(forged);
        ASSERT_EQ(test::code_of(load(file.path().string())), ErrorCode::kCorruptFile)
            << first.name << " and " << second.name << ", 2^" << power;
      }
    }
  }
}

TEST(ForgedCounts, OfRankedPoints) {
  using ranked_detail::FileHeader;
  std::vector<float> x, y, rank;
  std::vector<std::uint64_t> categories;
  for (int i = 0; i < 300; ++i) {
    x.push_back(static_cast<float>(i % 17));
    y.push_back(static_cast<float>(i % 19));
    rank.push_back(static_cast<float>(i % 23));
    categories.push_back(1U << (i % 3));
  }
  const ValueColumn values[] = {x};
  const auto points = RankedPoints::build(x, y, rank, {.categories = categories, .values = values});
  ASSERT_TRUE(points);
  const std::array<std::byte, 100> attachment{};
  const test::ScratchFile file;
  ASSERT_TRUE(points->save(file.path().string(), attachment));
  const Count counts[] = {JUXTA_COUNT(FileHeader, points),
                          JUXTA_COUNT(FileHeader, attachment_bytes),
                          {"category_points[0]", offsetof(FileHeader, category_points), 4},
                          {"category_points[2]", offsetof(FileHeader, category_points) + 8, 4}};
  const Bytes good = file.read();
  for (const FileCheck check : {FileCheck::kWhole, FileCheck::kAsRead}) {
    expect_refused(
        good, counts,
        [](Bytes& bytes) {
          (void)ranked_detail::kRankedFormat.seal(std::as_writable_bytes(std::span(bytes)));
        },
        [&](const std::string& path) { return RankedPoints::load(path, check); });
  }
}

TEST(ForgedCounts, OfLayers) {
  using layer_detail::LayerFileHeader;
  std::vector<Aabb3> boxes;
  for (int i = 0; i < 200; ++i) {
    const auto at = static_cast<float>(i);
    boxes.push_back({{at, 0, 0}, {at + 2, 1, 1}});
  }
  const auto layer = Layer::build(boxes);
  ASSERT_TRUE(layer);
  const Count counts[] = {JUXTA_COUNT(LayerFileHeader, lanes),      JUXTA_COUNT(LayerFileHeader, numbers),
                          JUXTA_COUNT(LayerFileHeader, bodies),     JUXTA_COUNT(LayerFileHeader, sorted_end),
                          JUXTA_COUNT(LayerFileHeader, tail_end),   JUXTA_COUNT(LayerFileHeader, lane_end),
                          JUXTA_COUNT(LayerFileHeader, first_free), JUXTA_COUNT(LayerFileHeader, strays)};
  const auto load = [](const std::string& path) { return Layer::load(path); };
  expect_refused(test::saved_bytes(*layer), counts, seal_of(layer_detail::kLayerFormat), load);

  // Lanes come by blocks of sixteen: whoever reads a block reads all of it.
  std::vector<Aabb3> few(boxes.begin(), boxes.begin() + 70);
  Bytes forged = test::saved_bytes(Layer::build(few).value());
  const std::uint64_t lanes = 70;
  std::memcpy(forged.data() + offsetof(LayerFileHeader, lanes), &lanes, sizeof lanes);
  seal_of(layer_detail::kLayerFormat)(forged);
  const test::ScratchFile file;
  file.write(forged);
  EXPECT_EQ(test::code_of(load(file.path().string())), ErrorCode::kCorruptFile);
}

TEST(ForgedCounts, OfMeshes) {
  using shape_detail::MeshFileHeader;
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const auto at = static_cast<float>(i);
    vertices.insert(vertices.end(), {{at, 0, 0}, {at + 1, 0, 1}, {at, 1, 0}});
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const auto mesh = TriangleMesh::build(vertices, triangles);
  ASSERT_TRUE(mesh);
  const Count counts[] = {JUXTA_COUNT(MeshFileHeader, vertices), JUXTA_COUNT(MeshFileHeader, triangles),
                          JUXTA_COUNT(MeshFileHeader, nodes), JUXTA_COUNT(MeshFileHeader, blocks)};
  expect_refused(test::saved_bytes(*mesh), counts, seal_of(shape_detail::kMeshFormat),
                 [](const std::string& path) { return TriangleMesh::open(path); });
}

TEST(ForgedCounts, OfHierarchies) {
  using transform_detail::HierarchyFileHeader;
  Hierarchy hierarchy;
  Id parent{};
  for (int i = 0; i < 60; ++i) {
    const auto id = hierarchy.insert({}, parent);
    ASSERT_TRUE(id);
    parent = i % 7 == 0 ? Id{} : *id;
  }
  const Count counts[] = {
      JUXTA_COUNT(HierarchyFileHeader, tiles),    JUXTA_COUNT(HierarchyFileHeader, free_tiles),
      JUXTA_COUNT(HierarchyFileHeader, slots),    JUXTA_COUNT(HierarchyFileHeader, links),
      JUXTA_COUNT(HierarchyFileHeader, dirty),    JUXTA_COUNT(HierarchyFileHeader, kept),
      JUXTA_COUNT(HierarchyFileHeader, destroyed)};
  expect_refused(test::saved_bytes(hierarchy), counts, seal_of(transform_detail::kHierarchyFormat),
                 [](const std::string& path) { return Hierarchy::load(path); });
}

TEST(ForgedCounts, OfFields) {
  using grid_detail::FieldFileHeader;
  FieldOptions options;
  options.cells = {8, 4, 2};
  options.components = 3;
  options.world.dimensions = 3;
  for (int axis = 0; axis < 3; ++axis) {
    options.world.lo[axis] = 0;
    options.world.hi[axis] = 1;
  }
  const auto field = Field::build(options);
  ASSERT_TRUE(field) << field.error().message;
  const std::size_t cells = offsetof(FieldFileHeader, cells);
  const Count counts[] = {JUXTA_COUNT(FieldFileHeader, components),
                          {"cells[0]", cells, 4},
                          {"cells[1]", cells + 4, 4},
                          {"cells[2]", cells + 8, 4}};
  expect_refused(test::saved_bytes(*field), counts, seal_of(grid_detail::kFieldFormat),
                 [](const std::string& path) { return Field::load(path); });
}

TEST(ForgedCounts, OfSimulations) {
  using agents_detail::SimulationFileHeader;
  Simulation simulation = Simulation::build({}, 5).value();
  Population& sheep = *simulation.add_population("sheep").value();
  (void)sheep.add_column<double>("weight").value();
  (void)sheep.insert(50).value();
  const Bytes good = test::saved_bytes(simulation);
  // The first population's record begins the catalogue.
  const std::size_t record = core_detail::kHeaderBytes;
  using agents_detail::PopulationRecord;
  const Count counts[] = {JUXTA_COUNT(SimulationFileHeader, populations),
                          JUXTA_COUNT(SimulationFileHeader, catalogue),
                          JUXTA_COUNT(SimulationFileHeader, fields),
                          {"rows", record + offsetof(PopulationRecord, rows), 4},
                          {"slots", record + offsetof(PopulationRecord, slots), 4},
                          {"columns", record + offsetof(PopulationRecord, columns), 4}};
  expect_refused(good, counts, seal_of(agents_detail::kSimulationFormat),
                 [](const std::string& path) { return Simulation::load(path); });
}

}  // namespace
}  // namespace juxta
