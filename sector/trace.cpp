// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"

namespace juxta::sector {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint8_t kNoStage = 255;
constexpr std::uint16_t kStagesRow = 0;  // of the picture; threads have those below
constexpr std::uint16_t kMostThreads = 1024;
constexpr std::size_t kBlock = 1 << 16;  // bytes that are written at once

struct Event {
  std::uint64_t begin, end;  ///< Nanoseconds.
  std::uint32_t items;       ///< Of the task's range.
  std::uint16_t row;
  std::uint8_t stage;
};
static_assert(sizeof(Event) == 24);

std::string_view name_of(std::uint8_t stage) {
  return stage < kStages.size() ? kStages[stage].name : "between ticks";
}

void append_row_name(std::string& text, std::size_t row) {
  const std::string name = row == kStagesRow ? "stages" : fmt::format("thread {}", row);
  fmt::format_to(
      std::back_inserter(text),
      "{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":\"thread_name\",\"args\":{{\"name\":\"{1}\"}}}},\n"
      "{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{0}}}}}",
      row, name);
}

void append_event(std::string& text, const Event& e) {
  const std::uint64_t length = e.end - e.begin;
  fmt::format_to(std::back_inserter(text),
                 ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"name\":\"{}\",\"cat\":\"{}\",\"ts\":{}.{:03},"
                 "\"dur\":{}.{:03}",
                 e.row, name_of(e.stage), e.row == kStagesRow ? "stage" : "task", e.begin / 1000,
                 e.begin % 1000, length / 1000, length % 1000);
  if (e.row != kStagesRow) {
    fmt::format_to(std::back_inserter(text), ",\"args\":{{\"items\":{}}}", e.items);
  }
  text += '}';
}

}  // namespace

struct TracingExecutor::Impl {
  const Executor& on;
  const std::size_t most;
  const Clock::time_point started = Clock::now();
  std::atomic<std::uint8_t> stage{kNoStage};
  std::uint64_t stage_began = 0;
  std::mutex mutex;
  std::vector<std::thread::id> threads{std::this_thread::get_id()};  // row - 1 is the index
  std::vector<Event> events;                                         // the oldest at `oldest` once it is full
  std::size_t oldest = 0;

  Impl(const Executor& runs_on, std::size_t keeps) : on(runs_on), most(std::max<std::size_t>(keeps, 1)) {}

  [[nodiscard]] std::uint64_t now() const {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - started).count());
  }
  /// Under the lock.
  [[nodiscard]] std::uint16_t row_of_caller() {
    const auto at = std::ranges::find(threads, std::this_thread::get_id());
    const auto row = static_cast<std::uint16_t>(at - threads.begin() + 1);
    if (at == threads.end()) {
      if (threads.size() == kMostThreads) {
        return kMostThreads;  // of an executor that starts threads for every call
      }
      threads.push_back(std::this_thread::get_id());
    }
    return row;
  }
  void add(const Event& event) {
    if (events.size() < most) {
      events.push_back(event);
    } else {
      events[oldest] = event;
      oldest = (oldest + 1) % most;
    }
  }
};

TracingExecutor::TracingExecutor(const Executor& on, std::size_t most)
    : impl_(std::make_unique<Impl>(on, most)) {}
TracingExecutor::~TracingExecutor() = default;

void TracingExecutor::parallel_for(std::size_t count, std::size_t grain, Body body) const {
  Impl& impl = *impl_;
  impl.on.parallel_for(count, grain, [&](std::size_t first, std::size_t last) {
    Event event{};
    event.begin = impl.now();
    body(first, last);
    event.end = impl.now();
    event.items = static_cast<std::uint32_t>(last - first);
    event.stage = impl.stage.load(std::memory_order_relaxed);
    const std::lock_guard lock(impl.mutex);
    event.row = impl.row_of_caller();
    impl.add(event);
  });
}

void TracingExecutor::begin(std::size_t stage) {
  impl_->stage.store(static_cast<std::uint8_t>(stage), std::memory_order_relaxed);
  impl_->stage_began = impl_->now();
}

void TracingExecutor::end(std::size_t stage) {
  impl_->stage.store(kNoStage, std::memory_order_relaxed);
  const std::lock_guard lock(impl_->mutex);
  impl_->add({impl_->stage_began, impl_->now(), 0, kStagesRow, static_cast<std::uint8_t>(stage)});
}

Result<void> TracingExecutor::write(const std::filesystem::path& path) const {
  JUXTA_TRY_LET(auto file, OutputFile::open(path.string()));
  const Impl& impl = *impl_;
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  for (std::size_t row = 0; row <= impl.threads.size(); ++row) {
    text += row == 0 ? "" : ",\n";
    append_row_name(text, row);
  }
  for (std::size_t i = 0; i < impl.events.size(); ++i) {
    append_event(text, impl.events[(impl.oldest + i) % impl.events.size()]);
    if (text.size() >= kBlock) {
      JUXTA_TRY(file.write(text));
      text.clear();
    }
  }
  text += "\n]}\n";
  return file.write(text).and_then([&] { return file.commit(); });
}

}  // namespace juxta::sector
