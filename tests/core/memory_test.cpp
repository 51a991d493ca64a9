// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <numeric>

#include "juxta/core/array.h"

namespace juxta {
namespace {

TEST(HugePageResource, BlocksAreAlignedAndUsable) {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{100}, std::size_t{1} << 20, (std::size_t{1} << 20) - 1,
        (std::size_t{3} << 20) + 5, std::size_t{64} << 20}) {
    auto* const block = static_cast<std::byte*>(huge_page_resource()->allocate(bytes, 64));
    const std::size_t alignment = bytes >= std::size_t{1} << 20 ? std::size_t{2} << 20 : 64;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U) << bytes;
    block[0] = block[bytes - 1] = std::byte{1};
    huge_page_resource()->deallocate(block, bytes, 64);
  }
}

TEST(HugePageResource, ThrowsBadAllocForWhatNoMachineHas) {
  // Volatile, or the compiler sees the size and refuses it before the resource can.
  for (const volatile std::size_t bytes : {std::size_t{1} << 60, ~std::size_t{0} - 64}) {
    EXPECT_THROW(static_cast<void>(huge_page_resource()->allocate(bytes, 64)), std::bad_alloc);
  }
}

TEST(Array, KeepsItsCapacityAndItsPadding) {
  Array<std::uint32_t> array(1000);
  const std::uint32_t* const data = array.data();
  std::iota(array.data(), array.data() + 1000 + kArrayPadding, 0U);  // a sanitizer sees missing padding
  array.resize_discard(10);
  array.resize_discard(1000);
  EXPECT_EQ(array.data(), data);
  Array<std::uint32_t> moved = std::move(array);
  EXPECT_EQ(moved.data(), data);
  EXPECT_EQ(moved.size(), 1000U);
  EXPECT_GE(moved.memory_bytes(), (1000 + kArrayPadding) * 4);
  array.resize_discard(5);  // a moved-from array is empty and usable
  moved = std::move(array);
  EXPECT_EQ(moved.size(), 5U);
}

}  // namespace
}  // namespace juxta
