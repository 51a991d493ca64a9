// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files whose checksum fits and whose numbers do not: each contradiction is named, and whatever loads can be
// asked, changed and saved.
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "agents/pasture.h"
#include "agents/simulation_file.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

using agents_detail::ColumnRecord;
using agents_detail::PopulationRecord;
using agents_detail::SimulationFileHeader;
using scenes::Draws;

void seal(std::vector<char>& file) {
  const std::uint64_t sum = agents_detail::kSimulationFormat.checksum_of(std::as_bytes(std::span(file)));
  std::memcpy(file.data() + offsetof(SimulationFileHeader, checksum), &sum, sizeof sum);
}

/// A file with dead Ids, references and rows out of the order of Ids.
std::vector<char> lived_in(std::size_t count) {
  Simulation sim = test::make_pasture(2, Edge::kWall, count);
  EXPECT_TRUE(sim.add_field("grass", {.world = sim.world(), .cells = {5, 4, 1}, .components = 2}));
  EXPECT_TRUE(sim.field(0).fill(2, 1));
  for (int step = 0; step < 4; ++step) {
    test::graze(sim);
  }
  EXPECT_TRUE(sim.population(1).sort({.radius = 1, .skin = 1}));
  return test::saved_bytes(sim);
}

/// Everything that can be asked, and every kind of change. Positions may be anything.
void use(Simulation& sim) {
  for (std::size_t p = 0; p < sim.population_count(); ++p) {
    Population& population = sim.population(p);
    (void)population.sort({.radius = 1, .skin = 1});  // by the skin in the file, if there is one
    for (std::uint32_t row = 0; row < population.size(); ++row) {
      ASSERT_EQ(population.row_of(population.id_of(row)).value(), row);
    }
    population.for_each([&](std::uint32_t row, Changes& changes) {
      if (row % 3 == 0) {
        changes.kill(row);
      } else {
        changes.spawn_like(row);
      }
    });
    population.changes().spawn();
    ASSERT_TRUE(population.insert(3));
    (void)population.sort({.radius = 1, .skin = 1});
  }
  for (std::size_t f = 0; f < sim.field_count(); ++f) {
    Field& field = sim.field(f);
    const std::vector<float> lo = {field.options().world.lo.x}, y = {field.options().world.lo.y};
    ASSERT_TRUE(field.deposit(lo, y, {}, lo));
    (void)field.diffuse({.amount = 0.25F, .steps = 2});
    ASSERT_TRUE(field.total());
  }
  ASSERT_TRUE(sim.end_step());
  (void)sim.add_population("one more");
}

TEST(AgentsForged, DamageUnderAValidChecksumIsRefusedOrCanBeUsed) {
  const auto good = lived_in(40);
  SimulationFileHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  std::size_t refused = 0, used = 0;
  Draws draws(5);
  const test::ScratchFile file;
  for (int round = 0; round < 1600; ++round) {
    auto damaged = good;
    // A third of the blows each to the header, the catalogue, and all else.
    const std::size_t parts[] = {
        8, core_detail::kHeaderBytes,
        core_detail::padded_to_section(core_detail::kHeaderBytes + header.catalogue)};
    const std::size_t ends[] = {sizeof header, core_detail::kHeaderBytes + header.catalogue, good.size()};
    const std::uint32_t part = draws.below(3);
    const std::size_t at =
        parts[part] + 4 * draws.below(static_cast<std::uint32_t>((ends[part] - parts[part]) / 4));
    std::uint32_t value;
    std::memcpy(&value, damaged.data() + at, sizeof value);
    const std::uint32_t values[] = {0, 1, 2, 3, 8, 40, 0xFFFFFFFFU, 0x7FC00000U, 0x80000000U, value + 1};
    value = draws.below(2) == 0 ? value ^ std::uint32_t{1} << draws.below(32)
                                : values[draws.below(static_cast<std::uint32_t>(std::size(values)))];
    std::memcpy(damaged.data() + at, &value, sizeof value);
    seal(damaged);
    file.write(damaged);
    auto loaded = Simulation::load(file.path().string());
    if (loaded) {
      ++used;
      ASSERT_NO_FATAL_FAILURE(use(*loaded)) << at;
    } else {
      ++refused;
      ASSERT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
      ASSERT_NE(loaded.error().byte, Error::kNowhere);
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(used, 250u);
}

TEST(AgentsForged, DamageIsFoundByTheChecksum) {
  const auto good = lived_in(40);
  const test::ScratchFile file;
  for (std::size_t at = 0; at < good.size(); at += at < 5000 ? 13 : 101) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    file.write(damaged);
    ASSERT_FALSE(Simulation::load(file.path().string())) << at;
  }
  for (const std::size_t size : {0u, 1u, 100u, 4095u, 4096u, 4160u}) {
    file.write(std::span(good).first(size));
    EXPECT_EQ(test::code_of(Simulation::load(file.path().string())), ErrorCode::kCorruptFile) << size;
  }
  auto longer = good;
  longer.resize(good.size() + 64);
  seal(longer);
  file.write(longer);
  EXPECT_NE(Simulation::load(file.path().string()).error().message.find("longer"), std::string::npos);
}

/// Populations of one and two rows, of which everything is known.
///
///   catalogue   "a" (2 columns: x y)   "b" (6 columns: x y ex ey ref any)
class AgentsContradictions : public ::testing::Test {
 protected:
  AgentsContradictions() {
    Simulation sim = Simulation::build(test::meadow(2, Edge::kWall)).value();
    Population& a = *sim.add_population("a").value();
    Population& b = *sim.add_population("b").value();
    EXPECT_TRUE(b.add_extents());
    EXPECT_TRUE(b.add_references("ref", a));
    EXPECT_TRUE(b.add_column<test::Wool>("any"));
    EXPECT_TRUE(a.insert(1));
    EXPECT_TRUE(b.insert(3));
    b.changes().kill(1);
    EXPECT_TRUE(sim.end_step());
    EXPECT_TRUE(a.sort({.radius = 1, .skin = 1}));
    EXPECT_TRUE(b.sort({.radius = 1, .skin = 1}));
    good_ = test::saved_bytes(sim);
    // Where the records stand: names are of one or more words, initial values of one or two.
    std::size_t at = core_detail::kHeaderBytes;
    for (const std::size_t columns : {2u, 6u}) {
      populations_.push_back(at);
      at += sizeof(PopulationRecord) + 4;
      columns_.emplace_back();
      for (std::size_t c = 0; c < columns; ++c) {
        columns_.back().push_back(at);
        at += sizeof(ColumnRecord) + 4 + (c < 4 ? 4 : 8);
      }
    }
    SimulationFileHeader header;
    std::memcpy(&header, good_.data(), sizeof header);
    EXPECT_EQ(at, core_detail::kHeaderBytes + header.catalogue);
    sections_ = core_detail::padded_to_section(at);
  }
  template <class T>
  void refuses(std::size_t at, T value, const char* word) const {
    SCOPED_TRACE(word);
    auto damaged = good_;
    std::memcpy(damaged.data() + at, &value, sizeof value);
    ASSERT_NE(damaged, good_);
    seal(damaged);
    const test::ScratchFile file;
    file.write(damaged);
    const auto loaded = Simulation::load(file.path().string());
    ASSERT_FALSE(loaded);
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
    EXPECT_NE(loaded.error().message.find(word), std::string::npos) << loaded.error().message;
  }

  std::vector<char> good_;
  std::vector<std::size_t> populations_;
  std::vector<std::vector<std::size_t>> columns_;
  std::size_t sections_ = 0;
};

TEST_F(AgentsContradictions, InTheHeader) {
  refuses(0, 'x', "not a file of a simulation");
  refuses(8, 9U, "version 9");
  refuses(12, 0x04030201U, "byte order");
  refuses(offsetof(SimulationFileHeader, dimensions), 4U, "no such world");
  refuses(offsetof(SimulationFileHeader, dimensions), 3U, "columns");
  refuses(offsetof(SimulationFileHeader, edges), 3U, "no known kind");
  refuses(offsetof(SimulationFileHeader, lo), 11.0F, "no such world");
  refuses(offsetof(SimulationFileHeader, hi) + 4, 0x7FC00000U, "no such world");
  refuses(offsetof(SimulationFileHeader, populations), 1U, "catalogue is longer");
  refuses(offsetof(SimulationFileHeader, populations), 3U, "catalogue is longer");
  refuses(offsetof(SimulationFileHeader, populations), ~0U, "counts");
  refuses(offsetof(SimulationFileHeader, catalogue), ~std::uint64_t{0}, "counts");
  refuses(offsetof(SimulationFileHeader, catalogue), std::uint64_t{2}, "counts");
  refuses(offsetof(SimulationFileHeader, catalogue), std::uint64_t{128}, "catalogue is longer");
}

TEST_F(AgentsContradictions, InTheCatalogue) {
  const std::size_t a = populations_[0], b = populations_[1];
  refuses(b + sizeof(PopulationRecord), 'a', "columns");  // two of one name
  refuses(a + offsetof(PopulationRecord, name_bytes), 0U, "catalogue is longer");
  refuses(a + offsetof(PopulationRecord, name_bytes), ~0U, "catalogue is longer");
  refuses(a + offsetof(PopulationRecord, columns), ~0U, "catalogue is longer");
  refuses(b + offsetof(PopulationRecord, columns), 5U, "catalogue is longer");
  refuses(b + offsetof(PopulationRecord, rows), 3U, "Ids");
  refuses(a + offsetof(PopulationRecord, rows), ~0U, "file is longer");
  refuses(b + offsetof(PopulationRecord, slots), 100U, "file is longer");
  refuses(b + offsetof(PopulationRecord, slots), 2U, "Ids");
  refuses(b + offsetof(PopulationRecord, first_free), 0U, "Ids");
  refuses(b + offsetof(PopulationRecord, first_free), 3U, "Ids");
  refuses(a + offsetof(PopulationRecord, extents), 0U, "columns");
  refuses(b + offsetof(PopulationRecord, extents), 3U, "columns");
  refuses(b + offsetof(PopulationRecord, extents), 0xFFFFFFFEU, "columns");
  const auto column = [&](std::size_t c) { return columns_[1][c]; };
  refuses(column(0) + sizeof(ColumnRecord), 'y', "columns");
  refuses(column(2) + sizeof(ColumnRecord), 'f', "columns");
  refuses(column(0) + offsetof(ColumnRecord, kind), 2U, "columns");
  refuses(column(3) + offsetof(ColumnRecord, kind), 6U, "columns");
  refuses(column(4) + offsetof(ColumnRecord, kind), 1U, "columns");  // a double that names agents
  refuses(column(4) + offsetof(ColumnRecord, target), 2U, "columns");
  refuses(column(4) + offsetof(ColumnRecord, target), ~0U, "columns");
  refuses(column(5) + offsetof(ColumnRecord, target), 0U, "columns");
  refuses(column(5) + offsetof(ColumnRecord, kind), 7U, "columns");
  refuses(column(5) + offsetof(ColumnRecord, bytes), 0U, "catalogue is longer");
  refuses(column(5) + offsetof(ColumnRecord, bytes), ~0U, "catalogue is longer");
  refuses(column(5) + offsetof(ColumnRecord, name_bytes), 0U, "catalogue is longer");
}

TEST_F(AgentsContradictions, InTheIds) {
  // Generations and links of "a" in 64 bytes each, its two columns and its skin likewise, then those of "b".
  const std::size_t generations = sections_ + 6 * 64, links = generations + 64;
  std::uint32_t dead;
  std::memcpy(&dead, good_.data() + generations + 4, sizeof dead);
  ASSERT_EQ(dead, 2U);
  refuses(generations, 2U, "Ids");
  refuses(generations + 4, 3U, "Ids");
  refuses(links, 1U, "Ids");
  refuses(links, 9U, "Ids");
  refuses(links + 4, 1U, "Ids");  // the chain of the free in a circle
  refuses(links + 4, 0U, "Ids");
}

TEST_F(AgentsContradictions, InASkin) {
  const std::size_t a = populations_[0];
  refuses(a + offsetof(PopulationRecord, skin), 0U, "file is longer");
  refuses(a + offsetof(PopulationRecord, skin), 2U, "columns");
  refuses(a + offsetof(PopulationRecord, skin_radius), 0.0F, "columns");
  refuses(a + offsetof(PopulationRecord, skin_radius), 0x7FC00000U, "columns");
  refuses(a + offsetof(PopulationRecord, skin_arrangement), 6U, "columns");
  const std::size_t of_a = sections_ + 4 * 64;                 // x
  const std::size_t of_b = sections_ + 6 * 64 + (2 + 6) * 64;  // x, ex, y, ey
  refuses(of_a, 11.0F, "sorted where");
  refuses(of_a + 64, 0x7FC00000U, "sorted where");
  refuses(of_b + 64, -1.0F, "sorted where");
  refuses(of_b + 3 * 64, 0x7F800000U, "sorted where");
}

}  // namespace
}  // namespace juxta
