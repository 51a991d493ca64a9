// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <numeric>

#include "juxta/core/array.h"
#include "juxta/core/kept_memory.h"

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

TEST(KeptMemory, GivesAFreedBlockToTheNextOfAboutItsSize) {
  std::pmr::memory_resource& memory = *kept_memory_resource();
  constexpr std::size_t kBytes = (std::size_t{9} << 20) + 1, kSimilar = kBytes + 5000;
  auto* const first = static_cast<std::byte*>(memory.allocate(kBytes, 64));
  auto* const second = static_cast<std::byte*>(memory.allocate(kBytes, 64));
  EXPECT_NE(first, second);
  std::memset(first, 1, kBytes);
  memory.deallocate(first, kBytes, 64);
  auto* const again = static_cast<std::byte*>(memory.allocate(kSimilar, 64));
  EXPECT_EQ(again, first);
  std::memset(again, 2, kSimilar);
  EXPECT_EQ(std::count(again, again + kSimilar, std::byte{2}), std::ptrdiff_t{kSimilar});
  auto* const larger = static_cast<std::byte*>(memory.allocate(2 * kBytes, 64));
  larger[0] = larger[2 * kBytes - 1] = std::byte{3};
  EXPECT_EQ(again[0], std::byte{2});
  memory.deallocate(larger, 2 * kBytes, 64);
  memory.deallocate(second, kBytes, 64);
  memory.deallocate(again, kSimilar, 64);
  void* const small = memory.allocate(100, 64);
  memory.deallocate(small, 100, 64);
  EXPECT_THROW(static_cast<void>(memory.allocate(std::size_t{1} << 60, 64)), std::bad_alloc);
}

// Blocks that are not written take no memory.
TEST(KeptMemory, KeepsSmallBlocksBesideLargeOnes) {
  std::pmr::memory_resource& memory = *kept_memory_resource();
  constexpr std::size_t kSmall = 100'000, kLarge = std::size_t{16} << 20;
  void* const large = memory.allocate(kLarge, 64);
  memory.deallocate(large, kLarge, 64);
  std::array<void*, 400> blocks;  // more than are kept, in number and in bytes
  for (void*& block : blocks) {
    block = memory.allocate(kSmall, 64);
    std::memset(block, 1, kSmall);
  }
  for (void* const block : blocks) {
    memory.deallocate(block, kSmall, 64);
  }
  void* const again = memory.allocate(kSmall - 100, 64);
  EXPECT_EQ(again, blocks.back());
  memory.deallocate(again, kSmall - 100, 64);
  void* const same = memory.allocate(kLarge, 64);
  EXPECT_EQ(same, large);
  memory.deallocate(same, kLarge, 64);
}

TEST(KeptMemory, KeepsTheLatestUpToItsLimit) {
  std::pmr::memory_resource& memory = *kept_memory_resource();
  constexpr std::size_t kHalf = kMostKeptMemory / 2;
  void* blocks[3];
  for (void*& block : blocks) {
    block = memory.allocate(kHalf, 64);
  }
  for (void* const block : blocks) {
    memory.deallocate(block, kHalf, 64);
  }
  EXPECT_EQ(memory.allocate(kHalf, 64), blocks[2]);
  EXPECT_EQ(memory.allocate(kHalf, 64), blocks[1]);
  memory.deallocate(blocks[2], kHalf, 64);
  memory.deallocate(blocks[1], kHalf, 64);
  void* const huge = memory.allocate(2 * kMostKeptMemory, 64);  // goes back at once
  memory.deallocate(huge, 2 * kMostKeptMemory, 64);
  EXPECT_EQ(memory.allocate(kHalf, 64), blocks[1]);
  memory.deallocate(blocks[1], kHalf, 64);
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
