// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents.h"

#include <cstdlib>
#include <iostream>
#include <memory>

namespace juxta::bench {
namespace {

const std::string kAxes = "xyz";

}  // namespace

void give_up(const std::string& why) {
  std::cerr << "bench: the consumer of the installed package: " << why << '\n';
  std::exit(2);
}

Agents::Agents(unsigned threads) {
  if (threads > 1) {
    executor_ = std::make_unique<TbbExecutor>(must(TbbExecutor::build(threads)));
  }
}

void Agents::make(const Start& start) {
  juxta::World world{start.dimensions, {}, {}, {}};
  world.edges.fill(start.periodic ? Edge::kPeriodic : Edge::kWall);
  world.lo = {start.lo, start.lo, start.lo};
  world.hi = {start.hi, start.hi, start.hi};
  simulation_.emplace(must(Simulation::build(world)));
  agents_ = must(simulation_->add_population("agents"));
  must(agents_->add_columns({"vx", "vy"}));
  if (start.dimensions == 3) {
    must(agents_->add_columns({"vz"}));
  }
  add_columns(*agents_, start);
  must(agents_->insert(start.size));
  for (std::uint32_t row = 0; row < start.size; ++row) {
    ids_.push_back(agents_->id_of(row));
  }
}

void Agents::set(const Start& start) {
  if (agents_ == nullptr) {
    make(start);
  }
  start_ = start;
  const std::vector<std::uint32_t> at = rows();
  for (std::uint32_t axis = 0; axis < start.dimensions; ++axis) {
    write_column(kAxes.substr(axis, 1), start.position[axis], at);
    write_column("v" + kAxes.substr(axis, 1), start.velocity[axis], at);
  }
}

void Agents::read(State& state) const {
  const std::vector<std::uint32_t> at = rows();
  for (std::uint32_t axis = 0; axis < start_.dimensions; ++axis) {
    state.position[axis] = column(kAxes.substr(axis, 1), at);
    state.velocity[axis] = column("v" + kAxes.substr(axis, 1), at);
    state.sums[axis] = column("sum_" + kAxes.substr(axis, 1), at);
  }
  state.seen = column("n", at);
  if (state.sums[0].empty()) {
    state.sums[0] = column("sum", at);
  }
}

std::vector<std::uint32_t> Agents::rows() const {
  std::vector<std::uint32_t> rows(ids_.size());
  agents_->rows_of(ids_, rows);
  return rows;
}

// Empty when there is none of that name.
std::vector<float> Agents::column(const std::string& name, const std::vector<std::uint32_t>& rows) const {
  const Result<Column<float>> found = agents_->find_column<float>(name);
  if (!found) {
    return {};
  }
  const std::span<const float> values = agents_->read(*found);
  std::vector<float> by_number(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    by_number[i] = values[rows[i]];
  }
  return by_number;
}

void Agents::write_column(const std::string& name, const float* values,
                          const std::vector<std::uint32_t>& rows) {
  const std::span<float> column = agents_->write(must(agents_->find_column<float>(name)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    column[rows[i]] = values[i];
  }
}

}  // namespace juxta::bench

extern "C" [[gnu::visibility("default")]] juxta::bench::World* juxta_bench_make_world(
    juxta::bench::Model model, unsigned threads) {
  using namespace juxta::bench;
  switch (model) {
    case Model::kFlock:
      return make_flock(threads).release();
    case Model::kVisits:
    case Model::kHeavyVisits:
      return make_visits(threads, model == Model::kHeavyVisits).release();
    case Model::kTay:
      return make_tay(threads).release();
    case Model::kHeadings:
      return make_headings(threads).release();
  }
  return nullptr;
}
