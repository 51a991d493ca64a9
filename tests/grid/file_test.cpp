// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// save() and load(): the same field, and nothing but an error on anything else.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <vector>

#include "grid/field_file.h"
#include "grid/fields.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

using grid_detail::FieldFileHeader;

Field small(std::uint32_t dimensions = 2) {
  scenes::Draws draws(2);
  return test::draw_field(
      test::options_of(dimensions, {5, 3, dimensions == 2 ? 1U : 2U}, {Edge::kWall, Edge::kPeriodic}, 2),
      draws);
}

Result<Field> load(std::span<const char> bytes) {
  const test::ScratchFile file;
  file.write(bytes);
  return Field::load(file.path().string());
}

/// Puts the right checksum into damaged contents, so that the checks behind it are reached.
void seal(std::vector<char>& content) {
  const std::uint64_t sum = grid_detail::kFieldFormat.checksum_of(std::as_bytes(std::span(content)));
  std::memcpy(content.data() + offsetof(FieldFileHeader, checksum), &sum, sizeof sum);
}

TEST(GridFile, RoundTripAndOnFromThere) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const auto& edges : test::all_edges(dimensions)) {
      scenes::Draws draws(7);
      FieldOptions options = test::options_of(dimensions, {9, 4, dimensions == 2 ? 1U : 3U}, edges, 3);
      options.world.lo.z = dimensions == 2 ? 0 : options.world.lo.z;
      options.world.hi.z = dimensions == 2 ? 0 : options.world.hi.z;
      Field saved = test::draw_field(options, draws);
      const auto bytes = test::saved_bytes(saved);
      auto loaded = load(bytes);
      ASSERT_TRUE(loaded) << loaded.error().message;
      EXPECT_TRUE(saved == *loaded);
      EXPECT_EQ(saved.state_hash(), loaded->state_hash());
      EXPECT_EQ(test::saved_bytes(*loaded), bytes);
      ASSERT_TRUE(saved.diffuse({.amount = 0.125F, .decay = 0.1F, .steps = 3}));
      ASSERT_TRUE(loaded->diffuse({.amount = 0.125F, .decay = 0.1F, .steps = 3}));
      EXPECT_TRUE(saved == *loaded);
    }
  }
}

TEST(GridFile, EveryTruncationAndEveryFlippedByteIsRefused) {
  const auto good = test::saved_bytes(small());
  ASSERT_TRUE(load(good));
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 11) {
    const auto loaded = load(std::span(good).first(size));
    ASSERT_FALSE(loaded) << size;
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
  }
  for (std::size_t at = 0; at < good.size(); at += at < sizeof(FieldFileHeader) || at >= 4096 ? 1 : 61) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    ASSERT_FALSE(load(damaged)) << at;
  }
  auto longer = good;
  longer.resize(good.size() + 64);
  EXPECT_FALSE(load(longer));
}

TEST(GridFile, EachContradictionIsNamed) {
  const auto good = test::saved_bytes(small());
  const auto refuses = [&](std::size_t at, auto value, const char* word) {
    auto damaged = good;
    std::memcpy(damaged.data() + at, &value, sizeof value);
    ASSERT_NE(damaged, good) << word;
    seal(damaged);
    const auto loaded = load(damaged);
    ASSERT_FALSE(loaded) << word;
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
    EXPECT_NE(loaded.error().message.find(word), std::string::npos) << loaded.error().message;
    EXPECT_NE(loaded.error().byte, Error::kNowhere);
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  refuses(0, 'x', "not a file of a field");
  refuses(8, 2u, "version 2");
  refuses(12, 0x04030201u, "byte order");
  refuses(offsetof(FieldFileHeader, dimensions), 4u, "dimensions");
  refuses(offsetof(FieldFileHeader, dimensions), 3u, "field");  // hi.z is not above lo.z
  refuses(offsetof(FieldFileHeader, components), 0u, "components");
  refuses(offsetof(FieldFileHeader, components), 3u, "bytes");
  refuses(offsetof(FieldFileHeader, cells), 0xFFFFFFFFu, "cells");
  refuses(offsetof(FieldFileHeader, cells) + 8, 2u, "cells");
  refuses(offsetof(FieldFileHeader, cells), 50u, "bytes");
  refuses(offsetof(FieldFileHeader, edges), 3u, "edge");
  refuses(offsetof(FieldFileHeader, edges) + 8, 1u, "header");
  refuses(offsetof(FieldFileHeader, lo), kNan, "finite");
  refuses(offsetof(FieldFileHeader, hi), -100.0F, "hi");
  refuses(sizeof(FieldFileHeader) + 100, 'x', "header");
  refuses(4096 + 8, kNan, "value");
  refuses(4096 + 64 + 4, std::numeric_limits<float>::infinity(), "value");
}

TEST(GridFile, WhatIsNotFiniteIsNotSaved) {
  Field field = small(3);
  field.values(1)[17] = std::numeric_limits<float>::infinity();
  const test::ScratchFile file;
  const auto saved = field.save(file.path().string());
  ASSERT_FALSE(saved);
  EXPECT_EQ(test::code_of(saved), ErrorCode::kNotFinite);
  EXPECT_EQ(saved.error().index, 17U);
  EXPECT_NE(saved.error().message.find("component 1, cell (2, 0, 1)"), std::string::npos)
      << saved.error().message;
  EXPECT_FALSE(std::filesystem::exists(file.path()));
}

TEST(GridFile, WhatTheSystemRefusesIsAnError) {
  const auto folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(test::code_of(Field::load((folder / "juxta_no_such.jxf").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(Field::load(folder.string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(small().save((folder / "juxta_no" / "such.jxf").string())), ErrorCode::kIo);
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(small().save("/dev/full")), ErrorCode::kIo);
  }
}

}  // namespace
}  // namespace juxta
