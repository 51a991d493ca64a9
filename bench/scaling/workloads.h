// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "juxta/core/context.h"

namespace juxta::bench {

/// Work that is done again and again, as in the frames of a program.
class Frames {
 public:
  virtual ~Frames() = default;
  /// What comes before a frame and is not looked at.
  virtual void advance() {}
  virtual void frame(const Context& context) = 0;
};

struct Workload {
  const char* name;
  const char* what;
  double goal;  ///< Work / span that it is to reach; 0: none is set.
  std::unique_ptr<Frames> (*make)();
};

/// A million agents, boxes, nodes or points, or JUXTA_BENCH_POINTS of them; and whole ticks of the battle.
[[nodiscard]] std::span<const Workload> workloads();

}  // namespace juxta::bench
