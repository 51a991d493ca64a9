// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tests that run in two and three dimensions.
#pragma once

#include <gtest/gtest.h>

#include <type_traits>

#include "layer/worlds.h"
#include "scenes/draws.h"

namespace juxta::test {

template <class Dimensions>
class InEveryDimension : public testing::Test {
 protected:
  static constexpr int kD = Dimensions::value;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
struct DimensionNames {
  template <class T>
  static std::string GetName(int) {
    return std::to_string(T::value) + "D";
  }
};

/// Around the block, the block of blocks, and the next level.
inline constexpr std::array<std::size_t, 10> kSizes = {0, 1, 15, 16, 17, 255, 256, 257, 4096, 4097};

}  // namespace juxta::test
