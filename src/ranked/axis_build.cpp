// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Quantile knots of one axis.
//
//   sorted values  a a b c c c c c c c d e f ...     every quantile, a knot
//   as they fall   ^   ^   ^   ^   ^   ^
//   corrected      a   b   c   d   d   e
//
// c repeats over three knots: it keeps the first for itself, and the others move to the next value, so that
// c's quantum is c alone.

#include <algorithm>
#include <bit>
#include <limits>

#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"
#include "ranked/ranked_file.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {

// As many quanta as leave 4 to 64 points in each: knots cost time to place, doubtful points time to confirm.
std::uint32_t axis_levels(std::size_t points) noexcept {
  std::uint32_t levels = 1;
  while (levels < kMaxLevels && quanta_of(levels) * 64 < points) {
    ++levels;
  }
  return levels;
}

namespace {

constexpr std::size_t kQuanta = 1024;  // per task

template <class T>
using KeyOf = decltype(ordered_key(T{}));

/// The value whose ordered_key() is `key`.
template <class T>
T from_ordered_key(KeyOf<T> key) noexcept {
  constexpr KeyOf<T> kSign = KeyOf<T>{1} << (8 * sizeof(T) - 1);
  return std::bit_cast<T>((key & kSign) != 0 ? key ^ kSign : ~key);
}

/// Behind the last value that equals sorted[at]; `near` elements is how far that is in most cases.
template <class Key>
std::size_t end_of_run(std::span<const Key> sorted, std::size_t at, std::size_t near) noexcept {
  const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(at);
  const auto close = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(sorted.size(), at + near));
  const auto end = std::upper_bound(first, close, sorted[at]);
  return static_cast<std::size_t>((end == close ? std::upper_bound(end, sorted.end(), sorted[at]) : end) -
                                  sorted.begin());
}

/// Writes the knots [first, last), and per quantum, where its values begin in `sorted`.
template <class T>
void place_knots(std::span<const KeyOf<T>> sorted, std::span<T> knots, std::span<std::uint32_t> begin,
                 std::size_t first, std::size_t last) noexcept {
  const std::size_t quanta = knots.size(), size = sorted.size(), near = 2 * (size / quanta) + 2;
  // The product has more than 32 bits, and size_t may have no more.
  const auto share = [&](std::size_t q) {
    return static_cast<std::size_t>(std::uint64_t{q} * size / quanta);
  };
  // First element behind the value that fills the current knots.
  std::size_t after_run = first == 0 ? 0 : end_of_run(sorted, share(first - 1), near);
  for (std::size_t q = first; q < last; ++q) {
    std::size_t at = share(q);
    if (at < after_run) {
      at = after_run;  // a repeat of the last knot's value: moves to the next value
    } else {
      while (at > after_run && sorted[at - 1] == sorted[at]) {
        --at;
      }
      after_run = end_of_run(sorted, at, near);
    }
    begin[q] = static_cast<std::uint32_t>(at);
    knots[q] = at < size ? from_ordered_key<T>(sorted[at]) : std::numeric_limits<T>::infinity();
  }
}

/// The least share of a quantum that reaches its highest value. See AxisView::filled.
template <class T>
std::uint8_t share_filled(const T* knot, T high) noexcept {
  if (high == knot[0]) {
    return 0;
  }
  const double guess = static_cast<double>(high - knot[0]) / static_cast<double>(knot[1] - knot[0]) * 256;
  std::uint32_t share = guess > 1 && guess < 255 ? static_cast<std::uint32_t>(guess) : 1;
  while (share < 255 && !(high <= AxisView::highest_in(knot, share))) {
    ++share;
  }
  return static_cast<std::uint8_t>(share);
}

/// What the axis says of the quanta [first, last).
template <class T>
void describe_quanta(AxisStore& store, std::span<const KeyOf<T>> keys, const T* knots,
                     std::span<const std::uint32_t> begin, std::size_t first, std::size_t last) noexcept {
  // The next quantum that holds points: the last one that begins where this one ends.
  std::size_t next = static_cast<std::size_t>(
      std::upper_bound(begin.begin() + static_cast<std::ptrdiff_t>(last), begin.end(), begin[last]) - 1 -
      begin.begin());
  // Backwards, so that each quantum sees the next one that holds points.
  for (std::size_t q = last; q-- > first;) {
    const std::uint32_t end = begin[q + 1];
    const bool holds = begin[q] < end;
    store.run_end[q] = static_cast<std::uint16_t>((holds ? next : q + 1) - 1);
    store.filled[q] = holds ? share_filled(knots + q, from_ordered_key<T>(keys[end - 1])) : std::uint8_t{0};
    std::uint64_t occupied = 0;
    for (std::size_t i = begin[q]; i < end; ++i) {
      occupied |= std::uint64_t{1} << AxisView::slot_of(knots + q, from_ordered_key<T>(keys[i]));
    }
    store.occupied[q] = occupied;
    next = holds ? q : next;
  }
}

}  // namespace

template <class T>
Axis build_axis(AxisStore& store, StridedColumn<T> values, std::size_t size, const BuildContext& context) {
  const Workspace::Scope scope(context.workspace);
  const auto keys = context.workspace.take<KeyOf<T>>(size);
  context.executor.parallel_for(size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      keys[i] = ordered_key(values[i]);
    }
  });
  (void)sort_keys(keys, {.executor = &context.executor,
                         .workspace = &context.workspace});  // fails on sizes that build() has refused

  Axis axis;
  AxisView& view = axis.view;
  view.levels = axis_levels(size);
  const std::size_t quanta = quanta_of(view.levels);
  const std::size_t all = kLevelBegin[view.levels - 1] + quanta + 1;
  store.knots.resize_discard(all * sizeof(T));
  store.filled.resize_discard(quanta);
  store.occupied.resize_discard(quanta);
  store.run_end.resize_discard(quanta);
  T* knots = reinterpret_cast<T*>(store.knots.data());

  T* finest = knots + kLevelBegin[view.levels - 1];
  // Where the values of each quantum begin: those of quantum q are keys[begin[q]] .. keys[begin[q + 1] - 1].
  const auto begin = context.workspace.take<std::uint32_t>(quanta + 1);
  begin[quanta] = static_cast<std::uint32_t>(size);
  context.executor.parallel_for(quanta, kQuanta, [&](std::size_t first, std::size_t last) {
    place_knots<T>(keys, {finest, quanta}, begin, first, last);
  });
  for (std::size_t l = 0; l + 1 < view.levels; ++l) {
    const std::size_t step = std::size_t{1} << (4 * (view.levels - 1 - l));
    for (std::size_t i = 0; i < quanta_of(static_cast<std::uint32_t>(l + 1)); ++i) {
      knots[kLevelBegin[l] + i] = finest[i * step];
    }
  }
  finest[quanta] = std::numeric_limits<T>::infinity();
  context.executor.parallel_for(quanta, kQuanta, [&](std::size_t first, std::size_t last) {
    describe_quanta<T>(store, keys, finest, begin, first, last);
  });
  view.knots = knots;
  view.filled = store.filled.data();
  view.occupied = store.occupied.data();
  axis.lowest = static_cast<double>(finest[0]);
  axis.highest = static_cast<double>(from_ordered_key<T>(keys[size - 1]));
  view.run_end = store.run_end.data();
  return axis;
}
template Axis build_axis(AxisStore&, StridedColumn<float>, std::size_t, const BuildContext&);
template Axis build_axis(AxisStore&, StridedColumn<double>, std::size_t, const BuildContext&);

}  // namespace juxta::ranked_detail
