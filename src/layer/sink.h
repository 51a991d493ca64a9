// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where the results of a search go, pairs or bodies. A kernel knows a Sink alone; whoever runs it
// says what happens when that is full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "juxta/core/function_ref.h"

namespace juxta::layer_detail {

/// A kernel writes at `cursor` while at least kMostAtOnce fit below `limit`, and else asks for more room,
/// which hands over or keeps what was written.
template <class T>
struct Sink {
  static constexpr std::size_t kMostAtOnce = 32;  // the results of one block, and a register past them

  T* cursor = nullptr;
  T* limit = nullptr;
  bool (*more)(Sink&) = nullptr;  // false: stop
};

/// What a search did, as QueryResult counts it.
struct SearchWork {
  std::size_t tested = 0, visited = 0;
};

/// Moves those that `keep` accepts (empty: all) to the front, and tells how many they are.
template <class T>
[[nodiscard]] std::size_t keep_only(T* first, T* end, const FunctionRef<bool(const T&)>& keep) {
  T* const kept = keep ? std::remove_if(first, end, [&](const T& result) { return !keep(result); }) : end;
  return static_cast<std::size_t>(kept - first);
}

/// Hands results over in batches of at most kBatch; `take(span)` returns false to stop.
template <class T, std::size_t kBatch, class Take>
class BatchSink : public Sink<T> {
 public:
  explicit BatchSink(Take& take) : take_(take) {
    this->cursor = batch_;
    this->limit = batch_ + kBatch;
    this->more = [](Sink<T>& sink) { return static_cast<BatchSink&>(sink).flush(); };
  }
  bool flush() {
    const std::span<const T> results(batch_, static_cast<std::size_t>(this->cursor - batch_));
    this->cursor = batch_;
    return results.empty() || take_(results);
  }

 private:
  Take& take_;
  T batch_[kBatch];
};

template <class T, std::size_t kBatch, class Take>
[[nodiscard]] BatchSink<T, kBatch, Take> batch_sink(Take& take) {
  return BatchSink<T, kBatch, Take>(take);
}

/// Writes straight into `out` while results of one block fit, then through a batch, and counts what does not
/// fit; `stop_when_full` ends the search early instead. With `keep`, only results that it accepts count.
template <class T>
class BufferSink : public Sink<T> {
 public:
  explicit BufferSink(std::span<T> out, bool stop_when_full = false, FunctionRef<bool(const T&)> keep = {})
      : out_(out), keep_(keep), stop_(stop_when_full), direct_(!keep && out.size() >= Sink<T>::kMostAtOnce) {
    this->cursor = direct_ ? out_.data() : batch_;
    this->limit = direct_ ? out_.data() + out_.size() : batch_ + std::size(batch_);
    this->more = [](Sink<T>& sink) { return static_cast<BufferSink&>(sink).settle(); };
  }
  /// After the search, once.
  void finish() { (void)settle(); }
  [[nodiscard]] std::size_t found() const { return stop_ ? written_ : found_; }
  [[nodiscard]] std::size_t written() const { return written_; }

 private:
  bool settle() {
    if (direct_) {
      written_ = found_ = static_cast<std::size_t>(this->cursor - out_.data());
      direct_ = false;
    } else {
      const std::size_t fresh = keep_only(batch_, this->cursor, keep_);
      const std::size_t fits = std::min(fresh, out_.size() - written_);
      std::copy_n(batch_, fits, out_.data() + written_);
      written_ += fits;
      found_ += fresh;
    }
    this->cursor = batch_;
    this->limit = batch_ + std::size(batch_);
    return !stop_ || written_ < out_.size();
  }

  std::span<T> out_;
  FunctionRef<bool(const T&)> keep_;
  bool stop_, direct_;
  std::size_t found_ = 0, written_ = 0;
  T batch_[4 * Sink<T>::kMostAtOnce];
};

}  // namespace juxta::layer_detail
