// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// read_vtkhdf() on damaged copies of files that write_vtkhdf() wrote: it reads or refuses, without more
// memory than the file. What it read is of one length, and written again it reads as the same.
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "juxta/files/vtk_points.h"

namespace juxta::fuzz {
namespace {

const ScratchFile& scratch() {
  static const ScratchFile file("vtkhdf_fuzz");
  return file;
}

std::string bytes_of(const PointCloud& cloud) {
  JUXTA_FUZZ_CHECK(write_vtkhdf(scratch().path().string(), cloud).has_value());
  std::ifstream in(scratch().path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string made(std::size_t points, bool with_fields) {
  std::vector<float> x(points), speed(3 * points);
  std::vector<double> mass(points, 0.5);
  std::vector<std::int32_t> kind(points, -3);
  std::vector<std::uint32_t> number(points, 7);
  std::vector<std::int64_t> id(points, 1);
  std::vector<std::uint8_t> ill(points, 1);
  for (std::size_t i = 0; i < points; ++i) {
    x[i] = static_cast<float>(i);
  }
  PointCloud cloud{.x = x, .y = x, .z = x, .fields = {}, .time = 1.5};
  if (with_fields) {
    cloud.fields = {
        {"speed", std::span<const float>(speed), 3},   {"mass", std::span<const double>(mass)},
        {"kind", std::span<const std::int32_t>(kind)}, {"number", std::span<const std::uint32_t>(number)},
        {"id", std::span<const std::int64_t>(id)},     {"ill", std::span<const std::uint8_t>(ill)}};
  }
  return bytes_of(cloud);
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{made(0, true), made(1, false), made(5, true), made(60, true)};
  return files[which % files.size()];
}

std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  const Part parts[] = {{0, 96}, {0, file.size()}};
  damage(bytes, file, parts, 64, [](std::string&) {});  // HDF5 keeps no sums
  return file;
}

/// The same points, borrowed.
PointCloud cloud_of(const StoredPoints& points) {
  PointCloud cloud{.x = points.x, .y = points.y, .z = points.z, .fields = {}, .time = points.time};
  for (const StoredPoints::Field& field : points.fields) {
    std::visit(
        [&](const auto& values) {
          JUXTA_FUZZ_CHECK(values.size() == points.x.size() * field.components);
          cloud.fields.push_back({field.name, std::span(values), field.components});
        },
        field.values);
  }
  return cloud;
}

}  // namespace
}  // namespace juxta::fuzz

/// HDF5 1.10 itself loses memory when it refuses some damaged files.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const std::string file = fuzz::damaged(bytes);
  fuzz::scratch().write(file);
  const auto points = read_vtkhdf(fuzz::scratch().path().string());
  if (!points) {
    JUXTA_FUZZ_CHECK(!points.error().message.empty());
    return 0;
  }
  JUXTA_FUZZ_CHECK(points->x.size() == points->y.size() && points->y.size() == points->z.size());
  JUXTA_FUZZ_CHECK(points->x.size() <= file.size() / (3 * sizeof(float)));
  const PointCloud cloud = fuzz::cloud_of(*points);
  if (!write_vtkhdf(fuzz::scratch().path().string(), cloud)) {
    return 0;  // a name that was damaged is refused
  }
  const std::string written = fuzz::bytes_of(cloud);
  const auto again = read_vtkhdf(fuzz::scratch().path().string());
  JUXTA_FUZZ_CHECK(again && fuzz::bytes_of(fuzz::cloud_of(*again)) == written);
  return 0;
}
