// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A build without HDF5 or libpng says so, and writes nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "juxta/files/raster.h"
#include "juxta/files/vtk_cells.h"
#include "juxta/files/vtk_points.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;

template <class T>
void expect_missing(const Result<T>& result, const std::string& name) {
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
  EXPECT_NE(result.error().message.find(name), std::string::npos) << result.error().message;
}

TEST(Missing, Hdf5IsNamed) {
  const std::string path = (fs::temp_directory_path() / "juxta_no_such.vtkhdf").string();
  const auto written = write_vtkhdf(path, PointCloud{});
  if (written) {
    fs::remove(path);
    GTEST_SKIP() << "this build has HDF5";
  }
  expect_missing(written, "HDF5");
  expect_missing(write_vtkhdf(path, CellImage{}), "HDF5");
  expect_missing(read_vtkhdf(path), "HDF5");
  EXPECT_FALSE(fs::exists(path));
}

TEST(Missing, LibpngIsNamed) {
  const Raster image(2, 2);
  if (has_png()) {
    GTEST_SKIP() << "this build has libpng";
  }
  const auto bytes = encode_png(image);
  expect_missing(bytes, "libpng");
  const std::string path = (fs::temp_directory_path() / "juxta_no_such.png").string();
  expect_missing(write_png(path, image), "libpng");
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace juxta
