// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Memory of an answer that will become an array's.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <utility>

namespace juxta::python {

namespace py = pybind11;

/// Bytes that grow. From 4 MiB on they come in huge pages, and are kept when they are freed
/// (juxta/core/kept_memory.h): a page of 4 KiB costs 0.4 us when it is first written to, which is more than
/// it takes to find what goes there. Pages that are not written cost nothing.
class MemoryBlock {
 public:
  static constexpr std::size_t kLarge = std::size_t{1} << 22;

  MemoryBlock() noexcept = default;
  MemoryBlock(MemoryBlock&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryBlock& operator=(MemoryBlock&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  MemoryBlock(const MemoryBlock&) = delete;
  MemoryBlock& operator=(const MemoryBlock&) = delete;
  ~MemoryBlock();

  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Becomes `bytes` long; the first `used` are kept. Throws std::bad_alloc.
  void resize(std::size_t bytes, std::size_t used);
  /// A capsule that frees the memory; the block is empty then.
  [[nodiscard]] py::capsule into_owner() &&;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace juxta::python
