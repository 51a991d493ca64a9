// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Checksums that fit a damaged run file, as an attacker would write them.
#pragma once

#include <cstring>
#include <span>
#include <string>

#include "agents/simulation_file.h"
#include "study/run_file.h"

namespace juxta::test {

inline void seal(std::string& file) {
  using core_detail::kHeaderBytes;
  if (file.size() < kHeaderBytes || file.size() % 8 != 0) {
    return;
  }
  study_detail::RunFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.simulation >= kHeaderBytes && header.simulation <= file.size() - kHeaderBytes &&
      header.simulation % 8 == 0) {
    const std::size_t begin = file.size() - header.simulation;
    const auto bytes = std::as_bytes(std::span(file)).subspan(begin);
    const std::uint64_t sum = agents_detail::kSimulationFormat.checksum_of(bytes);
    std::memcpy(file.data() + begin + offsetof(agents_detail::SimulationFileHeader, checksum), &sum,
                sizeof sum);
  }
  const std::uint64_t sum = study_detail::kRunFormat.checksum_of(std::as_bytes(std::span(file)));
  std::memcpy(file.data() + offsetof(study_detail::RunFileHeader, checksum), &sum, sizeof sum);
}

}  // namespace juxta::test
