// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ranks that are threads of one process: whatever is done over ranks can be tested without MPI.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "juxta/core/ranks.h"
#include "juxta/core/try.h"

namespace juxta::test {

/// Threads wait here for all others. It does not spin: there are more threads than cores.
class Gate {
 public:
  explicit Gate(std::uint32_t size) : size_(size) {}
  /// Errors: kIo (a rank has ended, as one does whose ASSERT failed: the others would wait for ever).
  [[nodiscard]] Result<void> wait() {
    std::unique_lock lock(mutex_);
    const std::uint64_t round = round_;
    if (++waiting_ == size_) {
      waiting_ = 0;
      ++round_;
      opened_.notify_all();
      return {};
    }
    opened_.wait(lock, [&] { return round_ != round || left_; });
    return round_ != round ? Result<void>() : fail(ErrorCode::kIo, "another rank has ended");
  }
  /// This rank calls no more.
  void leave() {
    const std::lock_guard lock(mutex_);
    left_ = true;
    opened_.notify_all();
  }

 private:
  std::uint32_t size_, waiting_ = 0;
  std::uint64_t round_ = 0;
  bool left_ = false;
  std::mutex mutex_;
  std::condition_variable opened_;
};

/// What ranks of one process have in common.
class RankHub {
 public:
  explicit RankHub(std::uint32_t size)
      : size_(size), gate_(size), given_(size), numbers_(size), mail_(size) {}

  void leave() { gate_.leave(); }

 private:
  friend class ThreadRanks;
  std::uint32_t size_;
  Gate gate_;
  std::vector<std::span<const std::byte>> given_;
  std::vector<std::span<const std::uint64_t>> numbers_;
  std::vector<std::map<std::uint32_t, std::span<const std::byte>>> mail_;  // by sender, then by receiver
};

/// One of them. Whoever breaks the rules of a collective call is told by abort(), since nobody could go on.
class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(RankHub& hub, std::uint32_t rank) : hub_(hub), rank_(rank) {}

  [[nodiscard]] std::uint32_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::uint32_t size() const noexcept override { return hub_.size_; }

  [[nodiscard]] Result<void> all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    hub_.given_[rank_] = mine;
    JUXTA_TRY(hub_.gate_.wait());
    for (std::size_t r = 0; r < size(); ++r) {
      must(hub_.given_[r].size() == mine.size() && all.size() == mine.size() * size());
      if (!mine.empty()) {
        std::memcpy(all.data() + r * mine.size(), hub_.given_[r].data(), mine.size());
      }
    }
    return hub_.gate_.wait();
  }
  [[nodiscard]] Result<void> swap(std::span<const std::uint64_t> to, std::span<std::uint64_t> from) override {
    must(to.size() == size() && from.size() == size());
    hub_.numbers_[rank_] = to;
    JUXTA_TRY(hub_.gate_.wait());
    for (std::size_t r = 0; r < size(); ++r) {
      from[r] = hub_.numbers_[r][rank_];
    }
    return hub_.gate_.wait();
  }
  [[nodiscard]] Result<void> start(std::span<const RankSend> sends,
                                   std::span<const RankReceive> receives) override {
    for (const RankSend& send : sends) {
      must(send.rank != rank_ && send.rank < size() && !send.bytes.empty());
      must(hub_.mail_[rank_].emplace(send.rank, send.bytes).second);
    }
    receives_.assign(receives.begin(), receives.end());
    return {};
  }
  void poke() noexcept override { ++pokes; }
  /// Only here bytes are moved: who reads them before it did not wait for them.
  [[nodiscard]] Result<void> finish() override {
    JUXTA_TRY(hub_.gate_.wait());
    for (const RankReceive& receive : receives_) {
      auto& mail = hub_.mail_[receive.rank];
      const auto found = mail.find(rank_);
      must(found != mail.end() && found->second.size() == receive.bytes.size());
      std::memcpy(receive.bytes.data(), found->second.data(), receive.bytes.size());
      found->second = {};  // it has been fetched
    }
    JUXTA_TRY(hub_.gate_.wait());
    for (const auto& [rank, bytes] : hub_.mail_[rank_]) {
      must(bytes.empty());
    }
    hub_.mail_[rank_].clear();
    return hub_.gate_.wait();
  }

  std::size_t pokes = 0;

 private:
  static void must(bool holds) {
    if (!holds) {
      std::abort();
    }
  }

  RankHub& hub_;
  std::uint32_t rank_;
  std::vector<RankReceive> receives_;
};

/// Calls body(ranks) on as many threads as there are ranks.
template <class Body>
void run_ranks(std::uint32_t size, Body&& body) {
  RankHub hub(size);
  std::vector<std::thread> others;
  const auto run = [&](std::uint32_t rank) {
    ThreadRanks ranks(hub, rank);
    body(ranks);
    hub.leave();
  };
  for (std::uint32_t rank = 1; rank < size; ++rank) {
    others.emplace_back(run, rank);
  }
  run(0);
  for (std::thread& other : others) {
    other.join();
  }
}

}  // namespace juxta::test
