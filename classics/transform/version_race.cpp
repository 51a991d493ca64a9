// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/transform/version_race.h"

#include <vector>

#include "classics/transform/systems.h"

namespace juxta::classics {
namespace {

// A job between two of its steps.
class Job {
 public:
  Job(const ChunkWorld& world, std::uint32_t chunk, std::uint8_t depth, std::uint32_t last_run)
      : world_(world), chunk_(chunk), depth_(depth), last_run_(last_run) {}

  [[nodiscard]] bool checked() const noexcept { return state_ != State::kOwn && state_ != State::kRows; }
  [[nodiscard]] bool dirty() const noexcept { return state_ == State::kDirty; }
  [[nodiscard]] std::uint32_t chunk() const noexcept { return chunk_; }
  void updated() noexcept { state_ = State::kDone; }

  // One step of the check: reads versions only.
  void check() {
    const ChunkHead& head = world_.head(chunk_);
    if (state_ == State::kOwn) {
      const bool changed = changed_since(head.local, last_run_) || changed_since(head.parent, last_run_);
      state_ = changed ? State::kDirty : State::kRows;
    } else {
      const Id parent = world_.chunk(chunk_).parent[row_++];
      state_ = changed_since(world_.head(world_.place(parent).chunk).world, last_run_) ? State::kDirty
                                                                                       : State::kRows;
    }
    if (state_ == State::kRows) {
      while (row_ < head.size && world_.chunk(chunk_).depth[row_] != depth_) {
        ++row_;
      }
      state_ = row_ < head.size ? State::kRows : State::kDone;
    }
  }

 private:
  enum class State : std::uint8_t { kOwn, kRows, kDirty, kDone };

  const ChunkWorld& world_;
  std::uint32_t chunk_;
  std::uint8_t depth_;
  std::uint32_t last_run_;
  std::uint32_t row_ = 0;
  State state_ = State::kOwn;
};

std::vector<Job> make_jobs(const ChunkWorld& world, std::uint8_t depth, std::uint32_t last_run,
                           std::span<const std::uint32_t> chunks) {
  std::vector<Job> jobs;
  jobs.reserve(chunks.size());
  for (const std::uint32_t chunk : chunks) {
    jobs.emplace_back(world, chunk, depth, last_run);
  }
  return jobs;
}

// Lets step(job) run for the jobs that the schedule names, then for all until nothing is left of them.
template <class Step>
void run(std::vector<Job>& jobs, std::span<const std::uint8_t> schedule, const Step& step) {
  for (const std::uint8_t next : schedule) {
    step(jobs[next]);
  }
  for (Job& job : jobs) {
    while (step(job)) {
    }
  }
}

}  // namespace

void update_depth_fused(ChunkWorld& world, std::uint8_t depth, std::uint32_t last_run,
                        std::span<const std::uint32_t> chunks, std::span<const std::uint8_t> schedule) {
  std::vector<Job> jobs = make_jobs(world, depth, last_run, chunks);
  run(jobs, schedule, [&](Job& job) {
    if (!job.checked()) {
      job.check();
      return true;
    }
    if (job.dirty()) {
      update_depth(world, job.chunk(), depth);
      job.updated();
    }
    return false;
  });
}

void update_depth_split(ChunkWorld& world, std::uint8_t depth, std::uint32_t last_run,
                        std::span<const std::uint32_t> chunks, std::span<const std::uint8_t> check_schedule,
                        std::span<const std::uint8_t> update_schedule) {
  std::vector<Job> jobs = make_jobs(world, depth, last_run, chunks);
  run(jobs, check_schedule, [](Job& job) {
    if (!job.checked()) {
      job.check();
      return true;
    }
    return false;
  });
  run(jobs, update_schedule, [&](Job& job) {
    if (job.dirty()) {
      update_depth(world, job.chunk(), depth);
      job.updated();
    }
    return false;
  });
}

}  // namespace juxta::classics
