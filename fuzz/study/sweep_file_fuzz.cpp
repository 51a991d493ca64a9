// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes are a sweep that is read, or refused with a line of the file. What is read obeys the contract of
// Sweep. The same bytes as a journal are whole groups and a rest.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/check.h"
#include "study/pond.h"
#include "study/replica.h"
#include "study/sweep_file.h"
#include "study/sweep_journal.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t groups = 0;
  const std::size_t whole = study_detail::read_groups(text, 5, {2, 2}, [&](study_detail::ReplicaRows&& rows) {
    JUXTA_FUZZ_CHECK(rows.replica < 5 && rows.values.size() == 2 * rows.columns.size() &&
                     !rows.columns.empty());
    ++groups;
  });
  JUXTA_FUZZ_CHECK(whole <= size && (whole == 0) == (groups == 0));

  const auto sweep = study_detail::parse_sweep(text, test::ponds());
  if (!sweep) {
    const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    JUXTA_FUZZ_CHECK(sweep.error().code == ErrorCode::kParse && !sweep.error().message.empty());
    JUXTA_FUZZ_CHECK(sweep.error().line >= 1 && sweep.error().line <= lines);
    return 0;
  }
  JUXTA_FUZZ_CHECK(sweep->model != nullptr && !sweep->seeds.empty());
  JUXTA_FUZZ_CHECK(sweep->replicas() >= 1 && sweep->replicas() <= study_detail::kMostReplicas);
  JUXTA_FUZZ_CHECK(study_detail::check_sweep(*sweep).has_value());
  for (const auto& [name, values] : sweep->vary) {
    JUXTA_FUZZ_CHECK(!values.empty() && std::isfinite(sweep->parameters[name]));
  }
  const study_detail::Replica last(*sweep, sweep->replicas() - 1);
  JUXTA_FUZZ_CHECK(last.seed() == sweep->seeds.back());
  for (std::size_t v = 0; v < sweep->vary.size(); ++v) {
    JUXTA_FUZZ_CHECK(last.values()[v] == sweep->vary[v].second.back());
  }
  return 0;
}
