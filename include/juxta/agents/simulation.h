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
#include "juxta/grid/field.h"

namespace juxta {
class Ranks;
namespace agents_detail {
struct SimulationImage;
struct SimulationParts;
struct SimulationStore;
}  // namespace agents_detail

/// Some populations and fields in one world, and the step they are in.
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
  /// Errors: kInvalidArgument (an empty name, or one that a population or a field has).
  [[nodiscard]] Result<Population*> add_population(std::string_view name);
  /// Null when there is none.
  [[nodiscard]] Population* find_population(std::string_view name) noexcept;
  [[nodiscard]] const Population* find_population(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t population_count() const noexcept;
  [[nodiscard]] Population& population(std::size_t index) noexcept;
  [[nodiscard]] const Population& population(std::size_t index) const noexcept;

  /// A new field of zeros (juxta/grid/field.h), saved, loaded and spread over ranks with the agents; it stays
  /// where it is for as long as the simulation lives, moved or not. FieldOptions::world is world() as a rule.
  /// Errors: kInvalidArgument (a name that is empty or taken; dimensions other than the world's; after
  /// distribute()), those of Field::build().
  [[nodiscard]] Result<Field*> add_field(std::string_view name, const FieldOptions& options);
  /// Null when there is none.
  [[nodiscard]] Field* find_field(std::string_view name) noexcept;
  [[nodiscard]] const Field* find_field(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t field_count() const noexcept;
  [[nodiscard]] Field& field(std::size_t index) noexcept;
  [[nodiscard]] const Field& field(std::size_t index) const noexcept;
  [[nodiscard]] std::string_view field_name(std::size_t index) const noexcept;

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

  /// Spreads the agents of all populations, and the cells of all fields, over ranks, each of which calls this
  /// with its own simulation. One rank may have all agents, or each some: together they are as if rank after
  /// rank had inserted its own. Populations, columns, step and seed are those of rank 0; the others have the
  /// same, or no population and no field yet.
  ///
  /// From then on each rank makes the same calls in the same order, and has some of the agents in its rows:
  /// size() counts those, spans hold their values, for_each() and act() go over them. sort() sends each agent
  /// to the rank that has its cell. see(), reduce() and steer_boids() see all agents, whoever has them.
  /// insert() and births number agents as one machine would. Values, Ids and the order of agents stay those
  /// of one machine, to the bit. docs/how-to/several-machines.md says more.
  ///
  /// Of fields, the values of rank 0 count, and each rank then has a run of rows: Field::distribute().
  ///
  /// Not over ranks: trees, random sequential activation, find_near(), nearest() and neighbour lists.
  /// `ranks` lives for as long as the simulation. Collective.
  /// Errors: kInvalidArgument (distributed before; other populations, columns or fields than rank 0),
  /// kTooLarge, kIo.
  [[nodiscard]] Result<void> distribute(Ranks& ranks);
  /// All agents and fields, on one rank, as they would be on one machine; on the others the same without any
  /// agent, and fields whose values are not set. Collective. Errors: kInvalidArgument (not distributed, no
  /// such rank), kIo.
  [[nodiscard]] Result<Simulation> gather(std::uint32_t rank = 0);
  /// The same into what gather() gave, whose memory is used again. Errors: also kInvalidArgument (other
  /// populations or columns).
  [[nodiscard]] Result<void> gather_into(Simulation& whole, std::uint32_t rank = 0) const;
  /// Where its agents are; null: all here.
  [[nodiscard]] Ranks* ranks() const noexcept;

  /// The whole state in one file: what goes on from it goes on as this would, to the bit. Births and deaths
  /// of an unfinished step are not in it: save between steps. Written beside `path` and renamed, so that a
  /// full disk leaves the old file. Errors: kIo, kNotFinite (a value of a field), kInvalidArgument (over
  /// ranks).
  [[nodiscard]] Result<void> save(std::string_view path) const;
  /// Errors: kIo, kCorruptFile.
  [[nodiscard]] static Result<Simulation> load(std::string_view path,
                                               std::pmr::memory_resource* resource = huge_page_resource());

 private:
  [[nodiscard]] bool is_taken(std::string_view name) const noexcept;
  friend struct agents_detail::SimulationImage;
  friend struct agents_detail::SimulationParts;
  explicit Simulation(Owned<agents_detail::SimulationStore> store) noexcept;
  Owned<agents_detail::SimulationStore> store_;
};

}  // namespace juxta
