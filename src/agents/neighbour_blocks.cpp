// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>
#include <atomic>
#include <cstddef>
#include <new>

#include "agents/list_search.h"
#include "agents/lists_kernel.h"
#include "agents/store.h"
#include "core/call_workspace.h"
#include "juxta/agents/neighbour_lists.h"
#include "juxta/core/executor.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

/// The pairs of one range, block after block.
class BlockRoom {
 public:
  BlockRoom(std::size_t dimensions, bool measured, NeighbourVisitor visitor)
      : dimensions_(dimensions), measured_(measured), visitor_(visitor) {
    sink_.pairs = pairs_.data();
    sink_.distance2 = measured ? distance2_.data() : nullptr;
    sink_.displacement = measured ? displacement_.data() : nullptr;
    sink_.room = pairs_.size();
    sink_.flush = hand_over_;
  }

  [[nodiscard]] std::size_t find(const ListSearch& search, std::size_t first, std::size_t last) {
    range_ = first / kNeighbourRange;
    const std::size_t tested = search.find(first, last, sink_);
    hand_over(sink_.at);
    return tested;
  }
  [[nodiscard]] std::size_t found() const noexcept { return found_; }
  [[nodiscard]] bool failed() const noexcept { return sink_.failed; }

 private:
  static constexpr std::size_t kPairs = 1024;

  void hand_over(std::size_t count) {
    found_ += count;
    if (count != 0) {
      visitor_({range_,
                {pairs_.data(), count},
                {distance2_.data(), measured_ ? count : 0},
                {displacement_.data(), measured_ ? count * dimensions_ : 0}});
    }
  }

  std::size_t dimensions_;
  bool measured_;
  NeighbourVisitor visitor_;
  std::size_t range_ = 0, found_ = 0;
  ListSink sink_;
  struct HandOver {
    BlockRoom& room;
    void operator()(std::size_t count) const { room.hand_over(count); }
  } hand_over_{*this};
  std::array<RowPair, kPairs> pairs_;
  std::array<float, kPairs> distance2_;
  std::array<float, kPairs * 3> displacement_;
};

}  // namespace
}  // namespace agents_detail

Result<QueryResult> visit_neighbour_pairs(const Population& seers_of, const Population& seen_of, float radius,
                                          NeighbourVisitor visitor, const NeighbourListOptions& options,
                                          const Context& context) {
  using namespace agents_detail;
  const PopulationStore& seers = PopulationStore::of(seers_of);
  const PopulationStore& seen = PopulationStore::of(seen_of);
  JUXTA_TRY(check_lists(seers, seen, radius, options, "visit_neighbour_pairs"));
  const CallWorkspace scratch(context);
  const ListSearch search(seers, seen, radius, options, *scratch);
  std::atomic<std::size_t> found = 0, tested = 0;
  std::atomic<bool> failed = false;
  executor_or_serial(context.executor)
      .parallel_for(search.seers(), kNeighbourRange, [&](std::size_t first, std::size_t last) {
        BlockRoom room(search.dimensions(), options.measured, visitor);
        tested.fetch_add(room.find(search, first, last), std::memory_order_relaxed);
        found.fetch_add(room.found(), std::memory_order_relaxed);
        if (room.failed()) {
          failed.store(true, std::memory_order_relaxed);
        }
      });
  if (failed) {
    throw std::bad_alloc();
  }
  return QueryResult{.found = found, .written = found, .tested = tested};
}

}  // namespace juxta
