// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/answers.h"

#include <cstring>

#include "bench/support/settings.h"

namespace juxta::bench {

bool same_record(const classics::Record& got, const classics::RankedColumns& points,
                 std::uint32_t id) noexcept {
  const classics::Record right{points.id[id], points.rank[id], points.x[id], points.y[id]};
  return std::memcmp(&got, &right, sizeof(right)) == 0;
}

void wrong_answer(const std::string& row, std::size_t query) {
  give_up(row + " answers query " + std::to_string(query) +
          " differently from the yardstick; nothing was timed.");
}

double checksum(const Answers& answers) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < answers.counts.size(); ++i) {
    h = (h ^ answers.counts[i]) * 0x100000001b3U;
    for (std::size_t j = 0; j < answers.counts[i]; ++j) {
      h = (h ^ answers.ids[i * answers.k + j]) * 0x100000001b3U;
    }
  }
  return static_cast<double>(h >> 32);
}

}  // namespace juxta::bench
