// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace juxta::bench {

/// A value made when first asked for: rows of one data set share it, and rows that a filter leaves out cost
/// nothing.
template <class T>
class Once {
 public:
  explicit Once(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}
  T& operator*() {
    if (value_ == nullptr) {
      value_ = make_();
    }
    return *value_;
  }
  T* operator->() { return &**this; }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::unique_ptr<T> value_;
};

}  // namespace juxta::bench
