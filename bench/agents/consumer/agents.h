// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <juxta/agents/act.h>
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "world.h"

namespace juxta::bench {

/// Ends the program: a benchmark that cannot be trusted must not print a number.
[[noreturn]] void give_up(const std::string& why);

template <class T>
T must(Result<T> done) {
  if (!done) {
    give_up(done.error().message);
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*done);
  }
}

/// One population between walls; the rules are a subclass's.
class Agents : public World {
 public:
  explicit Agents(unsigned threads);
  void set(const Start& start) override;
  void read(State& state) const override;

 protected:
  /// Columns beside positions and velocities.
  virtual void add_columns(Population& agents, const Start& start) = 0;

  [[nodiscard]] Population& agents() { return *agents_; }
  [[nodiscard]] const Start& start() const { return start_; }
  [[nodiscard]] const Executor* executor() const { return executor_.get(); }
  void sort() { must(agents_->sort({.radius = start_.radius}, {.executor = executor_.get()})); }
  void end_step() { must(simulation_->end_step()); }

 private:
  void make(const Start& start);
  [[nodiscard]] std::vector<std::uint32_t> rows() const;  // by number
  [[nodiscard]] std::vector<float> column(const std::string& name,
                                          const std::vector<std::uint32_t>& rows) const;
  void write_column(const std::string& name, const float* values, const std::vector<std::uint32_t>& rows);

  std::unique_ptr<Executor> executor_;
  std::optional<Simulation> simulation_;
  Population* agents_ = nullptr;
  std::vector<Id> ids_;
  Start start_;
};

[[nodiscard]] std::unique_ptr<World> make_flock(unsigned threads);
[[nodiscard]] std::unique_ptr<World> make_visits(unsigned threads, bool heavy);
[[nodiscard]] std::unique_ptr<World> make_tay(unsigned threads);
[[nodiscard]] std::unique_ptr<World> make_headings(unsigned threads);

}  // namespace juxta::bench
