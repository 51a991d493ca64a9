// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/workspace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <vector>

namespace juxta {
namespace {

class CountingResource final : public std::pmr::memory_resource {
 public:
  std::size_t allocations = 0, held = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
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

// Fills all that was taken with its number, padding included, and looks whether anything was overwritten.
void use(Workspace& workspace) {
  const Workspace::Scope scope(workspace);
  std::vector<std::span<std::uint64_t>> taken;
  for (const std::size_t count : std::initializer_list<std::size_t>{1, 0, 5000, 100, 40'000, 7, 300'000, 1}) {
    taken.push_back(workspace.take<std::uint64_t>(count));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(taken.back().data()) % kArrayAlignment, 0U);
    EXPECT_EQ(taken.back().size(), count);
    std::fill_n(taken.back().data(), count + kArrayPadding, taken.size());
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto* const data = taken[i].data();
    EXPECT_TRUE(
        std::all_of(data, data + taken[i].size() + kArrayPadding, [&](auto v) { return v == i + 1; }));
  }
}

TEST(Workspace, TheSecondRoundAllocatesNothing) {
  CountingResource resource;
  {
    Workspace workspace(&resource);
    use(workspace);
    const std::size_t first = resource.allocations;
    EXPECT_GT(first, 1U);
    use(workspace);
    EXPECT_EQ(resource.allocations, first);
    workspace.reset();
    const std::size_t joined = resource.allocations;
    use(workspace);
    use(workspace);
    EXPECT_EQ(resource.allocations, joined);
    EXPECT_GE(resource.held, workspace.memory_bytes());
  }
  EXPECT_EQ(resource.held, 0U);
}

TEST(Workspace, ScopesNest) {
  Workspace workspace;
  const auto outer = workspace.take<std::uint32_t>(100);
  std::uint32_t* inner = nullptr;
  {
    const Workspace::Scope scope(workspace);
    inner = workspace.take<std::uint32_t>(100).data();
    EXPECT_NE(inner, outer.data());
  }
  EXPECT_EQ(workspace.take<std::uint32_t>(100).data(), inner);
}

TEST(Workspace, MovesWithItsBlocks) {
  CountingResource one, other;
  {
    Workspace a(&one), b(&other);
    use(a);
    use(b);
    const auto taken = a.take<std::uint32_t>(10);
    taken[9] = 42;
    b = std::move(a);
    EXPECT_EQ(other.held, 0U);
    EXPECT_EQ(taken[9], 42U);
    Workspace c(std::move(b));
    use(c);
    use(a);  // moved from: empty and usable
    EXPECT_EQ(taken[9], 42U);
  }
  EXPECT_EQ(one.held, 0U);
}

}  // namespace
}  // namespace juxta
