// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Answers as arrays that own their memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "juxta/core/executor.h"
#include "juxta/layer/pair.h"
#include "memory_block.h"

namespace juxta::python {

namespace py = pybind11;

/// The type of indices in an answer: `dtype=` of a call.
enum class IndexType : std::uint8_t {
  kIntp,    ///< NumPy's own, 8 bytes; "none" is -1.
  kUint32,  ///< The library's own, 4 bytes, never copied; "none" is juxta.NO_BODY.
};
/// None, "intp", "int64", "uint32", or a NumPy dtype of those. Raises ValueError.
IndexType index_type_of(py::handle dtype);

/// Memory that grows, and becomes an array without a copy. Untouched memory costs nothing: the system gives
/// pages when they are written.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() noexcept = default;
  explicit Buffer(std::size_t capacity) { reserve(capacity); }
  Buffer(Buffer&& other) noexcept : block_(std::move(other.block_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    block_ = std::move(other.block_);
    std::swap(size_, other.size_);
    return *this;
  }

  void reserve(std::size_t wanted) {
    if (wanted <= capacity()) {
      return;
    }
    wanted = std::max(wanted, capacity() + capacity() / 2);
    if (wanted > static_cast<std::size_t>(-1) / 2 / sizeof(T)) {
      throw std::bad_alloc();
    }
    block_.resize(wanted * sizeof(T), size_ * sizeof(T));
  }
  void resize(std::size_t size) {
    reserve(size);
    size_ = size;
  }
  void append(std::span<const T> more) {
    reserve(size_ + more.size());
    std::copy(more.begin(), more.end(), data() + size_);
    size_ += more.size();
  }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(block_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return block_.bytes() / sizeof(T); }
  [[nodiscard]] std::span<T> span() noexcept { return {data(), size_}; }
  /// The part behind what is filled.
  [[nodiscard]] std::span<T> rest() noexcept { return {data() + size_, capacity() - size_}; }

  /// The memory becomes an array's. `shape` and `strides` (in bytes) describe what was filled, as V.
  template <class V>
  [[nodiscard]] py::array into_array(std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides) && {
    // A small block gives back what was not filled. Of a large one the system never gave those pages.
    if (data() == nullptr || (size_ < capacity() && block_.bytes() < MemoryBlock::kLarge)) {
      block_.resize(size_ * sizeof(T), size_ * sizeof(T));
    }
    size_ = 0;
    const void* const filled = block_.data();
    return py::array(py::dtype::of<V>(), std::move(shape), std::move(strides), filled,
                     std::move(block_).into_owner());
  }
  /// As one row of T.
  [[nodiscard]] py::array into_array() && {
    const auto size = static_cast<py::ssize_t>(size_);
    return std::move(*this).template into_array<T>({size}, {py::ssize_t{sizeof(T)}});
  }

 private:
  MemoryBlock block_;
  std::size_t size_ = 0;
};

/// A new array of T, C-contiguous, not filled. A large one has a Buffer's memory.
template <class T, class... Sizes>
[[nodiscard]] py::array_t<T> new_array(Sizes... sizes) {
  const std::size_t size = (static_cast<std::size_t>(sizes) * ...);
  if (size * sizeof(T) < MemoryBlock::kLarge) {
    return py::array_t<T>({static_cast<py::ssize_t>(sizes)...});
  }
  Buffer<T> buffer;
  buffer.resize(size);
  return py::array_t<T>(std::move(buffer).template into_array<T>({static_cast<py::ssize_t>(sizes)...}, {}));
}
template <class T>
[[nodiscard]] std::span<T> span_of(py::array_t<T>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

/// A copy of `values`, in one row.
template <class T>
[[nodiscard]] py::array_t<T> array_of(std::span<const T> values) {
  auto array = new_array<T>(values.size());
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

/// A number of a body: -1 for none.
[[nodiscard]] inline py::int_ index_of(std::uint32_t body) {
  return body == kNoBody ? py::int_(-1) : py::int_(body);
}
/// Numbers of bodies, in one row.
[[nodiscard]] py::array index_array(std::span<const std::uint32_t> bodies, IndexType type);
/// The same of `rows` rows; takes the memory over for kUint32.
[[nodiscard]] py::array index_array(Buffer<std::uint32_t>&& bodies, std::size_t rows, IndexType type,
                                    const Executor* executor);
/// One row; takes the memory over for kUint32.
[[nodiscard]] py::array index_row(Buffer<std::uint32_t>&& bodies, IndexType type, const Executor* executor);
/// (2, n): a row of all a, a row of all b. Takes the memory over for kUint32.
[[nodiscard]] py::array pair_array(Buffer<Pair>&& pairs, IndexType type, const Executor* executor);
/// The same of intp.
[[nodiscard]] py::array wide_pairs(std::span<const Pair> pairs, const Executor* executor);
/// What fill(pairs) appends to an empty buffer, as pair_array(). For kIntp the buffer is one that the thread
/// keeps, so that its pages are there and no copy grows.
template <class Fill>
[[nodiscard]] py::array filled_pairs(IndexType type, const Executor* executor, Fill&& fill);

/// The buffer of pairs that this thread keeps, for one call; Python code that runs meanwhile finds none.
class KeptPairs {
 public:
  KeptPairs();
  KeptPairs(const KeptPairs&) = delete;
  KeptPairs& operator=(const KeptPairs&) = delete;
  ~KeptPairs();
  [[nodiscard]] Buffer<Pair>& operator*() noexcept { return pairs_; }

 private:
  Buffer<Pair> pairs_;
};

template <class Fill>
py::array filled_pairs(IndexType type, const Executor* executor, Fill&& fill) {
  if (type == IndexType::kUint32) {
    Buffer<Pair> pairs;
    fill(pairs);
    return pair_array(std::move(pairs), type, executor);
  }
  KeptPairs kept;
  fill(*kept);
  return wide_pairs((*kept).span(), executor);
}

/// A read-only view of memory that `owner` holds.
template <class T>
[[nodiscard]] py::array view_of(std::span<const T> values, std::vector<py::ssize_t> shape, py::handle owner) {
  py::array view(py::dtype::of<T>(), std::move(shape), {}, values.data(), owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

}  // namespace juxta::python
