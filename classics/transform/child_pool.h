// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "classics/transform/chunk.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"

namespace juxta::classics {

/// All buffers of children in one array, in pieces of 1, 2, 4, ... entries; pieces given back are used again.
class ChildPool {
 public:
  [[nodiscard]] std::span<const Id> children(const ChildList& list) const noexcept {
    return {entries_.data() + list.first, list.size};
  }
  /// An empty list with room for `size` children.
  [[nodiscard]] ChildList make(std::uint32_t size) {
    const std::uint32_t capacity = std::bit_ceil(size);
    std::vector<std::uint32_t>& free = free_[size_class(capacity)];
    if (!free.empty()) {
      const std::uint32_t first = free.back();
      free.pop_back();
      return {first, 0, capacity};
    }
    const auto first = static_cast<std::uint32_t>(entries_.size());
    entries_.resize(entries_.size() + capacity);
    return {first, 0, capacity};
  }
  void push(ChildList& list, Id child) {
    if (list.size == list.capacity) {
      grow(list);
    }
    entries_[list.first + list.size++] = child;
  }
  /// The last child takes its place. The child must be there.
  void erase(ChildList& list, Id child) noexcept {
    std::uint32_t at = list.first;
    while (entries_[at] != child) {
      ++at;
    }
    entries_[at] = entries_[list.first + --list.size];
  }
  void release(ChildList& list) {
    if (list.capacity > 0) {
      free_[size_class(list.capacity)].push_back(list.first);
    }
    list = {};
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return entries_.capacity() * sizeof(Id); }

 private:
  [[nodiscard]] static std::size_t size_class(std::uint32_t capacity) noexcept {
    return static_cast<std::size_t>(std::countr_zero(capacity));
  }
  void grow(ChildList& list) {
    ChildList larger = make(list.size + 1);
    for (std::uint32_t i = 0; i < list.size; ++i) {
      entries_[larger.first + i] = entries_[list.first + i];
    }
    larger.size = list.size;
    release(list);
    list = larger;
  }

  std::pmr::vector<Id> entries_{huge_page_resource()};
  std::array<std::vector<std::uint32_t>, 32> free_;
};

}  // namespace juxta::classics
