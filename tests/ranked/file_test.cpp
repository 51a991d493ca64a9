// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// save() and load(): the same answers, the same bytes, and nothing but an error on anything else.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "ranked/brute.h"
#include "ranked/ranked_file.h"
#include "scenes/hard_points.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;
using test::top_of;

class RankedFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("juxta_ranked_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = folder_ / "points.jxr";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<char> bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::vector<char>& content) const {
    std::ofstream(path_, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  /// Puts the right checksum into damaged contents, so that the checks behind it are reached.
  static void seal(std::vector<char>& content) {
    ASSERT_TRUE(ranked_detail::kRankedFormat.seal(std::as_writable_bytes(std::span(content))));
  }

  fs::path folder_, path_;
};

TEST_F(RankedFile, RoundTrip) {
  for (const auto kind : scenes::kHardSets) {
    const scenes::HardPoints set = scenes::make_hard_points(kind, 20'000, 3);
    const auto built = RankedPoints::build(set.x, set.y, set.rank).value();
    ASSERT_TRUE(built.save(path_.string()));
    const auto loaded = RankedPoints::load(path_.string());
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->size(), built.size());
    EXPECT_EQ(loaded->bounds(), built.bounds());
    for (const auto family : scenes::kQueryFamilies) {
      for (const RectF& query : scenes::make_hard_queries(family, set, 30, 5)) {
        const RectD rect = test::as_double(query);
        ASSERT_EQ(top_of(*loaded, rect, 50), top_of(built, rect, 50));
        ASSERT_EQ(loaded->count(rect).found, built.count(rect).found);
      }
    }
    const auto first = bytes();
    ASSERT_TRUE(loaded->save(path_.string()));  // over the file that it maps
    EXPECT_EQ(bytes(), first);
    EXPECT_EQ(fs::file_size(path_), static_cast<std::uintmax_t>(first.size()));
  }
}

TEST_F(RankedFile, EmptyDoubleAndBorrowed) {
  ASSERT_TRUE(RankedPoints().save(path_.string()));
  EXPECT_EQ(RankedPoints::load(path_.string()).value().size(), 0u);

  const std::vector<double> xs = {1, 2, 3, 4}, ys = {4, 3, 2, 1};
  struct Both {
    double x, y;
  };
  const std::vector<Both> both = {{1, 4}, {2, 3}, {3, 2}, {4, 1}};
  RankedPointsOptions borrow;
  borrow.borrow_coordinates = true;
  const std::vector<float> ranks = {4, 1, 3, 2};
  ASSERT_TRUE(RankedPoints::build(xs, ys, ranks).value().save(path_.string()));
  const auto owned = bytes();
  ASSERT_TRUE(RankedPoints::build({&both[0].x, 4, sizeof(Both)}, {&both[0].y, 4, sizeof(Both)}, ranks, borrow)
                  .value()
                  .save(path_.string()));
  EXPECT_EQ(bytes(), owned);
  EXPECT_EQ(top_of(RankedPoints::load(path_.string()).value(), {0, 0, 9, 9}, 4),
            (std::vector<std::uint32_t>{1, 3, 2, 0}));
}

TEST_F(RankedFile, AnAttachmentComesBackAndNeverPartsFromItsPoints) {
  const std::vector<float> ranks = {4, 1, 3, 2};
  const auto points = RankedPoints::build(ranks, ranks, ranks).value();
  ASSERT_TRUE(points.save(path_.string()));
  const auto alone = bytes();
  for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 5000u}) {
    const std::string text(size, 'n');
    for (const RankedPoints* saved : {&points, static_cast<const RankedPoints*>(nullptr)}) {
      const RankedPoints none;
      ASSERT_TRUE((saved != nullptr ? *saved : none).save(path_.string(), std::as_bytes(std::span(text))));
      auto loaded = RankedPoints::load(path_.string());
      ASSERT_TRUE(loaded) << loaded.error().message;
      const auto got = loaded->attachment();
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(got.data()), got.size()), text);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(got.data()) % 64, 0u);
      EXPECT_EQ(loaded->size(), saved != nullptr ? 4u : 0u);
      ASSERT_TRUE(loaded->rebuild(ranks, ranks, ranks));
      EXPECT_TRUE(loaded->attachment().empty());
    }
  }
  ASSERT_TRUE(points.save(path_.string(), std::as_bytes(std::span("names"))));
  const auto good = bytes();
  for (std::size_t at = alone.size(); at < good.size(); ++at) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write(damaged);
    EXPECT_FALSE(RankedPoints::load(path_.string())) << at;
  }
  for (const std::uint64_t lie : {std::uint64_t{65}, std::uint64_t{0}, std::uint64_t{good.size()},
                                  ~std::uint64_t{0}, ~std::uint64_t{63}}) {
    auto forged = good;
    std::memcpy(forged.data() + offsetof(ranked_detail::FileHeader, attachment_bytes), &lie, sizeof lie);
    seal(forged);
    write(forged);
    EXPECT_FALSE(RankedPoints::load(path_.string())) << lie;
  }
  ASSERT_TRUE(points.save(path_.string()));
  EXPECT_EQ(bytes(), alone);  // without one, nothing tells that there could be one
}

TEST_F(RankedFile, EveryTruncationAndEveryFlippedByteIsRefused) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, 300, 3);
  ASSERT_TRUE(RankedPoints::build(set.x, set.y, set.rank).value().save(path_.string()));
  const auto good = bytes();
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 7) {
    write({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    const auto loaded = RankedPoints::load(path_.string());
    ASSERT_FALSE(loaded) << size;
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
    EXPECT_NE(loaded.error().message.find("points.jxr"), std::string::npos);
  }
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 500) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    write(damaged);
    ASSERT_FALSE(RankedPoints::load(path_.string())) << at;
  }
  auto longer = good;
  longer.resize(good.size() + 64);
  write(longer);
  EXPECT_FALSE(RankedPoints::load(path_.string()));
}

TEST_F(RankedFile, DamageUnderAValidChecksumIsRefusedOrAnswered) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kCities, 2000, 3);
  ASSERT_TRUE(RankedPoints::build(set.x, set.y, set.rank).value().save(path_.string()));
  const auto good = bytes();
  std::size_t refused = 0, state = 1;
  for (int round = 0; round < 3000; ++round) {
    auto damaged = good;
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::size_t at = (state >> 20) % (damaged.size() - 8) / 2 * 2;
    const std::uint64_t value = round % 3 == 0   ? ~std::uint64_t{0}
                                : round % 3 == 1 ? state
                                                 : 0x7F80'0000'7FC0'0001u;
    std::memcpy(damaged.data() + at, &value, 4);
    seal(damaged);
    write(damaged);
    const auto loaded = RankedPoints::load(path_.string());
    refused += !loaded;
    if (loaded) {
      for (const RectD& rect : {RectD{-1e9, -1e9, 1e9, 1e9}, RectD{0, 0, 10, 10}, RectD{-1, -60, 0.5, 60}}) {
        (void)top_of(*loaded, rect, 7);
        (void)top_of(*loaded, rect, 1500);
        (void)loaded->count(rect);
      }
    }
  }
  EXPECT_GT(refused, 300u);
}

TEST_F(RankedFile, OnePointNamedEverywhereIsAnsweredWithinBounds) {
  const std::size_t n = 3000;
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, n, 3);
  const ValueColumn values[] = {set.rank, set.x};
  ASSERT_TRUE(RankedPoints::build(set.x, set.y, set.rank, {.values = values}).value().save(path_.string()));
  auto forged = bytes();
  ranked_detail::FileHeader header;
  std::memcpy(&header, forged.data(), sizeof header);
  const ranked_detail::FileLayout layout(header);
  for (const auto section : {ranked_detail::kTallTops, ranked_detail::kTallLeaves, ranked_detail::kFlatTops,
                             ranked_detail::kFlatLeaves, ranked_detail::kLevelBlocks,
                             ranked_detail::section_of(0, ranked_detail::kRun),
                             ranked_detail::section_of(1, ranked_detail::kRun)}) {
    char* blocks = forged.data() + layout.begin[section];
    for (std::size_t at = 0; at < layout.bytes[section]; at += sizeof(ranked_detail::Block)) {
      std::uint32_t names[ranked_detail::kBlockSize];
      std::memcpy(names, blocks + at + offsetof(ranked_detail::Block, name), sizeof names);
      for (auto& name : names) {
        name = name == ranked_detail::kNoPoint ? name : 7;
      }
      std::memcpy(blocks + at + offsetof(ranked_detail::Block, name), names, sizeof names);
    }
  }
  // No list answers, so that the trees must.
  std::memset(forged.data() + layout.begin[ranked_detail::kListLengths], 0,
              layout.bytes[ranked_detail::kListLengths]);
  seal(forged);
  write(forged);
  const auto loaded = RankedPoints::load(path_.string());
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const std::size_t k : {1u, 20u, 100u, 255u, 256u, 700u, 3000u}) {
    for (const std::uint32_t index : top_of(*loaded, {-1e9, -1e9, 1e9, 1e9}, k)) {
      ASSERT_LT(index, n);
    }
    for (const RankedFilter& filter :
         {RankedFilter{.ranges = {{10, 40}}}, RankedFilter{.ranges = {{10, 1000}}},
          RankedFilter{.ranges = {{}, {-1e9, 1e9}}}}) {
      std::vector<std::uint32_t> found(k);
      found.resize(loaded->top({-1e9, -1e9, 1e9, 1e9}, k, found, filter).written);
      for (const std::uint32_t index : found) {
        ASSERT_LT(index, n);
      }
    }
  }
}

TEST_F(RankedFile, RefusesColumnsThatLeadNowhere) {
  const std::size_t n = 900;
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, n, 3);
  const ValueColumn values[] = {set.rank};
  ASSERT_TRUE(RankedPoints::build(set.x, set.y, set.rank, {.values = values}).value().save(path_.string()));
  const auto good = bytes();
  ranked_detail::FileHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  const ranked_detail::FileLayout layout(header);
  const std::size_t name = offsetof(ranked_detail::Block, name);
  for (const auto& [section, offset] : {std::pair(ranked_detail::section_of(0, ranked_detail::kBegin), 8UL),
                                        {ranked_detail::section_of(0, ranked_detail::kRun), name},
                                        {ranked_detail::kBest, name},
                                        {ranked_detail::kBest, layout.bytes[ranked_detail::kBest] - 4}}) {
    auto forged = good;
    const std::uint32_t far = 901;
    std::memcpy(forged.data() + layout.begin[section] + offset, &far, sizeof far);
    seal(forged);
    write(forged);
    const auto loaded = RankedPoints::load(path_.string());
    ASSERT_FALSE(loaded);
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
  }
}

TEST_F(RankedFile, WhatTheSystemRefusesIsAnError) {
  const auto points =
      RankedPoints::build(std::vector<float>{1}, std::vector<float>{1}, std::vector<float>{1}).value();
  EXPECT_EQ(test::code_of(RankedPoints::load((folder_ / "missing.jxr").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(RankedPoints::load(folder_.string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(points.save((folder_ / "no" / "such.jxr").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(points.save(folder_.string())), ErrorCode::kIo);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(points.save("/dev/full")), ErrorCode::kIo);
  }
}

}  // namespace
}  // namespace juxta
