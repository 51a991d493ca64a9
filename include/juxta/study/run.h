// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "juxta/agents/simulation.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/owned.h"
#include "juxta/study/until.h"

namespace juxta {
class Collector;  // juxta/study/collector.h
class Model;      // juxta/study/model.h
class Parameters;
class Ranks;  // juxta/core/ranks.h
struct ModelInfo;

struct RunOptions {
  /// All columns of numbers of all populations are noted every so many steps (Collector::agents()); 0: never.
  std::uint32_t agents_every = 0;
  /// How many steps it is meant to have: kept for whoever resumes it. 0: the model's own number.
  std::uint32_t steps = 0;
  /// When it is done before that: Run::until_met(). Kept for whoever resumes it.
  std::optional<Until> until = {};
};

/// A model under way, and what was collected so far. The state at the start is collected too, as step 0.
/// A function of model, parameters and seed: the same for any executor, stopped and resumed or not.
class Run {
 public:
  /// Errors: of the model; kInvalidArgument, as step(); kNotFound (RunOptions::until is about a report that
  /// the model does not make).
  [[nodiscard]] static Result<Run> begin(const ModelInfo& model, const Parameters& parameters,
                                         std::uint64_t seed, const RunOptions& options = {});
  /// The same over ranks, to the bit: each steps some of the agents. What is collected is gathered on rank 0
  /// first; only there do simulation(), model() and collected() have anything to show. Collective, as are
  /// resume(), step() and collect(). Errors: also kInvalidArgument (a model that cannot).
  [[nodiscard]] static Result<Run> begin(Ranks& ranks, const ModelInfo& model, const Parameters& parameters,
                                         std::uint64_t seed, const RunOptions& options = {});
  /// What save() wrote, to go on as if it had never been stopped. `models`: those that it may be of.
  /// Errors: kIo, kCorruptFile (with the byte), kNotFound (a model that is not among them), of the model.
  [[nodiscard]] static Result<Run> resume(std::string_view path, std::span<const ModelInfo> models);
  /// The same over ranks, of a run over any number of ranks or on one machine. Every rank reads the file.
  [[nodiscard]] static Result<Run> resume(Ranks& ranks, std::string_view path,
                                          std::span<const ModelInfo> models);

  /// One step, and collects. Errors: of the model; kInvalidArgument (a reporter left finite numbers, or a
  /// conserved one its tolerance: Collector::add()). The run is of no use afterwards; what was collected is
  /// there.
  [[nodiscard]] Result<void> step(const Context& context = {});
  /// A step that collects nothing. Over ranks no agents travel to rank 0 then, and what is shown there stays
  /// as it was until the next collect(). Errors: of the model.
  [[nodiscard]] Result<void> step_only(const Context& context = {});
  /// Collects the step that the run is at, unless that was done. Errors: as step().
  [[nodiscard]] Result<void> collect();
  /// How many steps were taken, on all ranks: simulation().step() may be behind.
  [[nodiscard]] std::uint32_t steps_done() const noexcept;
  /// Another value of a live parameter (Parameter::live) from the next step on. The run is then saved with
  /// it, and no longer a function of model, parameters and seed alone. Errors: kNotFound, kInvalidArgument
  /// (out of its range, not live, over ranks), of the model; all is as it was then.
  [[nodiscard]] Result<void> set(std::string_view name, double value);
  /// Everything in one file (docs/formats/run.md), written beside `path` and renamed: an interrupt or a full
  /// disk leaves the file that stood there. Over ranks: collective; each writes its agents to a file of its
  /// own beside it (docs/formats/parts.md), and all of them become the saved run at once. Errors: kIo.
  [[nodiscard]] Result<void> save(std::string_view path) const;

  [[nodiscard]] const ModelInfo& info() const noexcept;
  [[nodiscard]] const Parameters& parameters() const noexcept;
  /// How many steps it is meant to have; step() does not care.
  [[nodiscard]] std::uint32_t planned_steps() const noexcept;
  /// The stop condition of RunOptions, or the last one of set_until().
  [[nodiscard]] const std::optional<Until>& until() const noexcept;
  /// What was collected of the step that the run is at meets until(): it is time to end. False without such a
  /// condition, and behind step_only(). step() does not care. The same on all ranks.
  [[nodiscard]] bool until_met() const noexcept;
  /// Another stop condition from now on, or none. Over ranks: collective. Errors: kNotFound, as begin(); the
  /// old one stays then.
  [[nodiscard]] Result<void> set_until(std::optional<Until> until);
  [[nodiscard]] const Simulation& simulation() const noexcept;
  [[nodiscard]] const Model& model() const noexcept;
  [[nodiscard]] const Collector& collected() const noexcept;
  /// A number that the whole state of the simulation goes into: equal states, equal numbers.
  [[nodiscard]] std::uint64_t state_hash() const;

 private:
  struct State;
  explicit Run(Owned<State> state) noexcept;
  [[nodiscard]] static Result<Run> judged(State state);
  Owned<State> state_;
};

}  // namespace juxta
