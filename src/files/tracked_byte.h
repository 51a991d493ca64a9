// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>

namespace juxta::files_detail {

/// The bytes of a text, telling how far the parser has come: it stops behind the first value.
class TrackedByte {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedByte(const char* at, const char** come) : at_(at), come_(come) {}
  reference operator*() const { return *at_; }
  TrackedByte& operator++() {
    *come_ = ++at_;
    return *this;
  }
  bool operator==(const TrackedByte& other) const { return at_ == other.at_; }
  bool operator!=(const TrackedByte& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** come_;
};

}  // namespace juxta::files_detail
