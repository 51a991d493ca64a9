// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "world.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <exception>

#include "python/src/choice.h"
#include "python/src/errors.h"

namespace juxta::python {
namespace {

constexpr std::array<Choice<ViewMark>, 7> kMarks{{{"dot", ViewMark::kDot},
                                                  {"dart", ViewMark::kDart},
                                                  {"ship", ViewMark::kShip},
                                                  {"streak", ViewMark::kStreak},
                                                  {"ball", ViewMark::kBall},
                                                  {"rock", ViewMark::kRock},
                                                  {"turret", ViewMark::kTurret}}};

template <class T>
bool is_row_of(py::handle array) {
  return py::isinstance<py::array_t<T, py::array::c_style>>(array);
}

/// None: empty. The source has checked all of this; what is read without the GIL is checked once more.
template <class T>
std::span<const T> row_of(py::handle array, std::size_t count) {
  if (array.is_none()) {
    return {};
  }
  if (!is_row_of<T>(array)) {
    raise_type("an array to be shown has the wrong type");
  }
  const auto row = py::reinterpret_borrow<py::array>(array);
  if (row.ndim() != 1 || static_cast<std::size_t>(row.shape(0)) != count) {
    raise_value("an array to be shown has the wrong length");
  }
  return {static_cast<const T*>(row.data()), count};
}

template <class T, class... Others>
ViewColumn column_of(py::handle array, std::size_t count) {
  if constexpr (sizeof...(Others) != 0) {
    if (!is_row_of<T>(array)) {
      return column_of<Others...>(array, count);
    }
  }
  return row_of<T>(array, count);
}

/// (x, y, z, heading, sizes, columns, ids), where None stands for what is not given.
ViewThings things_of(const py::tuple& group, std::span<const std::uint64_t>& ids) {
  const auto count = py::len(group[0]);
  ViewThings things;
  things.x = row_of<float>(group[0], count);
  things.y = row_of<float>(group[1], count);
  things.z = row_of<float>(group[2], count);
  const auto heading = py::cast<py::tuple>(group[3]);
  for (std::size_t axis = 0; axis < std::min<std::size_t>(heading.size(), 3); ++axis) {
    things.heading[axis] = row_of<float>(heading[axis], count);
  }
  things.sizes = row_of<float>(group[4], count);
  for (const py::handle column : py::cast<py::tuple>(group[5])) {
    things.columns.push_back(
        column_of<float, double, std::uint8_t, std::int32_t, std::uint32_t>(column, count));
  }
  ids = row_of<std::uint64_t>(group[6], count);
  return things;
}

ViewGroup group_of(const py::tuple& of) {
  return {.name = py::cast<std::string>(of[0]),
          .mark = choice_of(of[1], "mark", kMarks),
          .size = py::cast<float>(of[2]),
          .columns = py::cast<std::vector<std::string>>(of[3]),
          .colour = py::cast<std::string>(of[4]),
          .classes = py::cast<std::vector<std::string>>(of[5]),
          .heading = py::cast<bool>(of[6])};
}

ViewParameter parameter_of(const py::tuple& of) {
  return {{.name = py::cast<std::string>(of[0]),
           .value = py::cast<double>(of[1]),
           .lo = py::cast<double>(of[2]),
           .hi = py::cast<double>(of[3]),
           .whole = py::cast<bool>(of[4]),
           .what = py::cast<std::string>(of[5])},
          py::cast<bool>(of[6])};
}

Vec3 corner_of(py::handle three) {
  const auto numbers = py::cast<std::array<float, 3>>(three);
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

PythonWorld::PythonWorld(py::object source) : source_(std::move(source)) {
  take(source_.attr("state")());
  take_info();
}

/// Runs `work` with the GIL. Errors: kCancelled (Python was interrupted, here or before), kInvalidArgument
/// (any other exception: the page shows its text).
template <class Work>
Result<void> PythonWorld::ask(Work&& work) const {
  if (interrupted_) {
    return fail(ErrorCode::kCancelled, "interrupted");
  }
  const py::gil_scoped_acquire acquire;
  try {
    return work();
  } catch (py::error_already_set& error) {
    if (error.matches(PyExc_Exception)) {
      return fail(ErrorCode::kInvalidArgument, error.what());
    }
    error.restore();
    interrupted_ = true;
    return fail(ErrorCode::kCancelled, "interrupted");
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInvalidArgument, error.what());
  }
}

/// A method that changes the world and returns its state. What Python code did to the arrays meanwhile, such
/// as making one longer, is its own affair: none is held.
Result<void> PythonWorld::change(const char* method, const py::tuple& arguments) {
  forget();
  take(source_.attr(method)(*arguments));
  if (const auto why = py::cast<std::string>(source_.attr("why")); !why.empty()) {
    return fail(ErrorCode::kInvalidArgument, why);
  }
  return {};
}

void PythonWorld::forget() {
  things_.clear();
  ids_.clear();
  kept_ = py::none();
}

/// (steps, groups, reports, ms); without groups when they cannot be shown.
void PythonWorld::take(const py::tuple& state) {
  forget();
  kept_ = state;
  steps_ = py::cast<std::uint64_t>(state[0]);
  for (const py::handle group : py::cast<py::tuple>(state[1])) {
    things_.push_back(things_of(py::cast<py::tuple>(group), ids_.emplace_back()));
  }
  reports_ = py::cast<std::vector<double>>(state[2]);
  stage_ms_ = py::cast<std::vector<double>>(state[3]);
}

void PythonWorld::take_info() {
  const py::tuple info = source_.attr("info")();
  ViewInfo made;
  made.title = py::cast<std::string>(info[0]);
  made.dimensions = py::cast<std::uint32_t>(info[1]);
  made.lo = corner_of(info[2]);
  made.hi = corner_of(info[3]);
  made.steps_per_second = py::cast<double>(info[4]);
  for (const py::handle group : py::cast<py::tuple>(info[5])) {
    made.groups.push_back(group_of(py::cast<py::tuple>(group)));
  }
  for (const py::handle parameter : py::cast<py::tuple>(info[6])) {
    made.parameters.push_back(parameter_of(py::cast<py::tuple>(parameter)));
  }
  made.reports = py::cast<std::vector<std::string>>(info[7]);
  made.stages = {"step", "things"};
  info_ = std::move(made);
}

ViewThings PythonWorld::things(std::size_t group) const {
  return group < things_.size() ? things_[group] : ViewThings{};
}

std::uint64_t PythonWorld::id_of(std::size_t group, std::size_t row) const {
  return group < ids_.size() && row < ids_[group].size() ? ids_[group][row] : row;
}

std::optional<std::size_t> PythonWorld::row_of(std::size_t group, std::uint64_t id) const {
  if (group >= ids_.size() || ids_[group].empty()) {
    return id;
  }
  const auto found = std::ranges::find(ids_[group], id);
  return found != ids_[group].end() ? std::optional(static_cast<std::size_t>(found - ids_[group].begin()))
                                    : std::nullopt;
}

Result<void> PythonWorld::step() {
  return ask([&] { return change("step", py::make_tuple()); });
}

std::string PythonWorld::more(std::size_t group, std::size_t row) const {
  std::string text = "{}";
  static_cast<void>(ask([&]() -> Result<void> {
    text = py::cast<std::string>(source_.attr("more")(group, row));
    return {};
  }));
  return text;
}

std::optional<std::uint64_t> PythonWorld::hash() const {
  std::optional<std::uint64_t> hash;
  static_cast<void>(ask([&]() -> Result<void> {
    hash = py::cast<std::optional<std::uint64_t>>(source_.attr("hash")());
    return {};
  }));
  return hash;
}

Result<void> PythonWorld::set(std::string_view name, double value) {
  return ask([&]() -> Result<void> {
    auto done = change("set", py::make_tuple(py::str(name.data(), name.size()), value));
    take_info();
    return done;
  });
}

Result<void> PythonWorld::restart(std::optional<std::uint64_t> seed,
                                  std::span<const std::pair<std::string, double>> parameters) {
  return ask([&]() -> Result<void> {
    py::dict values;
    for (const auto& [name, value] : parameters) {
      values[py::str(name)] = value;
    }
    auto done = change("restart", py::make_tuple(seed, values));
    take_info();
    return done;
  });
}

}  // namespace juxta::python
