// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "juxta/agents/population.h"
#include "juxta/agents/world.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/random.h"

namespace juxta {
namespace agents_detail {
struct SimulationImage;
struct SimulationStore;
}  // namespace agents_detail

/// Some populations in one world, and the step they are in.
///
///   for each step:   sort()            each population that is seen
///                    see() ... act()   passes: all see the state as it was when the pass began
///                    end_step()        births, deaths, references to the dead, step() + 1
class JUXTA_API Simulation {
 public:
  /// Errors: kInvalidArgument (dimensions other than 2 and 3; lo not below hi on a closed axis), kNotFinite.
  [[nodiscard]] static Result<Simulation> build(const World& world, std::uint64_t seed = 0,
                                                std::pmr::memory_resource* resource = huge_page_resource());

  [[nodiscard]] const World& world() const noexcept;

  /// A new, empty population; it stays where it is for as long as the simulation lives, moved or not.
  /// Errors: kInvalidArgument (an empty name, or one that is taken).
  [[nodiscard]] Result<Population*> add_population(std::string_view name);
  /// Null when there is none.
  [[nodiscard]] Population* find_population(std::string_view name) noexcept;
  [[nodiscard]] const Population* find_population(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t population_count() const noexcept;
  [[nodiscard]] Population& population(std::size_t index) noexcept;
  [[nodiscard]] const Population& population(std::size_t index) const noexcept;

  /// Steps that ended.
  [[nodiscard]] std::uint32_t step() const noexcept;
  [[nodiscard]] std::uint64_t seed() const noexcept;
  /// What random numbers of this step have in common; core/random.h makes them, by random_id(id).
  [[nodiscard]] RandomKey key(std::uint32_t purpose) const noexcept { return {seed(), step(), purpose}; }

  /// Carries out births and deaths of all populations, then sets references to the dead to Id{}. Per
  /// population what was done, in the order of add_population(); valid until the next call. Survivors keep
  /// their order; the new ones stand behind them.
  /// Errors: kTooLarge (more than 2^32 - 2 agents; those births are dropped, all else is done).
  [[nodiscard]] Result<std::span<const StepReport>> end_step();

  /// The whole state in one file: what goes on from it goes on as this would, to the bit. Births and deaths
  /// of an unfinished step are not in it: save between steps. Written beside `path` and renamed, so that a
  /// full disk leaves the old file. Errors: kIo.
  [[nodiscard]] Result<void> save(std::string_view path) const;
  /// Errors: kIo, kCorruptFile.
  [[nodiscard]] static Result<Simulation> load(std::string_view path,
                                               std::pmr::memory_resource* resource = huge_page_resource());

 private:
  friend struct agents_detail::SimulationImage;
  explicit Simulation(Owned<agents_detail::SimulationStore> store) noexcept;
  Owned<agents_detail::SimulationStore> store_;
};

}  // namespace juxta
