// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <numeric>

namespace juxta {
namespace {

/// Counts, and refuses more than `limit` bytes.
class LimitedResource final : public std::pmr::memory_resource {
 public:
  std::size_t allocations = 0, held = 0, limit = ~std::size_t{0};

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes > limit) {
      throw std::bad_alloc();
    }
    ++allocations;
    held += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    held -= bytes;
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

void expect_counts_up(const Array<std::uint32_t>& array, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(array[i], i);
  }
}

TEST(ArrayResize, KeepsWhatLiesBelowTheNewSize) {
  LimitedResource resource;
  Array<std::uint32_t> array(&resource);
  array.resize(0);
  EXPECT_EQ(resource.allocations, 0U);
  std::size_t filled = 0;
  for (const std::size_t size :
       std::initializer_list<std::size_t>{1, 15, 16, 17, 1000, 999, 10, 1000, 1001, 5000}) {
    array.resize(size);
    ASSERT_EQ(array.size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % kArrayAlignment, 0U);
    expect_counts_up(array, std::min(filled, size));
    // The padding too: a sanitizer sees when it is missing.
    std::iota(array.data(), array.data() + size + kArrayPadding, 0U);
    filled = size;
  }
}

TEST(ArrayResize, AllocatesSeldom) {
  LimitedResource resource;
  Array<std::uint32_t> array(&resource);
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    array.resize(i + 1);
    array[i] = i;
  }
  expect_counts_up(array, 100'000);
  EXPECT_LT(resource.allocations, 35U);  // 1.5^29 > 100,000
  EXPECT_EQ(resource.held, array.memory_bytes());
  EXPECT_LT(array.memory_bytes(), (100'000 * 3 / 2 + kArrayPadding) * sizeof(std::uint32_t));

  const std::size_t before = resource.allocations;
  const std::uint32_t* const data = array.data();
  array.resize(0);
  array.resize(100'000);  // a size seen before
  EXPECT_EQ(resource.allocations, before);
  EXPECT_EQ(array.data(), data);
  expect_counts_up(array, 100'000);
}

TEST(ArrayResize, AJumpTakesWhatItNeeds) {
  Array<std::uint32_t> array(100);
  array.resize(100'000);
  EXPECT_EQ(array.memory_bytes(), (100'000 + kArrayPadding) * sizeof(std::uint32_t));
}

TEST(ArrayResize, ARefusedGrowthChangesNothing) {
  LimitedResource resource;
  Array<std::uint32_t> array(100, &resource);
  std::iota(array.begin(), array.end(), 0U);
  resource.limit = 1000;
  EXPECT_THROW(array.resize(1000), std::bad_alloc);
  ASSERT_EQ(array.size(), 100U);
  expect_counts_up(array, 100);
}

TEST(ArrayResize, WorksAfterAMove) {
  LimitedResource resource;
  {
    Array<std::uint32_t> array(50, &resource);
    std::iota(array.begin(), array.end(), 0U);
    Array<std::uint32_t> moved = std::move(array);
    moved.resize(500);
    expect_counts_up(moved, 50);
    array.resize(7);  // NOLINT(bugprone-use-after-move): a moved-from array is empty and usable
    EXPECT_EQ(array.size(), 7U);
  }
  EXPECT_EQ(resource.held, 0U);
}

}  // namespace
}  // namespace juxta
