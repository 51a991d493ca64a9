// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta {

/// Bytes for another rank. They must stay as they are until Ranks::finish() returns.
struct RankSend {
  std::uint32_t rank = 0;
  std::span<const std::byte> bytes{};
};

/// Memory for a message from another rank, of exactly its size.
struct RankReceive {
  std::uint32_t rank = 0;
  std::span<std::byte> bytes{};
};

/// Processes that hold one simulation together, each a part of it (Simulation::distribute()). The component
/// juxta::cluster has one for MPI; derive from it for anything else that carries bytes.
///
/// Collective: each rank makes the same calls in the same order; a call may wait for all others.
/// Errors: kIo when bytes cannot be carried. The simulation cannot go on then.
/// Threads: calls come from one thread at a time.
class JUXTA_API Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks();

  /// This process's number, below size(). Not collective.
  [[nodiscard]] virtual std::uint32_t rank() const noexcept = 0;
  /// How many there are, at least one. Not collective.
  [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;

  /// What each rank gives, as many bytes on each, one behind the other in the order of ranks.
  [[nodiscard]] virtual Result<void> all_gather(std::span<const std::byte> mine,
                                                std::span<std::byte> all) = 0;
  /// to[r] goes to rank r, which finds it in its from[] at this rank's number. Both have size() numbers.
  [[nodiscard]] virtual Result<void> swap(std::span<const std::uint64_t> to,
                                          std::span<std::uint64_t> from) = 0;
  /// Starts to carry bytes between ranks, at most one message from each to each other. Every send has its
  /// receive on the other side, with as many bytes; none goes to the rank itself.
  [[nodiscard]] virtual Result<void> start(std::span<const RankSend> sends,
                                           std::span<const RankReceive> receives) = 0;
  /// A chance for carriers that move bytes only while they are called, as MPI may: the thread that called
  /// start() calls this now and then while it works, until finish(). Any number of times, also when
  /// everything has arrived or nothing was started. Does nothing unless overridden. Not collective.
  virtual void poke() noexcept;
  /// Waits until all that start() named has been sent and received.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

/// An error of one rank as an error of all: what went wrong here, or else on the lowest rank where something
/// did, with its number. Collective.
[[nodiscard]] JUXTA_API Result<void> agree(Ranks& ranks, const Result<void>& mine);

}  // namespace juxta
