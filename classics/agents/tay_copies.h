// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/tay_store.h"

namespace juxta::classics {

/// The third article: agents are copied in the order of partitions, from one buffer into the other.
///
///   1  each agent finds its partition, and its place among the agents there
///   2  partitions, in their order, find where their first agent goes: the sum of all counts before
///   3  each agent is copied to the first of its partition + its place; the buffers change roles
///
/// As published all of that is serial, and each thread takes one equal run of agents for see and for act.
template <template <class, class> class Structure, class Agent>
class TayCopies final : public TayStore<Agent> {
 public:
  explicit TayCopies(const TayTest& test) : TayStore<Agent>(test), around_(test.tasks) {}

  void set(std::span<const TayBody> bodies) override {
    TayStore<Agent>::set(bodies);
    copies_.assign(bodies.size(), {});
  }

  void sort() override {
    structure_.clear(this->plan(TayBounds::of(agents_)));
    for (Agent& agent : agents_) {
      const std::uint32_t at = structure_.part_of(agent);
      agent.place = {at, structure_.part(at).count++};
    }
    std::uint32_t first = 0;
    structure_.in_order([&](std::uint32_t at) {
      TayRun& part = structure_.part(at);
      part.first = first;
      first += part.count;
    });
    for (const Agent& agent : agents_) {
      copies_[structure_.part(agent.place.part).first + agent.place.index] = agent;
    }
    agents_.swap(copies_);
  }

  void see() override {
    this->run_tasks([&](std::size_t task) {
      for_each_pair(task, [&](const TaySlice<Agent>& seers, const TaySlice<Agent>& seen) {
        tay_pair(seers, seen, test_.radius, passes_.see);
      });
    });
  }
  void act() override {
    this->run_tasks([&](std::size_t task) {
      for (std::size_t row = first_of(task); row < first_of(task + 1); ++row) {
        passes_.act(agents_[row], test_);
      }
    });
  }

  [[nodiscard]] std::vector<std::uint64_t> tested() override {
    std::vector<std::uint64_t> tested(test_.tasks);
    for (std::size_t task = 0; task < test_.tasks; ++task) {
      for_each_pair(task, [&](const TaySlice<Agent>& seers, const TaySlice<Agent>& seen) {
        tested[task] += std::uint64_t{seers.count} * seen.count;
      });
      tested[task] -= first_of(task + 1) - first_of(task);  // nobody is held against itself
    }
    return tested;
  }

 private:
  using Parts = Structure<Agent, TayRun>;
  using TayStore<Agent>::agents_, TayStore<Agent>::test_, TayStore<Agent>::passes_;

  [[nodiscard]] std::size_t first_of(std::size_t task) const noexcept {
    return agents_.size() * task / test_.tasks;
  }
  [[nodiscard]] TaySlice<Agent> slice(std::size_t first, std::uint32_t count) noexcept {
    return {agents_.data() + first, count};
  }
  // f(seers, seen) for partitions whose agents may be near each other. A task may begin and end within one.
  template <class F>
  void for_each_pair(std::size_t task, const F& f) {
    typename Parts::Around& around = around_[task];
    structure_.start(around);
    const std::size_t end = first_of(task + 1);
    for (std::size_t row = first_of(task); row < end;) {
      const std::uint32_t at = agents_[row].place.part;
      const TayRun& part = structure_.part(at);
      const std::size_t last = std::min<std::size_t>(end, part.first + part.count);
      const std::uint32_t count = Parts::kEachSeer ? 1U : static_cast<std::uint32_t>(last - row);
      for (; row < last; row += count) {
        structure_.around(at, agents_[row], around,
                          [&](const TayRun& seen) { f(slice(row, count), slice(seen.first, seen.count)); });
      }
    }
  }

  Parts structure_;
  std::vector<typename Parts::Around> around_;  // one for each task
  std::vector<Agent> copies_;
};

}  // namespace juxta::classics
