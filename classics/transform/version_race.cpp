// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/transform/version_race.h"

#include <vector>

#include "classics/transform/systems.h"
#include "classics/transform/wide_mul-inl.h"
#include "juxta/math/qvvs.h"

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
      state_ = own_columns_changed(head, last_run_) ? State::kDirty : State::kRows;
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

// The job that the article begins with, for one chunk of roots at a time. Recursion as printed: short trees
// only.
class RootsJob {
 public:
  RootsJob(ChunkWorld& world, std::uint32_t last_run, ElseBranch otherwise)
      : world_(world), last_run_(last_run), otherwise_(otherwise) {}

  void roots(std::uint32_t index) {
    const ChunkHead& head = world_.head(index);
    const Chunk& chunk = world_.chunk(index);
    const bool update = changed_since(head.children, last_run_) || changed_since(head.world, last_run_);
    for (std::uint32_t row = 0; row < head.size; ++row) {
      for (const Id id : world_.children(chunk.children[row])) {
        child(chunk.world[row], id, update);
      }
    }
  }

 private:
  void child(const Qvvs& parent, Id id, bool update) {
    const Place at = world_.place(id);
    ChunkHead& head = world_.head(at.chunk);
    Chunk& here = world_.chunk(at.chunk);
    update = update || changed_since(head.local, last_run_);
    if (update) {
      if ((head.archetype & kCopyParent) != 0) {
        here.world[at.row] = parent;
      } else {
        mul_into(parent, here.local[at.row], here.world[at.row]);
      }
      head.world = world_.version();
    } else if (otherwise_ == ElseBranch::kAsPrinted) {
      update = changed_since(head.world, last_run_);
    }
    const Qvvs world = here.world[at.row];
    for (const Id below : world_.children(here.children[at.row])) {
      child(world, below, update);
    }
  }

  ChunkWorld& world_;
  std::uint32_t last_run_;
  ElseBranch otherwise_;
};

}  // namespace

void update_below_roots(ChunkWorld& world, std::uint32_t last_run, std::span<const std::uint32_t> chunks,
                        ElseBranch otherwise) {
  RootsJob job(world, last_run, otherwise);
  for (const std::uint32_t index : chunks) {
    job.roots(index);
  }
}

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
