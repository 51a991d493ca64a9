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

/// Writes straight into `out` while a register fits, then through a batch, and counts what does not fit;
/// `stop_when_full` ends the query early instead.
class BodyBuffer : public BodySink {
 public:
  BodyBuffer(std::span<std::uint32_t> out, bool stop_when_full) : out_(out), stop_(stop_when_full) {
    direct_ = out.size() >= kMostAtOnce;
    cursor = direct_ ? out_.data() : batch_;
    limit = direct_ ? out_.data() + out_.size() : batch_ + std::size(batch_);
    more = [](BodySink& sink) { return static_cast<BodyBuffer&>(sink).settle(); };
  }
  /// After the query, once.
  void finish() { (void)settle(); }
  [[nodiscard]] std::size_t found() const { return stop_ ? written_ : found_; }
  [[nodiscard]] std::size_t written() const { return written_; }

 private:
  bool settle() {
    if (direct_) {
      written_ = found_ = static_cast<std::size_t>(cursor - out_.data());
      direct_ = false;
    } else {
      const auto fresh = static_cast<std::size_t>(cursor - batch_);
      const std::size_t fits = std::min(fresh, out_.size() - written_);
      std::copy_n(batch_, fits, out_.data() + written_);
      written_ += fits;
      found_ += fresh;
    }
    cursor = batch_;
    limit = batch_ + std::size(batch_);
    return !stop_ || written_ < out_.size();
  }

  std::span<std::uint32_t> out_;
  bool stop_, direct_ = false;
  std::size_t found_ = 0, written_ = 0;
  std::uint32_t batch_[4 * kMostAtOnce];
};

}  // namespace juxta::detail
