// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: memory for lists whose lengths nobody knows before they are found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "core/mutex.h"
#include "juxta/core/array.h"

namespace juxta::points_detail {

/// Free memory of one task: [at, end).
struct Room {
  std::uint32_t* at = nullptr;
  std::uint32_t* end = nullptr;
};

/// Hands out chunks to tasks on any thread, and takes what is left of them back. Where a list lies depends on
/// the threads; no result does.
class ListMemory {
 public:
  explicit ListMemory(std::pmr::memory_resource* resource) noexcept
      : resource_(resource), chunks_(resource), free_(resource) {}
  ListMemory(const ListMemory&) = delete;
  ListMemory& operator=(const ListMemory&) = delete;
  ~ListMemory() {
    for (const Chunk& chunk : chunks_) {
      resource_->deallocate(chunk.data, chunk.size * sizeof(std::uint32_t), kArrayAlignment);
    }
  }

  /// All chunks are free again. About `expected` entries will be taken.
  void reset(std::size_t expected) {
    chunk_ = std::clamp(expected / 16, kLeastChunk, kMostChunk);
    failed_ = false;
    free_.resize(0);
    for (const Chunk& chunk : chunks_) {
      append(free_, Room{chunk.data, chunk.data + chunk.size});
    }
    std::reverse(free_.begin(), free_.end());  // the oldest is taken first
  }
  /// Room for at least `least` entries; none when there is no memory, which failed() says from then on.
  /// `rest` is what is left of the task's room before.
  [[nodiscard]] Room take(std::size_t least, Room rest) noexcept {
    const core_detail::Lock lock(mutex_);
    try {
      return take_locked(least, rest);
    } catch (const std::bad_alloc&) {
      failed_ = true;
      return {};
    }
  }
  void give_back(Room rest) noexcept {
    const core_detail::Lock lock(mutex_);
    try {
      give_back_locked(rest);
    } catch (const std::bad_alloc&) {  // then that little is not used
    }
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return bytes_; }

 private:
  struct Chunk {
    std::uint32_t* data;
    std::size_t size;
  };
  static constexpr std::size_t kLeastChunk = 1024;
  static constexpr std::size_t kMostChunk = std::size_t{1} << 21;  // 8 MiB: some huge pages
  static constexpr std::ptrdiff_t kWorthKeeping = 1024;

  [[nodiscard]] Room take_locked(std::size_t least, Room rest) {
    give_back_locked(rest);
    for (std::size_t i = free_.size(); i-- > 0;) {
      if (static_cast<std::size_t>(free_[i].end - free_[i].at) >= least) {
        const Room found = free_[i];
        free_[i] = free_[free_.size() - 1];
        free_.resize(free_.size() - 1);
        return found;
      }
    }
    const std::size_t size = std::max(least, chunk_);
    chunks_.reserve(chunks_.size() + 1);
    free_.reserve(chunks_.size() + 1);  // of each chunk at most one part is free
    auto* const data =
        static_cast<std::uint32_t*>(resource_->allocate(size * sizeof(std::uint32_t), kArrayAlignment));
    append(chunks_, Chunk{data, size});
    bytes_ += size * sizeof(std::uint32_t);
    return {data, data + size};
  }
  template <class T>
  static void append(Array<T>& array, const T& value) {
    array.resize(array.size() + 1);
    array[array.size() - 1] = value;
  }
  void give_back_locked(Room rest) {
    if (rest.end - rest.at >= kWorthKeeping) {
      append(free_, rest);
    }
  }

  std::pmr::memory_resource* resource_;
  core_detail::Mutex mutex_;
  Array<Chunk> chunks_;
  Array<Room> free_;
  std::size_t chunk_ = kLeastChunk;
  std::size_t bytes_ = 0;
  bool failed_ = false;
};

}  // namespace juxta::points_detail
