// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/tay_store.h"

namespace juxta::classics {

/// Before the third article: agents never move in memory, and a partition is a linked list of them.
///
/// As published: after a step all lists become one again, with the bounds of all taken on the way; the next
/// sort() goes along that list, and puts each agent at the head of its partition's. For see and for act
/// partitions are dealt to the threads in turn, in the order in which they were made.
template <template <class, class> class Structure, class Agent>
class TayLists final : public TayStore<Agent> {
 public:
  explicit TayLists(const TayTest& test) : TayStore<Agent>(test), around_(test.tasks) {}

  void set(std::span<const TayBody> bodies) override {
    TayStore<Agent>::set(bodies);
    numbers_.clear();
    all_ = nullptr;
    bounds_ = TayBounds::of(agents_);
    for (Agent& agent : agents_) {
      agent.next = all_;
      all_ = &agent;
    }
  }

  void sort() override {
    gather();
    structure_.clear(this->plan(bounds_));
    for (Agent* agent = all_; agent != nullptr;) {
      Agent* const next = agent->next;
      TayList<Agent>& part = structure_.part(structure_.part_of(*agent));
      agent->next = part.head;
      part.head = agent;
      agent = next;
    }
    all_ = nullptr;
    structure_.as_made([&](std::uint32_t at) {
      if (!structure_.part(at).empty()) {
        numbers_.push_back(at);
      }
    });
  }

  void see() override {
    this->run_tasks([&](std::size_t task) {
      for_each_pair(task, [&](const TayChain<Agent>& seers, const TayChain<Agent>& seen) {
        tay_pair(seers, seen, test_.radius, passes_.see);
      });
    });
  }
  void act() override {
    this->run_tasks([&](std::size_t task) {
      for (std::size_t i = task; i < numbers_.size(); i += test_.tasks) {
        for (Agent* agent = structure_.part(numbers_[i]).head; agent != nullptr; agent = agent->next) {
          passes_.act(*agent, test_);
        }
      }
    });
  }

  [[nodiscard]] std::vector<std::uint64_t> tested() override {
    std::vector<std::uint64_t> tested(test_.tasks);
    for (std::size_t task = 0; task < test_.tasks; ++task) {
      for_each_pair(task, [&](const TayChain<Agent>& seers, const TayChain<Agent>& seen) {
        for (const Agent* a = seers.first; a != seers.last; a = a->next) {
          for (const Agent* b = seen.first; b != seen.last; b = b->next) {
            tested[task] += a != b ? 1 : 0;
          }
        }
      });
    }
    return tested;
  }

 private:
  using Part = TayList<Agent>;
  using Parts = Structure<Agent, Part>;
  using TayStore<Agent>::agents_, TayStore<Agent>::test_, TayStore<Agent>::passes_;

  // The lists of the last step become one.
  void gather() {
    bool first = true;
    for (const std::uint32_t at : numbers_) {
      Agent* const head = structure_.part(at).head;
      bounds_ = first ? TayBounds::of_one(*head) : bounds_;
      first = false;
      Agent* last = head;
      bounds_.add(*last);
      while (last->next != nullptr) {
        last = last->next;
        bounds_.add(*last);
      }
      last->next = all_;
      all_ = head;
    }
    numbers_.clear();
  }
  // f(seers, seen) for partitions whose agents may be near each other.
  template <class F>
  void for_each_pair(std::size_t task, const F& f) {
    typename Parts::Around& around = around_[task];
    structure_.start(around);
    for (std::size_t i = task; i < numbers_.size(); i += test_.tasks) {
      const std::uint32_t at = numbers_[i];
      for (Agent* seer = structure_.part(at).head; seer != nullptr;) {
        Agent* const end = Parts::kEachSeer ? seer->next : nullptr;
        structure_.around(at, *seer, around, [&](const Part& seen) {
          f(TayChain<Agent>{seer, end}, TayChain<Agent>{seen.head, nullptr});
        });
        seer = end;
      }
    }
  }

  Parts structure_;
  std::vector<typename Parts::Around> around_;  // one for each task
  std::vector<std::uint32_t> numbers_;          // of partitions that hold agents
  Agent* all_ = nullptr;
  TayBounds bounds_;
};

}  // namespace juxta::classics
