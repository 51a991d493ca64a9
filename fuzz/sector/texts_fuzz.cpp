// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes, and damaged copies of good ones, are a scenario, a manifest and a replay, or refused: with a
// line of the file where it has lines. What is read may begin, and its text reads back as the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "sector/checkpoint_file.h"
#include "sector/replay.h"
#include "sector/tiny_scenario.h"

namespace juxta::fuzz {
namespace {

using namespace sector;

const std::string& good(int kind) {
  static const std::string scenario = scenario_text(sector::test::tiny());
  static const std::string manifest = manifest_text(
      {600, 17, {"tick_000600.simulation", 99, 5}, {"tick_000600.hierarchy", 98, 6}, sector::test::tiny()});
  static const std::string replay =
      "{\"juxta\": \"replay\", \"version\": 1, \"first\": 0, \"scenario\": \"seed = 3\"}\n"
      "{\"tick\": 1, \"hash\": \"00f3a6f1d2b4c596\"}\n{\"tick\": 2, \"hash\": \"9c41d0aa37e58b02\"}\n";
  return kind == 0 ? scenario : kind == 1 ? manifest : replay;
}

/// With pieces of it replaced by the fuzzer's.
std::string patched(FuzzedDataProvider& bytes, std::string text) {
  for (int i = bytes.ConsumeIntegralInRange<int>(1, 4); i > 0 && !text.empty(); --i) {
    const auto at = bytes.ConsumeIntegralInRange<std::size_t>(0, text.size() - 1);
    const auto length = bytes.ConsumeIntegralInRange<std::size_t>(0, 24);
    text.replace(at, length, bytes.ConsumeRandomLengthString(24));
  }
  return text;
}

void check_error(const Error& error, std::string_view text, bool lines) {
  JUXTA_FUZZ_CHECK(error.code == ErrorCode::kParse || error.code == ErrorCode::kCorruptFile);
  JUXTA_FUZZ_CHECK(!error.message.empty());
  const auto last = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  JUXTA_FUZZ_CHECK(!lines || (error.line >= 1 && error.line <= last));
}

void check_scenario_text(std::string_view text) {
  const auto read = parse_scenario(text);
  if (!read) {
    return check_error(read.error(), text, true);
  }
  JUXTA_FUZZ_CHECK(check_scenario(*read).has_value());
  const std::string again = scenario_text(*read);
  const auto same = parse_scenario(again);
  JUXTA_FUZZ_CHECK(same.has_value() && *same == *read && scenario_text(*same) == again);
}

void check_manifest(std::string_view text) {
  const auto read = parse_manifest(text);
  if (!read) {
    return check_error(read.error(), text, false);
  }
  for (const Sealed& file : {read->simulation, read->hierarchy}) {
    JUXTA_FUZZ_CHECK(file.name.find('/') == std::string::npos && file.name.starts_with("tick_"));
  }
  const auto same = parse_manifest(manifest_text(*read));
  JUXTA_FUZZ_CHECK(same.has_value() && *same == *read);
}

void check_replay(std::string_view text) {
  const auto read = parse_replay(text);
  if (!read) {
    return check_error(read.error(), text, true);
  }
  JUXTA_FUZZ_CHECK(check_scenario(read->scenario).has_value());
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  JUXTA_FUZZ_CHECK(read->hashes.size() + 1 == std::max<std::size_t>(ends, 1));
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta::fuzz;
  FuzzedDataProvider bytes(data, size);
  const int kind = bytes.ConsumeIntegralInRange<int>(0, 2);
  const std::string text =
      bytes.ConsumeBool() ? bytes.ConsumeRemainingBytesAsString() : patched(bytes, good(kind));
  kind == 0 ? check_scenario_text(text) : kind == 1 ? check_manifest(text) : check_replay(text);
  return 0;
}
