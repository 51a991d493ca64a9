// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/kept_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory_resource>
#include <new>

#include "core/mutex.h"
#include "core/os.h"

namespace juxta {
namespace {

constexpr std::size_t kLeast = std::size_t{1} << 16;
constexpr std::size_t kLarge = std::size_t{1} << 22;  // from here on the system may have the pages back
constexpr std::size_t kAlignment = 64;

// Sizes are rounded up to one of eight to sixteen between powers of two, so that a block fits the next of
// about its size. What nobody writes to costs nothing.
std::size_t rounded(std::size_t bytes) {
  const auto shift = std::bit_width(std::max(bytes, kLeast)) - 4;
  const std::size_t step = std::size_t{1} << shift;
  return bytes > static_cast<std::size_t>(-1) / 2 ? bytes : (bytes + step - 1) >> shift << shift;
}

struct Block {
  void* data;
  std::size_t bytes;
};

void release(const Block& block) noexcept {
  huge_page_resource()->deallocate(block.data, block.bytes, kAlignment);
}

// Freed blocks, the oldest first. In a process that was forked while another thread held the lock, it is
// never free again: then nothing is taken and nothing kept.
class Shelf {
 public:
  explicit Shelf(std::size_t most) noexcept : most_(most) {}

  void* take(std::size_t size) noexcept {
    const core_detail::Lock lock(mutex_, core_detail::kTryToLock);
    for (std::size_t i = lock ? count_ : 0; i-- > 0;) {
      if (blocks_[i].bytes == size) {
        return remove(i).data;
      }
    }
    return nullptr;
  }

  void keep(Block block) noexcept {
    const core_detail::Lock lock(mutex_, core_detail::kTryToLock);
    if (!lock || block.bytes > most_ ||
        (block.bytes >= kLarge && !core_detail::offer_pages(block.data, block.bytes))) {
      release(block);
      return;
    }
    while (count_ == blocks_.size() || bytes_ + block.bytes > most_) {
      release(remove(0));
    }
    blocks_[count_++] = block;
    bytes_ += block.bytes;
  }

 private:
  Block remove(std::size_t i) noexcept {
    const Block block = blocks_[i];
    std::copy(blocks_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
              blocks_.begin() + static_cast<std::ptrdiff_t>(count_),
              blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    --count_;
    bytes_ -= block.bytes;
    return block;
  }

  std::size_t most_;
  core_detail::Mutex mutex_;
  std::array<Block, 32> blocks_{};
  std::size_t count_ = 0, bytes_ = 0;
};

class KeptMemory final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes < kLeast || alignment > kAlignment) {
      return huge_page_resource()->allocate(bytes, alignment);
    }
    const std::size_t size = rounded(bytes);
    void* const kept = shelf_of(size).take(size);
    return kept != nullptr ? kept : huge_page_resource()->allocate(size, kAlignment);
  }

  void do_deallocate(void* data, std::size_t bytes, std::size_t alignment) override {
    if (bytes < kLeast || alignment > kAlignment) {
      huge_page_resource()->deallocate(data, bytes, alignment);
    } else {
      shelf_of(rounded(bytes)).keep({data, rounded(bytes)});
    }
  }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  // Small blocks must not push out the large ones.
  Shelf& shelf_of(std::size_t size) noexcept { return size < kLarge ? small_ : large_; }

  Shelf small_{kMostKeptSmall}, large_{kMostKeptMemory};
};

}  // namespace

std::pmr::memory_resource* kept_memory_resource() noexcept {
  // Never destroyed, as huge_page_resource().
  alignas(KeptMemory) static std::byte storage[sizeof(KeptMemory)];
  static KeptMemory* const resource = ::new (storage) KeptMemory;
  return resource;
}

}  // namespace juxta
