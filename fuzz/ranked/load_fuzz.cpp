// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// load() on arbitrary bytes and on damaged copies of saved files: it answers or refuses. Whatever loads is
// queried: an answer may be wrong there, but every index is in range and no byte outside the file is read
// (address sanitizer; the copy on disk is mapped, so an overrun past the last page is a fault).
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/check.h"
#include "fuzz/ranked/point_set.h"
#include "juxta/ranked/ranked_points.h"

namespace juxta::fuzz {
namespace {

std::filesystem::path scratch_file() {
  static const auto path =
      std::filesystem::temp_directory_path() / ("ranked_load_fuzz." + std::to_string(getpid()) + ".jxr");
  return path;
}

void write_file(const std::string& bytes) {
  std::ofstream(scratch_file(), std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A saved file of about 2^shape points, float or double.
template <class Coordinate>
std::string saved(std::size_t points) {
  const std::vector<std::uint8_t> seed(8, static_cast<std::uint8_t>(points));
  Draw draw(seed.data(), seed.size());
  std::vector<Coordinate> x, y;
  std::vector<std::int32_t> rank;
  for (std::size_t i = 0; i < points; ++i) {
    x.push_back(static_cast<Coordinate>(draw.below(1000)));
    y.push_back(static_cast<Coordinate>(draw.below(50)));
    rank.push_back(static_cast<std::int32_t>(draw.below(300)));
  }
  const auto built = RankedPoints::build(x, y, rank);
  JUXTA_FUZZ_CHECK(built && built->save(scratch_file()));
  std::ifstream in(scratch_file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{saved<float>(0),   saved<float>(1),    saved<float>(40),
                                              saved<double>(40), saved<float>(3000), saved<double>(3000)};
  return files[which % files.size()];
}

/// Overwrites a few bytes, mostly in the first kilobyte, where counts and offsets stand; cuts or extends.
std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  const std::size_t patches = bytes.ConsumeIntegralInRange<std::size_t>(0, 8);
  for (std::size_t i = 0; i < patches && !file.empty(); ++i) {
    const std::size_t reach = bytes.ConsumeBool() ? std::min<std::size_t>(file.size(), 1024) : file.size();
    const std::size_t at = bytes.ConsumeIntegralInRange<std::size_t>(0, reach - 1);
    const auto value = bytes.ConsumeBytesAsString(bytes.ConsumeIntegralInRange<std::size_t>(1, 8));
    file.replace(at, std::min(value.size(), file.size() - at), value, 0,
                 std::min(value.size(), file.size() - at));
  }
  switch (bytes.ConsumeIntegralInRange<int>(0, 3)) {
    case 0:
      file.resize(bytes.ConsumeIntegralInRange<std::size_t>(0, file.size()));
      break;
    case 1:
      file += bytes.ConsumeRemainingBytesAsString();
      break;
    default:
      break;
  }
  return file;
}

void query(const RankedPoints& points) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const RectD all = points.bounds();
  const std::vector<RectD> rects{{-kInfinity, -kInfinity, kInfinity, kInfinity},
                                 all,
                                 {all.lx, all.ly, all.lx, all.ly},
                                 {10, 10, 20, 20},
                                 {500, -kInfinity, 510, kInfinity},
                                 {-kInfinity, 20, kInfinity, 20}};
  std::vector<std::uint32_t> out(200);
  for (const auto& rect : rects) {
    for (const std::size_t k : {std::size_t{1}, std::size_t{20}, out.size()}) {
      const auto top = points.top(rect, k, out);
      JUXTA_FUZZ_CHECK(top.written <= k);
      for (std::size_t i = 0; i < top.written; ++i) {
        JUXTA_FUZZ_CHECK(out[i] < points.size());
      }
    }
    JUXTA_FUZZ_CHECK(points.count(rect).count <= points.size());
  }
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 3) == 0;
  fuzz::write_file(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  if (const auto points = RankedPoints::load(fuzz::scratch_file())) {
    fuzz::query(*points);
  } else {
    JUXTA_FUZZ_CHECK(!points.error().message.empty());
  }
  return 0;
}
