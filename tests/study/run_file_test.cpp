// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Run files that are cut, damaged or forged: each is refused with the byte, or is a sound run.
#include "study/run_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "study/pond.h"
#include "study/scratch.h"
#include "study/sealed_run.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using ModelRun = juxta::Run;  // testing::Test has a Run of its own
using study_detail::RunFileHeader;
using test::ponds;
using test::seal;

class StudyRunFile : public ::testing::Test {
 protected:
  StudyRunFile() {
    ModelRun run = ModelRun::begin(ponds()[1], test::pond_with({{"tables", 1}, {"fish", 6}}), 3).value();
    EXPECT_TRUE(run.step());
    EXPECT_TRUE(run.step());
    EXPECT_TRUE(run.save((folder_ / "run").string()));
    good_ = test::read_text(folder_ / "run");
    std::memcpy(&header_, good_.data(), sizeof header_);
    simulation_ = good_.size() - header_.simulation;
  }
  Result<ModelRun> resume(const std::string& bytes) const {
    test::write_text(folder_ / "forged", bytes);
    return ModelRun::resume((folder_ / "forged").string(), ponds());
  }
  void refuses(const std::string& bytes, const std::string& word) const {
    const auto resumed = resume(bytes);
    ASSERT_FALSE(resumed) << word;
    EXPECT_EQ(test::code_of(resumed), ErrorCode::kCorruptFile) << resumed.error().message;
    EXPECT_NE(resumed.error().byte, Error::kNowhere);
    EXPECT_LE(resumed.error().byte, std::max(bytes.size(), good_.size()));
    EXPECT_NE(resumed.error().message.find(word), std::string::npos) << resumed.error().message;
    EXPECT_NE(resumed.error().message.find("forged"), std::string::npos);  // the path
  }
  template <class T>
  void refuses_value(std::size_t at, T value, const std::string& word) const {
    SCOPED_TRACE(at);
    std::string damaged = good_;
    std::memcpy(damaged.data() + at, &value, sizeof value);
    ASSERT_NE(damaged, good_);
    seal(damaged);
    refuses(damaged, word);
  }
  /// Where this text stands in the catalogue.
  [[nodiscard]] std::size_t at(const std::string& text) const {
    const std::size_t found = good_.find(text, core_detail::kHeaderBytes);
    EXPECT_LT(found, core_detail::kHeaderBytes + header_.catalogue) << text;
    return found;
  }

  test::ScratchFolder folder_;
  std::string good_;
  RunFileHeader header_;
  std::size_t simulation_ = 0;
};

TEST_F(StudyRunFile, HoldsWhatTheHeaderSays) {
  EXPECT_EQ(header_.parameters, 5u);
  EXPECT_EQ(header_.tables, 3u);
  const auto file = study_detail::RunFile::read(std::as_bytes(std::span(good_)));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->model, "pond");
  EXPECT_EQ(file->parameters.front(), (std::pair<std::string, double>("fish", 6)));
  EXPECT_EQ(file->tables.front().rows(), 3u);
  EXPECT_EQ(file->simulation_at, simulation_);
  // The simulation in it is a whole file of a simulation.
  test::write_text(folder_ / "simulation", std::string_view(good_).substr(simulation_));
  const auto simulation = Simulation::load((folder_ / "simulation").string());
  ASSERT_TRUE(simulation) << simulation.error().message;
  EXPECT_EQ(simulation->step(), 2u);
  EXPECT_EQ(simulation->seed(), 3u);
}

TEST_F(StudyRunFile, CutAnywhereIsRefused) {
  for (std::size_t size = 0; size < good_.size(); ++size) {
    std::string cut = good_.substr(0, size);
    ASSERT_NO_FATAL_FAILURE(refuses(cut, "")) << size;
    if (size % 8 == 0 && size >= core_detail::kHeaderBytes) {
      seal(cut);  // with a checksum that fits, too
      ASSERT_NO_FATAL_FAILURE(refuses(cut, "")) << size;
    }
  }
  std::string longer = good_ + std::string(64, '\0');
  refuses(longer, "longer");
  seal(longer);
  refuses(longer, "longer");
}

TEST_F(StudyRunFile, DamageIsFoundByTheChecksum) {
  for (std::size_t at = 0; at < good_.size(); at += at < 4300 ? 1 : 7) {
    std::string damaged = good_;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    ASSERT_NO_FATAL_FAILURE(refuses(damaged, "")) << at;
  }
}

TEST_F(StudyRunFile, ContradictionsInTheHeader) {
  refuses_value(0, 'x', "not a file of a run");
  refuses_value(8, 9U, "version 9");
  refuses_value(12, 0x04030201U, "byte order");
  refuses_value(offsetof(RunFileHeader, until), 1U, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, until), 2U, "make no sense");
  refuses_value(offsetof(RunFileHeader, parameters), 4U, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, parameters), 6U, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, parameters), ~0U, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, tables), 2U, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, tables), ~0U, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, agents_every), 1U, "other columns");  // and no table of them
  refuses_value(offsetof(RunFileHeader, catalogue), ~std::uint64_t{0}, "counts");
  refuses_value(offsetof(RunFileHeader, catalogue), header_.catalogue + 2, "counts");
  refuses_value(offsetof(RunFileHeader, catalogue), header_.catalogue - 4, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, catalogue), header_.catalogue + 4, "catalogue is longer");
  refuses_value(offsetof(RunFileHeader, simulation), ~std::uint64_t{63}, "counts");
  refuses_value(offsetof(RunFileHeader, simulation), header_.simulation - 8, "counts");
  refuses_value(offsetof(RunFileHeader, simulation), header_.simulation - 64, "longer");
  refuses_value(offsetof(RunFileHeader, simulation), header_.simulation + 64, "longer");
}

TEST_F(StudyRunFile, ContradictionsInTheCatalogue) {
  refuses_value(core_detail::kHeaderBytes, ~0U, "catalogue is longer");  // the name of the model
  refuses_value(at("fish"), 'F', "parameters are not those");
  refuses_value(at("fish") - 8, ~0U, "catalogue is longer");
  refuses_value(at("fish") - 8, 3U, "parameters are not those");
  refuses_value(at("fish") - 16, 1001.0, "a whole number from 0 to 1000");
  refuses_value(at("fish") - 16, 1.5, "a whole number from 0 to 1000");
  refuses_value(at("splits_at") - 16, ~std::uint64_t{0}, "a number from 0.5 to 10");  // a NaN
  const std::size_t table = at("step") - 8 - sizeof(study_detail::TableRecord);
  refuses_value(table, std::uint64_t{9}, "longer");   // rows, and no bytes for them
  refuses_value(table, ~std::uint64_t{0}, "longer");  // more bytes than can be counted
  refuses_value(table, std::uint64_t{1} << 61, "longer");
  refuses_value(table + 8, 0U, "catalogue is longer");  // columns
  refuses_value(table + 8, ~0U, "catalogue is longer");
  refuses_value(at("step"), 'S', "other columns");
  refuses_value(at("step") - 4, ~0U, "catalogue is longer");
  refuses_value(at("step") - 8, 4U, "catalogue is longer");  // a kind that there is not
  refuses_value(at("step") - 8, 0U, "other columns");
  refuses_value(8, 1U, "version 1");
  // The model with as many parameters, of which one says that there are no tables of agents.
  refuses_value(at("tables") - 16, 0.0, "other columns");
}

TEST_F(StudyRunFile, ContradictionsInTheSimulation) {
  refuses_value(simulation_, 'x', "not a file of a simulation");
  refuses_value(simulation_ + 16, 4U, "no such world");
  std::string damaged = good_;
  const std::uint32_t none = 0;
  const std::size_t populations = offsetof(agents_detail::SimulationFileHeader, populations);
  std::memcpy(damaged.data() + simulation_ + populations, &none, sizeof none);
  seal(damaged);
  const auto resumed = resume(damaged);
  ASSERT_FALSE(resumed);
  EXPECT_GE(resumed.error().byte, simulation_);  // counted from the beginning of the run's file
  // A sound simulation that is none of this model.
  Simulation other = Simulation::build({.dimensions = 2}).value();
  ASSERT_TRUE(other.save((folder_ / "other").string()));
  std::string foreign = good_.substr(0, simulation_) + test::read_text(folder_ / "other");
  RunFileHeader header = header_;
  header.simulation = foreign.size() - simulation_;
  std::memcpy(foreign.data(), &header, sizeof header);
  seal(foreign);
  const auto without_fish = resume(foreign);
  ASSERT_FALSE(without_fish);
  EXPECT_EQ(test::code_of(without_fish), ErrorCode::kNotFound);
  EXPECT_NE(without_fish.error().message.find("no fish"), std::string::npos);
}

TEST_F(StudyRunFile, WhateverResumesCanBeUsed) {
  std::size_t used = 0, refused = 0;
  std::uint32_t state = 7;
  const auto below = [&](std::size_t bound) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % bound;
  };
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = good_;
    const std::size_t parts[] = {core_detail::kHeaderBytes, simulation_,
                                 simulation_ + core_detail::kHeaderBytes, 0};
    const std::size_t ends[] = {simulation_, simulation_ + 88, good_.size(), sizeof header_};
    const std::size_t part = below(4);
    const std::size_t where = parts[part] + 4 * below((ends[part] - parts[part]) / 4);
    std::uint32_t value;
    std::memcpy(&value, damaged.data() + where, sizeof value);
    value ^= std::uint32_t{1} << below(32);
    std::memcpy(damaged.data() + where, &value, sizeof value);
    seal(damaged);
    auto run = resume(damaged);
    if (!run) {
      ++refused;
      ASSERT_FALSE(run.error().message.empty());
      continue;
    }
    ++used;
    (void)run->step();  // a position that is not finite is refused here
    ASSERT_TRUE(run->save((folder_ / "used").string()));
    const auto again = ModelRun::resume((folder_ / "used").string(), ponds());
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_EQ(again->state_hash(), run->state_hash());
  }
  EXPECT_GT(used, 300u);
  EXPECT_GT(refused, 300u);
}

}  // namespace
}  // namespace juxta
