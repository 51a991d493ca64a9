// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/pair_tracker.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/call_workspace.h"
#include "juxta/core/try.h"
#include "layer/pair_order.h"

namespace juxta {
namespace {

/// Pairs as numbers: their order is that of (a, b).
std::uint64_t key_of(Pair pair) noexcept {
  return std::uint64_t{pair.a} << 32 | pair.b;
}
/// How many pairs are left when each stays once.
std::size_t unique(std::span<Pair> sorted) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sorted[kept] = sorted[i];
    kept += i + 1 == sorted.size() || sorted[i] != sorted[i + 1];
  }
  return kept;
}

struct Events {
  std::span<const Pair> begun, ended;
};

/// What only `now` has and what only `last` has. Their room must be as long as `now` and `last`, and one
/// more. No branch but the loop's: which side is lower is as good as random.
Events compare(std::span<const Pair> now, std::span<const Pair> last, std::span<Pair> begun,
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

/// A copy, with room for a quarter more when it grows, so that slowly growing frames seldom allocate.
void assign(Array<Pair>& array, std::span<const Pair> pairs) {
  if ((pairs.size() + kArrayPadding) * sizeof(Pair) > array.memory_bytes()) {
    array.resize_discard(pairs.size() + pairs.size() / 4);
  }
  array.resize_discard(pairs.size());
  std::copy(pairs.begin(), pairs.end(), array.begin());
}

}  // namespace

PairTracker::PairTracker(std::pmr::memory_resource* resource)
    : now_(resource), last_(resource), begun_(resource), ended_(resource) {}

Result<void> PairTracker::update(std::span<const Pair> pairs, const Context& context) {
  const CallWorkspace call(context);
  Workspace& workspace = *call;
  std::span<Pair> frame = workspace.take<Pair>(pairs.size());
  std::copy(pairs.begin(), pairs.end(), frame.begin());
  JUXTA_TRY(layer_detail::order_pairs(frame, workspace, context.executor));
  frame = frame.first(unique(frame));

  const Events events = compare(frame, now_.span(), workspace.take<Pair>(frame.size() + 1),
                                workspace.take<Pair>(now_.size() + 1));
  assign(begun_, events.begun);
  assign(ended_, events.ended);
  assign(last_, frame);  // all memory is there: now the frame changes
  std::swap(now_, last_);
  return {};
}

void PairTracker::clear() noexcept {
  for (Array<Pair>* array : {&now_, &last_, &begun_, &ended_}) {
    array->resize_discard(0);
  }
}

}  // namespace juxta
