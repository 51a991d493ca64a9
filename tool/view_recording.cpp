// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A recording: what --record wrote, or SnapshotSeries of a program. One group for each index of snapshots.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/vtk_points.h"
#include "tool/points_input.h"
#include "tool/view_battle.h"
#include "tool/view_worlds.h"

namespace juxta::tool {
namespace {

namespace fs = std::filesystem;
using Values = decltype(StoredPoints::Field::values);
constexpr float kFar = std::numeric_limits<float>::max();

/// What was recorded of one population: its times, and the one that is shown.
class Series {
 public:
  Series(fs::path folder, std::string name, std::vector<XdmfStep> steps)
      : folder_(std::move(folder)), name_(std::move(name)), steps_(std::move(steps)) {
    for (const XdmfStep::Field& field : steps_.front().fields) {
      if (field.components == 1 && field.name != "id") {
        columns_.push_back(field.name);
      }
      heading_ = heading_ || (field.components == 3 && field.name == "velocity");
    }
  }

  [[nodiscard]] const std::vector<XdmfStep>& steps() const { return steps_; }
  [[nodiscard]] const StoredPoints& now() const { return now_; }
  [[nodiscard]] bool has_column(std::string_view name) const {
    return std::ranges::find(columns_, name) != columns_.end();
  }

  /// Its last state at or before a time; nothing before the first.
  Result<StoredPoints> read(double time) const {
    const auto after = std::ranges::upper_bound(steps_, time, {}, &XdmfStep::time);
    if (after == steps_.begin()) {
      return StoredPoints{};
    }
    const fs::path file = (after - 1)->file;
    if (file != file.filename()) {
      return fail(ErrorCode::kCorruptFile, fmt::format("{}.xdmf names a file that is not beside it", name_));
    }
    return read_vtkhdf((folder_ / file).string());
  }

  /// Shows them from now on.
  void take(StoredPoints points) {
    now_ = std::move(points);
    const std::size_t count = now_.x.size();
    const Values* const velocity = field("velocity", 3);
    const auto* const way = velocity == nullptr ? nullptr : std::get_if<std::vector<float>>(velocity);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      velocity_[axis].resize(way == nullptr ? 0 : count);
      for (std::size_t i = 0; i < velocity_[axis].size(); ++i) {
        velocity_[axis][i] = (*way)[3 * i + axis];
      }
    }
    const Values* const radius = field("radius", 1);
    const auto* const half = radius == nullptr ? nullptr : std::get_if<std::vector<float>>(radius);
    sizes_.assign(half == nullptr ? 0 : count, 0);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      sizes_[i] = 2 * (*half)[i];
    }
    const Values* const id = field("id", 1);
    const auto* const numbers = id == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(id);
    ids_.resize(numbers == nullptr ? 0 : count);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      ids_[i] = static_cast<std::uint64_t>((*numbers)[i]);
    }
  }

  [[nodiscard]] ViewGroup group(float size) const {
    ViewGroup group{.name = name_, .mark = heading_ ? ViewMark::kDart : ViewMark::kDot, .size = size};
    group.columns = columns_;
    group.heading = heading_;
    if (look_as_in_battle(group) && !has_column(group.colour)) {
      group.colour.clear();
      group.classes.clear();
    }
    return group;
  }

  [[nodiscard]] ViewThings things(bool solid) const {
    ViewThings things;
    things.x = now_.x;
    things.y = now_.y;
    if (solid) {
      things.z = now_.z;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      things.heading[axis] = velocity_[axis];
    }
    things.sizes = sizes_;
    for (const std::string& name : columns_) {
      things.columns.push_back(column(name));
    }
    return things;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& ids() const { return ids_; }

 private:
  [[nodiscard]] const Values* field(std::string_view name, std::uint32_t components) const {
    const auto found = std::ranges::find(now_.fields, name, &StoredPoints::Field::name);
    return found != now_.fields.end() && found->components == components ? &found->values : nullptr;
  }
  [[nodiscard]] ViewColumn column(std::string_view name) const {
    const Values* const values = field(name, 1);
    return values == nullptr ? ViewColumn{}
                             : std::visit(
                                   [](const auto& of) -> ViewColumn {
                                     if constexpr (requires { ViewColumn(std::span(of)); }) {
                                       return std::span(of);
                                     } else {
                                       return {};  // 64-bit integers: the page has no use for them
                                     }
                                   },
                                   *values);
  }

  fs::path folder_;
  std::string name_;
  std::vector<XdmfStep> steps_;  // ascending in time, at least one
  std::vector<std::string> columns_;
  bool heading_ = false;
  StoredPoints now_;
  std::array<std::vector<float>, 3> velocity_;
  std::vector<float> sizes_;
  std::vector<std::uint64_t> ids_;
};

class RecordingWorld final : public ViewedWorld {
 public:
  RecordingWorld(std::string title, std::vector<Series> series)
      : title_(std::move(title)), series_(std::move(series)) {
    for (const Series& one : series_) {
      for (const XdmfStep& step : one.steps()) {
        times_.push_back(step.time);
      }
    }
    std::ranges::sort(times_);
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    whole_ = std::ranges::all_of(times_, [](double t) { return t >= 0 && t <= 1e15 && t == std::floor(t); });
  }

  /// Looks at the first, the middle and the last state, to know how large the world is.
  Result<void> begin() {
    for (const std::size_t i : {times_.size() - 1, times_.size() / 2, std::size_t{0}}) {
      JUXTA_TRY(show(i));
      for (const Series& one : series_) {
        grow(one.now());
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (lo_[axis] > hi_[axis]) {
        lo_[axis] = hi_[axis] = 0;  // nothing was ever there
      }
    }
    return {};
  }

  ViewInfo info() const override {
    ViewInfo info;
    info.title = title_;
    const bool solid = hi_.z > lo_.z;
    info.dimensions = solid ? 3 : 2;
    info.lo = lo_;
    info.hi = hi_;
    info.steps_per_second = 20;
    for (const Series& one : series_) {
      const auto count = static_cast<float>(std::max<std::size_t>(one.now().x.size(), 1));
      const float longest = std::max({hi_.x - lo_.x, hi_.y - lo_.y, hi_.z - lo_.z});
      info.groups.push_back(one.group(std::min(longest * 0.6F / std::sqrt(count), longest / 80)));
      info.reports.push_back(info.groups.back().name);
    }
    info.recording = ViewRecording{step_of(0), step_of(times_.size() - 1)};
    return info;
  }
  ViewThings things(std::size_t group) const override { return series_[group].things(hi_.z > lo_.z); }
  std::uint64_t steps() const override { return step_of(at_); }
  Result<void> step() override { return show(std::min(at_ + 1, times_.size() - 1)); }
  Result<void> seek(std::uint64_t step) override {
    std::size_t i = 0;
    while (i + 1 < times_.size() && step_of(i + 1) <= step) {
      ++i;
    }
    return show(i);
  }
  std::uint64_t id_of(std::size_t group, std::size_t row) const override {
    const auto& ids = series_[group].ids();
    return row < ids.size() ? ids[row] : row;
  }
  std::optional<std::size_t> row_of(std::size_t group, std::uint64_t id) const override {
    const auto& ids = series_[group].ids();
    if (ids.empty()) {
      return static_cast<std::size_t>(id);
    }
    const auto found = std::ranges::find(ids, id);
    return found == ids.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - ids.begin()));
  }
  std::string more(std::size_t, std::size_t) const override {
    return fmt::format("{{\"time\": {}}}", times_[at_]);
  }
  std::vector<double> reports() const override {
    std::vector<double> counts;
    for (const Series& one : series_) {
      counts.push_back(static_cast<double>(one.now().x.size()));
    }
    return counts;
  }

 private:
  /// Times are steps of a simulation where they are whole; else states are counted.
  [[nodiscard]] std::uint64_t step_of(std::size_t i) const {
    return whole_ ? static_cast<std::uint64_t>(times_[i]) : i;
  }
  /// All series or none.
  Result<void> show(std::size_t i) {
    std::vector<StoredPoints> states;
    for (const Series& one : series_) {
      JUXTA_TRY_LET(states.emplace_back(), one.read(times_[i]));
    }
    for (std::size_t s = 0; s < series_.size(); ++s) {
      series_[s].take(std::move(states[s]));
    }
    at_ = i;
    return {};
  }
  void grow(const StoredPoints& points) {
    const std::array<const std::vector<float>*, 3> axes = {&points.x, &points.y, &points.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const float at : *axes[axis]) {
        if (std::isfinite(at)) {
          lo_[axis] = std::min(lo_[axis], at);
          hi_[axis] = std::max(hi_[axis], at);
        }
      }
    }
  }

  std::string title_;
  std::vector<Series> series_;
  std::vector<double> times_;  // all that were recorded, ascending
  std::size_t at_ = 0;
  bool whole_ = true;
  Vec3 lo_{kFar, kFar, kFar}, hi_{-kFar, -kFar, -kFar};  // until begin() has looked
};

/// The indexes of a folder, in the order of their names; or the one that was named.
Result<std::vector<fs::path>> indexes_of(const std::string& name) {
  std::error_code error;
  std::vector<fs::path> found;
  if (!fs::is_directory(name, error)) {
    found.emplace_back(name);
    return found;
  }
  for (fs::directory_iterator at(name, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".xdmf") {
      found.push_back(at->path());
    }
  }
  if (error) {
    return fail(ErrorCode::kIo, fmt::format("cannot read {}: {}", name, error.message()));
  }
  if (found.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{} has no .xdmf: give a folder that --record wrote, such as "
                            "out/b/recording",
                            name));
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

Result<std::unique_ptr<ViewedWorld>> view_recording(const std::string& name) {
  JUXTA_TRY_LET(const std::vector<fs::path> indexes, indexes_of(name));
  std::vector<Series> series;
  for (const fs::path& index : indexes) {
    JUXTA_TRY_LET(std::vector<XdmfStep> steps, read_xdmf(index.string()));
    if (!steps.empty() && steps.front().grid) {
      continue;  // a field: the page shows agents
    }
    const auto finite = [](const XdmfStep& step) { return std::isfinite(step.time); };
    if (steps.empty() || !std::ranges::all_of(steps, finite) ||
        !std::ranges::is_sorted(steps, {}, &XdmfStep::time)) {
      return fail(ErrorCode::kCorruptFile,
                  fmt::format("{} names no snapshots, or not in the order of time", index.string()));
    }
    series.emplace_back(index.parent_path(), index.stem().string(), std::move(steps));
  }
  if (series.empty()) {
    return fail(ErrorCode::kNotFound, fmt::format("{} has fields alone, and no agents to show", name));
  }
  auto world = std::make_unique<RecordingWorld>(
      fs::path(name).has_filename() ? fs::path(name).filename().string() : name, std::move(series));
  JUXTA_TRY(world->begin());
  return world;
}

}  // namespace juxta::tool
