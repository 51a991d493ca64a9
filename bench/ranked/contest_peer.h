// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "classics/ranked/record.h"

namespace juxta::bench {

/// The library behind the contest's C interface: packed records in, packed records out.
class ContestPeer {
 public:
  explicit ContestPeer(const classics::RankedColumns& points);
  ContestPeer(const ContestPeer&) = delete;
  ContestPeer& operator=(const ContestPeer&) = delete;
  ~ContestPeer();

  /// Inline in spirit: one call of the C function.
  std::size_t top(const RectF& rect, std::size_t k, classics::Record* out) const;

 private:
  void* context_;
};

}  // namespace juxta::bench
