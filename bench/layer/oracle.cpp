// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/layer/oracle.h"

#include <algorithm>
#include <array>

#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

// Boxes side by side, so that the compiler compares as many at once as the machine can.
struct Columns {
  explicit Columns(std::span<const Aabb3> boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      lo[at].resize(boxes.size());
      hi[at].resize(boxes.size());
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        lo[at][i] = boxes[i].lo[axis];
        hi[at][i] = boxes[i].hi[axis];
      }
    }
  }
  std::array<std::vector<float>, 3> lo, hi;
};

// Calls hit(j) for each box of columns from `first` on that overlaps `box`.
template <class Hit>
void compare(const Aabb3& box, const Columns& c, std::size_t first, const Hit& hit) {
  constexpr std::size_t kChunk = 256;
  std::array<std::uint8_t, kChunk> flags;
  const float *lx = c.lo[0].data(), *ly = c.lo[1].data(), *lz = c.lo[2].data();
  const float *hx = c.hi[0].data(), *hy = c.hi[1].data(), *hz = c.hi[2].data();
  for (std::size_t at = first; at < c.lo[0].size(); at += kChunk) {
    const std::size_t n = std::min(kChunk, c.lo[0].size() - at);
    std::uint8_t any = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = at + i;
      const int both = int{box.lo[0] <= hx[j]} & int{lx[j] <= box.hi[0]} & int{box.lo[1] <= hy[j]} &
                       int{ly[j] <= box.hi[1]} & int{box.lo[2] <= hz[j]} & int{lz[j] <= box.hi[2]};
      flags[i] = static_cast<std::uint8_t>(both);
      any = static_cast<std::uint8_t>(any | flags[i]);
    }
    for (std::size_t i = 0; any != 0 && i < n; ++i) {
      if (flags[i] != 0) {
        hit(static_cast<std::uint32_t>(at + i));
      }
    }
  }
}

}  // namespace

void Digest::add(std::uint32_t a, std::uint32_t b) noexcept {
  std::uint64_t z = (std::uint64_t{a} << 32 | b) + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  sum += z ^ (z >> 31);
  ++count;
}

Digest digest_self(std::span<const Pair> pairs) noexcept {
  Digest digest;
  for (const Pair& pair : pairs) {
    digest.add(std::min(pair.a, pair.b), std::max(pair.a, pair.b));
  }
  return digest;
}

Digest digest_cross(std::span<const Pair> pairs) noexcept {
  Digest digest;
  for (const Pair& pair : pairs) {
    digest.add(pair.a, pair.b);
  }
  return digest;
}

Digest brute_self(std::span<const Aabb3> boxes) {
  const Columns columns(boxes);
  Digest digest;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto a = static_cast<std::uint32_t>(i);
    compare(boxes[i], columns, i + 1, [&](std::uint32_t b) { digest.add(a, b); });
  }
  return digest;
}

Digest brute_cross(std::span<const Aabb3> a, std::span<const Aabb3> b) {
  const Columns columns(b);
  Digest digest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    compare(a[i], columns, 0, [&](std::uint32_t j) { digest.add(static_cast<std::uint32_t>(i), j); });
  }
  return digest;
}

std::vector<std::uint32_t> brute_counts(std::span<const Aabb3> queries, std::span<const Aabb3> boxes) {
  const Columns columns(boxes);
  std::vector<std::uint32_t> counts(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    compare(queries[i], columns, 0, [&](std::uint32_t) { ++counts[i]; });
  }
  return counts;
}

RayHit brute_closest(const Ray3& ray, std::span<const Aabb3> boxes) noexcept {
  RayHit best;
  best.t = ray.max;
  const float inverse[3]{1 / ray.direction[0], 1 / ray.direction[1], 1 / ray.direction[2]};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    float enter = 0, leave = ray.max;
    for (int axis = 0; axis < 3; ++axis) {
      const float t0 = (boxes[i].lo[axis] - ray.origin[axis]) * inverse[axis];
      const float t1 = (boxes[i].hi[axis] - ray.origin[axis]) * inverse[axis];
      enter = std::max(enter, std::min(t0, t1));
      leave = std::min(leave, std::max(t0, t1));
    }
    // The first of several at the same t stays: numbers ascend.
    if (enter <= leave && (enter < best.t || best.body == kNoBody)) {
      best = {static_cast<std::uint32_t>(i), enter};
    }
  }
  return best.body == kNoBody ? RayHit{} : best;
}

void Expected::set(std::size_t frame, const Digest& right, const std::string& who) {
  if (frame != frames_.size()) {
    give_up("frames are checked in order");
  }
  frames_.push_back({right, who});
}

void Expected::check(std::size_t frame, const Digest& got, const std::string& row) {
  if (!knows(frame)) {
    set(frame, got, row);
    return;
  }
  const Known& known = frames_[frame];
  if (!(got == known.digest)) {
    const std::string counts = got.count == known.digest.count
                                   ? "the same number of other pairs than "
                                   : std::to_string(got.count) + " pairs, and not the " +
                                         std::to_string(known.digest.count) + " of ";
    give_up(row + " finds " + counts + known.who + " in frame " + std::to_string(frame) +
            "; nothing was timed.");
  }
}

double checksum(const Digest& digest) noexcept {
  return static_cast<double>(digest.sum >> 32);
}

}  // namespace juxta::bench
