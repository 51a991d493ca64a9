// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/study/run.h"
#include "models/models.h"
#include "tool/console.h"
#include "tool/view_population.h"
#include "tool/view_worlds.h"

namespace juxta::tool {
namespace {

class ModelWorld final : public ViewedWorld {
 public:
  ModelWorld(juxta::Run run, std::uint64_t seed, const Executor* executor)
      : run_(std::move(run)), seed_(seed), executor_(executor) {}

  ViewInfo info() const override {
    const World& world = run_.simulation().world();
    ViewInfo info;
    info.title = run_.info().name;
    info.dimensions = world.dimensions;
    info.lo = world.lo;
    info.hi = world.hi;
    info.steps_per_second = 30;
    for (std::size_t i = 0; i < run_.simulation().population_count(); ++i) {
      const Population& population = run_.simulation().population(i);
      ViewGroup group{.name = std::string(population.name()), .columns = viewed_columns(population)};
      group.heading = !viewed_things(population).heading[0].empty();
      group.mark = group.heading ? ViewMark::kDart : ViewMark::kDot;
      info.groups.push_back(std::move(group));
    }
    open_up(info);
    size_up(info);
    for (const Parameter& parameter : run_.parameters().declared()) {
      info.parameters.push_back({parameter, parameter.live});
    }
    info.stages = {"step"};
    const auto names = run_.collected().steps().names();
    info.reports.assign(names.begin() + std::min<std::ptrdiff_t>(1, std::ssize(names)), names.end());
    return info;
  }
  ViewThings things(std::size_t group) const override {
    return viewed_things(run_.simulation().population(group));
  }
  std::uint64_t steps() const override { return run_.steps_done(); }
  Result<void> step() override {
    const Stopwatch watch;
    auto done = run_.step({.executor = executor_});
    ms_ = watch.seconds() * 1e3;
    return done;
  }
  std::uint64_t id_of(std::size_t group, std::size_t row) const override {
    return number_of(run_.simulation().population(group).id_of(static_cast<std::uint32_t>(row)));
  }
  std::optional<std::size_t> row_of(std::size_t group, std::uint64_t id) const override {
    return row_of_number(run_.simulation().population(group), id);
  }
  std::vector<double> stage_ms() const override { return {ms_}; }
  std::vector<double> reports() const override {
    const Table& all = run_.collected().steps();
    std::vector<double> last;
    for (std::size_t c = 1; c < all.names().size() && all.rows() != 0; ++c) {
      const auto column = all.column(c);  // none of text
      last.push_back(column.empty() ? std::numeric_limits<double>::quiet_NaN() : column.back());
    }
    return last;
  }
  std::optional<std::uint64_t> hash() const override { return run_.state_hash(); }
  Result<void> set(std::string_view name, double value) override { return run_.set(name, value); }
  Result<void> restart(std::optional<std::uint64_t> seed,
                       std::span<const std::pair<std::string, double>> parameters) override {
    Parameters anew = run_.parameters();
    for (const auto& [name, value] : parameters) {
      JUXTA_TRY(anew.set(name, value));
    }
    const ModelInfo model = run_.info();
    JUXTA_TRY_LET(juxta::Run begun, juxta::Run::begin(model, anew, seed.value_or(seed_)));
    run_ = std::move(begun);
    seed_ = seed.value_or(seed_);
    return {};
  }

 private:
  /// Half as long as they are apart on average, so that things on a grid fill it. One kind alone is coloured
  /// by its first column, several by what they are.
  void size_up(ViewInfo& info) const {
    const double room = static_cast<double>(info.hi.x - info.lo.x) *
                        static_cast<double>(info.hi.y - info.lo.y) *
                        (info.dimensions == 3 ? static_cast<double>(info.hi.z - info.lo.z) : 1.0);
    for (std::size_t i = 0; i < info.groups.size(); ++i) {
      const auto count = static_cast<double>(run_.simulation().population(i).size());
      const double apart = std::pow(room / std::max(count, 1.0), 1.0 / info.dimensions);
      const double longest = (info.hi.x - info.lo.x) / 80.0;
      info.groups[i].size =
          static_cast<float>(std::min(apart * (info.groups[i].heading ? 0.9 : 0.6), longest));
      if (info.groups.size() == 1 && !info.groups[i].columns.empty()) {
        info.groups[i].colour = info.groups[i].columns.front();
      }
    }
  }
  /// A world without walls is as large as what is in it.
  void open_up(ViewInfo& info) const {
    for (std::uint32_t axis = 0; axis < info.dimensions; ++axis) {
      if (info.lo[axis] < info.hi[axis] && run_.simulation().world().edges[axis] != Edge::kOpen) {
        continue;
      }
      float lo = 0, hi = 1;
      bool first = true;
      for (std::size_t i = 0; i < run_.simulation().population_count(); ++i) {
        const Population& population = run_.simulation().population(i);
        for (const float at : population.read(population.position(axis))) {
          lo = first ? at : std::min(lo, at);
          hi = first ? at : std::max(hi, at);
          first = false;
        }
      }
      info.lo[axis] = lo;
      info.hi[axis] = hi;
    }
  }

  juxta::Run run_;
  std::uint64_t seed_;
  const Executor* executor_;
  double ms_ = 0;
};

}  // namespace

Result<std::unique_ptr<ViewedWorld>> view_model(const std::string& name, const std::string& preset,
                                                const std::vector<std::string>& set, std::uint64_t seed,
                                                const Executor* executor) {
  JUXTA_TRY_LET(const ModelInfo* const model, find_model(models::published(), name).map_error(wrong_use));
  JUXTA_TRY_LET(Parameters parameters, parameters_of(*model, preset).map_error(wrong_use));
  for (const std::string& assignment : set) {
    JUXTA_TRY(parameters.set(assignment).map_error(wrong_use));
  }
  JUXTA_TRY_LET(juxta::Run run, juxta::Run::begin(*model, parameters, seed));
  return std::make_unique<ModelWorld>(std::move(run), seed, executor);
}

}  // namespace juxta::tool
