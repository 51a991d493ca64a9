// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "classics/agents/tay.h"

namespace juxta::classics {

/// As agents keep them: four floats, the last unused.
struct alignas(16) Float4 {
  std::array<float, 4> axis{};

  [[nodiscard]] float operator[](std::size_t i) const noexcept { return axis[i]; }
  [[nodiscard]] float& operator[](std::size_t i) noexcept { return axis[i]; }
  void add(const Float4& other) noexcept {
    for (std::size_t i = 0; i < 4; ++i) {
      axis[i] += other.axis[i];
    }
  }
  [[nodiscard]] Float4 minus(const Float4& other) const noexcept {
    Float4 difference;
    for (std::size_t i = 0; i < 4; ++i) {
      difference.axis[i] = axis[i] - other.axis[i];
    }
    return difference;
  }
};

/// Where an agent goes: its partition, and which of the partition's agents it is.
struct TayPlace {
  std::uint32_t part, index;
};

/// An agent without size: 80 bytes.
struct TayPoint {
  static constexpr bool kIsPoint = true;

  union {
    TayPlace place{};
    TayPoint* next;  ///< Where agents stay, and partitions are linked lists of them.
  };
  std::uint32_t number = 0, seen = 0;
  Float4 position, velocity, sum, felt;

  [[nodiscard]] const Float4& lo() const noexcept { return position; }
  [[nodiscard]] const Float4& hi() const noexcept { return position; }
};
static_assert(sizeof(TayPoint) == 80);

/// An agent with a size: 96 bytes.
struct TayBox {
  static constexpr bool kIsPoint = false;

  union {
    TayPlace place{};
    TayBox* next;
  };
  std::uint32_t number = 0, seen = 0;
  Float4 least, most, velocity, sum, felt;

  [[nodiscard]] const Float4& lo() const noexcept { return least; }
  [[nodiscard]] const Float4& hi() const noexcept { return most; }
};
static_assert(sizeof(TayBox) == 96);

/// The narrow phase: axis by axis, as published, until one is too far.
inline bool tay_near(const TayPoint& a, const TayPoint& b, float radius) noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (std::abs(b.position[axis] - a.position[axis]) > radius) {
      return false;
    }
  }
  return true;
}
inline bool tay_near(const TayBox& a, const TayBox& b, float radius) noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (b.least[axis] - a.most[axis] > radius || a.least[axis] - b.most[axis] > radius) {
      return false;
    }
  }
  return true;
}

/// The passes of the test, called through pointers as those of a user of Tay are. Their code is in a file of
/// its own, so that no compiler sees through the pointers.
template <class Agent>
struct TayPasses {
  void (*see)(Agent& seer, const Agent& seen);
  void (*act)(Agent& agent, const TayTest& test);
};
/// With `heavy` see() takes about ten times as long, for the same answer.
template <class Agent>
[[nodiscard]] TayPasses<Agent> tay_passes(bool heavy);

/// A run of agents in memory.
template <class Agent>
struct TaySlice {
  Agent* first = nullptr;
  std::uint32_t count = 0;
};

/// Agents from `first` along the list to the one before `last`.
template <class Agent>
struct TayChain {
  Agent* first = nullptr;
  Agent* last = nullptr;
};

/// All pairs of two partitions, which may be one.
template <class Agent>
void tay_pair(const TaySlice<Agent>& seers, const TaySlice<Agent>& seen, float radius,
              void (*see)(Agent&, const Agent&)) {
  for (Agent* a = seers.first; a != seers.first + seers.count; ++a) {
    for (const Agent* b = seen.first; b != seen.first + seen.count; ++b) {
      if (a != b && tay_near(*a, *b, radius)) {
        see(*a, *b);
      }
    }
  }
}
template <class Agent>
void tay_pair(const TayChain<Agent>& seers, const TayChain<Agent>& seen, float radius,
              void (*see)(Agent&, const Agent&)) {
  for (Agent* a = seers.first; a != seers.last; a = a->next) {
    for (const Agent* b = seen.first; b != seen.last; b = b->next) {
      if (a != b && tay_near(*a, *b, radius)) {
        see(*a, *b);
      }
    }
  }
}

}  // namespace juxta::classics
