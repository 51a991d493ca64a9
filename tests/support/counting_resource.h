// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory_resource>

namespace juxta::test {

/// The heap, and what was asked of it. One thread at a time.
class CountingResource final : public std::pmr::memory_resource {
 public:
  /// Allocations so far.
  [[nodiscard]] std::size_t calls() const { return calls_; }
  /// Bytes that were not given back.
  [[nodiscard]] std::size_t held() const { return held_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    held_ += bytes;
    ++calls_;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    held_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t held_ = 0, calls_ = 0;
};

}  // namespace juxta::test
