// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// TriangleMesh::save() and open(): the same mesh, and nothing but an error on anything else.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "shape/mesh_answers.h"
#include "shape/mesh_file.h"
#include "shape/parts_store.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/fnv.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;
using shape_detail::MeshFileHeader;
using shape_detail::MeshFileLayout;
using shape_detail::MeshSection;
using test::Kind;
using test::Soup;

class MeshFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("juxta_mesh_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = folder_ / "rock.jxm";
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
    const std::uint64_t sum = shape_detail::kMeshFormat.checksum_of(std::as_bytes(std::span(content)));
    std::memcpy(content.data() + offsetof(MeshFileHeader, checksum), &sum, sizeof sum);
  }
  static MeshFileHeader header_of(const std::vector<char>& content) {
    MeshFileHeader header;
    std::memcpy(&header, content.data(), sizeof header);
    return header;
  }
  [[nodiscard]] Result<TriangleMesh> open() const { return TriangleMesh::open(path_.string()); }

  fs::path folder_, path_;
};

TriangleMesh build(const Soup& soup, MeshQuality quality = MeshQuality::kDefault) {
  return TriangleMesh::build(MeshView(soup.vertices, soup.triangles), {.quality = quality}).value();
}
Soup soup_of(Kind kind, std::size_t n) {
  scenes::Draws draws(n + 1);
  return n == 0 ? Soup{} : test::make_soup(kind, n, draws);
}

TEST_F(MeshFile, RoundTrip) {
  for (const Kind kind : {Kind::kRandom, Kind::kSphere, Kind::kDegenerate, Kind::kSizes, Kind::kDuplicates}) {
    for (const std::size_t n : {0U, 1U, 5U, 33U, 3000U}) {
      for (const MeshQuality quality : {MeshQuality::kDefault, MeshQuality::kFast, MeshQuality::kBest}) {
        SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
        const Soup soup = soup_of(kind, n);
        const TriangleMesh saved = build(soup, quality);
        ASSERT_TRUE(saved.save(path_.string()));
        const auto opened = open();
        ASSERT_TRUE(opened) << opened.error().message;
        EXPECT_LT(opened->memory_bytes(), 4096U);  // views of the file
        test::expect_same_answers(saved, *opened, soup);
        const auto first = bytes();
        ASSERT_TRUE(opened->save((folder_ / "again.jxm").string()));
        path_ = folder_ / "again.jxm";
        EXPECT_EQ(bytes(), first);
        path_ = folder_ / "rock.jxm";
        EXPECT_EQ(first.size(), MeshFileLayout(header_of(first)).total);
      }
    }
  }
}

TEST_F(MeshFile, AnOpenedMeshCanBeRefitAndReplaced) {
  const Soup soup = soup_of(Kind::kSphere, 800);
  ASSERT_TRUE(build(soup).save(path_.string()));
  TriangleMesh opened = open().value();
  const auto first = bytes();
  std::vector<Vec3> vertices = soup.vertices;
  for (Vec3& v : vertices) {
    v = v * 2 + Vec3{1, v.x, 0};
  }
  ASSERT_TRUE(opened.refit(vertices));
  EXPECT_EQ(bytes(), first);  // the file is as it was
  const Soup after{vertices, soup.triangles};
  test::expect_same_answers(build(after), opened, after);
  const TriangleMesh old = open().value();
  ASSERT_TRUE(opened.save(path_.string()));  // whoever holds the old file keeps it
  test::expect_same_answers(build(soup), old, soup);
  test::expect_same_answers(build(after), open().value(), after);
}

/// One file for every machine, compiler and instruction set.
TEST_F(MeshFile, GoldenBytes) {
  const Soup soup = test::make_sphere(2000);
  test::for_each_isa([&](Isa) {
    ASSERT_TRUE(build(soup).save(path_.string()));
    const auto plain = bytes();
    EXPECT_EQ(test::fnv(std::span<const char>(plain)), 10704323573239322564ULL);
    ASSERT_TRUE(build(soup, MeshQuality::kFast).save(path_.string()));
    const auto fast = bytes();
    EXPECT_EQ(test::fnv(std::span<const char>(fast)), 11755850761236015686ULL);
  });
}

TEST_F(MeshFile, EveryTruncationAndEveryFlippedBitIsRefused) {
  ASSERT_TRUE(build(soup_of(Kind::kRandom, 60)).save(path_.string()));
  const auto good = bytes();
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 7) {
    write({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    const auto opened = open();
    ASSERT_FALSE(opened) << size;
    EXPECT_EQ(test::code_of(opened), ErrorCode::kCorruptFile);
    EXPECT_NE(opened.error().message.find("rock.jxm"), std::string::npos);
  }
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 900) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 8);
    write(damaged);
    ASSERT_FALSE(open()) << at;
  }
  auto longer = good;
  longer.resize(good.size() + 64);
  write(longer);
  EXPECT_FALSE(open());
}

/// Whatever a sealed file says: it is refused, or it answers as a new mesh of its own triangles does.
TEST_F(MeshFile, DamageUnderAValidChecksumIsRefusedOrAnswered) {
  ASSERT_TRUE(build(soup_of(Kind::kTerrain, 300)).save(path_.string()));
  const auto good = bytes();
  const MeshFileLayout layout(header_of(good));
  scenes::Draws draws(2);
  std::size_t refused = 0;
  for (std::size_t round = 0; round < 4000; ++round) {
    auto damaged = good;
    const std::size_t section = draws.below(shape_detail::kMeshSections + 1);
    const bool in_header = section == shape_detail::kMeshSections;
    const std::size_t begin = in_header ? 0 : layout.begin[section],
                      size = in_header ? sizeof(MeshFileHeader) : layout.bytes[section];
    const std::size_t at = begin + std::size_t{draws.below(static_cast<std::uint32_t>(size / 4))} * 4;
    constexpr std::uint32_t kValues[] = {0U,          1U,          7U,          0x80000000U, 0xFFFFFFFFU,
                                         0x7FC00000U, 0x7F800000U, 0x3F800000U, 0x90000001U};
    const std::uint32_t value = kValues[draws.below(9)];
    std::memcpy(damaged.data() + at, &value, sizeof value);
    seal(damaged);
    write(damaged);
    const auto opened = open();
    refused += opened ? 0U : 1U;
    if (opened && round % 16 == 0) {
      Soup own;
      const auto& tree = shape_detail::Access::store(*opened).triangles.tree();
      own.vertices.assign(tree.vertices.span().begin(), tree.vertices.span().end());
      own.triangles.assign(tree.triangles.span().begin(), tree.triangles.span().end());
      const TriangleMesh right = build(own);
      for (const Ray3& ray : test::make_rays(own, 20, draws)) {
        ASSERT_TRUE(test::same_answer(raycast(right, {}, ray), raycast(*opened, {}, ray)));
      }
    }
  }
  EXPECT_GT(refused, 3000U);
}

/// Each promise of the file, broken on its own under a good checksum.
TEST_F(MeshFile, EachContradictionIsNamed) {
  ASSERT_TRUE(build(soup_of(Kind::kSphere, 800)).save(path_.string()));
  const auto good = bytes();
  const MeshFileHeader header = header_of(good);
  const MeshFileLayout layout(header);
  const auto refuses = [&](std::size_t at, auto value, const char* word) {
    auto damaged = good;
    std::memcpy(damaged.data() + at, &value, sizeof value);
    ASSERT_NE(damaged, good) << word;
    seal(damaged);
    write(damaged);
    const auto opened = open();
    ASSERT_FALSE(opened) << word;
    EXPECT_EQ(test::code_of(opened), ErrorCode::kCorruptFile);
    EXPECT_NE(opened.error().message.find(word), std::string::npos) << opened.error().message;
    EXPECT_NE(opened.error().byte, Error::kNowhere);
  };
  refuses(0, 'x', "not a file of a mesh");
  refuses(8, 2U, "version 2");
  refuses(12, 0x04030201U, "byte order");
  refuses(offsetof(MeshFileHeader, vertices), std::uint64_t{1} << 33, "contradict each other");
  refuses(offsetof(MeshFileHeader, triangles), std::uint64_t{1} << 29, "contradict each other");
  refuses(offsetof(MeshFileHeader, nodes), std::uint64_t{0}, "contradict each other");
  refuses(offsetof(MeshFileHeader, nodes), header.nodes + 1, "bytes where");
  refuses(offsetof(MeshFileHeader, blocks), header.triangles + 1, "contradict each other");
  refuses(offsetof(MeshFileHeader, closed), 2U, "contradict each other");
  refuses(offsetof(MeshFileHeader, unused), 1U, "contradict each other");
  refuses(offsetof(MeshFileHeader, bounds), -2.0F, "bounds");
  refuses(layout.begin[shape_detail::kMeshVertices] + 4, std::numeric_limits<float>::quiet_NaN(), "finite");
  refuses(layout.begin[shape_detail::kMeshTriangles], static_cast<std::uint32_t>(header.vertices),
          "not there");
  const std::size_t root = layout.begin[shape_detail::kMeshNodes];
  const std::size_t children = offsetof(shape_detail::TriangleNode, child);
  const char* const kTree = "each triangle once";
  shape_detail::TriangleNode node;
  std::memcpy(&node, good.data() + root, sizeof node);
  ASSERT_FALSE(shape_detail::ChildWord::is_leaf(node.child[0]));
  ASSERT_FALSE(shape_detail::ChildWord::is_leaf(node.child[1]));
  refuses(root + children, 0U, kTree);  // a node is gone, and its box is still there
  refuses(root + children, node.child[1], kTree);
  refuses(root + children, static_cast<std::uint32_t>(header.nodes), kTree);
  refuses(root + children, 0x8FFFFFFFU, kTree);       // a leaf behind the last block
  refuses(root + sizeof node + children, 1U, kTree);  // its own child
  refuses(root, node.side[0][0] - 1, kTree);
  refuses(root + 8 * 4 * 3, node.side[3][0] + 1, kTree);
  refuses(root + offsetof(shape_detail::TriangleNode, order), 0U, kTree);
  refuses(root + offsetof(shape_detail::TriangleNode, order), node.order[0] | 1U << 24, kTree);
  const std::size_t block = layout.begin[shape_detail::kMeshBlocks];
  const std::size_t numbers = offsetof(shape_detail::TriangleBlock, number);
  std::uint32_t second;
  std::memcpy(&second, good.data() + block + numbers + 4, sizeof second);
  refuses(block + numbers, second, kTree);
  refuses(block + numbers, static_cast<std::uint32_t>(header.triangles), kTree);
  refuses(block, 5.0F, kTree);
}

TEST_F(MeshFile, WhatTheSystemRefusesIsAnError) {
  const TriangleMesh mesh = build(soup_of(Kind::kSphere, 40));
  EXPECT_EQ(test::code_of(open()), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(TriangleMesh::open(folder_.string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(mesh.save((folder_ / "no" / "such.jxm").string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(mesh.save(folder_.string())), ErrorCode::kIo);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(mesh.save("/dev/full")), ErrorCode::kIo);
  }
  ASSERT_TRUE(mesh.save(path_.string()));
#if !defined(_WIN32)       // which has other rights
  if (::geteuid() != 0) {  // root may read everything
    ASSERT_EQ(::chmod(path_.c_str(), 0), 0);
    EXPECT_EQ(test::code_of(open()), ErrorCode::kIo);
  }
#endif
}

}  // namespace
}  // namespace juxta
