// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "core/task_schedule.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace juxta::core_detail {
namespace {

template <class T>
using Least = std::priority_queue<T, std::vector<T>, std::greater<>>;

class Player {
 public:
  Player(const TaskGraph& graph, std::size_t workers, const HandOver& cost, std::vector<double>* lost_ns)
      : graph_(graph), workers_(std::max<std::size_t>(workers, 1)), cost_(cost), lost_ns_(lost_ns) {
    left_.reserve(graph.loops.size());
    for (const Loop& loop : graph.loops) {
      left_.push_back(loop.tasks);
    }
    if (lost_ns_ != nullptr) {
      lost_ns_->assign(graph.strands.size(), 0);
    }
  }

  double play() {
    ready_.push(0);
    for (start(); !running_.empty(); start()) {
      const auto [end, strand] = running_.top();
      share_out(end - now_);
      now_ = end;
      running_.pop();
      finish(strand);
    }
    return now_;
  }

 private:
  // Idle workers take what is ready.
  void start() {
    for (; running_.size() < workers_ && !ready_.empty(); ready_.pop()) {
      const std::uint32_t strand = ready_.top();
      running_.push({now_ + graph_.strands[strand].ns + hand_over(strand), strand});
      if (lost_ns_ != nullptr) {
        active_.push_back(strand);
      }
    }
  }

  [[nodiscard]] double hand_over(std::uint32_t at) const {
    const Strand& strand = graph_.strands[at];
    if (strand.after != kNoIndex) {
      return graph_.loops[strand.after].tasks > 1 ? cost_.loop_ns : 0;
    }
    return strand.parent != kNoIndex && graph_.loops[strand.parent].tasks > 1 ? cost_.range_ns : 0;
  }

  void finish(std::uint32_t at) {
    if (lost_ns_ != nullptr) {
      std::erase(active_, at);
    }
    const Strand& strand = graph_.strands[at];
    if (strand.loop != kNoIndex) {
      const Loop& loop = graph_.loops[strand.loop];
      for (std::uint32_t i = 0; i < loop.tasks; ++i) {
        ready_.push(graph_.tasks[loop.first_task + i]);
      }
      if (loop.tasks == 0) {
        ready_.push(loop.next);
      }
    } else if (strand.parent != kNoIndex && --left_[strand.parent] == 0) {
      ready_.push(graph_.loops[strand.parent].next);
    }
  }

  void share_out(double ns) {
    if (lost_ns_ == nullptr || active_.size() == workers_) {
      return;
    }
    const double idle = static_cast<double>(workers_ - active_.size());
    const double each = ns * idle / static_cast<double>(workers_ * active_.size());
    for (const std::uint32_t strand : active_) {
      (*lost_ns_)[strand] += each;
    }
  }

  const TaskGraph& graph_;
  const std::size_t workers_;
  const HandOver cost_;
  std::vector<double>* const lost_ns_;
  double now_ = 0;
  std::vector<std::uint32_t> left_;    // tasks of each loop that have not ended
  std::vector<std::uint32_t> active_;  // the strands that run; kept for `lost_ns_` alone
  Least<std::uint32_t> ready_;
  Least<std::pair<double, std::uint32_t>> running_;  // when each ends
};

}  // namespace

double play(const TaskGraph& graph, std::size_t workers, const HandOver& cost, std::vector<double>* lost_ns) {
  return Player(graph, workers, cost, lost_ns).play();
}

double longest_chain(const TaskGraph& graph) {
  // ends[s]: the longest chain from the beginning of strand s to the end of its task. What follows a strand
  // has a higher index, so that a walk from the back meets it first.
  std::vector<double> ends(graph.strands.size());
  for (std::size_t s = graph.strands.size(); s-- > 0;) {
    const Strand& strand = graph.strands[s];
    ends[s] = strand.ns;
    if (strand.loop != kNoIndex) {
      const Loop& loop = graph.loops[strand.loop];
      double longest = 0;
      for (std::uint32_t i = 0; i < loop.tasks; ++i) {
        longest = std::max(longest, ends[graph.tasks[loop.first_task + i]]);
      }
      ends[s] += longest + ends[loop.next];
    }
  }
  return ends.empty() ? 0 : ends[0];
}

}  // namespace juxta::core_detail
