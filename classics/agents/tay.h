// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "juxta/core/executor.h"

namespace juxta::classics {

/// The structures of Tay (bcace; docs/sources.md) that keep agents for the search of neighbours.
///
/// As published: the structures, rebuilt serially at each step; see and act, called through a pointer for
/// each pair and each agent; partitions two radii wide, halved as often as `depth_correction` says; agents
/// that stay, in linked lists (first and second article), or are copied between two buffers in the order of
/// partitions (third article); partitions dealt to threads in turn, or equal runs of copied agents.
/// Not as published: threads are an executor's, not the author's own that wait at semaphores; one kind of
/// agents, three dimensions, nothing on a GPU, nobody born or removed; partitions are wider by a
/// ten-thousandth, so that rounding loses nobody. The author's k-d tree later dealt partitions by size. Each
/// structure's file names what else differs.
enum class TayStructure : std::uint8_t {
  kGrid,    ///< Cells hashed into bins. Points alone.
  kKd,      ///< A k-d tree that halves space; an agent that a cut would split stays in the branch.
  kZ,       ///< A table of cells along Morton's curve. Points alone.
  kBoxes,   ///< A tree of boxes, grown agent by agent.
  kSimple,  ///< None: all pairs.
  // The same with agents that never move in memory.
  kGridPointers,  ///< Points alone.
  kKdPointers,
  kBoxesPointers,
};

/// What Tay's own test asks for.
struct TayTest {
  float size = 1000;         ///< The world is [0, size]^3, and its walls reflect.
  float radius = 50;         ///< Two agents interact when the gap between them is <= radius on every axis.
  int depth_correction = 0;  ///< In [0, 6]: partitions are 2 radius / 2^depth_correction wide. Never changes
                             ///< who is seen. Its author tries some for each test, and so should a benchmark:
                             ///< 1 is best for most points, 0 for the tree of boxes.
  bool boxes = false;        ///< Agents have a size.
  bool heavy = false;     ///< An interaction takes about ten times as long, and comes to the same: what the
                          ///< third article does to see whether its threads are busy.
  std::size_t tasks = 1;  ///< >= 1. see() and act() are cut into so many; as published one for each thread.
  const Executor* executor = nullptr;  ///< That runs the tasks; null: the calling thread.
};

/// One agent, as it is set and read. A point has lo == hi.
struct TayBody {
  std::array<float, 3> lo{}, hi{}, velocity{};
  std::array<float, 3> sum{};   ///< Of seen.lo - seer.lo over the seen, since act().
  std::array<float, 3> felt{};  ///< Of the mean differences of all steps.
  std::uint32_t seen = 0;       ///< How many, since act().
};

/// A world of Tay's test. The passes:
///   see  for each pair: seer.sum += seen.lo - seer.lo, seer.seen += 1   (one call through a pointer each)
///   act  for each: felt += sum / seen where seen > 0; sum = 0, seen = 0; lo += velocity and hi += velocity;
///        beyond a wall: onto the wall, and that velocity turns
/// Near means, on each axis: with points |b - a| <= radius; with boxes b.lo - a.hi <= radius and
/// a.lo - b.hi <= radius, in float: exact, and therefore the same as any other form, while coordinates are
/// multiples of 1 / 64. The order in which a sum is taken is the structure's own, and the same for any number
/// of tasks.
class TayWorld {
 public:
  virtual ~TayWorld() = default;
  virtual void set(std::span<const TayBody> bodies) = 0;  ///< The index is the agent's number.
  virtual void sort() = 0;                                ///< Tay's "update". One thread, as published.
  virtual void see() = 0;                                 ///< After sort().
  virtual void act() = 0;                                 ///< After sort().
  void step() {
    sort();
    see();
    act();
  }
  virtual void get(std::span<TayBody> bodies) const = 0;  ///< By number; as many as were set.

  /// How many pairs each task of see() tests, after sort(). What is near of all of them is the author's
  /// measure of a structure; how even they are, that of threads.
  [[nodiscard]] virtual std::vector<std::uint64_t> tested() = 0;
};

/// Null for a structure that takes points alone, asked for boxes.
[[nodiscard]] std::unique_ptr<TayWorld> make_tay(TayStructure structure, const TayTest& test);

}  // namespace juxta::classics
