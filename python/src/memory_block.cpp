// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "memory_block.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>

#include "juxta/core/kept_memory.h"

namespace juxta::python {
namespace {

constexpr std::size_t kLarge = MemoryBlock::kLarge;
constexpr std::size_t kAlignment = 64;

void* allocate(std::size_t bytes) {
  if (bytes >= kLarge) {
    return kept_memory_resource()->allocate(bytes, kAlignment);
  }
  void* memory = std::malloc(bytes);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void release(void* memory, std::size_t bytes) noexcept {
  if (bytes >= kLarge) {
    kept_memory_resource()->deallocate(memory, bytes, kAlignment);
  } else {
    std::free(memory);
  }
}

}  // namespace

MemoryBlock::~MemoryBlock() {
  release(data_, bytes_);
}

void MemoryBlock::resize(std::size_t bytes, std::size_t used) {
  bytes = std::max<std::size_t>(bytes, 1);
  if (bytes < kLarge && bytes_ < kLarge) {
    void* memory = std::realloc(data_, bytes);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    data_ = memory;
  } else {
    void* const memory = allocate(bytes);
    if (used != 0) {
      std::memcpy(memory, data_, std::min(used, bytes));
    }
    release(data_, bytes_);
    data_ = memory;
  }
  bytes_ = bytes;
}

py::capsule MemoryBlock::into_owner() && {
  auto owner = std::make_unique<MemoryBlock>(std::move(*this));
  const py::capsule capsule(owner.get(), [](void* block) { delete static_cast<MemoryBlock*>(block); });
  (void)owner.release();
  return capsule;
}

}  // namespace juxta::python
