// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Files that are checked as they are read: the same answers, damage found after them, and nothing read out of
// bounds whatever the names of points are.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ranked/brute.h"
#include "ranked/ranked_file.h"
#include "scenes/hard_points.h"
#include "support/code_of.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;
using ranked_detail::Section;
using test::top_of;

class RankedFileCheck : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::temp_directory_path() / ("juxta_check_" + std::to_string(::getpid()) + ".jxr")).string();
  }
  void TearDown() override { fs::remove(path_); }

  /// With categories and two columns of numbers.
  void save(scenes::HardSet kind, std::size_t n, std::string_view attachment = {}) {
    set_ = scenes::make_hard_points(kind, n, 3);
    std::vector<std::uint64_t> masks(n);
    for (std::size_t i = 0; i < n; ++i) {
      masks[i] = (i * 0x9E3779B97F4A7C15) >> 32 & 7;
    }
    const ValueColumn values[] = {set_.rank, set_.x};
    ASSERT_TRUE(RankedPoints::build(set_.x, set_.y, set_.rank,
                                    {.categories = masks, .keep_ranks = true, .values = values})
                    .value()
                    .save(path_, std::as_bytes(std::span(attachment))));
  }
  [[nodiscard]] std::vector<char> bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::vector<char>& content) const {
    std::ofstream(path_, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  [[nodiscard]] Result<RankedPoints> load() const { return RankedPoints::load(path_, FileCheck::kAsRead); }
  /// Under right sums: a whole check refuses it, and every question ends without it.
  void ask_forged(std::vector<char> forged) const;

  scenes::HardPoints set_;
  std::string path_;
};

/// Every question, by every way.
void ask(const RankedPoints& points, const RectD& rect) {
  std::vector<std::uint32_t> out(3000), cells(64 * 64);
  std::vector<double> distances(out.size());
  const RankedFilter filters[] = {
      {.any = 1}, {.all = 3}, {.none = 4}, {.ranges = {{0, 1000}}}, {.any = 2, .ranges = {{}, {-10, 30}}}};
  for (const std::size_t k :
       {std::size_t{1}, std::size_t{20}, std::size_t{255}, std::size_t{256}, out.size()}) {
    static_cast<void>(points.top(rect, k, out));
    static_cast<void>(points.top_after({RankValue(5.0F), 7}, rect, k, std::span(out).first(k)));
    static_cast<void>(points.top(RankedRegion::circle(rect.lx, rect.ly, 40), k, out));
    for (const RankedFilter& filter : filters) {
      static_cast<void>(points.top(rect, k, out, filter));
    }
  }
  static_cast<void>(points.count(rect));
  for (const RankedFilter& filter : filters) {
    static_cast<void>(points.count(rect, filter));
    static_cast<void>(points.nearest(rect.lx, rect.hy, 50, out, distances, {.filter = filter}));
  }
  static_cast<void>(points.nearest(rect.lx, rect.hy, 50, out, distances, {.most_important = 900}));
  static_cast<void>(points.nearest(rect.lx, rect.hy, 50, out, distances));
  static_cast<void>(points.count_cells(rect, 64, 64, cells));
}

void RankedFileCheck::ask_forged(std::vector<char> forged) const {
  ASSERT_TRUE(ranked_detail::kRankedFormat.seal(std::as_writable_bytes(std::span(forged))));
  write(forged);
  EXPECT_FALSE(RankedPoints::load(path_));
  const auto points = load();
  ASSERT_TRUE(points) << points.error().message;
  test::for_each_isa([&](Isa) {
    for (const RectD& rect : {RectD{-1e9, -1e9, 1e9, 1e9}, RectD{-20, -20, 30, 30}, RectD{5, -90, 5.5, 90}}) {
      ask(*points, rect);
    }
  });
}

TEST_F(RankedFileCheck, AnswersAreThoseOfAWholeCheck) {
  for (const auto kind : scenes::kHardSets) {
    save(kind, 20'000);
    const auto whole = RankedPoints::load(path_).value(), read = load().value();
    EXPECT_EQ(read.memory_bytes(), whole.memory_bytes());
    for (const auto family : scenes::kQueryFamilies) {
      for (const RectF& query : scenes::make_hard_queries(family, set_, 10, 5)) {
        const RectD rect = test::as_double(query);
        ASSERT_EQ(top_of(read, rect, 300), top_of(whole, rect, 300));
        ASSERT_EQ(read.count(rect).found, whole.count(rect).found);
      }
    }
    EXPECT_TRUE(read.check_read());
    EXPECT_TRUE(whole.check_read());
  }
  EXPECT_TRUE(RankedPoints().check_read());
  ASSERT_TRUE(RankedPoints().save(path_));
  EXPECT_TRUE(load().value().check_read());
}

TEST_F(RankedFileCheck, AWrongByteIsFoundBeforeAnAnswerCounts) {
  save(scenes::HardSet::kUniform, 70'001);
  const auto good = bytes();
  const RankedPoints whole = RankedPoints::load(path_).value();
  const RectD all = {-1e9, -1e9, 1e9, 1e9};
  const auto right = top_of(whole, all, 70'001);
  std::size_t found = 0;
  for (std::size_t at = 4096; at < good.size(); at += 60'013) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write(damaged);
    EXPECT_FALSE(RankedPoints::load(path_));
    const auto read = load();
    if (!read) {
      ++found;
      continue;
    }
    const auto answer = top_of(*read, all, 70'001);
    if (const auto checked = read->check_read(); !checked) {
      EXPECT_EQ(test::code_of(checked), ErrorCode::kCorruptFile);
      EXPECT_LE(checked.error().byte, at);
      ++found;
    } else {
      ASSERT_EQ(answer, right) << at;  // a part that nobody has read
    }
  }
  EXPECT_GT(found, 10U);
}

TEST_F(RankedFileCheck, AttachmentsAreReadByYou) {
  const std::string names(std::size_t{16} << 20, 'n');
  save(scenes::HardSet::kUniform, 500, names);
  auto damaged = bytes();
  const std::size_t at = damaged.size() - (std::size_t{8} << 20);
  damaged[at] = 'x';
  write(damaged);
  const auto points = load().value();
  ASSERT_EQ(points.attachment().size(), names.size());
  static_cast<void>(top_of(points, {-1e9, -1e9, 1e9, 1e9}, 20));
  static_cast<void>(
      points.check_read());  // nothing that was read is damaged; where nobody tells, it is found
  const std::string copy(reinterpret_cast<const char*>(points.attachment().data()), names.size());
  EXPECT_NE(copy, names);
  EXPECT_FALSE(points.check_read());
}

TEST_F(RankedFileCheck, CopiesOfAttachmentsAreChecked) {
  std::string names(std::size_t{16} << 20, 'n');
  for (std::size_t i = 0; i < names.size(); i += 1000) {
    names[i] = static_cast<char>('a' + i % 23);
  }
  save(scenes::HardSet::kUniform, 500, names);
  auto damaged = bytes();
  const std::size_t spoilt = std::size_t{8} << 20;
  damaged[damaged.size() - spoilt] ^= 1;
  const auto copy = [&](const RankedPoints& points, std::size_t at, std::size_t size) {
    std::string out(size, '?');
    const auto copied = points.copy_attachment(at, std::as_writable_bytes(std::span(out)));
    EXPECT_TRUE(copied) << copied.error().message;
    return out;
  };
  for (const FileCheck check : {FileCheck::kWhole, FileCheck::kAsRead}) {
    const auto points = RankedPoints::load(path_, check).value();
    for (const std::size_t at : {std::size_t{0}, std::size_t{65'530}, names.size() - 70'000}) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{70'000}}) {
        EXPECT_EQ(copy(points, at, size), names.substr(at, size));
        EXPECT_EQ(copy(points, at, size), names.substr(at, size)) << "again, from checked chunks";
      }
    }
    std::byte one{};
    EXPECT_TRUE(points.copy_attachment(names.size(), {}));
    EXPECT_EQ(test::code_of(points.copy_attachment(names.size(), {&one, 1})), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(points.copy_attachment(names.size() + 1, {})), ErrorCode::kInvalidArgument);
  }
  write(damaged);
  const auto points = load().value();
  std::string out(std::size_t{1} << 20, '?');
  EXPECT_TRUE(points.copy_attachment(0, std::as_writable_bytes(std::span(out))));
  EXPECT_EQ(out, names.substr(0, out.size()));
  std::string all(names.size(), '?');
  const auto copied = points.copy_attachment(0, std::as_writable_bytes(std::span(all)));
  EXPECT_EQ(test::code_of(copied), ErrorCode::kCorruptFile);
  EXPECT_NE(copied.error().message.find(path_), std::string::npos);
  std::byte none{};
  EXPECT_EQ(test::code_of(RankedPoints().copy_attachment(0, {&none, 1})), ErrorCode::kInvalidArgument);
}

TEST_F(RankedFileCheck, DamageGetsNoFreshSums) {
  save(scenes::HardSet::kUniform, 70'001);
  auto damaged = bytes();
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  write(damaged);
  const auto points = load();
  ASSERT_TRUE(points) << points.error().message;
  const auto saved = points->save(path_ + ".copy");
  ASSERT_FALSE(saved);
  EXPECT_EQ(test::code_of(saved), ErrorCode::kCorruptFile);
  EXPECT_NE(saved.error().message.find(path_), std::string::npos);
  EXPECT_FALSE(fs::exists(path_ + ".copy"));
}

// The file is gone then, and its places may be another's.
TEST_F(RankedFileCheck, RebuildLetsTheFileGo) {
  const std::vector<float> none, one = {1};
  for (const auto& columns : {none, one}) {
    save(scenes::HardSet::kUniform, 70'001);
    auto points = load().value();
    static_cast<void>(top_of(points, {-1e9, -1e9, 1e9, 1e9}, 20));
    ASSERT_TRUE(points.check_read());
    ASSERT_TRUE(points.rebuild(columns, columns, columns));
    save(scenes::HardSet::kUniform, 600);
    const auto other = load().value();
    EXPECT_TRUE(points.check_read());
    EXPECT_TRUE(points.save(path_));
    EXPECT_EQ(RankedPoints::load(path_)->size(), columns.size());
    EXPECT_TRUE(other.check_read());
  }
}

// A child's table of pages is new, so it has to look at everything.
TEST_F(RankedFileCheck, AChildChecksAll) {
  save(scenes::HardSet::kUniform, 70'001);
  auto damaged = bytes();
  const std::size_t at = damaged.size() / 2;
  damaged[at] = static_cast<char>(damaged[at] ^ 1);
  write(damaged);
  const auto points = load();
  ASSERT_TRUE(points);
  static_cast<void>(top_of(*points, {-1e9, -1e9, 1e9, 1e9}, 70'001));
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(points->check_read() ? 1 : 0);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Under right sums, as somebody could write who knows the format.
TEST_F(RankedFileCheck, WhateverNamesAreNothingIsReadOutOfBounds) {
  for (const std::size_t n : {std::size_t{900}, std::size_t{30'000}}) {
    save(scenes::HardSet::kCities, n);
    const auto good = bytes();
    ranked_detail::FileHeader header;
    std::memcpy(&header, good.data(), sizeof header);
    const ranked_detail::FileLayout layout(header);
    std::mt19937 random(7);
    for (const bool far : {false, true}) {
      auto forged = good;
      const auto spoil = [&](std::size_t at) {
        const std::uint32_t name = static_cast<std::uint32_t>(far ? 0xFFFF'FFFE - random() % 3 : random());
        std::memcpy(forged.data() + at, &name, sizeof name);
      };
      std::vector<std::size_t> sections = {ranked_detail::kListBlocks,         ranked_detail::kTallTops,
                                           ranked_detail::kTallLeaves,         ranked_detail::kFlatTops,
                                           ranked_detail::kFlatLeaves,         ranked_detail::kLevelBlocks,
                                           ranked_detail::kCategoryTops,       ranked_detail::kCategoryLeaves,
                                           ranked_detail::kCategoryListBlocks, ranked_detail::kBest};
      for (const std::size_t column : {0U, 1U}) {
        sections.push_back(ranked_detail::section_of(column, ranked_detail::kRun));
      }
      for (const std::size_t section : sections) {
        for (std::size_t block = 0; block < layout.bytes[section]; block += sizeof(ranked_detail::Block)) {
          for (std::size_t lane = 0; lane < ranked_detail::kBlockSize; lane += 1 + random() % 3) {
            spoil(layout.begin[section] + block + offsetof(ranked_detail::Block, name) + 4 * lane);
          }
        }
      }
      for (const std::size_t section : {ranked_detail::kTallNodes, ranked_detail::kFlatNodes}) {
        for (std::size_t node = 0; node < layout.bytes[section]; node += sizeof(ranked_detail::Node)) {
          for (std::size_t bound = 0; bound < offsetof(ranked_detail::Node, first); bound += 20) {
            spoil(layout.begin[section] + node + bound);
          }
        }
      }
      for (std::size_t at = 0; at < layout.bytes[ranked_detail::kIndexOf]; at += 12) {
        spoil(layout.begin[ranked_detail::kIndexOf] + at);
      }
      ask_forged(std::move(forged));
    }
  }
}

// The same for children that do not exist, in nodes, and places that are none, in cells of levels. Queries
// also end: a run of places ends where its level does.
TEST_F(RankedFileCheck, WhateverNodesAndCellsSayQueriesEnd) {
  using ranked_detail::Node;
  for (const std::size_t n : {std::size_t{900}, std::size_t{30'000}, std::size_t{120'000}}) {
    save(scenes::HardSet::kCities, n);
    const auto good = bytes();
    ranked_detail::FileHeader header;
    std::memcpy(&header, good.data(), sizeof header);
    const ranked_detail::FileLayout layout(header);
    std::mt19937 random(11);
    for (const std::uint32_t value : {0U, 1U, 0xFFFF'FFFEU, 0xFFFF'FFFFU, 7U}) {
      auto forged = good;
      const auto spoil = [&](std::size_t at) {
        const auto word = value == 7 ? static_cast<std::uint32_t>(random()) : value;
        std::memcpy(forged.data() + at, &word, sizeof word);
      };
      for (const Section section :
           {ranked_detail::kTallNodes, ranked_detail::kFlatNodes, ranked_detail::kCategoryNodes}) {
        for (std::size_t node = 0; node < layout.bytes[section]; node += sizeof(Node)) {
          for (std::size_t c = 0; c < ranked_detail::kFanout; c += 1 + random() % 2) {
            spoil(layout.begin[section] + node + offsetof(Node, first) + 4 * c);
          }
        }
      }
      for (std::size_t at = 0; at < layout.bytes[ranked_detail::kLevelCells]; at += 4 + 4 * (random() % 3)) {
        spoil(layout.begin[ranked_detail::kLevelCells] + at);
      }
      ask_forged(std::move(forged));
    }
  }
}

// Bounds of children that a node does not have are not checked: no search may go there.
TEST_F(RankedFileCheck, BoundsOfUnusedChildrenLeadNowhere) {
  for (const std::size_t n : {600, 20'000}) {
    ASSERT_NO_FATAL_FAILURE(save(scenes::HardSet::kUniform, n));
    const auto good = RankedPoints::load(path_);
    ASSERT_TRUE(good);
    std::vector<char> forged = bytes();
    ranked_detail::FileHeader header;
    std::memcpy(&header, forged.data(), sizeof header);
    const ranked_detail::FileLayout layout(header);
    for (const Section section : {ranked_detail::kTallNodes, ranked_detail::kFlatNodes}) {
      for (std::size_t at = 0; at < layout.bytes[section]; at += sizeof(ranked_detail::Node)) {
        ranked_detail::Node node;
        std::memcpy(&node, forged.data() + layout.begin[section] + at, sizeof node);
        for (std::size_t c = 0; c < ranked_detail::kFanout; ++c) {
          if (node.first[c] == ranked_detail::kNoPoint) {
            node.lx[c] = node.ly[c] = 0;
            node.hx[c] = node.hy[c] = 0xFFFF;
          }
        }
        std::memcpy(forged.data() + layout.begin[section] + at, &node, sizeof node);
      }
    }
    ASSERT_TRUE(ranked_detail::kRankedFormat.seal(std::as_writable_bytes(std::span(forged))));
    const std::string other = path_ + ".forged";
    std::ofstream(other, std::ios::binary).write(forged.data(), static_cast<std::streamsize>(forged.size()));
    const auto points = RankedPoints::load(other);
    fs::remove(other);
    ASSERT_TRUE(points) << points.error().message;
    test::for_each_isa([&](Isa) {
      for (std::size_t i = 0; i < n; i += 7) {
        const double x = set_.x[i], y = set_.y[i];
        for (const double half : {0.0, 0.05, 3.0}) {
          const RectD rect{x - half, y - half, x + half, y + half};
          ASSERT_EQ(top_of(*points, rect, 20), top_of(*good, rect, 20)) << i << ' ' << half;
        }
      }
    });
  }
}

}  // namespace
}  // namespace juxta
