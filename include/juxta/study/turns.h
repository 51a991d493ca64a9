// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "juxta/agents/population.h"
#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/grid/grid_space.h"
#include "juxta/study/columns.h"

namespace juxta {

/// What becomes of an agent in its turn. Both may be true: then the child lives on.
struct Fate {
  bool dies = false;
  bool bears = false;  ///< It has one child.
};

/// Agents that act one after the other in a random order, die and have children: random activation, as `ask`
/// of NetLogo and the scheduler of Mesa have it, in which the dead have no turn. All is done by rows, and at
/// once: agents whose turn comes later see it. models/wolf_sheep.cpp has two of these.
///
///   Turns sheep(&population);                                  // kept from step to step
///
///   sheep.shuffle(simulation.key(kOrder), simulation.key(kAct));
///   sheep.act([&](std::uint32_t row, const Turns::Words& words) -> Fate {
///     energy[row] -= 1;                                        // and whatever else an agent does
///     return {.dies = energy[row] < 0, .bears = random_fraction(words[0]) < 0.1F};
///   });
///   JUXTA_TRY(sheep.insert_children(energy_column));           // where their parents are, with that value
///   sheep.kill(prey);                                          // as others eat it: no turn, no second death
///   sheep.note_deaths();                                       // all of them die in end_step()
///   JUXTA_TRY(simulation.end_step());
///
/// Whether an agent is alive is kept by row, so rows must stay where they are from the first of these calls
/// in a step to note_deaths(): neither sort() nor end_step(). No state of a model is in it between steps.
///
/// activate_randomly() (juxta/agents/sequential.h) is for agents in open space: its order goes by Ids, and
/// does not change when agents are sorted. Here it goes by rows, which takes a fifth to a third of the time.
///
/// Cost:    beside what act() calls, about 5 ns an agent of 20,000, of which shuffle() is 4, and 20 of a
///          million, as their rows are not near each other.
/// Memory:  25 bytes an agent.
/// Threads: one.
/// Results: a function of the calls made, the same for any instruction set.
class Turns {
 public:
  using Words = std::array<std::uint32_t, 4>;  ///< Random numbers of one agent (random_block()).

  /// Of a population that outlives it. Null: it may only be assigned to or destroyed.
  explicit Turns(Population* agents = nullptr) noexcept : agents_(agents) {}
  [[nodiscard]] Population& agents() const noexcept { return *agents_; }

  /// The agents that are there now get an order for act(), which is random_order() of their rows, and words:
  /// those of row i are random_block(words, i).
  void shuffle(const RandomKey& order, const RandomKey& words) {
    const std::size_t count = agents_->size();
    order_.resize_discard(count);
    words_.resize_discard(count);
    parents_.resize_discard(count);
    set_marks(count);
    births_ = 0;
    random_order(order, order_.span());
    fill_random(words, 0, words_.span());
  }
  /// By row. For what all do at once, before their turns: walk_at_random() (juxta/study/cells.h) takes these.
  [[nodiscard]] std::span<const Words> words() const noexcept { return words_.span(); }

  /// Calls act(row, words), which returns a Fate, for each agent that shuffle() saw and that is alive when
  /// its turn comes. It may call kill() of any Turns, and inserts no agents.
  template <class Act>
  void act(const Act& act) {
    if (dead_.size() < agents_->size()) {  // kill() is not to move the marks while they are written here
      set_marks(agents_->size());
    }
    // Not members: the compiler would load them again after each write of a mark, which is a byte. And no
    // branches on what becomes of an agent: the processor cannot predict them.
    std::uint8_t* const dead = dead_.data();
    std::uint32_t* const parents = parents_.data();
    const Words* const words = words_.data();
    std::size_t births = 0;
    for (const std::uint32_t row : order_) {
      if (dead[row] == 0) {
        const Fate fate = act(row, words[row]);
        dead[row] = static_cast<std::uint8_t>(dead[row] | static_cast<std::uint8_t>(fate.dies));
        parents[births] = row;
        births += static_cast<std::size_t>(fate.bears);
      }
    }
    births_ = births;
  }
  /// The children of the last act(), in the order of the turns, as insert_like() has it: they are in the last
  /// rows from now on, alive, where their parents are now, and with the values that those have now in the
  /// columns given: what happened to a parent after its turn counts. Errors: kTooLarge.
  template <class... T>
  [[nodiscard]] Result<void> insert_children(Column<T>... columns) {
    const std::size_t births = births_;
    births_ = 0;
    return insert_like(*agents_, std::as_const(parents_).span().first(births), columns...);
  }

  /// The agent is dead from now on; false: it was already, or there is no such row.
  bool kill(std::uint32_t row) {
    if (row >= dead_.size()) {
      set_marks(agents_->size());
    }
    const bool lived = row < dead_.size() && dead_[row] == 0;
    if (lived) {
      dead_[row] = 1;
    }
    return lived;
  }
  [[nodiscard]] bool is_dead(std::uint32_t row) const noexcept {
    return row < dead_.size() && dead_[row] != 0;
  }
  /// The space holds those that live, by their positions, and no others; it has no kinds. Agents of a cell
  /// are in the order of rows. Cost: of GridSpace::rebuild() and
  /// remove(), or of insert() for each that lives. Errors: of GridSpace::rebuild(); the space is empty then.
  [[nodiscard]] Result<void> place_living(GridSpace& space) const {
    const auto [x, y] = read_xy(*agents_);
    const bool flat = agents_->world().dimensions == 2;
    const auto z = flat ? std::span<const float>() : agents_->read(agents_->position(2));
    if (const bool many = space.options().holds == CellHolds::kMany; many || !any_dead()) {
      const auto built = space.rebuild(x, y, z);
      if (many && built) {  // the fastest way, if few are dead
        return remove_dead(space);
      }
      if (!many || !any_dead()) {
        return built;
      }
    }
    JUXTA_TRY(space.rebuild({}, {}, {}));
    for (auto row = static_cast<std::uint32_t>(x.size()); row-- > 0;) {  // the last to enter is the first
      if (!is_dead(row)) {
        if (const auto entered = space.insert(row, cell_of(space.grid(), x[row], y[row], flat ? 0 : z[row]));
            !entered) {
          static_cast<void>(space.rebuild({}, {}, {}));
          return entered;
        }
      }
    }
    return {};
  }
  /// Notes all deaths in Population::changes(), so that end_step() carries them out, and forgets them.
  void note_deaths() {
    kill_marked(*agents_, dead_.span());
    dead_.resize(0);
  }

 private:
  [[nodiscard]] static std::uint32_t cell_of(const CellGrid& grid, float x, float y, float z) noexcept {
    const float at[3] = {x, y, z};
    std::uint32_t to[3];
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      if (!(at[axis] >= 0 && at[axis] < static_cast<float>(grid.cells[axis]))) {
        return GridSpace::kNoCell;  // which insert() refuses
      }
      to[axis] = static_cast<std::uint32_t>(at[axis]);
    }
    return grid.cell_at(to[0], to[1], to[2]);
  }
  [[nodiscard]] Result<void> remove_dead(GridSpace& space) const {
    for (std::uint32_t row = 0; row < dead_.size(); ++row) {
      if (dead_[row] != 0) {
        JUXTA_TRY(space.remove(row));
      }
    }
    return {};
  }
  [[nodiscard]] bool any_dead() const noexcept {
    std::uint8_t any = 0;
    for (const std::uint8_t mark : dead_) {
      any |= mark;
    }
    return any != 0;
  }
  /// As many marks, new ones for agents that are alive.
  void set_marks(std::size_t count) {
    const std::size_t before = count < dead_.size() ? count : dead_.size();
    dead_.resize(count);
    for (std::uint8_t& mark : dead_.span().subspan(before)) {
      mark = 0;
    }
  }

  Population* agents_;
  Array<std::uint32_t> order_, parents_;  // rows
  Array<Words> words_;                    // by row
  Array<std::uint8_t> dead_;              // by row; rows beyond are alive
  std::size_t births_ = 0;                // of parents_
};

}  // namespace juxta
