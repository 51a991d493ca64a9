// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// resume() on arbitrary bytes and on damaged copies of run files, most of them with checksums that fit again:
// it goes on or refuses. What goes on can be stepped, and what it saves is the same run again.
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "study/pond.h"
#include "study/run_file.h"
#include "study/sealed_run.h"

namespace juxta::fuzz {
namespace {

const ScratchFile& scratch() {
  static const ScratchFile file("run_load_fuzz");
  return file;
}

std::string lived_in(std::initializer_list<std::pair<const char*, double>> values, int steps) {
  Run run = Run::begin(test::ponds()[1], test::pond_with(values), 3).value();
  for (int step = 0; step < steps; ++step) {
    JUXTA_FUZZ_CHECK(run.step().has_value());
  }
  return scratch().saved(run);
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
  study_detail::RunFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  const std::size_t catalogue = core_detail::kHeaderBytes, tables = catalogue + header.catalogue;
  const std::size_t simulation = file.size() - header.simulation;
  const Part parts[] = {{0, sizeof header},
                        {catalogue, tables},
                        {tables, simulation},
                        {simulation, simulation + 96},
                        {simulation + core_detail::kHeaderBytes, file.size()}};
  damage(bytes, file, parts, 64, test::seal);
  return file;
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  fuzz::scratch().write(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  auto run = Run::resume(fuzz::scratch().path().string(), test::ponds());
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
  const std::string once = fuzz::scratch().saved(*run);
  auto again = Run::resume(fuzz::scratch().path().string(), test::ponds());
  JUXTA_FUZZ_CHECK(again.has_value());
  JUXTA_FUZZ_CHECK(again->state_hash() == run->state_hash());
  JUXTA_FUZZ_CHECK(fuzz::scratch().saved(*again) == once);
  return 0;
}
