// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Your own job system runs Juxta's work: an Executor of thirty lines on a queue of jobs, and the same
// bytes as on one thread. docs/how-to/job-system.md explains it.
#include <juxta/core/executor.h>
#include <juxta/core/random.h>
#include <juxta/core/workspace.h>
#include <juxta/layer/find_pairs.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

/// What an engine has already: threads that take jobs from a queue.
class Jobs {
 public:
  explicit Jobs(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { run(); });
    }
  }
  ~Jobs() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    more_.notify_all();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }
  void submit(std::function<void()> job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    more_.notify_one();
  }
  [[nodiscard]] std::size_t threads() const { return threads_.size(); }

 private:
  void run() {
    for (std::unique_lock lock(mutex_);;) {
      more_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (jobs_.empty()) {
        return;
      }
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

/// The ranges of one loop. Whoever has time takes the next one.
class Loop {
 public:
  Loop(juxta::Executor::Body body, std::size_t count, std::size_t grain)
      : body_(body), count_(count), grain_(grain), ranges_(count / grain + (count % grain != 0 ? 1 : 0)) {}

  [[nodiscard]] std::size_t ranges() const { return ranges_; }
  void work() {
    for (std::size_t i = next_++; i < ranges_; i = next_++) {
      body_(i * grain_, std::min((i + 1) * grain_, count_));
      if (++finished_ == ranges_) {
        finished_.notify_all();
      }
    }
  }
  void wait() const {
    for (std::size_t done = finished_; done != ranges_; done = finished_) {
      finished_.wait(done);
    }
  }

 private:
  juxta::Executor::Body body_;
  std::size_t count_, grain_, ranges_;
  std::atomic<std::size_t> next_ = 0, finished_ = 0;
};

class JobExecutor final : public juxta::Executor {
 public:
  explicit JobExecutor(Jobs& jobs) : jobs_(jobs) {}

  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    // Shared: a job that starts late finds no range left, but it still looks.
    const auto loop = std::make_shared<Loop>(body, count, std::max<std::size_t>(grain, 1));
    for (std::size_t helper = 1; helper < std::min(loop->ranges(), jobs_.threads() + 1); ++helper) {
      jobs_.submit([loop] { loop->work(); });
    }
    loop->work();  // the caller works too, so a loop inside a loop cannot block the queue
    loop->wait();
  }

 private:
  Jobs& jobs_;
};

/// All overlapping pairs of boxes, in the order in which they are found.
juxta::Result<std::vector<juxta::Pair>> pairs_of(const std::vector<juxta::Aabb3>& boxes,
                                                 const juxta::Executor* executor) {
  juxta::Workspace workspace;
  const juxta::Context context{.executor = executor, .workspace = &workspace};
  std::vector<juxta::Pair> pairs(16 * boxes.size());
  return juxta::Layer::build(boxes, {}, context)
      .and_then([&](const juxta::Layer& layer) { return juxta::find_pairs(layer, pairs, {}, context); })
      .map([&](const juxta::QueryResult& result) {
        pairs.resize(result.written);
        return pairs;
      });
}

}  // namespace

int main() {
  std::vector<juxta::Aabb3> boxes;
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    const juxta::Vec3 lo{100 * juxta::random_float({1, 0, 0}, i), 100 * juxta::random_float({1, 0, 1}, i),
                         100 * juxta::random_float({1, 0, 2}, i)};
    boxes.push_back({lo, lo + juxta::Vec3::all(2)});
  }
  Jobs jobs(3);
  const JobExecutor executor(jobs);
  const auto serial = pairs_of(boxes, nullptr), parallel = pairs_of(boxes, &executor);
  if (!serial || !parallel) {
    std::fprintf(stderr, "%s\n", (serial ? parallel : serial).error().message.c_str());
    return 1;
  }
  const bool same = *serial == *parallel;
  std::printf("%zu pairs on one thread, %zu on four: %s\n", serial->size(), parallel->size(),
              same ? "the same pairs in the same order" : "THEY DIFFER");
  return same && !serial->empty() ? 0 : 1;
}
