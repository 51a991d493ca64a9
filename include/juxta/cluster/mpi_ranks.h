// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/owned.h"
#include "juxta/core/ranks.h"

namespace juxta {

/// The processes of an MPI communicator as ranks of a simulation (Simulation::distribute()). Build one when
/// MPI has begun, and let it end before MPI does. It has a communicator of its own, so your messages and its
/// do not meet.
///
/// Messages: point to point; those above 1 GiB travel in pieces. Collectives carry numbers for bookkeeping
///           alone: no float is added up by MPI, whose order of adding is its own affair.
/// Errors:   kIo, with MPI's own words. Most MPIs end all processes instead when one of them dies.
/// Threads:  all calls come from one thread: MPI_THREAD_FUNNELED is enough.
class JUXTA_API MpiRanks final : public Ranks {
 public:
  /// All processes of `communicator`, an MPI_Comm such as MPI_COMM_WORLD. This header does without that of
  /// MPI, so the type is a parameter; it must be that of the MPI that juxta::cluster was built with.
  /// Collective. Errors: kInvalidArgument (MPI is not running, another MPI), kIo.
  template <class Communicator>
  [[nodiscard]] static Result<Owned<MpiRanks>> build(const Communicator& communicator) {
    return build_from(&communicator, sizeof communicator);
  }
  ~MpiRanks() override;

  [[nodiscard]] std::uint32_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::uint32_t size() const noexcept override { return size_; }
  [[nodiscard]] Result<void> all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  [[nodiscard]] Result<void> swap(std::span<const std::uint64_t> to, std::span<std::uint64_t> from) override;
  [[nodiscard]] Result<void> start(std::span<const RankSend> sends,
                                   std::span<const RankReceive> receives) override;
  void poke() noexcept override;
  [[nodiscard]] Result<void> finish() override;

 private:
  struct State;
  MpiRanks(Owned<State> state, std::uint32_t rank, std::uint32_t size) noexcept;
  [[nodiscard]] static Result<Owned<MpiRanks>> build_from(const void* communicator, std::size_t bytes);

  Owned<State> state_;
  std::uint32_t rank_, size_;
};

}  // namespace juxta
