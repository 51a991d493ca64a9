// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_threads_forecast: how fast work would be on more threads than the machine has.
//   bench_threads_forecast [NAME...]     names of workloads; none: all
//
// A TaskTrace records frames on one thread and plays them on more workers. The forecast for two workers
// stands beside what two threads of this machine reach: what is missing there is memory, caches and the clock
// rate.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/scaling/symbols.h"
#include "bench/scaling/workloads.h"
#include "bench/support/must.h"
#include "juxta/core/executor.h"
#include "juxta/core/task_trace.h"
#include "juxta/core/workspace.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kFrames = 7;
constexpr std::array<std::size_t, 4> kWorkers{2, 4, 16, 64};
constexpr std::size_t kMostParts = 12;
constexpr double kLeastShare = 0.02;  // of the time on 64 workers; parts that cost less are not shown

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Time in which this thread ran: what other programs on the machine take does not count as work.
double thread_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <class T>
T middle(std::vector<T> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// What oneTBB takes to hand out loops of empty ranges on two threads.
HandOver measure_hand_over(const Executor& threads) {
  constexpr std::size_t kLoops = 2000, kRanges = 200;
  const auto loop_ns = [&](std::size_t ranges) {
    std::vector<double> times;
    for (std::size_t i = 0; i < kLoops; ++i) {
      const double began = now_ns();
      threads.parallel_for(ranges, 1, [](std::size_t, std::size_t) {});
      times.push_back(now_ns() - began);
    }
    return middle(times);
  };
  const double few = loop_ns(2), many = loop_ns(kRanges);
  return {.range_ns = std::max(0.0, (many - few) / (kRanges - 2)), .loop_ns = few};
}

double time_frame(Frames& frames, const Context& context) {
  frames.advance();
  const double began = now_ns();
  frames.frame(context);
  return now_ns() - began;
}

// The trace of the frame with the middle time, and the middle time on two threads. Frames take turns.
struct Record {
  TaskTrace trace;
  double two_threads_ns = 0;
};

Record record(Frames& frames, const Executor* threads) {
  Workspace workspace;
  std::vector<TaskTrace> traces;
  std::vector<double> times;
  for (std::size_t i = 0; i <= kFrames; ++i) {
    TaskTrace trace(thread_ns);
    frames.advance();
    trace.begin();
    frames.frame({.executor = &trace, .workspace = &workspace});
    trace.end();
    const double ns =
        threads == nullptr ? 0 : time_frame(frames, {.executor = threads, .workspace = &workspace});
    if (i > 0) {  // the first frame finds memory
      traces.push_back(std::move(trace));
      times.push_back(ns);
    }
  }
  std::ranges::sort(traces, {}, [](const TaskTrace& trace) { return trace.work_ns(); });
  return {std::move(traces[traces.size() / 2]), middle(times)};
}

std::string part_name(const TaskTrace& trace, const Bottleneck& part) {
  const auto name = [&](std::uint32_t loop) { return names_of(trace.callers(loop)); };
  std::string text;
  if (part.after != Bottleneck::kNone) {
    text += "after " + name(part.after);
  }
  if (part.before != Bottleneck::kNone) {
    text += (text.empty() ? "before " : "\n              before ") + name(part.before);
  }
  if (part.inside != Bottleneck::kNone) {
    text += (text.empty() ? "in " : "\n              in ") + name(part.inside);
  }
  return text.empty() ? "all of it" : text;
}

void print_parts(const TaskTrace& trace, const HandOver& cost) {
  std::array<Bottleneck, kMostParts> parts;
  const std::size_t workers = kWorkers.back();
  const std::size_t count = std::min(trace.bottlenecks(workers, parts, cost), parts.size());
  const double whole = trace.forecast_ns(workers, cost);
  for (std::size_t i = 0; i < count && parts[i].lost_ns > kLeastShare * whole; ++i) {
    std::printf("  %8.3f ms  %s\n", parts[i].lost_ns / 1e6, part_name(trace, parts[i]).c_str());
  }
}

void report(const Workload& workload, const Executor* threads, const HandOver& cost) {
  const auto frames = workload.make();
  const Record made = record(*frames, threads);
  const double work = made.trace.work_ns(), span = made.trace.span_ns();
  std::printf("%s: %s\n", workload.name, workload.what);
  std::printf("  work %.2f ms, span %.3f ms, work / span %.1f", work / 1e6, span / 1e6, work / span);
  if (workload.goal > 0) {
    std::printf(" (goal %.0f%s)", workload.goal, work / span < workload.goal ? ", missed" : "");
  }
  std::printf("\n  speedup forecast:");
  for (const std::size_t workers : kWorkers) {
    std::printf(" %zu workers %.2f,", workers, work / made.trace.forecast_ns(workers, cost));
  }
  if (threads != nullptr) {
    const double forecast = made.trace.forecast_ns(2, cost);
    std::printf("\n  two threads: forecast %.2f ms, measured %.2f ms (%.2f of it)", forecast / 1e6,
                made.two_threads_ns / 1e6, made.two_threads_ns / forecast);
  }
  std::printf("\n  lost on %zu workers:\n", kWorkers.back());
  print_parts(made.trace, cost);
  std::fflush(stdout);
}

int run(std::span<const char* const> names) {
  std::optional<TbbExecutor> threads;
  HandOver cost;
  if (auto made = TbbExecutor::build(2)) {  // not in a build without oneTBB
    threads.emplace(std::move(*made));
    cost = measure_hand_over(*threads);
  }
  for (const std::string_view name : names) {
    if (std::ranges::none_of(workloads(), [&](const Workload& workload) { return workload.name == name; })) {
      std::string known;
      for (const Workload& workload : workloads()) {
        known += std::string(" ") + workload.name;
      }
      give_up("no workload has the name \"" + std::string(name) + "\"; give some of:" + known);
    }
  }
  std::printf("handing over: %.0f ns a range, %.0f ns a loop (oneTBB, two threads)\n", cost.range_ns,
              cost.loop_ns);
  for (const Workload& workload : workloads()) {
    if (names.empty() ||
        std::ranges::any_of(names, [&](const std::string_view name) { return name == workload.name; })) {
      report(workload, threads ? &*threads : nullptr, cost);
    }
  }
  return 0;
}

}  // namespace
}  // namespace juxta::bench

int main(int argc, char** argv) {
  return juxta::bench::run({argv + 1, argv + argc});
}
