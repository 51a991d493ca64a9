// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/memory.h"

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "core/os.h"
#include "juxta/core/array.h"

namespace juxta {
namespace {

// Below this a huge page would mostly hold nothing, and the two system calls would cost more than it saves.
constexpr std::size_t kLargeBlock = std::size_t{1} << 20;

class HugePageResource final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes < kLargeBlock || alignment > core_detail::kPagesAlignment) {
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void* block = core_detail::allocate_pages(bytes);
    if (block == nullptr) {
      throw std::bad_alloc();  // what every memory resource does; passes through the library
    }
    return block;
  }

  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    if (bytes < kLargeBlock || alignment > core_detail::kPagesAlignment) {
      std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
    } else {
      core_detail::free_pages(block, bytes);
    }
  }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

std::pmr::memory_resource* huge_page_resource() noexcept {
  // Never destroyed: arrays of static storage duration may give their memory back after any static here.
  alignas(HugePageResource) static std::byte storage[sizeof(HugePageResource)];
  static HugePageResource* const resource = ::new (storage) HugePageResource;
  return resource;
}

namespace core_detail {

std::size_t padded_bytes(std::size_t size, std::size_t each) {
  // Half of all addresses: what is added to it later still fits.
  if (size > SIZE_MAX / 2 / each - kArrayPadding) {
    throw std::bad_alloc();  // passes through the library, as every one of a memory resource
  }
  return (size + kArrayPadding) * each;
}
void* take_memory(std::pmr::memory_resource& resource, std::size_t size, std::size_t each) {
  return resource.allocate(padded_bytes(size, each), kArrayAlignment);
}
void give_memory_back(std::pmr::memory_resource& resource, void* memory, std::size_t bytes) noexcept {
  resource.deallocate(memory, bytes, kArrayAlignment);
}

}  // namespace core_detail
}  // namespace juxta
