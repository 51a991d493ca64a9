// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/layer/find_pairs.h"
#include "juxta/layer/raycast.h"

// The right answers of bench_layer, by comparing everything with everything.

namespace juxta::bench {

/// A set of pairs in short: equal for the same pairs in any order.
struct Digest {
  std::size_t count = 0;
  std::uint64_t sum = 0;  ///< Of a hash of each pair.

  void add(std::uint32_t a, std::uint32_t b) noexcept;
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// Pairs of one set of boxes: {a, b} and {b, a} are the same.
[[nodiscard]] Digest digest_self(std::span<const Pair> pairs) noexcept;
/// Pairs of two sets.
[[nodiscard]] Digest digest_cross(std::span<const Pair> pairs) noexcept;

[[nodiscard]] Digest brute_self(std::span<const Aabb3> boxes);
[[nodiscard]] Digest brute_cross(std::span<const Aabb3> a, std::span<const Aabb3> b);
/// hits[i]: how many of `boxes` overlap queries[i].
[[nodiscard]] std::vector<std::uint32_t> brute_counts(std::span<const Aabb3> queries,
                                                      std::span<const Aabb3> boxes);
/// As raycast_closest() defines it.
[[nodiscard]] RayHit brute_closest(const Ray3& ray, std::span<const Aabb3> boxes) noexcept;

/// The digests of a workload's first frames. Those of small worlds come from brute force; of large ones from
/// whoever is asked first, so that all contenders are held against each other.
class Expected {
 public:
  /// Ends the program, naming both sides, when `got` is not what frame `frame` has.
  void check(std::size_t frame, const Digest& got, const std::string& row);
  void set(std::size_t frame, const Digest& right, const std::string& who);
  [[nodiscard]] bool knows(std::size_t frame) const noexcept { return frame < frames_.size(); }

 private:
  struct Known {
    Digest digest;
    std::string who;
  };
  std::vector<Known> frames_;
};

/// Small enough to be exact in a double.
[[nodiscard]] double checksum(const Digest& digest) noexcept;

}  // namespace juxta::bench
