// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Both lists are walked at once. Where they differ, one of these holds nearly always, and a step tries both
// without a branch, as nobody could foretell which:
//
//   now   X D E ..        now   D E F ..
//   last  D E F ..        last  Y D E ..
//   X is unmatched        Y is unmatched
//
// Otherwise the nearest place where the lists agree is searched, first among the next few pairs, then
// farther.
//
// Bytes:  8 a pair of each list, once; what is unmatched is written.
// Limit:  one mispredicted branch at the end of each run of equal pairs, about 15 cycles; without differences
//         the memory.
// Parts:  with an executor the lists are cut where a pair is found in both. Where they are cut changes how
//         many pairs stay unmatched, and so never an answer of the tracker.

#include "layer/pair_matching.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace juxta::layer_detail {
namespace {

constexpr std::size_t kReach = 16;           // of the first search for agreement, in both lists together
constexpr std::size_t kFar = 1024;           // of the second, in either list
constexpr std::size_t kMargin = 2 * kReach;  // nearer to the ends the plain walk takes over
constexpr std::size_t kWalkPart = 32'768;    // pairs of `now` that one task walks
constexpr std::size_t kMostWalks = 256;
constexpr std::size_t kCutReach = 4096;  // how far from its place a cut may be in `last`

std::uint64_t word(const Pair& pair) noexcept {
  return std::bit_cast<std::uint64_t>(pair);
}

/// What one task walks, and where it writes what is unmatched.
struct Walk {
  const Pair *now, *last, *now_end, *last_end;
  Pair *rest_now, *rest_last;

  [[nodiscard]] std::size_t left() const noexcept {
    return static_cast<std::size_t>(std::min(now_end - now, last_end - last));
  }
  void skip_now(std::size_t count) noexcept {
    rest_now = std::copy_n(now, count, rest_now);
    now += count;
  }
  void skip_last(std::size_t count) noexcept {
    rest_last = std::copy_n(last, count, rest_last);
    last += count;
  }
};

/// Moves up to kReach pairs, four at a time: what it writes beyond is less than the margin of its list.
void copy_few(const Pair*& from, std::size_t count, Pair*& to) noexcept {
  for (std::size_t i = 0; i < count; i += 4) {
    std::memcpy(static_cast<void*>(to + i), from + i, 4 * sizeof(Pair));
  }
  from += count;
  to += count;
}

/// Skips to the place where the fewest pairs are unmatched. False: there is none.
bool skip_near(Walk& walk) noexcept {
  for (std::size_t both = 2; both <= kReach; ++both) {
    for (std::size_t i = 0; i <= both; ++i) {
      if (word(walk.now[i]) == word(walk.last[both - i])) {
        copy_few(walk.now, i, walk.rest_now);
        copy_few(walk.last, both - i, walk.rest_last);
        return true;
      }
    }
  }
  return false;
}

/// Whether the first two pairs are the same. One alone may be a stray.
bool two_alike(const Pair* one, const Pair* other) noexcept {
  return word(one[0]) == word(other[0]) && word(one[1]) == word(other[1]);
}

/// Skips in one list to the next two of the other. False: they are nowhere near; a few of both were skipped.
bool skip_far(Walk& walk) noexcept {
  const std::size_t reach = std::min(kFar, walk.left() - 1);
  for (std::size_t i = kReach + 1; i < reach; ++i) {
    if (two_alike(walk.now + i, walk.last)) {
      walk.skip_now(i);
      return true;
    }
    if (two_alike(walk.now, walk.last + i)) {
      walk.skip_last(i);
      return true;
    }
  }
  walk.skip_now(kReach);
  walk.skip_last(kReach);
  return false;
}

/// One step past a difference. False: what follows differs too.
bool step(Walk& walk) noexcept {
  const std::uint64_t x = word(walk.now[0]), y = word(walk.last[0]);
  const bool extra_now = word(walk.now[1]) == y;
  const bool extra_last = !extra_now & (x == word(walk.last[1]));
  *walk.rest_now = walk.now[0];
  *walk.rest_last = walk.last[0];
  walk.now += extra_now;
  walk.rest_now += extra_now;
  walk.last += extra_last;
  walk.rest_last += extra_last;
  return extra_now | extra_last;
}

/// False: it gave up.
bool run(Walk& walk) noexcept {
  const Pair* const begin = walk.now;
  std::ptrdiff_t failures = 0;  // each costs about 1 us
  while (walk.left() > kMargin) {
    const std::size_t most = walk.left() - kMargin;
    std::size_t run = 0;
    while (run < most && word(walk.now[run]) == word(walk.last[run])) {
      ++run;
    }
    walk.now += run;
    walk.last += run;
    if (run == most || step(walk) || skip_near(walk) || skip_far(walk)) {
      continue;
    }
    if (++failures > 4 + (walk.now - begin) / 128) {
      return false;
    }
  }
  while (walk.left() > 0) {
    if (*walk.now == *walk.last) {
      ++walk.now;
      ++walk.last;
    } else {
      walk.skip_now(1);
      walk.skip_last(1);
    }
  }
  walk.skip_now(static_cast<std::size_t>(walk.now_end - walk.now));
  walk.skip_last(static_cast<std::size_t>(walk.last_end - walk.last));
  return true;
}

struct Cut {
  std::size_t now, last;
};

/// A pair near `i` of now, and its partner in last, after an earlier cut. The earlier one if there is none.
Cut cut_near(std::span<const Pair> now, std::span<const Pair> last, std::size_t i, Cut earlier) noexcept {
  const auto expected = static_cast<std::size_t>(std::uint64_t{i} * last.size() / now.size());
  const std::size_t first = std::max(earlier.last, expected - std::min(expected, kCutReach));
  const std::size_t end = std::min(last.size(), expected + kCutReach);
  for (std::size_t tries = 0; tries < 4 && first < end; ++tries, ++i) {
    const auto found = std::find(last.begin() + static_cast<std::ptrdiff_t>(first),
                                 last.begin() + static_cast<std::ptrdiff_t>(end), now[i]);
    if (found != last.begin() + static_cast<std::ptrdiff_t>(end)) {
      return {i, static_cast<std::size_t>(found - last.begin())};
    }
  }
  return earlier;
}

}  // namespace

std::span<Pair> take_pairs(Workspace& workspace, std::size_t count) {
  const std::size_t step = std::max<std::size_t>(std::bit_floor(count) / 4, 1);
  return workspace.take<Pair>((count + step - 1) / step * step).first(count);
}

Unmatched match_pairs(std::span<const Pair> now, std::span<const Pair> last, Workspace& workspace,
                      const Executor* executor) {
  if (now.size() / 2 > last.size() || last.size() / 2 > now.size()) {
    return {};
  }
  const std::span<Pair> rest_now = take_pairs(workspace, now.size() + 1);
  const std::span<Pair> rest_last = take_pairs(workspace, last.size() + 1);
  const std::size_t parts =
      executor == nullptr ? 1 : std::clamp<std::size_t>(now.size() / kWalkPart, 1, kMostWalks);
  const std::span<Cut> cuts = workspace.take<Cut>(parts + 1);
  cuts[0] = {0, 0};
  std::size_t missing = 0;
  for (std::size_t p = 1; p < parts; ++p) {
    cuts[p] = cut_near(now, last, now.size() * p / parts, cuts[p - 1]);
    missing += cuts[p].now == cuts[p - 1].now ? 1 : 0;
    if (missing > 4 + p / 4) {
      return {};
    }
  }
  cuts[parts] = {now.size(), last.size()};

  const std::span<Walk> walks = workspace.take<Walk>(parts);
  const std::span<bool> whole = workspace.take<bool>(parts);
  executor_or_serial(executor).parallel_for(parts, 1, [&](std::size_t first, std::size_t end) {
    for (std::size_t p = first; p < end; ++p) {
      const Cut from = cuts[p], to = cuts[p + 1];
      Walk walk{now.data() + from.now, last.data() + from.last,    now.data() + to.now,
                last.data() + to.last, rest_now.data() + from.now, rest_last.data() + from.last};
      whole[p] = run(walk);
      walks[p] = walk;
    }
  });
  Pair *end_now = rest_now.data(), *end_last = rest_last.data();
  for (std::size_t p = 0; p < parts; ++p) {
    if (!whole[p]) {
      return {};
    }
    end_now = std::copy(rest_now.data() + cuts[p].now, walks[p].rest_now, end_now);
    end_last = std::copy(rest_last.data() + cuts[p].last, walks[p].rest_last, end_last);
  }
  return {rest_now.first(static_cast<std::size_t>(end_now - rest_now.data())),
          rest_last.first(static_cast<std::size_t>(end_last - rest_last.data())), true};
}

}  // namespace juxta::layer_detail
