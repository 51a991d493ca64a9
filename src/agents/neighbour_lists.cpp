// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// One thread writes lists where they belong, since groups of seers come in the order of rows. Several threads
// do not know where a list begins before those in front of it are complete. They take waves of 64 ranges:
//
//   range     0        1        2     ...     each thread finds the lists of a range, in a room of its own
//   found     15,310   14,990   ...           a sum over the ranges says where each begins
//   outputs   |0       |1       |2 ...        each thread copies ranges to their places
//
// Rooms stay in the caches. A range that found more than its room holds searches again, straight to its
// place.
#include "juxta/agents/neighbour_lists.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <new>
#include <string>

#include "agents/list_search.h"
#include "agents/lists_kernel.h"
#include "agents/store.h"
#include "core/call_workspace.h"
#include "juxta/core/executor.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kRangesInWave = 64;
constexpr std::size_t kMostRoom = std::size_t{1} << 16;  // entries of a range

/// The caller's spans.
ListSink sink_of(const NeighbourOutputs& outputs, std::size_t dimensions) {
  ListSink sink;
  sink.room = kNoEnd;
  const auto take = [&sink](auto span, std::size_t each) {
    sink.room = span.empty() ? sink.room : std::min(sink.room, span.size() / each);
    return span.empty() ? nullptr : span.data();
  };
  sink.rows = take(outputs.rows, 1);
  sink.pairs = take(outputs.pairs, 1);
  sink.distance2 = take(outputs.distance2, 1);
  sink.distance = take(outputs.distance, 1);
  sink.displacement = take(outputs.displacement, dimensions);
  sink.room = sink.room == kNoEnd ? 0 : sink.room;
  return sink;
}

/// A part of a sink's arrays.
void point_to(ListPlaces& part, const ListPlaces& whole, std::size_t at, std::size_t dimensions) noexcept {
  const auto behind = [at](auto* array, std::size_t each) {
    return array != nullptr ? array + at * each : nullptr;
  };
  part.rows = behind(whole.rows, 1);
  part.pairs = behind(whole.pairs, 1);
  part.distance2 = behind(whole.distance2, 1);
  part.distance = behind(whole.distance, 1);
  part.displacement = behind(whole.displacement, dimensions);
}

/// Several threads fill the sink.
class Waves {
 public:
  Waves(const ListSearch& search, const ListSink& out, Workspace& workspace, const Executor& executor)
      : search_(search), out_(out), executor_(executor) {
    // Half as much again as a range gets of the caller's room on average.
    const std::size_t share = out.room / std::max<std::size_t>(search.ranges(), 1);
    room_ = out.room == 0 ? 0 : std::min(share + share / 2 + 64, kMostRoom);
    const auto take = [&](auto* wanted, std::size_t each) {
      const std::size_t ranges = std::min(kRangesInWave, search.ranges());
      return wanted != nullptr
                 ? workspace.take<std::remove_pointer_t<decltype(wanted)>>(ranges * room_ * each).data()
                 : nullptr;
    };
    rooms_.rows = take(out.rows, 1);
    rooms_.pairs = take(out.pairs, 1);
    rooms_.distance2 = take(out.distance2, 1);
    rooms_.distance = take(out.distance, 1);
    rooms_.displacement = take(out.displacement, search.dimensions());
  }

  /// All ranges; what was found and tested.
  QueryResult run() {
    QueryResult result;
    for (std::size_t first = 0; first < search_.ranges(); first += kRangesInWave) {
      const std::size_t count = std::min(kRangesInWave, search_.ranges() - first);
      executor_.parallel_for(count, 1, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
          find(first + i, parts_[i], i);
        }
      });
      for (std::size_t i = 0; i < count; ++i) {
        parts_[i].begin = result.found;
        result.found += parts_[i].found;
        result.tested += parts_[i].tested;
      }
      executor_.parallel_for(count, 1, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
          put(first + i, parts_[i], i);
        }
      });
    }
    return result;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }

 private:
  struct Part {
    std::size_t begin = 0, found = 0, tested = 0;
  };

  /// Into the room of its own.
  void find(std::size_t range, Part& part, std::size_t room) noexcept {
    ListSink sink;
    point_to(sink, rooms_, room * room_, search_.dimensions());
    sink.room = room_;
    sink.ends = out_.ends;
    part.tested = search_.find(range * kNeighbourRange, search_.end_of(range), sink);
    part.found = sink.at;
    note(sink);
  }
  /// To its place among the outputs.
  void put(std::size_t range, const Part& part, std::size_t room) noexcept {
    for (std::size_t row = range * kNeighbourRange; out_.ends != nullptr && row < search_.end_of(range);
         ++row) {
      out_.ends[row] += part.begin;
    }
    if (part.begin >= out_.room) {
      return;
    }
    const std::size_t count = std::min(part.found, out_.room - part.begin);
    ListSink sink;
    if (part.found <= room_) {
      point_to(sink, rooms_, room * room_, search_.dimensions());
      copy_entries(sink, count, search_.dimensions(), out_, part.begin);
      return;
    }
    point_to(sink, out_, part.begin, search_.dimensions());
    sink.room = count;  // behind that another thread writes
    (void)search_.find(range * kNeighbourRange, search_.end_of(range), sink);
    note(sink);
  }
  void note(const ListSink& sink) noexcept {
    if (sink.failed) {
      failed_.store(true, std::memory_order_relaxed);
    }
  }

  const ListSearch& search_;
  const ListSink& out_;
  const Executor& executor_;
  std::size_t room_ = 0;
  ListPlaces rooms_;
  std::array<Part, kRangesInWave> parts_{};
  std::atomic<bool> failed_ = false;
};

Result<QueryResult> list(const Population& seers_of, const Population& seen_of, float radius,
                         std::uint64_t* ends, const NeighbourOutputs& outputs,
                         const NeighbourListOptions& options, const Context& context,
                         const std::string& what) {
  const PopulationStore& seers = PopulationStore::of(seers_of);
  const PopulationStore& seen = PopulationStore::of(seen_of);
  JUXTA_TRY(check_lists(seers, seen, radius, options, what));
  const CallWorkspace scratch(context);
  const ListSearch search(seers, seen, radius, options, *scratch);
  ListSink sink = sink_of(outputs, search.dimensions());
  sink.ends = ends;
  QueryResult result;
  bool failed = false;
  if (context.executor == nullptr) {
    result.tested = search.find(0, search.seers(), sink);
    result.found = sink.at;
    failed = sink.failed;
  } else {
    Waves waves(search, sink, *scratch, *context.executor);
    result = waves.run();
    failed = waves.failed();
  }
  if (failed) {
    throw std::bad_alloc();
  }
  result.written = std::min(result.found, sink.room);
  return result;
}

}  // namespace
}  // namespace agents_detail

Result<QueryResult> neighbour_lists(const Population& seers, const Population& seen, float radius,
                                    std::span<std::uint64_t> offsets, const NeighbourOutputs& outputs,
                                    const NeighbourListOptions& options, const Context& context) {
  if (offsets.size() != seers.size() + 1) {
    return fail(ErrorCode::kInvalidArgument, "neighbour_lists: " + std::to_string(offsets.size()) +
                                                 " offsets for " + std::to_string(seers.size()) +
                                                 " seers: give one more than seers");
  }
  JUXTA_TRY_LET(const QueryResult result, agents_detail::list(seers, seen, radius, offsets.data() + 1,
                                                              outputs, options, context, "neighbour_lists"));
  offsets[0] = 0;
  return result;
}

Result<QueryResult> neighbour_pairs(const Population& seers, const Population& seen, float radius,
                                    const NeighbourOutputs& outputs, const NeighbourListOptions& options,
                                    const Context& context) {
  return agents_detail::list(seers, seen, radius, nullptr, outputs, options, context, "neighbour_pairs");
}

}  // namespace juxta
