// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What a user of juxta writes for a whole frame: a system and a reader, sixteen nodes at a time.
#pragma once

#include <memory>

#include "bench/transform/whole_frame.h"
#include "juxta/transform/lanes.h"

namespace juxta::bench {

NodeMask turn_lanes(LocalLanes& lanes, Turn by) noexcept;

/// Adds up positions, on each thread by itself.
class LaneSums {
 public:
  explicit LaneSums(unsigned threads);
  ~LaneSums();
  LaneSums(const LaneSums&) = delete;
  LaneSums& operator=(const LaneSums&) = delete;

  void add(const WorldLanes& lanes) noexcept;
  [[nodiscard]] PositionSum total() const noexcept;

 private:
  struct Sums;
  std::unique_ptr<Sums> sums_;
};

}  // namespace juxta::bench
