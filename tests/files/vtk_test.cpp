// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Snapshots: what is refused, whole files or none, quiet, the same bytes; the index's text. What is in the
// files is read back by others, in vtk_reader_test.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>
#include <variant>
#include <vector>

#include "files/hdf_image.h"
#include "files/vtk_clouds.h"
#include "juxta/files/vtk_cells.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;

class Vtk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("vtk_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "points.vtkhdf";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// The message with which points are refused.
  [[nodiscard]] std::string refused(const PointCloud& points) const {
    const auto written = write_vtkhdf(path_.string(), points);
    EXPECT_FALSE(written.has_value());
    EXPECT_FALSE(fs::exists(path_));
    if (written) {
      return "";
    }
    EXPECT_EQ(test::code_of(written), ErrorCode::kInvalidArgument);
    return written.error().message;
  }

  fs::path folder_, path_;
};

TEST_F(Vtk, RefusesLengthsThatDiffer) {
  const test::Cloud cloud(5, false, 0);
  PointCloud points = cloud.points();
  points.y = points.y.first(4);
  EXPECT_NE(refused(points).find("y 4"), std::string::npos);
  points = cloud.points();
  points.z = points.z.first(1);
  EXPECT_NE(refused(points).find("z 1"), std::string::npos);
  points = cloud.points();
  points.fields[2].values = std::span(cloud.energy).first(4);
  const std::string message = refused(points);
  EXPECT_NE(message.find("\"energy\""), std::string::npos);
  EXPECT_NE(message.find("4 values for 5 points"), std::string::npos);
  points = cloud.points();
  points.fields[1].components = 1;
  EXPECT_NE(refused(points).find("15 values"), std::string::npos);
  points = cloud.points();
  points.fields[1].components = 2;
  EXPECT_NE(refused(points).find("1 or 3"), std::string::npos);
  points.fields[1].components = 0;
  EXPECT_NE(refused(points).find("0 components"), std::string::npos);
}

TEST_F(Vtk, RefusesNamesThatHaveNoPlace) {
  const test::Cloud cloud(2, true, 0);
  for (const char* name : {"", ".", "a/b", "/a", "a:b", "a|b", "a\nb", "\x7F"}) {
    PointCloud points = cloud.points();
    points.fields[3].name = name;
    EXPECT_NE(refused(points).find("another name"), std::string::npos) << name;
  }
  PointCloud points = cloud.points();
  points.fields[6].name = "charge";
  EXPECT_NE(refused(points).find("twice"), std::string::npos);
  EXPECT_EQ(write_vtkhdf(path_.string(), points).error().index, 6u);
  points.fields[6].name = "..";
  EXPECT_TRUE(write_vtkhdf(path_.string(), points).has_value()) << "means nothing to HDF5";
}

TEST_F(Vtk, RefusesTimesThatAreNone) {
  const test::Cloud cloud(2, true, std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(refused(cloud.points()).find("finite"), std::string::npos);
}

TEST_F(Vtk, TheSamePointsTheSameBytes) {
  const test::Cloud cloud(1000, false, 3), other(70'000, true, 4);
  ASSERT_TRUE(write_vtkhdf(path_.string(), cloud.points()).has_value());
  const std::string first = bytes(path_);
  EXPECT_GT(first.size(), 1000u * (17 + 12 + 4 + 12 + 8 + 4 + 4 + 8 + 1));
  EXPECT_LT(first.size(), 1000u * (17 + 12 + 4 + 12 + 8 + 4 + 4 + 8 + 1) + 40'000u);
  ASSERT_TRUE(write_vtkhdf((folder_ / "other.vtkhdf").string(), other.points()).has_value());
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // times of making would differ now
  ASSERT_TRUE(write_vtkhdf(path_.string(), cloud.points()).has_value());
  EXPECT_TRUE(bytes(path_) == first);
}

TEST_F(Vtk, WholeOrNotAtAll) {
  const test::Cloud cloud(100, false, 0);
  EXPECT_EQ(test::code_of(write_vtkhdf((folder_ / "none" / "points.vtkhdf").string(), cloud.points())),
            ErrorCode::kIo);
  EXPECT_EQ(test::code_of(write_vtkhdf(folder_.string(), cloud.points())), ErrorCode::kIo);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(write_vtkhdf("/dev/full", cloud.points())), ErrorCode::kIo);
    EXPECT_EQ(test::code_of(write_xdmf("/dev/full", {})), ErrorCode::kIo);
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

/// What a program of HDF5's own might have set.
herr_t mine(hid_t, void* calls) {
  ++*static_cast<int*>(calls);
  return 0;
}

TEST_F(Vtk, Hdf5SaysNothingAndIsLeftAsItWas) {
  int calls = 0;
  H5E_auto2_t before = nullptr, now = nullptr;
  void *before_data = nullptr, *now_data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &before_data);
  H5Eset_auto2(H5E_DEFAULT, mine, &calls);
  testing::internal::CaptureStderr();
  {
    auto file = OutputFile::open(path_.string());
    ASSERT_TRUE(file.has_value());
    files_detail::HdfImage image(1000);
    image.add_group("there/is/none/above");
    image.add_group("afterwards nothing is done");
    EXPECT_EQ(test::code_of(image.write_to(*file)), ErrorCode::kIo);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5Eget_auto2(H5E_DEFAULT, &now, &now_data);
  EXPECT_TRUE(now == mine && now_data == &calls);
  EXPECT_EQ(calls, 0);
  H5Eset_auto2(H5E_DEFAULT, before, before_data);
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0) << "everything was given back";
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Vtk, ThreadsWriteTheirFilesAtTheSameTime) {
  const test::Cloud cloud(5000, false, 0);
  ASSERT_TRUE(write_vtkhdf(path_.string(), cloud.points()).has_value());
  const std::string want = bytes(path_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(
            write_vtkhdf((folder_ / std::to_string(t * 10 + i)).string(), cloud.points()).has_value());
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(bytes(folder_ / std::to_string(i)) == want) << i;
  }
}

TEST_F(Vtk, TheIndexNamesEveryTimeAndField) {
  XdmfStep first{0, "a&b_0.vtkhdf", 3, {{"speed <x>", "Float 4", 1}}};
  XdmfStep second{0.1, "a&b_1.vtkhdf", 4, {{"velocity", "Float 4", 3}, {"id", "Int 8", 1}}};
  ASSERT_TRUE(write_xdmf((folder_ / "a.xdmf").string(), std::vector{first, second}).has_value());
  EXPECT_EQ(bytes(folder_ / "a.xdmf"), R"(<?xml version="1.0" encoding="utf-8"?>
<Xdmf Version="3.0">
  <Domain>
    <Grid Name="points" GridType="Collection" CollectionType="Temporal">
      <Grid Name="points" GridType="Uniform">
        <Time Value="0"/>
        <Topology TopologyType="Polyvertex" NumberOfElements="3" NodesPerElement="1">
          <DataItem Dimensions="3" NumberType="Int" Precision="8" Format="HDF">a&amp;b_0.vtkhdf:/VTKHDF/Connectivity</DataItem>
        </Topology>
        <Geometry GeometryType="XYZ">
          <DataItem Dimensions="3 3" NumberType="Float" Precision="4" Format="HDF">a&amp;b_0.vtkhdf:/VTKHDF/Points</DataItem>
        </Geometry>
        <Attribute Name="speed &lt;x&gt;" AttributeType="Scalar" Center="Node">
          <DataItem Dimensions="3" NumberType="Float" Precision="4" Format="HDF">a&amp;b_0.vtkhdf:/VTKHDF/PointData/speed &lt;x&gt;</DataItem>
        </Attribute>
      </Grid>
      <Grid Name="points" GridType="Uniform">
        <Time Value="0.1"/>
        <Topology TopologyType="Polyvertex" NumberOfElements="4" NodesPerElement="1">
          <DataItem Dimensions="4" NumberType="Int" Precision="8" Format="HDF">a&amp;b_1.vtkhdf:/VTKHDF/Connectivity</DataItem>
        </Topology>
        <Geometry GeometryType="XYZ">
          <DataItem Dimensions="4 3" NumberType="Float" Precision="4" Format="HDF">a&amp;b_1.vtkhdf:/VTKHDF/Points</DataItem>
        </Geometry>
        <Attribute Name="velocity" AttributeType="Vector" Center="Node">
          <DataItem Dimensions="4 3" NumberType="Float" Precision="4" Format="HDF">a&amp;b_1.vtkhdf:/VTKHDF/PointData/velocity</DataItem>
        </Attribute>
        <Attribute Name="id" AttributeType="Scalar" Center="Node">
          <DataItem Dimensions="4" NumberType="Int" Precision="8" Format="HDF">a&amp;b_1.vtkhdf:/VTKHDF/PointData/id</DataItem>
        </Attribute>
      </Grid>
    </Grid>
  </Domain>
</Xdmf>
)");
}

TEST_F(Vtk, AStepKnowsTheTypesOfItsFields) {
  const test::Cloud cloud(3, false, 1.5);
  const XdmfStep step = xdmf_step(cloud.points(), "f");
  EXPECT_EQ(step.time, 1.5);
  EXPECT_EQ(step.points, 3u);
  const std::vector<XdmfStep::Field> want = {{"speed of x", "Float 4", 1}, {"velocity", "Float 4", 3},
                                             {"energy", "Float 8", 1},     {"charge", "Int 4", 1},
                                             {"colour", "UInt 4", 1},      {"id", "Int 8", 1},
                                             {"kind", "UChar 1", 1}};
  EXPECT_EQ(step.fields, want);
}

TEST_F(Vtk, AnIndexOfGridsIsReadBack) {
  const std::vector<float> values(6);
  CellImage grid{{3, 2, 1}, {-1, 0.1, 0}, {0.5, 1e-3, 1}, {{"a<b", std::span<const float>(values)}}, 4};
  const XdmfStep step = xdmf_step(grid, "grid_4.vtkhdf");
  const std::string path = (folder_ / "g.xdmf").string();
  ASSERT_TRUE(write_xdmf(path, std::vector{step}));
  const auto read = read_xdmf(path).value();
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].file, step.file);
  EXPECT_EQ(read[0].points, 12U);  // two layers
  EXPECT_EQ(read[0].grid, step.grid);
  EXPECT_EQ(read[0].fields, step.fields);
  // Written again it is the same text: a resumed run goes on with it.
  const std::string text = bytes(path);
  ASSERT_TRUE(write_xdmf(path, read));
  EXPECT_EQ(bytes(path), text);
}

TEST_F(Vtk, GridsThatMakeNoSenseAreRefused) {
  const std::vector<float> values(6);
  const CellImage good{{3, 2, 1}, {}, {1, 1, 1}, {{"a", std::span<const float>(values)}}, 0};
  const std::string path = (folder_ / "g.vtkhdf").string();
  ASSERT_TRUE(write_vtkhdf(path, good));
  const std::string before = bytes(path);
  std::vector<CellImage> bad(8, good);
  bad[0].cells[1] = 0;
  bad[1].lo[2] = std::numeric_limits<double>::quiet_NaN();
  bad[2].cell_size[0] = 0;
  bad[3].time = std::numeric_limits<double>::infinity();
  bad[4].cells[0] = 4;
  bad[5].fields.push_back(good.fields[0]);
  bad[6].fields[0].name = "a/b";
  bad[7].cells = {1U << 22, 1U << 21, 1U << 21};  // 2^64: as many as none
  bad[7].fields[0].values = std::span<const float>();
  for (std::size_t i = 0; i < bad.size(); ++i) {
    EXPECT_EQ(test::code_of(write_vtkhdf(path, bad[i])), ErrorCode::kInvalidArgument) << i;
  }
  EXPECT_EQ(bytes(path), before);
}

/// Field by field, value by value.
void expect_read(const StoredPoints& read, const PointCloud& wrote) {
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  EXPECT_TRUE(same(read.x, wrote.x));
  EXPECT_TRUE(same(read.y, wrote.y));
  EXPECT_EQ(read.time, wrote.time);
  ASSERT_EQ(read.fields.size(), wrote.fields.size());
  for (const PointField& field : wrote.fields) {
    const auto found = std::find_if(read.fields.begin(), read.fields.end(),
                                    [&](const StoredPoints::Field& f) { return f.name == field.name; });
    ASSERT_NE(found, read.fields.end()) << field.name;
    EXPECT_EQ(found->components, field.components);
    EXPECT_EQ(found->values.index(), field.values.index()) << field.name;
    std::visit(
        [&](const auto& values) {
          using T = std::remove_cv_t<typename std::decay_t<decltype(values)>::element_type>;
          const auto* const got = std::get_if<std::vector<T>>(&found->values);
          EXPECT_TRUE(got != nullptr && same(*got, values)) << field.name;
        },
        field.values);
  }
}

TEST_F(Vtk, ReadsWhatItWrote) {
  for (const std::uint32_t count : {0u, 1u, 1000u, 70'000u}) {
    for (const bool flat : {true, false}) {
      const test::Cloud cloud(count, flat, 2.5);
      ASSERT_TRUE(write_vtkhdf(path_.string(), cloud.points()).has_value());
      const auto read = read_vtkhdf(path_.string());
      ASSERT_TRUE(read) << read.error().message;
      expect_read(*read, cloud.points());
      EXPECT_EQ(read->z, flat ? std::vector<float>(count) : cloud.z);
    }
  }
}

/// HDF5 keeps no sums of arrays, so that a changed value is read as it is. What else is damaged is refused,
/// or has no part in what is read: it never reads more than the file holds.
TEST_F(Vtk, RefusesWhatIsDamaged) {
  EXPECT_EQ(test::code_of(read_vtkhdf(path_.string())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(read_vtkhdf(folder_.string())), ErrorCode::kIo);
  const test::Cloud cloud(50, false, 1);
  ASSERT_TRUE(write_vtkhdf(path_.string(), cloud.points()).has_value());
  const std::string whole = bytes(path_);
  const auto read_as = [&](const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return read_vtkhdf(path_.string());
  };
  testing::internal::CaptureStderr();
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    const auto read = read_as(whole.substr(0, size));
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(test::code_of(read), ErrorCode::kCorruptFile);
  }
  for (std::size_t at = 0; at < whole.size(); at += 61) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    if (const auto read = read_as(changed)) {
      EXPECT_LE(read->x.size(), whole.size());
    }
  }
  EXPECT_FALSE(read_as("x,y\n1,2\n"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0) << "everything was given back";
}

}  // namespace
}  // namespace juxta
