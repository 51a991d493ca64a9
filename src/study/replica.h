// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one run of a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/study/sweep.h"
#include "study/sweep_journal.h"

namespace juxta::study_detail {

inline constexpr std::size_t kMostReplicas = 1'000'000;

/// Errors: kInvalidArgument, kNotFound (no model; a parameter that is not there, or twice; a value out of its
/// range), kTooLarge.
[[nodiscard]] Result<void> check_sweep(const Sweep& sweep);
/// A number of everything that the result depends on but the program itself.
[[nodiscard]] std::uint64_t fingerprint(const Sweep& sweep);
[[nodiscard]] RowCount rows_of_replica(const Sweep& sweep) noexcept;

/// The values that one replica of a checked sweep has.
class Replica {
 public:
  Replica(const Sweep& sweep, std::size_t number);

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  /// Of what varies.
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
  /// All its steps on this thread. `goes_on` is asked before each. Errors: kCancelled (it said no); of the
  /// model, with the replica's number and values in front.
  [[nodiscard]] Result<ReplicaRows> run(FunctionRef<bool()> goes_on);
  /// run() failed because its numbers left what the model allows (Collector::collect()).
  [[nodiscard]] bool diverged() const noexcept { return diverged_; }

 private:
  [[nodiscard]] Result<ReplicaRows> try_run(FunctionRef<bool()> goes_on);

  const Sweep& sweep_;
  std::size_t number_;
  std::uint64_t seed_ = 0;
  std::vector<double> values_;
  bool diverged_ = false;
};

}  // namespace juxta::study_detail
