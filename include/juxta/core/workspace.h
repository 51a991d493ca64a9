// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "juxta/core/array.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"

namespace juxta {

/// Scratch memory that a caller keeps between calls, so that the second call of the same size allocates
/// nothing. It is a stack: take() takes from the top, and a Scope gives back what was taken since it began.
/// One workspace serves one call at a time.
class JUXTA_API Workspace {
 public:
  explicit Workspace(std::pmr::memory_resource* resource = huge_page_resource()) noexcept;
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  /// `count` uninitialised elements, aligned to 64 bytes and padded by kArrayPadding elements. Valid until
  /// the enclosing Scope ends, or reset().
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {static_cast<T*>(take_bytes(count, sizeof(T))), count};
  }

  /// Gives everything back, and joins the blocks so that the next round needs one.
  void reset();
  /// Bytes held from the resource.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Gives back, when it ends, what was taken since it began.
  class JUXTA_API Scope {
   public:
    explicit Scope(Workspace& workspace) noexcept;
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

   private:
    Workspace& workspace_;
    std::size_t block_, used_;
  };

 private:
  [[nodiscard]] void* take_bytes(std::size_t count, std::size_t each);

  struct Block {
    std::byte* data;
    std::size_t size;
  };
  std::pmr::memory_resource* resource_;
  Array<Block> blocks_;
  std::size_t block_ = 0;  // blocks_[block_] is being filled ...
  std::size_t used_ = 0;   // ... and holds this many bytes
};

}  // namespace juxta
