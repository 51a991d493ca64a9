// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// resume() on arbitrary bytes and on damaged copies of run files, most of them with checksums that fit again:
// it goes on or refuses. What goes on can be stepped, and what it saves is the same run again.
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/draw.h"
#include "juxta/study/run.h"
#include "study/pond.h"
#include "study/run_file.h"
#include "study/sealed_run.h"

namespace juxta::fuzz {
namespace {

std::filesystem::path scratch_file() {
  return std::filesystem::temp_directory_path() / ("run_load_fuzz." + std::to_string(getpid()) + ".jxr");
}

void write_file(const std::string& bytes) {
  std::ofstream(scratch_file(), std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string saved(const Run& run) {
  JUXTA_FUZZ_CHECK(run.save(scratch_file()).has_value());
  std::ifstream in(scratch_file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string lived_in(std::initializer_list<std::pair<const char*, double>> values, int steps) {
  Run run = Run::begin(test::ponds()[1], test::pond_with(values), 3).value();
  for (int step = 0; step < steps; ++step) {
    JUXTA_FUZZ_CHECK(run.step().has_value());
  }
  return saved(run);
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{lived_in({{"fish", 0}}, 0),
                                              lived_in({{"fish", 3}, {"tables", 1}}, 1), lived_in({}, 5),
                                              lived_in({{"fish", 40}, {"tables", 1}}, 4)};
  return files[which % files.size()];
}

/// Overwrites a few words with likely values or any: in the header, the catalogue, the tables, or the header
/// and all of the simulation; sometimes cuts.
std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  detail::RunFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  const std::size_t catalogue = detail::kHeaderBytes, tables = catalogue + header.catalogue;
  const std::size_t simulation = file.size() - header.simulation;
  const std::size_t begins[] = {0, catalogue, tables, simulation, simulation + detail::kHeaderBytes};
  const std::size_t ends[] = {sizeof header, tables, simulation, simulation + 96, file.size()};
  const std::size_t patches = bytes.ConsumeIntegralInRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < patches; ++i) {
    const auto part = bytes.ConsumeIntegralInRange<std::size_t>(0, 4);
    if (ends[part] < begins[part] + 4) {
      continue;
    }
    const std::size_t words = (ends[part] - begins[part]) / 4;
    const std::size_t at = begins[part] + 4 * bytes.ConsumeIntegralInRange<std::size_t>(0, words - 1);
    std::uint32_t value;
    std::memcpy(&value, file.data() + at, sizeof value);
    switch (bytes.ConsumeIntegralInRange<int>(0, 3)) {
      case 0:
        value ^= std::uint32_t{1} << bytes.ConsumeIntegralInRange<unsigned>(0, 31);
        break;
      case 1:
        value += bytes.ConsumeIntegralInRange<std::uint32_t>(0, 4) - 2;
        break;
      case 2:
        value = bytes.ConsumeIntegralInRange<std::uint32_t>(0, 64);
        break;
      default:
        value = bytes.ConsumeIntegral<std::uint32_t>();
    }
    std::memcpy(file.data() + at, &value, sizeof value);
  }
  if (bytes.ConsumeIntegralInRange<int>(0, 15) == 0) {
    file.resize(bytes.ConsumeIntegralInRange<std::size_t>(0, file.size()));
  }
  if (bytes.ConsumeIntegralInRange<int>(0, 15) != 0) {
    test::seal(file);
  }
  return file;
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  fuzz::write_file(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  auto run = Run::resume(fuzz::scratch_file(), test::ponds());
  if (!run) {
    JUXTA_FUZZ_CHECK(!run.error().message.empty());
    JUXTA_FUZZ_CHECK(run.error().code != ErrorCode::kCorruptFile || run.error().byte != Error::kNowhere);
    return 0;
  }
  for (int step = 0; step < 2; ++step) {
    if (const auto stepped = run->step(); !stepped) {
      JUXTA_FUZZ_CHECK(!stepped.error().message.empty());
      return 0;
    }
  }
  const std::string once = fuzz::saved(*run);
  auto again = Run::resume(fuzz::scratch_file(), test::ponds());
  JUXTA_FUZZ_CHECK(again.has_value());
  JUXTA_FUZZ_CHECK(again->state_hash() == run->state_hash());
  JUXTA_FUZZ_CHECK(fuzz::saved(*again) == once);
  return 0;
}
