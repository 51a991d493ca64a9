// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A simulation that ranks save and that others load, on which it goes on as if it had never been stopped.
#include "agents/simulation_parts.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/ranks_scenario.h"
#include "agents/simulation_file.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using agents_detail::SimulationParts;
using test::ColumnHashes;
using test::RanksScenario;

/// Some ranks take so many steps and save; others load that and take the rest.
void expect_same(const RanksScenario& of, int first, std::uint32_t before, std::uint32_t after) {
  SCOPED_TRACE(std::to_string(before) + " ranks, then " + std::to_string(after));
  const std::vector<ColumnHashes> expected = test::on_one_machine(of);
  const test::ScratchFolder folder;
  const std::string path = (folder / "world").string();
  std::vector<std::byte> manifest;
  test::run_ranks(before, [&](Ranks& ranks) {
    Simulation simulation = ranks.rank() == 0 ? test::begin_scenario(of) : Simulation::build({}).value();
    ASSERT_TRUE(simulation.distribute(ranks));
    for (int i = 0; i < first; ++i) {
      ASSERT_TRUE(test::step_scenario(of, simulation));
    }
    auto saved = SimulationParts::save(simulation, path);
    ASSERT_TRUE(saved) << saved.error().message;
    if (ranks.rank() == 0) {
      manifest = std::move(*saved);
    }
  });
  test::run_ranks(after, [&](Ranks& ranks) {
    auto simulation = SimulationParts::load(ranks, manifest, path, huge_page_resource());
    ASSERT_TRUE(simulation) << simulation.error().message;
    for (int i = first; i < of.steps; ++i) {
      ASSERT_TRUE(test::step_scenario(of, *simulation));
      const auto whole = simulation->gather();
      ASSERT_TRUE(whole);
      if (ranks.rank() == 0) {
        ASSERT_EQ(test::hashes_of(*whole), expected[static_cast<std::size_t>(i)]) << "step " << i;
      }
    }
  });
}

TEST(Parts, GoOnAsOneMachineDoes) {
  for (const test::Crowding crowding : {test::Crowding::kUniform, test::Crowding::kClusters}) {
    for (const bool extents : {false, true}) {
      RanksScenario of;
      of.crowding = crowding;
      of.extents = extents;
      of.arrangement = extents ? Arrangement::kRows : Arrangement::kAuto;
      for (const auto& [before, after] : {std::pair{1U, 3U}, {4U, 1U}, {3U, 3U}, {2U, 5U}}) {
        ASSERT_NO_FATAL_FAILURE(expect_same(of, 2, before, after));
      }
    }
  }
}

/// An order that is kept for some steps goes along, and so do births of the very first step.
TEST(Parts, KeepTheOrder) {
  RanksScenario of;
  of.skin = 0.6F;
  of.speed = 0.05F;
  of.dimensions = 3;
  of.births = false;
  for (const int first : {0, 1, 3}) {
    ASSERT_NO_FATAL_FAILURE(expect_same(of, first, 3, 2));
  }
}

TEST(Parts, NobodyAtAll) {
  RanksScenario of;
  of.agents = 0;
  ASSERT_NO_FATAL_FAILURE(expect_same(of, 1, 2, 3));
}

/// sort() does not look again at where agents stood, so nobody may have stood elsewhere.
TEST(Parts, RefuseASortWhereNobodyCanStand) {
  RanksScenario of;
  of.skin = 0.6F;
  of.speed = 0.05F;
  of.births = false;
  const test::ScratchFolder folder;
  const std::string path = (folder / "world").string();
  std::vector<std::byte> manifest;
  test::run_ranks(2, [&](Ranks& ranks) {
    Simulation simulation = ranks.rank() == 0 ? test::begin_scenario(of) : Simulation::build({}).value();
    ASSERT_TRUE(simulation.distribute(ranks));
    ASSERT_TRUE(test::step_scenario(of, simulation));
    auto saved = SimulationParts::save(simulation, path);
    ASSERT_TRUE(saved) << saved.error().message;
    if (ranks.rank() == 0) {
      manifest = std::move(*saved);
    }
  });
  agents_detail::PartsHeader header;
  std::memcpy(&header, manifest.data(), sizeof header);
  // The last column of a part is where its hunters stood along the last axis.
  const std::filesystem::path part = agents_detail::part_path(path, header.tag, 1);
  std::string bytes = test::read_text(part);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + bytes.size() - core_detail::kSectionAlignment, &nan, sizeof nan);
  const auto seal = [](auto& file, const core_detail::FlatFormat& format) {
    const std::uint64_t sum = format.checksum_of(std::as_bytes(std::span(file)));
    std::memcpy(file.data() + format.checksum_at, &sum, sizeof sum);
    return sum;
  };
  const std::uint64_t sum = seal(bytes, agents_detail::kSimulationFormat);
  const std::size_t sums = core_detail::kHeaderBytes + core_detail::padded_to_section(header.blueprint);
  std::memcpy(manifest.data() + sums + sizeof sum, &sum, sizeof sum);
  seal(manifest, agents_detail::kPartsFormat);
  test::write_text(part, bytes);
  test::run_ranks(2, [&](Ranks& ranks) {
    const auto loaded = SimulationParts::load(ranks, manifest, path, huge_page_resource());
    ASSERT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
    EXPECT_NE(loaded.error().message.find("was sorted where nobody can stand"), std::string::npos)
        << loaded.error().message;
  });
}

}  // namespace
}  // namespace juxta
