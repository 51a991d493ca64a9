// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// save() and load(): the same layer, which goes on in the same way, and nothing but an error on anything
// else.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "layer/compare_pairs.h"
#include "layer/compare_queries.h"
#include "layer/layer_file.h"
#include "layer/model.h"
#include "layer/world_test.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;
using layer_detail::LayerFileHeader;
using test::Model;
using test::World;

template <class T>
class LayerFile : public test::InEveryDimension<T> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("juxta_layer_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = folder_ / "bodies.jxl";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<char> bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::vector<char>& content) const {
    std::ofstream(path_, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  /// Puts the right checksum into damaged contents, so that the checks behind it are reached.
  static void seal(std::vector<char>& content) {
    const std::uint64_t sum = layer_detail::kLayerFormat.checksum_of(std::as_bytes(std::span(content)));
    std::memcpy(content.data() + offsetof(LayerFileHeader, checksum), &sum, sizeof sum);
  }
  static LayerFileHeader header_of(const std::vector<char>& content) {
    LayerFileHeader header;
    std::memcpy(&header, content.data(), sizeof header);
    return header;
  }

  fs::path folder_, path_;
};
TYPED_TEST_SUITE(LayerFile, test::Dimensions, test::DimensionNames);

/// A layer with a history: holes, strays, dead and reused numbers, filters.
template <int D>
BasicLayer<D> lived_in(World kind, std::size_t count, bool filtered, std::uint64_t seed) {
  scenes::Draws draws(seed);
  auto layer = BasicLayer<D>::build(test::make_world<D>(draws, kind, count)).value();
  for (std::size_t i = 0; i < count / 3; ++i) {
    const Id id = layer.id_of(draws.below(static_cast<std::uint32_t>(layer.capacity())));
    const bool living = layer.alive(id);
    const auto box = test::draw_box<D>(draws, kind, 9);
    const Filter filter = filtered ? test::draw_filter(draws) : Filter{};
    switch (draws.below(4)) {
      case 0:
        EXPECT_TRUE(layer.insert(box, filter));
        break;
      case 1:
        EXPECT_EQ(layer.remove(id).has_value(), living);
        break;
      default:
        EXPECT_EQ(layer.move(id, box).has_value(), living);
        break;
    }
  }
  return layer;
}

template <int D>
void expect_same(const BasicLayer<D>& a, const BasicLayer<D>& b) {
  EXPECT_EQ(test::order_of(a), test::order_of(b));
  ASSERT_EQ(a.capacity(), b.capacity());
  for (std::uint32_t body = 0; body < a.capacity(); ++body) {
    ASSERT_EQ(a.id_of(body), b.id_of(body));
    const auto box_a = a.box_of(body), box_b = b.box_of(body);
    ASSERT_EQ(box_a.has_value(), box_b.has_value());
    if (box_a) {
      ASSERT_TRUE(*box_a == *box_b);
      ASSERT_TRUE(a.filter_of(body).value() == b.filter_of(body).value());
    }
  }
  EXPECT_EQ(test::PairSearch<D>(a, nullptr, {}).all(), test::PairSearch<D>(b, nullptr, {}).all());
  EXPECT_EQ(a.stats().sorts, b.stats().sorts);
  EXPECT_EQ(a.stats().strays, b.stats().strays);
  EXPECT_EQ(a.stats().looseness, b.stats().looseness);
}

TYPED_TEST(LayerFile, RoundTripAndOnFromThere) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    for (const std::size_t n : {0u, 1u, 17u, 257u, 3000u}) {
      SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
      auto saved = lived_in<D>(kind, n, n % 2 == 1, n + 1);
      ASSERT_TRUE(saved.save(this->path_.string()));
      auto loaded = BasicLayer<D>::load(this->path_.string());
      ASSERT_TRUE(loaded) << loaded.error().message;
      expect_same(saved, *loaded);
      const auto first = this->bytes();
      ASSERT_TRUE(loaded->save(this->path_.string()));
      EXPECT_EQ(this->bytes(), first);
      // Both go on in the same way.
      scenes::Draws draws(n);
      for (std::size_t i = 0; i < 400; ++i) {
        const auto box = test::draw_box<D>(draws, kind, 9);
        const Filter filter = test::draw_filter(draws);
        ASSERT_EQ(saved.insert(box, filter).value(), loaded->insert(box, filter).value());
        const Id id = saved.id_of(draws.below(static_cast<std::uint32_t>(saved.capacity())));
        ASSERT_EQ(saved.remove(id).has_value(), loaded->remove(id).has_value());
      }
      expect_same(saved, *loaded);
      std::vector<Aabb<D>> boxes(saved.capacity());
      for (auto& box : boxes) {
        box = test::draw_box<D>(draws, kind, 9);
      }
      ASSERT_TRUE(saved.refit(boxes));
      ASSERT_TRUE(loaded->refit(boxes));
      expect_same(saved, *loaded);
    }
  }
}

TYPED_TEST(LayerFile, TheSameHistoryGivesTheSameBytes) {
  constexpr int D = TestFixture::kD;
  ASSERT_TRUE(lived_in<D>(World::kSparse, 900, true, 5).save(this->path_.string()));
  const auto first = this->bytes();
  {
    // Used memory, so that what nobody wrote would show.
    std::vector<std::vector<char>> rubbish(50, std::vector<char>(100'000, 'x'));
  }
  ASSERT_TRUE(lived_in<D>(World::kSparse, 900, true, 5).save(this->path_.string()));
  EXPECT_EQ(this->bytes(), first);
}

TYPED_TEST(LayerFile, TheOtherDimensionIsRefused) {
  constexpr int D = TestFixture::kD;
  ASSERT_TRUE(lived_in<D>(World::kSparse, 300, false, 1).save(this->path_.string()));
  const auto loaded = BasicLayer<5 - D>::load(this->path_.string());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
  EXPECT_NE(loaded.error().message.find("dimensions"), std::string::npos) << loaded.error().message;
}

TYPED_TEST(LayerFile, EveryTruncationAndEveryFlippedByteIsRefused) {
  constexpr int D = TestFixture::kD;
  ASSERT_TRUE(lived_in<D>(World::kSparse, 300, true, 1).save(this->path_.string()));
  const auto good = this->bytes();
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 7) {
    this->write({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    const auto loaded = BasicLayer<D>::load(this->path_.string());
    ASSERT_FALSE(loaded) << size;
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
    EXPECT_NE(loaded.error().message.find("bodies.jxl"), std::string::npos);
  }
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 500) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    this->write(damaged);
    ASSERT_FALSE(BasicLayer<D>::load(this->path_.string())) << at;
  }
  auto longer = good;
  longer.resize(good.size() + 64);
  this->write(longer);
  EXPECT_FALSE(BasicLayer<D>::load(this->path_.string()));
}

/// Whatever a sealed file says, the layer that loads can be asked and changed.
template <int D>
void use(BasicLayer<D>& layer) {
  const Aabb<D> box{};
  (void)count(layer, box);
  (void)test::PairSearch<D>(layer, nullptr, {}).all();
  const auto id = layer.insert(box);
  ASSERT_TRUE(id);
  ASSERT_TRUE(layer.move(*id, box));
  ASSERT_TRUE(layer.remove(*id));
  for (std::uint32_t body = 0; body < layer.capacity(); body += 3) {
    (void)layer.remove(layer.id_of(body));
  }
  ASSERT_TRUE(layer.refit(std::vector<Aabb<D>>(layer.capacity())));
}

TYPED_TEST(LayerFile, DamageUnderAValidChecksumIsRefusedOrAnswered) {
  constexpr int D = TestFixture::kD;
  ASSERT_TRUE(lived_in<D>(World::kSparse, 400, true, 3).save(this->path_.string()));
  const auto good = this->bytes();
  const layer_detail::LayerFileLayout layout(this->header_of(good));
  scenes::Draws draws(2);
  std::size_t refused = 0;
  for (std::size_t round = 0; round < 4000; ++round) {
    auto damaged = good;
    const std::size_t section = draws.below(layer_detail::kLayerSections + 1);
    const bool in_header = section == layer_detail::kLayerSections;
    const std::size_t begin = in_header ? 0 : layout.begin[section],
                      size = in_header ? sizeof(LayerFileHeader) : layout.bytes[section];
    const std::size_t at = begin + std::size_t{draws.below(static_cast<std::uint32_t>(size / 4))} * 4;
    const std::uint32_t value =
        test::one_of(draws, {0u, 1u, 7u, 400u, 0xFFFFFFFFu, 0x7FC00000u, 0x7F800000u, 0x3F800000u});
    std::memcpy(damaged.data() + at, &value, sizeof value);
    this->seal(damaged);
    this->write(damaged);
    auto loaded = BasicLayer<D>::load(this->path_.string());
    refused += !loaded;
    if (loaded) {
      use(*loaded);
    }
  }
  EXPECT_GT(refused, 2000u);
}

/// Each promise of the file, broken on its own under a good checksum.
TYPED_TEST(LayerFile, EachContradictionIsNamed) {
  constexpr int D = TestFixture::kD;
  ASSERT_TRUE(lived_in<D>(World::kSparse, 400, true, 3).save(this->path_.string()));
  const auto good = this->bytes();
  const LayerFileHeader header = this->header_of(good);
  const layer_detail::LayerFileLayout layout(header);
  const auto refuses = [&](std::size_t at, auto value, const char* word) {
    auto damaged = good;
    std::memcpy(damaged.data() + at, &value, sizeof value);
    ASSERT_NE(damaged, good) << word;
    this->seal(damaged);
    this->write(damaged);
    const auto loaded = BasicLayer<D>::load(this->path_.string());
    ASSERT_FALSE(loaded) << word;
    EXPECT_EQ(test::code_of(loaded), ErrorCode::kCorruptFile);
    EXPECT_NE(loaded.error().message.find(word), std::string::npos) << loaded.error().message;
    EXPECT_NE(loaded.error().byte, Error::kNowhere);
  };
  const auto word_at = [&](layer_detail::LayerSection section, std::size_t i) {
    std::uint32_t word;
    std::memcpy(&word, good.data() + layout.begin[section] + 4 * i, 4);
    return word;
  };
  refuses(0, 'x', "not a file of a layer");
  refuses(8, 9u, "version 9");
  refuses(12, 0x04030201u, "byte order");
  refuses(offsetof(LayerFileHeader, flags), 8u, "counts");
  refuses(offsetof(LayerFileHeader, lanes), ~std::uint64_t{0}, "counts");
  refuses(offsetof(LayerFileHeader, lanes), header.lanes + 16, "bytes");
  refuses(offsetof(LayerFileHeader, bodies), header.bodies - 1, "lanes");
  refuses(offsetof(LayerFileHeader, strays), header.strays + 1, "lanes");
  refuses(offsetof(LayerFileHeader, sorted_end), header.tail_end + 1, "counts");
  refuses(offsetof(LayerFileHeader, edges), std::nan(""), "counts");
  refuses(offsetof(LayerFileHeader, first_free), 0xFFFFFFF0u, "Ids");
  refuses(layout.begin[layer_detail::kLayerBodyOf], word_at(layer_detail::kLayerBodyOf, 1), "lanes");
  refuses(layout.begin[layer_detail::kLayerBodyOf], 0xFFFFFF00u, "lanes");
  const std::uint32_t lane = word_at(layer_detail::kLayerLaneOf, word_at(layer_detail::kLayerBodyOf, 0));
  ASSERT_EQ(lane, 0u);
  refuses(layout.begin[layer_detail::kLayerLaneOf] + 4 * word_at(layer_detail::kLayerBodyOf, 0), 1u, "lanes");
  refuses(layout.begin[layer_detail::kLayerBlocks], test::kNan, "box");
  refuses(layout.begin[layer_detail::kLayerBlocks], test::kInf, "box");
  refuses(layout.begin[layer_detail::kLayerBlocks], 1e30F, "box");      // above hi
  refuses(layout.begin[layer_detail::kLayerBlocks], -1e30F, "bounds");  // below the bounds
  const std::size_t level0 = plan_block_tree(header.lanes).blocks[0] * sizeof(BoxBlock<D>);
  refuses(layout.begin[layer_detail::kLayerBlocks] + level0, -1e30F, "bounds");
  const std::size_t living = word_at(layer_detail::kLayerBodyOf, 0);
  refuses(layout.begin[layer_detail::kLayerGenerations] + 4 * living, 2u, "Ids");
  refuses(layout.begin[layer_detail::kLayerLinks] + 4 * living, header.numbers > 9 ? 0xFFFFu : 0u, "Ids");
}

TYPED_TEST(LayerFile, WhatTheSystemRefusesIsAnError) {
  constexpr int D = TestFixture::kD;
  using L = BasicLayer<D>;
  const auto layer = L::build(std::vector<Aabb<D>>(3)).value();
  EXPECT_EQ(test::code_of(L::load((this->folder_ / "missing.jxl").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(L::load(this->folder_.string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(layer.save((this->folder_ / "no" / "such.jxl").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(layer.save(this->folder_.string())), ErrorCode::kIo);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(layer.save("/dev/full")), ErrorCode::kIo);
  }
}

}  // namespace
}  // namespace juxta
