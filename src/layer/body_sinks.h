// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where the bodies of one query go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/function_ref.h"
#include "layer/query_kernel.h"

namespace juxta::detail {

/// Hands bodies over in small batches; `take(span)` returns false to stop.
template <class Take>
class BodyBatch : public BodySink {
 public:
  explicit BodyBatch(Take& take) : take_(take) {
    cursor = batch_;
    limit = batch_ + std::size(batch_);
    more = [](BodySink& sink) { return static_cast<BodyBatch&>(sink).flush(); };
  }
  bool flush() {
    const std::span<const std::uint32_t> bodies(batch_, static_cast<std::size_t>(cursor - batch_));
    cursor = batch_;
    return bodies.empty() || take_(bodies);
  }

 private:
  Take& take_;
  std::uint32_t batch_[4 * kMostAtOnce];
};

/// Keeps the first bodies and counts all; `stop_when_full` ends the query early.
class BodyBuffer {
 public:
  BodyBuffer(std::span<std::uint32_t> out, bool stop_when_full) : out_(out), stop_(stop_when_full) {}

  bool operator()(std::span<const std::uint32_t> bodies) {
    const std::size_t fits = std::min(bodies.size(), out_.size() - written_);
    std::copy_n(bodies.begin(), fits, out_.begin() + static_cast<std::ptrdiff_t>(written_));
    written_ += fits;
    found_ += bodies.size();
    return !stop_ || written_ < out_.size();
  }
  [[nodiscard]] std::size_t found() const { return stop_ ? written_ : found_; }
  [[nodiscard]] std::size_t written() const { return written_; }

 private:
  std::span<std::uint32_t> out_;
  bool stop_;
  std::size_t found_ = 0, written_ = 0;
};

}  // namespace juxta::detail
