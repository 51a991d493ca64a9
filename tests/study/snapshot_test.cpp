// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "juxta/core/random.h"
#include "study/scratch.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using test::read_text;

struct Odd {
  std::int16_t a = 0, b = 0, c = 0;
};

Simulation world_of(std::uint32_t dimensions) {
  Simulation simulation = Simulation::build({.dimensions = dimensions}, 3).value();
  Population& birds = *simulation.add_population("birds").value();
  EXPECT_TRUE(birds.add_columns({"vx", "vy"}));
  EXPECT_TRUE(dimensions == 2 || birds.add_columns({"vz"}));
  EXPECT_TRUE(birds.add_results({"seen"}));
  EXPECT_TRUE(birds.add_column<double>("mass", 2.5));
  EXPECT_TRUE(birds.add_column<std::int32_t>("age", -3));
  EXPECT_TRUE(birds.add_column<std::uint32_t>("kills", 4'000'000'000));
  EXPECT_TRUE(birds.add_column<std::uint8_t>("kind", 7));
  EXPECT_TRUE(birds.add_column<Odd>("odd"));
  EXPECT_TRUE(birds.add_references("mother", birds));
  EXPECT_TRUE(birds.insert(5));
  birds.changes().kill(1);
  EXPECT_TRUE(simulation.end_step());
  EXPECT_TRUE(birds.insert(1));  // the slot of the dead, a generation later
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    for (std::uint32_t row = 0; row < birds.size(); ++row) {
      birds.write(birds.position(axis))[row] = static_cast<float>(row + 10 * axis);
      birds.write(Column<float>{dimensions + axis})[row] = static_cast<float>(100 * row + axis);
    }
  }
  return simulation;
}

template <class T>
std::vector<T> values_of(const PointCloud& points, const std::string& name) {
  const auto field = std::ranges::find(points.fields, name, &PointField::name);
  if (field == points.fields.end()) {
    ADD_FAILURE() << name;
    return {};
  }
  const auto values = std::get<std::span<const T>>(field->values);
  return {values.begin(), values.end()};
}

TEST(StudySnapshot, ShowsEveryColumnOfNumbers) {
  for (const std::uint32_t dimensions : {2u, 3u}) {
    const Simulation simulation = world_of(dimensions);
    const Population& birds = simulation.population(0);
    SnapshotScratch scratch;
    const PointCloud points = snapshot_of(birds, scratch);
    ASSERT_EQ(points.x.size(), 5u);
    EXPECT_EQ(points.y[4], 14);
    EXPECT_EQ(points.z.size(), dimensions == 3 ? 5u : 0u);
    std::set<std::string> names;
    for (const PointField& field : points.fields) {
      EXPECT_TRUE(names.insert(field.name).second) << field.name;
    }
    std::set<std::string> expected = {"vx", "vy", "seen", "mass", "age", "kills", "kind", "velocity", "id"};
    if (dimensions == 3) {
      expected.insert("vz");
    }
    EXPECT_EQ(names, expected);
    EXPECT_EQ(values_of<double>(points, "mass"), std::vector<double>(5, 2.5));
    EXPECT_EQ(values_of<std::int32_t>(points, "age")[0], -3);
    EXPECT_EQ(values_of<std::uint32_t>(points, "kills")[2], 4'000'000'000);
    EXPECT_EQ(values_of<std::uint8_t>(points, "kind")[4], 7);
    const auto velocity = values_of<float>(points, "velocity");
    ASSERT_EQ(velocity.size(), 15u);
    EXPECT_EQ(velocity[3 * 4], 400);
    EXPECT_EQ(velocity[3 * 4 + 1], 401);
    EXPECT_EQ(velocity[3 * 4 + 2], dimensions == 3 ? 402 : 0);
    const auto ids = values_of<std::int64_t>(points, "id");
    for (std::uint32_t row = 0; row < 5; ++row) {
      EXPECT_EQ(static_cast<std::uint64_t>(ids[row]), random_id(birds.id_of(row)));
    }
    EXPECT_GT(ids[4], std::int64_t{1} << 32);  // of a second generation
  }
}

TEST(StudySnapshot, LeavesNamesThatAreTakenToTheirOwner) {
  Simulation simulation = Simulation::build({.dimensions = 2}).value();
  Population& cells = *simulation.add_population("cells").value();
  ASSERT_TRUE(cells.add_column<std::int32_t>("id", 42));
  ASSERT_TRUE(cells.add_columns({"velocity", "vx", "vy"}));
  ASSERT_TRUE(cells.insert(2));
  SnapshotScratch scratch;
  const PointCloud points = snapshot_of(cells, scratch);
  EXPECT_EQ(points.fields.size(), 4u);
  EXPECT_EQ(values_of<std::int32_t>(points, "id")[1], 42);
}

TEST(StudySnapshot, ASeriesGoesOnWhereAnEarlierOneStopped) {
  const test::ScratchFolder folder;
  Simulation whole = world_of(3), first = world_of(3);
  auto series = SnapshotSeries::open((folder / "whole").string()).value();
  for (int step = 0; step < 4; ++step) {
    ASSERT_TRUE(series.add(whole));
    ASSERT_TRUE(whole.end_step());
  }
  for (int part = 0; part < 2; ++part) {  // steps 1, 2, and 3 that is made anew; then 3, 4
    auto again = SnapshotSeries::open((folder / "parts").string()).value();
    for (int step = 0; step < 3 - part; ++step) {
      ASSERT_TRUE(again.add(first));
      ASSERT_TRUE(first.end_step());
    }
    if (part == 0) {
      first = world_of(3);
      ASSERT_TRUE(first.end_step() && first.end_step());
    }
  }
  EXPECT_EQ(read_text(folder / "parts/birds.xdmf"), read_text(folder / "whole/birds.xdmf"));
  test::write_text(folder / "parts/birds.xdmf", "<Time Value=\"soon\"/>\n");
  const auto refused = SnapshotSeries::open((folder / "parts").string()).value().add(first);
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kParse);
  EXPECT_EQ(refused.error().line, 1u);
}

TEST(StudySnapshot, ASeriesNamesWhatIsThere) {
  const test::ScratchFolder folder;
  auto series = SnapshotSeries::open((folder / "a/b").string());
  ASSERT_TRUE(series) << series.error().message;
  Simulation simulation = world_of(3);
  ASSERT_TRUE(simulation.add_population("nobody"));
  Population& odd = **simulation.add_population("../odd one");
  ASSERT_TRUE(odd.insert(1));
  ASSERT_TRUE(series->add(simulation));  // step 1
  ASSERT_TRUE(simulation.end_step());
  ASSERT_TRUE(series->add(simulation));  // step 2
  ASSERT_TRUE(series->add(simulation));  // again
  const auto here = folder / "a/b";
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(here)) {
    files.insert(entry.path().filename().string());
  }
  const std::set<std::string> expected = {
      "birds_000001.vtkhdf",        "birds_000002.vtkhdf",        "birds.xdmf",
      "nobody_000001.vtkhdf",       "nobody_000002.vtkhdf",       "nobody.xdmf",
      "___odd_one~2_000001.vtkhdf", "___odd_one~2_000002.vtkhdf", "___odd_one~2.xdmf"};
  EXPECT_EQ(files, expected);
  const std::string index = read_text(here / "birds.xdmf");
  const auto count = [&](const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = index.find(word); at != std::string::npos; at = index.find(word, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count("<Time "), 2u);
  EXPECT_LT(index.find("birds_000001.vtkhdf"), index.find("birds_000002.vtkhdf"));
  EXPECT_EQ(count("Name=\"velocity\""), 2u);
}

/// A viewer shows the last entry before a time: without an entry, the dead would stay on the screen.
TEST(StudySnapshot, EveryPopulationIsAtEveryStep) {
  const test::ScratchFolder folder;
  auto series = SnapshotSeries::open(folder.path().string()).value();
  Simulation simulation = Simulation::build({.dimensions = 3}, 3).value();
  Population& blasts = *simulation.add_population("blasts").value();
  ASSERT_TRUE(simulation.add_population("nobody"));
  ASSERT_TRUE(blasts.add_columns({"vx", "vy", "vz", "radius"}));
  const std::vector<std::size_t> counts = {0, 2, 0, 1, 0};  // as often as they come, they go
  for (const std::size_t count : counts) {
    ASSERT_TRUE(count == 0 || blasts.insert(count));
    ASSERT_EQ(blasts.size(), count);
    ASSERT_TRUE(series.add(simulation));
    for (std::uint32_t row = 0; row < count; ++row) {
      blasts.changes().kill(row);
    }
    ASSERT_TRUE(simulation.end_step());
  }
  const auto steps = read_xdmf((folder / "blasts.xdmf").string()).value();
  ASSERT_EQ(steps.size(), counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(steps[i].time, static_cast<double>(i));
    EXPECT_EQ(steps[i].points, counts[i]);
    EXPECT_EQ(steps[i].fields, steps[1].fields) << "the same fields, of nobody too";
    EXPECT_TRUE(std::filesystem::exists(folder / steps[i].file));
  }
  EXPECT_EQ(steps[0].fields.size(), 6u);  // velocity and id among them
  EXPECT_EQ(read_xdmf((folder / "nobody.xdmf").string()).value().size(), counts.size());
}

TEST(StudySnapshot, FieldsAreGridsOfTheirOwn) {
  const test::ScratchFolder folder;
  Simulation simulation =
      Simulation::build({.dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .lo = {-1, 0}, .hi = {3, 1}})
          .value();
  Field& scent =
      *simulation.add_field("scent", {.world = simulation.world(), .cells = {8, 2, 1}, .components = 2})
           .value();
  for (int part = 0; part < 2; ++part) {  // the second as a resumed run
    auto series = SnapshotSeries::open(folder.path().string()).value();
    ASSERT_TRUE(scent.fill(static_cast<float>(part)));
    ASSERT_TRUE(series.add(simulation));
    ASSERT_TRUE(simulation.end_step());
  }
  const auto steps = read_xdmf((folder / "scent.xdmf").string()).value();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[1].time, 1);
  EXPECT_EQ(steps[1].points, 32U);  // the one layer twice
  ASSERT_TRUE(steps[1].grid);
  EXPECT_EQ(steps[1].grid->spacing, (std::array{0.5, 0.5, 1.0}));
  EXPECT_EQ(steps[1].grid->origin, (std::array{-0.75, 0.25, 0.0}));
  ASSERT_EQ(steps[1].fields.size(), 2U);
  EXPECT_EQ(steps[1].fields[1].name, "scent_1");
  EXPECT_TRUE(std::filesystem::exists(folder / steps[1].file));
}

/// A run in the folder of another one: from its first step on, the index shows nobody of the other.
TEST(StudySnapshot, ASeriesForgetsWhatAnotherRunLeft) {
  const test::ScratchFolder folder;
  const auto index = folder / "birds.xdmf";
  Simulation other = world_of(3);
  auto series = SnapshotSeries::open(folder.path().string()).value();
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(series.add(other));
    ASSERT_TRUE(other.end_step());
  }
  const std::string of_three = read_text(index);
  Simulation resumed = Simulation::build({.dimensions = 3}, 3).value();
  ASSERT_TRUE(resumed.add_population("birds"));
  ASSERT_TRUE(resumed.end_step() && resumed.end_step());
  ASSERT_TRUE(SnapshotSeries::open(folder.path().string()).value().add(resumed));  // step 2: it keeps step 1
  EXPECT_NE(read_text(index).find("birds_000001.vtkhdf"), std::string::npos);
  auto steps = read_xdmf(index.string()).value();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1].points, 0u);
  test::write_text(index, of_three);
  Simulation begun = Simulation::build({.dimensions = 3}, 3).value();
  ASSERT_TRUE(begun.add_population("birds"));
  ASSERT_TRUE(SnapshotSeries::open(folder.path().string()).value().add(begun));
  steps = read_xdmf(index.string()).value();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].points, 0u);
}

#if !defined(_WIN32)  // Windows has no limit for the size of a file
TEST(StudySnapshot, AFullDiskLeavesAnIndexOfWholeFiles) {
  const test::ScratchFolder folder;
  auto series = SnapshotSeries::open(folder.path().string());
  ASSERT_TRUE(series);
  Simulation simulation = world_of(2);
  ASSERT_TRUE(series->add(simulation));
  const std::string index = read_text(folder / "birds.xdmf");
  ASSERT_TRUE(simulation.end_step());
  {
    const test::SmallDisk disk(1000);
    const auto full = series->add(simulation);
    ASSERT_FALSE(full);
    EXPECT_EQ(test::code_of(full), ErrorCode::kIo);
  }
  EXPECT_EQ(read_text(folder / "birds.xdmf"), index);
  EXPECT_FALSE(std::filesystem::exists(folder / "birds_000002.vtkhdf"));
  ASSERT_TRUE(series->add(simulation));
  EXPECT_NE(read_text(folder / "birds.xdmf").find("birds_000002.vtkhdf"), std::string::npos);
}
#endif

TEST(StudySnapshot, RefusesAFolderThatCannotBe) {
  const test::ScratchFolder folder;
  test::write_text(folder / "file", "x");
  for (const auto& path : {folder / "file", folder / "file/under"}) {
    const auto series = SnapshotSeries::open(path.string());
    ASSERT_FALSE(series);
    EXPECT_EQ(test::code_of(series), ErrorCode::kIo);
    EXPECT_NE(series.error().message.find("file"), std::string::npos);
  }
}

}  // namespace
}  // namespace juxta
