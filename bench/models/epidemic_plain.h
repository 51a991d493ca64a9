// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The epidemic of examples/study_epidemic.cpp in plain C++: the same rules, parameters and random numbers,
// and the same people in the end, bit by bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/core/random.h"

namespace juxta::bench {

struct PlainEpidemic {
  float radius, infect, illness, stride;
  std::uint64_t first_id;         // random_id() of person 0; the others follow
  std::vector<float> x, y, days;  // by Id

  /// All are put into cells, and those who are susceptible look around.
  void step_all(const RandomKey& key);
  /// Only the ill are put into cells, random numbers come in blocks, and cells without ill neighbours are
  /// skipped.
  void step_ill(const RandomKey& key);

 private:
  void file(bool all);
  [[nodiscard]] std::size_t ill_near(std::size_t i) const;
  void live(std::size_t i, std::size_t near, const std::array<std::uint32_t, 4>& lot);

  std::int32_t cells_ = 0;  // along an edge
  float inverse_ = 0;
  std::vector<std::uint32_t> begins_, cell_of_;
  std::vector<float> filed_x_, filed_y_, filed_days_, escapes_;
  std::vector<std::array<std::uint32_t, 4>> lots_;
};

}  // namespace juxta::bench
