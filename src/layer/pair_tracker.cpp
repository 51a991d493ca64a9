// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
//   pairs of this frame, as they came --- match with those of the last, as they came:
//     alike:      sort what is unmatched; merge it into the ascending pairs of the last frame
//     not alike:  sort all; compare with the ascending pairs of the last frame
#include "juxta/layer/pair_tracker.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/call_workspace.h"
#include "juxta/core/try.h"
#include "layer/pair_changes.h"
#include "layer/pair_matching.h"
#include "layer/pair_order.h"

namespace juxta {
namespace {

using layer_detail::take_pairs;

constexpr std::size_t kMostPairs = 0xFFFFFFFE;  // as many as can be sorted

/// Empties it and reserves memory for `count`: a quarter more when it grows, so that growing frames seldom
/// allocate.
void empty_for(Array<Pair>& array, std::size_t count) {
  if ((count + kArrayPadding) * sizeof(Pair) > array.memory_bytes()) {
    array.resize_discard(count + count / 4);
  }
  array.resize_discard(0);
}
void assign(Array<Pair>& array, std::span<const Pair> pairs) {
  empty_for(array, pairs.size());
  array.resize_discard(pairs.size());
  std::copy(pairs.begin(), pairs.end(), array.begin());
}

/// Ascending, each once, into `to`. The radix sort finds a block as large as that of any frame of this step.
Result<std::span<Pair>> sorted_once(std::span<const Pair> pairs, std::span<Pair> to, Workspace& workspace,
                                    const Executor* executor) {
  if (pairs.size() > 8192) {
    const Workspace::Scope scope(workspace);
    (void)take_pairs(workspace, 2 * pairs.size() + 16'384);
  }
  JUXTA_TRY(layer_detail::order_pairs(pairs, to, workspace, executor));
  return to.first(layer_detail::unique_pairs(to));
}

}  // namespace

PairTracker::PairTracker(std::pmr::memory_resource* resource)
    : now_(resource), last_(resource), came_(resource), begun_(resource), ended_(resource) {}

Result<void> PairTracker::update(std::span<const Pair> pairs, const Context& context) {
  if (pairs.size() > kMostPairs) {
    return fail(ErrorCode::kTooLarge,
                std::to_string(pairs.size()) + " pairs; at most 2^32 - 2 can be tracked");
  }
  const CallWorkspace call(context);
  const Context inner{.executor = context.executor, .workspace = &*call};
  JUXTA_TRY_LET(const bool changed, change(pairs, inner));
  if (!changed) {
    JUXTA_TRY(compare(pairs, inner));
  }
  std::swap(now_, last_);  // all memory was there: now the frame changes
  matchable_ = now_.size() == pairs.size();
  return {};
}

Result<bool> PairTracker::change(std::span<const Pair> pairs, const Context& context) {
  Workspace& workspace = *context.workspace;
  const Workspace::Scope scope(workspace);
  const layer_detail::Unmatched rest =
      layer_detail::match_pairs(pairs, matchable_ ? came_.span() : now_.span(), workspace, context.executor);
  if (!rest.alike || rest.now.size() + rest.last.size() > pairs.size() / 2) {
    return false;
  }
  remember(pairs);
  JUXTA_TRY_LET(const std::span<const Pair> joined,
                sorted_once(rest.now, rest.now, workspace, context.executor));
  JUXTA_TRY_LET(const std::span<const Pair> left,
                sorted_once(rest.last, rest.last, workspace, context.executor));
  empty_for(last_, now_.size() + joined.size());
  empty_for(begun_, joined.size());
  empty_for(ended_, left.size());
  const layer_detail::Changed changed = layer_detail::change_pairs(
      now_.span(), joined, left, {last_.data(), begun_.data(), ended_.data()}, workspace, context.executor);
  last_.resize_discard(changed.now);
  begun_.resize_discard(changed.begun);
  ended_.resize_discard(changed.ended);
  return true;
}

Result<void> PairTracker::compare(std::span<const Pair> pairs, const Context& context) {
  Workspace& workspace = *context.workspace;
  const std::span<Pair> begun = take_pairs(workspace, pairs.size() + 1);
  const std::span<Pair> ended = take_pairs(workspace, now_.size() + 1);
  empty_for(last_, pairs.size());
  last_.resize_discard(pairs.size());
  JUXTA_TRY_LET(const std::span<const Pair> now,
                sorted_once(pairs, last_.span(), workspace, context.executor));
  last_.resize_discard(now.size());
  remember(pairs);
  const layer_detail::Events events = layer_detail::compare_pairs(now, now_.span(), begun, ended);
  assign(begun_, events.begun);
  assign(ended_, events.ended);
  return {};
}

// Before the events are written: `pairs` may be those of the last update.
void PairTracker::remember(std::span<const Pair> pairs) {
  matchable_ = false;
  assign(came_, pairs);
}

void PairTracker::clear() noexcept {
  for (Array<Pair>* array : {&now_, &last_, &came_, &begun_, &ended_}) {
    array->resize_discard(0);
  }
  matchable_ = false;
}

}  // namespace juxta
