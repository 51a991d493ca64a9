// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// An ascending list becomes that of the next frame, with what began and what ended.
//
//   last    A B C D E F G ...     eight pairs at a time are copied, and those count that are below the next
//   joined      X                 that joins or leaves
//   left          D
//   now     A B X C E F G ...     ascending, as all of them
//
// Bytes:  8 read and 8 written a pair, and those that join and leave.
// Limit:  40 instructions for each that joins or leaves, the longest chain of them about 20 cycles; where
//         none does, the memory.

#include "layer/pair_changes.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace juxta::layer_detail {
namespace {

constexpr std::size_t kChangePart = 65'536;  // pairs that one task changes
constexpr std::size_t kMostChanges = 256;
constexpr std::ptrdiff_t kStride = 8;  // pairs that are copied at once

/// Pairs as numbers: their order is that of (a, b), and equality is one compare.
std::uint64_t key_of(const Pair& pair) noexcept {
  const auto word = std::bit_cast<std::uint64_t>(pair);  // one load, where two and a shift would be as right
  return std::endian::native == std::endian::little ? std::rotl(word, 32) : word;
}

/// One part of a change. What is read ends where the part does.
struct Change {
  const Pair *last, *last_end, *joined, *joined_end, *left, *left_end;
  Pair *now, *now_end, *begun, *ended;

  [[nodiscard]] std::ptrdiff_t space() const noexcept { return std::min(last_end - last, now_end - now); }
};

/// Of eight pairs how many are below `key`.
inline std::ptrdiff_t count_below(const Pair* pairs, std::uint64_t key) noexcept {
  std::ptrdiff_t below = 0;
  for (std::ptrdiff_t i = 0; i < kStride; ++i) {
    below += key_of(pairs[i]) < key ? 1 : 0;
  }
  return below;
}

void copy_below(Change& c, std::uint64_t key) noexcept {
  while (c.space() >= kStride) {
    const std::ptrdiff_t below = count_below(c.last, key);
    std::memcpy(static_cast<void*>(c.now), c.last, kStride * sizeof(Pair));
    c.now += below;
    c.last += below;
    if (below < kStride) {
      return;
    }
  }
  while (c.last != c.last_end && key_of(*c.last) < key) {
    *c.now++ = *c.last++;
  }
}

// The next of `joined`. What `last` has already is a repeat.
void join(Change& c) noexcept {
  copy_below(c, key_of(*c.joined));
  if (c.last == c.last_end || key_of(*c.last) != key_of(*c.joined)) {
    *c.now++ = *c.begun++ = *c.joined;
  }
  ++c.joined;
}
void leave(Change& c) noexcept {
  copy_below(c, key_of(*c.left));
  ++c.last;
  *c.ended++ = *c.left++;
}
void join_or_leave(Change& c) noexcept {
  const std::uint64_t joins = key_of(*c.joined), leaves = key_of(*c.left);
  if (joins < leaves) {
    join(c);
  } else if (leaves < joins) {
    leave(c);
  } else {  // it only came at another place
    ++c.joined;
    ++c.left;
  }
}

// The same many times, until a list or the space for a stride ends, or something rare comes; without a branch
// on which comes next, as that is as good as random.
void join_and_leave(Change& change) noexcept {
  Change c = change;  // in registers
  std::ptrdiff_t space = c.space();
  std::ptrdiff_t steps = std::min(c.joined_end - c.joined, c.left_end - c.left);
  while (steps > 0 && space >= kStride) {
    const std::uint64_t joins = key_of(*c.joined), leaves = key_of(*c.left);
    const std::ptrdiff_t below = count_below(c.last, std::min(joins, leaves));
    std::memcpy(static_cast<void*>(c.now), c.last, kStride * sizeof(Pair));
    c.now += below;
    c.last += below;
    space -= below;
    if (below == kStride) {
      continue;
    }
    if (joins == leaves || key_of(*c.last) == joins) {
      break;
    }
    const bool is_left = leaves < joins, is_new = !is_left;
    *c.now = *c.begun = *c.joined;  // there is space: fewer than a stride were copied
    *c.ended = *c.left;
    c.now += is_new;
    c.begun += is_new;
    c.joined += is_new;
    c.ended += is_left;
    c.left += is_left;
    c.last += is_left;
    --space;
    --steps;
  }
  change = c;
}

Change run(Change c) noexcept {
  while (c.joined != c.joined_end && c.left != c.left_end) {
    join_and_leave(c);
    if (c.joined != c.joined_end && c.left != c.left_end) {
      join_or_leave(c);
    }
  }
  while (c.joined != c.joined_end) {
    join(c);
  }
  while (c.left != c.left_end) {
    leave(c);
  }
  c.now = std::copy(c.last, c.last_end, c.now);
  return c;
}

/// Appends [from, to), which lies at or behind it, to a list of `count`.
void close_gap(Pair* list, std::size_t& count, const Pair* from, const Pair* to) noexcept {
  if (list + count != from) {
    std::copy(from, to, list + count);
  }
  count += static_cast<std::size_t>(to - from);
}

std::size_t place_of(std::span<const Pair> ascending, const Pair& pair) noexcept {
  return static_cast<std::size_t>(std::lower_bound(ascending.begin(), ascending.end(), pair) -
                                  ascending.begin());
}

}  // namespace

std::size_t unique_pairs(std::span<Pair> ascending) noexcept {
  const auto same = [](const Pair& one, const Pair& other) { return key_of(one) == key_of(other); };
  const auto first = std::adjacent_find(ascending.begin(), ascending.end(), same);  // seldom is there one
  return static_cast<std::size_t>(std::unique(first, ascending.end(), same) - ascending.begin());
}

// No branch but the loop's: which side is lower is as good as random.
Events compare_pairs(std::span<const Pair> now, std::span<const Pair> last, std::span<Pair> begun,
                     std::span<Pair> ended) noexcept {
  std::size_t i = 0, j = 0, begins = 0, ends = 0;
  while (i < now.size() && j < last.size()) {
    const std::uint64_t a = key_of(now[i]), b = key_of(last[j]);
    begun[begins] = now[i];
    ended[ends] = last[j];
    begins += a < b;
    ends += b < a;
    i += a <= b;
    j += b <= a;
  }
  for (; i < now.size(); ++i) {
    begun[begins++] = now[i];
  }
  for (; j < last.size(); ++j) {
    ended[ends++] = last[j];
  }
  return {begun.first(begins), ended.first(ends)};
}

Changed change_pairs(std::span<const Pair> last, std::span<const Pair> joined, std::span<const Pair> left,
                     const Outputs& out, Workspace& workspace, const Executor* executor) {
  const std::size_t parts =
      executor == nullptr ? 1 : std::clamp<std::size_t>(last.size() / kChangePart, 1, kMostChanges);
  const std::span<Change> changes = workspace.take<Change>(parts), done = workspace.take<Change>(parts);
  const Pair *at_last = last.data(), *at_joined = joined.data(), *at_left = left.data();
  Pair* at_now = out.now;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t cut = last.size() * (p + 1) / parts;
    const bool end = p + 1 == parts;
    Change& part = changes[p];
    part = {at_last,
            last.data() + cut,
            at_joined,
            joined.data() + (end ? joined.size() : place_of(joined, last[cut])),
            at_left,
            left.data() + (end ? left.size() : place_of(left, last[cut])),
            at_now,
            nullptr,
            out.begun + (at_joined - joined.data()),
            out.ended + (at_left - left.data())};
    at_now += (part.last_end - at_last) + (part.joined_end - at_joined) - (part.left_end - at_left);
    part.now_end = at_now;
    at_last = part.last_end;
    at_joined = part.joined_end;
    at_left = part.left_end;
  }
  executor_or_serial(executor).parallel_for(parts, 1, [&](std::size_t first, std::size_t to) {
    for (std::size_t p = first; p < to; ++p) {
      done[p] = run(changes[p]);
    }
  });
  Changed changed;
  for (std::size_t p = 0; p < parts; ++p) {  // repeats, and pairs that joined and left, leave gaps
    close_gap(out.now, changed.now, changes[p].now, done[p].now);
    close_gap(out.begun, changed.begun, changes[p].begun, done[p].begun);
    close_gap(out.ended, changed.ended, changes[p].ended, done[p].ended);
  }
  return changed;
}

}  // namespace juxta::layer_detail
