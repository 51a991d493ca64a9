// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>

#include "juxta/core/memory.h"

namespace juxta::python {
namespace {

constexpr std::size_t kLeast = std::size_t{1} << 16, kMost = std::size_t{1} << 22;
constexpr std::size_t kAlignment = 64;

// One of eight sizes between powers of two, so that a block fits the next layer of about its size.
std::size_t rounded(std::size_t bytes) {
  const std::size_t step = std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

class LayerMemory final : public std::pmr::memory_resource {
  struct Block {
    void* data;
    std::size_t bytes;
  };

  static bool is_kept(std::size_t bytes, std::size_t alignment) {
    return bytes >= kLeast && bytes <= kMost && alignment <= kAlignment;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!is_kept(bytes, alignment)) {
      return huge_page_resource()->allocate(bytes, alignment);
    }
    const std::size_t size = rounded(bytes);
    void* const kept = take(size);
    return kept != nullptr ? kept : huge_page_resource()->allocate(size, kAlignment);
  }

  void do_deallocate(void* data, std::size_t bytes, std::size_t alignment) override {
    if (is_kept(bytes, alignment)) {
      keep({data, rounded(bytes)});
    } else {
      huge_page_resource()->deallocate(data, bytes, alignment);
    }
  }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  void* take(std::size_t size) noexcept {
    // In a process that was forked while another thread held the lock, it is never free again.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    for (std::size_t i = lock ? count_ : 0; i-- > 0;) {
      if (blocks_[i].bytes == size) {
        return remove(i).data;
      }
    }
    return nullptr;
  }

  void keep(Block block) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) {
      release(block);
      return;
    }
    while (count_ == blocks_.size() || bytes_ + block.bytes > kMostKeptOfLayers) {
      release(remove(0));
    }
    blocks_[count_++] = block;
    bytes_ += block.bytes;
  }

  Block remove(std::size_t i) noexcept {
    const Block block = blocks_[i];
    std::copy(blocks_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
              blocks_.begin() + static_cast<std::ptrdiff_t>(count_),
              blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    --count_;
    bytes_ -= block.bytes;
    return block;
  }
  static void release(const Block& block) noexcept {
    huge_page_resource()->deallocate(block.data, block.bytes, kAlignment);
  }

  std::mutex mutex_;
  std::array<Block, 32> blocks_;  // the oldest first
  std::size_t count_ = 0, bytes_ = 0;
};

}  // namespace

std::pmr::memory_resource* layer_memory() noexcept {
  static auto* const one = new LayerMemory;  // never destroyed: layers may outlive any static
  return one;
}

}  // namespace juxta::python
