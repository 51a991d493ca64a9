// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// load() on arbitrary bytes and on damaged copies of saved files, most of them with a checksum that fits
// again, as an attacker would: it answers or refuses. Whatever loads is queried: an answer may be wrong
// there, but every index is in range and nothing outside the file is read (it is mapped, so an overrun past
// its pages is a fault). The same with FileCheck::kAsRead, where an index may be anything.
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "fuzz/check.h"
#include "fuzz/ranked/point_set.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked/ranked_file.h"

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

/// A saved file of so many points, float or double, with up to two columns of numbers.
template <class Coordinate>
std::string saved(std::size_t points, std::uint64_t categories = 0, std::size_t columns = 0) {
  const std::vector<std::uint8_t> seed(8, static_cast<std::uint8_t>(points));
  Draw draw(seed.data(), seed.size());
  std::vector<Coordinate> x, y;
  std::vector<std::int32_t> rank;
  std::vector<std::uint64_t> masks;
  for (std::size_t i = 0; i < points; ++i) {
    masks.push_back((i * 0x9E3779B97F4A7C15u) & categories);
    x.push_back(static_cast<Coordinate>(draw.below(1000)));
    y.push_back(static_cast<Coordinate>(draw.below(50)));
    rank.push_back(static_cast<std::int32_t>(draw.below(300)));
  }
  const ValueColumn values[] = {rank, y};
  const auto built = RankedPoints::build(
      x, y, rank,
      {.categories = masks, .keep_ranks = points % 3 == 0, .values = std::span(values).first(columns)});
  const std::string attachment(points % 100, 'a');
  JUXTA_FUZZ_CHECK(built && built->save(scratch_file().string(), std::as_bytes(std::span(attachment))));
  std::ifstream in(scratch_file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{saved<float>(0),         saved<float>(1),
                                              saved<float>(40),        saved<double>(40),
                                              saved<float>(3000),      saved<double>(3000),
                                              saved<float>(40, 9),     saved<float>(3000, 0x8000000000000105),
                                              saved<float>(40, 9, 2),  saved<double>(9000, 0, 1),
                                              saved<float>(9000, 5, 2)};
  return files[which % files.size()];
}

/// Overwrites a few numbers, in the header, in one section (all of them get their turn, however small), or
/// anywhere; sometimes cuts or extends.
std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  ranked_detail::FileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  const ranked_detail::FileLayout layout(header);
  const std::size_t patches = bytes.ConsumeIntegralInRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < patches; ++i) {
    std::size_t first = 0, size = sizeof header;
    if (const std::size_t section =
            bytes.ConsumeIntegralInRange<std::size_t>(0, ranked_detail::kSections + 1);
        section < ranked_detail::kSections && header.points != 0 && layout.bytes[section] != 0) {
      first = layout.begin[section];
      size = layout.bytes[section];
    }
    const std::size_t at = first + bytes.ConsumeIntegralInRange<std::size_t>(0, size - 1);
    auto value = bytes.ConsumeBytesAsString(bytes.ConsumeIntegralInRange<std::size_t>(1, 8));
    value.resize(std::min(value.size(), file.size() - at));
    file.replace(at, value.size(), value);
  }
  switch (bytes.ConsumeIntegralInRange<int>(0, 7)) {
    case 0:
      file.resize(bytes.ConsumeIntegralInRange<std::size_t>(0, file.size()));
      break;
    case 1:
      file += bytes.ConsumeRemainingBytesAsString();
      break;
    default:
      break;
  }
  if (bytes.ConsumeIntegralInRange<int>(0, 7) != 0) {
    static_cast<void>(ranked_detail::kRankedFormat.seal(std::as_writable_bytes(std::span(file))));
  }
  return file;
}

/// `names`: whether load() has checked the names of points.
void query(const RankedPoints& points, bool names) {
  const auto check_index = [&](std::uint32_t index) { JUXTA_FUZZ_CHECK(!names || index < points.size()); };
  std::size_t sum = 0;
  for (const std::byte b : points.attachment()) {  // all of it is inside the file
    sum += std::to_integer<std::size_t>(b);
  }
  JUXTA_FUZZ_CHECK(sum <= 255 * points.attachment().size());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const RectD all = points.bounds();
  const std::vector<RectD> rects{{-kInfinity, -kInfinity, kInfinity, kInfinity},
                                 all,
                                 {all.lx, all.ly, all.lx, all.ly},
                                 {10, 10, 20, 20},
                                 {500, -kInfinity, 510, kInfinity},
                                 {-kInfinity, 20, kInfinity, 20}};
  std::vector<std::uint32_t> out(600), cells(30 * 20);
  std::vector<double> distances(600);
  for (const auto& rect : rects) {
    for (const std::size_t k : {std::size_t{1}, std::size_t{20}, std::size_t{200}, out.size()}) {
      const auto top = points.top(rect, k, out);
      JUXTA_FUZZ_CHECK(top.written <= k);
      for (std::size_t i = 0; i < top.written; ++i) {
        check_index(out[i]);
      }
    }
    static_cast<void>(points.count(rect));
    for (const std::size_t k : {std::size_t{20}, out.size()}) {
      for (const RankedFilter& filter : {RankedFilter{}, RankedFilter{.all = 4}, RankedFilter{.any = 9}}) {
        const auto page = points.top_after({100, 7}, rect, k, std::span(out).first(k), filter);
        JUXTA_FUZZ_CHECK(!page || page->written <= k);
        for (std::size_t i = 0; page && i < page->written; ++i) {
          check_index(out[i]);
        }
      }
    }
    for (const RankedFilter& filter :
         {RankedFilter{.any = 1}, RankedFilter{.all = 4}, RankedFilter{.any = 9, .none = 4},
          RankedFilter{.all = 5}, RankedFilter{.ranges = {{100, 101}}}, RankedFilter{.ranges = {{20, 290.5}}},
          RankedFilter{.all = 1, .ranges = {{5, 250}, {3, 30}}}}) {
      static_cast<void>(points.count(rect, filter));
      for (const std::size_t k : {std::size_t{20}, out.size()}) {
        const auto top = points.top(rect, k, out, filter);
        JUXTA_FUZZ_CHECK(top.written <= k);
        for (std::size_t i = 0; i < top.written; ++i) {
          check_index(out[i]);
        }
      }
    }
    const double xs[] = {rect.lx, rect.hx, all.lx}, ys[] = {rect.ly, 30, rect.hy};
    for (const RankedRegion& region :
         {RankedRegion::circle(rect.lx, 20, 100), RankedRegion::ring(500, 25, 5, 300),
          RankedRegion::across({700, 0, 100, 40}), RankedRegion::polygon(xs, ys)}) {
      static_cast<void>(points.count(region));
      const auto top = points.top(region, 300, out, {.none = 4});
      for (std::size_t i = 0; i < top.written; ++i) {
        check_index(out[i]);
      }
    }
    static_cast<void>(points.count_cells(rect, 30, 20, cells));
    for (const std::size_t most : {std::size_t{5}, points.size()}) {
      const auto near =
          points.nearest(rect.lx, rect.hy, out.size(), out, distances,
                         {.most_important = most, .filter = {.ranges = {{most % 2 == 0 ? 0 : 100, 200}}}});
      for (std::size_t i = 0; i < near.written; ++i) {
        check_index(out[i]);
      }
    }
  }
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 3) == 0;
  fuzz::write_file(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  const auto points = RankedPoints::load(fuzz::scratch_file().string());
  if (points) {
    fuzz::query(*points, true);
  } else {
    JUXTA_FUZZ_CHECK(!points.error().message.empty());
  }
  if (const auto read = RankedPoints::load(fuzz::scratch_file().string(), FileCheck::kAsRead)) {
    fuzz::query(*read, false);
    JUXTA_FUZZ_CHECK(read->check_read() || !points);
  } else {
    JUXTA_FUZZ_CHECK(!points);  // what this refuses, that does, too
  }
  return 0;
}
