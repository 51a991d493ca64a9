// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/task_trace.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/os.h"
#include "core/task_schedule.h"

namespace juxta {
namespace {

using core_detail::kNoIndex;
using core_detail::Loop;
using core_detail::Strand;

constexpr std::size_t kCallers = 8;

// Where the caller goes on. WebAssembly does not tell.
#if defined(__wasm__)
#define JUXTA_RETURN_ADDRESS nullptr
#else
#define JUXTA_RETURN_ADDRESS __builtin_return_address(0)
#endif

// Return addresses, the innermost first; null behind the last.
using Chain = std::array<const void*, kCallers>;

double steady_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

struct TaskTrace::Recording {
  explicit Recording(Clock clock) : now(clock != nullptr ? clock : steady_ns) {}

  // Memory is taken between close() and open(), where the clock stands.
  void open(const Strand& strand) {
    current = static_cast<std::uint32_t>(graph.strands.size());
    graph.strands.push_back(strand);
    began = now();
  }
  void close(std::uint32_t loop) {
    const double ended = now();
    graph.strands[current].ns = std::max(0.0, ended - began - look);
    graph.strands[current].loop = loop;
  }

  std::uint32_t add_loop(std::size_t tasks, const void* caller) {
    const auto first = static_cast<std::uint32_t>(graph.tasks.size());
    graph.loops.push_back({site_of_call(caller), first, static_cast<std::uint32_t>(tasks), kNoIndex});
    graph.tasks.resize(first + tasks);
    return static_cast<std::uint32_t>(graph.loops.size() - 1);
  }

  std::uint32_t site_of_call(const void* caller) {
    Chain chain{};
    core_detail::call_chain(chain, caller);
    const auto [found, is_new] = site_of.emplace(chain, static_cast<std::uint32_t>(sites.size()));
    if (is_new) {
      sites.push_back(chain);
    }
    return found->second;
  }

  [[nodiscard]] std::uint32_t site(std::uint32_t loop) const {
    return loop == kNoIndex ? Bottleneck::kNone : graph.loops[loop].site;
  }

  // What the clock itself adds to each strand: the least of several tries.
  void measure_clock() {
    look = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 100; ++i) {
      const double first = now();
      look = std::min(look, now() - first);
    }
  }

  Clock now;
  bool records = false;
  double look = 0;
  core_detail::TaskGraph graph;
  std::uint32_t current = 0;  // the strand that runs ...
  double began = 0;           // ... since
  std::vector<Chain> sites;
  std::map<Chain, std::uint32_t> site_of;
};

TaskTrace::TaskTrace(Clock clock) : recording_(new Recording(clock)) {}
TaskTrace::TaskTrace(TaskTrace&&) noexcept = default;
TaskTrace& TaskTrace::operator=(TaskTrace&&) noexcept = default;
TaskTrace::~TaskTrace() = default;

void TaskTrace::begin() {
  Recording& to = *recording_;
  to = Recording(to.now);
  to.measure_clock();
  to.records = true;
  to.open({});
}

void TaskTrace::end() {
  if (std::exchange(recording_->records, false)) {
    recording_->close(kNoIndex);
  }
}

void TaskTrace::parallel_for(std::size_t count, std::size_t grain, Body body) const {
  // An executor is const to those who use it. This one writes to what it points to.
  Recording& to = *const_cast<Recording*>(recording_.get());
  if (!to.records) {
    serial_executor().parallel_for(count, grain, body);
    return;
  }
  const auto loop = static_cast<std::uint32_t>(to.graph.loops.size());
  to.close(loop);
  const std::uint32_t parent = to.graph.strands[to.current].parent;
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t tasks = count / grain + (count % grain != 0 ? 1 : 0);
  const std::uint32_t first_task = to.graph.loops[to.add_loop(tasks, JUXTA_RETURN_ADDRESS)].first_task;
  for (std::size_t i = 0; i < tasks; ++i) {
    to.graph.tasks[first_task + i] = static_cast<std::uint32_t>(to.graph.strands.size());
    to.open({.parent = loop});
    body(i * grain, std::min(count, (i + 1) * grain));
    to.close(kNoIndex);
  }
  to.graph.loops[loop].next = static_cast<std::uint32_t>(to.graph.strands.size());
  to.open({.parent = parent, .after = loop});
}

double TaskTrace::work_ns() const {
  double sum = 0;
  for (const Strand& strand : recording_->graph.strands) {
    sum += strand.ns;
  }
  return sum;
}

double TaskTrace::span_ns() const {
  return core_detail::longest_chain(recording_->graph);
}

double TaskTrace::forecast_ns(std::size_t workers, const HandOver& cost) const {
  return recording_->graph.strands.empty() ? 0 : core_detail::play(recording_->graph, workers, cost);
}

std::size_t TaskTrace::bottlenecks(std::size_t workers, std::span<Bottleneck> out,
                                   const HandOver& cost) const {
  const Recording& from = *recording_;
  if (from.graph.strands.empty()) {
    return 0;
  }
  std::vector<double> lost_ns;
  static_cast<void>(core_detail::play(from.graph, workers, cost, &lost_ns));
  std::map<std::array<std::uint32_t, 3>, Bottleneck> parts;
  for (std::size_t s = 0; s < from.graph.strands.size(); ++s) {
    const Strand& strand = from.graph.strands[s];
    const std::array key{from.site(strand.parent), from.site(strand.after), from.site(strand.loop)};
    Bottleneck& part = parts[key];
    part.lost_ns += lost_ns[s];
    part.work_ns += strand.ns;
    part.inside = key[0], part.after = key[1], part.before = key[2];
  }
  std::vector<Bottleneck> sorted;
  sorted.reserve(parts.size());
  for (const auto& [key, part] : parts) {
    sorted.push_back(part);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Bottleneck& a, const Bottleneck& b) { return a.lost_ns > b.lost_ns; });
  std::copy_n(sorted.begin(), std::min(out.size(), sorted.size()), out.begin());
  return sorted.size();
}

std::span<const void* const> TaskTrace::callers(std::uint32_t loop) const {
  if (loop >= recording_->sites.size()) {
    return {};
  }
  const Chain& chain = recording_->sites[loop];
  return {chain.data(), static_cast<std::size_t>(std::ranges::find(chain, nullptr) - chain.begin())};
}

}  // namespace juxta
