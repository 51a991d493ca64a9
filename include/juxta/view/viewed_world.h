// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a world must tell to be looked at in a browser. examples/view_own_world.cpp is a small one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/math/vec.h"
#include "juxta/study/parameters.h"

namespace juxta {

/// How a thing looks on the page.
enum class ViewMark : std::uint8_t {
  kDot,     ///< A round dot.
  kDart,    ///< A triangle along its heading.
  kShip,    ///< A hull along its heading.
  kStreak,  ///< A short line behind it.
  kBall,    ///< A ball that glows.
  kRock,    ///< A lump that is lit.
  kTurret,  ///< A short barrel along its heading.
};

/// Things that look alike and have the same columns: what does not change while the world runs.
struct ViewGroup {
  std::string name;  ///< "ships".
  ViewMark mark = ViewMark::kDot;
  float size = 0;                         ///< Length of a thing, in units of the world; 0: a few pixels.
  std::vector<std::string> columns = {};  ///< Names of their numbers.
  std::string colour = {};                ///< The column to colour by at first; empty: none.
  /// Names of the values 0, 1, 2 ... of that column, when it holds kinds; else empty.
  std::vector<std::string> classes = {};
  bool heading = false;  ///< ViewThings::heading is given.
  bool shapes = false;   ///< Each has triangles of its own: ViewedWorld::shape().
};

/// One column, borrowed, of any type of number.
using ViewColumn =
    std::variant<std::span<const float>, std::span<const double>, std::span<const std::uint8_t>,
                 std::span<const std::int32_t>, std::span<const std::uint32_t>>;

/// The things of a group as they are now. Everything is borrowed until the world's next step.
struct ViewThings {
  std::span<const float> x, y, z;                 ///< z is empty in 2D.
  std::array<std::span<const float>, 3> heading;  ///< Of any length, such as velocities; empty: none.
  std::span<const float> sizes;                   ///< Length of each; empty: all have that of their group.
  std::vector<ViewColumn> columns;                ///< In the order of ViewGroup::columns.
};

/// A number that the page shows a slider for.
struct ViewParameter {
  Parameter is;
  bool live = false;  ///< ViewedWorld::set() can change it at any time. Else it waits for restart().
};

/// Something beside the things, that the page draws over them when somebody asks.
struct ViewOverlay {
  enum class Kind : std::uint8_t { kBoxes, kLines, kField };
  std::string name;  ///< "ship boxes".
  Kind kind = Kind::kBoxes;
  std::string what;  ///< A sentence for people.
  bool on = false;   ///< Shown at first; else a page waits until somebody switches it on.
};

/// Takes the boxes or lines of an overlay, one by one. It keeps those that are in view, and of these as many
/// as were asked for, whatever their number.
class ViewParts {
 public:
  virtual ~ViewParts();
  /// The least corner of a box and its largest one, or the two ends of a line. False: it has had so many that
  /// the rest need not be told.
  virtual bool insert(Vec3 from, Vec3 to) = 0;
};

/// Values of cells, seen from above.
struct ViewField {
  std::vector<float> values;            ///< Row by row from the lowest y.
  std::uint32_t columns = 0, rows = 0;  ///< Of cells.
  Vec3 lo{}, hi{};                      ///< Its corners; it lies flat at the z of `lo`.
};

/// A thing as triangles, in places of the world.
struct ViewShape {
  std::vector<Vec3> corners;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Numbers of corners.
};

/// The steps that a recording holds, from first to last.
struct ViewRecording {
  std::uint64_t first = 0, last = 0;
};

struct ViewInfo {
  std::string title;
  std::uint32_t dimensions = 2;  ///< 2 or 3.
  Vec3 lo{}, hi{};               ///< Corners of the world.
  double steps_per_second = 60;  ///< To begin with; 0: as fast as it can.
  std::vector<ViewGroup> groups;
  std::vector<ViewParameter> parameters;
  std::vector<std::string> stages;   ///< Names of the parts of a step.
  std::vector<std::string> reports;  ///< Names of numbers of interest.
  std::vector<ViewOverlay> overlays = {};
  std::optional<ViewRecording> recording = {};  ///< ViewedWorld::seek() goes to any of its steps.
};

/// A world that a ViewServer shows. All calls come from the thread that called ViewServer::show(), one at a
/// time.
class ViewedWorld {
 public:
  virtual ~ViewedWorld();

  /// Asked at first, and again after set() and restart().
  [[nodiscard]] virtual ViewInfo info() const = 0;
  [[nodiscard]] virtual ViewThings things(std::size_t group) const = 0;
  /// Steps that were taken.
  [[nodiscard]] virtual std::uint64_t steps() const = 0;
  /// The next step. After an error the world stays as it is, paused, and the page says why.
  [[nodiscard]] virtual Result<void> step() = 0;

  /// What names a thing for as long as it lives. Without these a thing is named by its row.
  [[nodiscard]] virtual std::uint64_t id_of(std::size_t group, std::size_t row) const;
  [[nodiscard]] virtual std::optional<std::size_t> row_of(std::size_t group, std::uint64_t id) const;
  /// What there is to tell of a thing beside its columns: a JSON object.
  [[nodiscard]] virtual std::string more(std::size_t group, std::size_t row) const;

  /// Milliseconds of the last step, by ViewInfo::stages; empty: not measured.
  [[nodiscard]] virtual std::vector<double> stage_ms() const;
  /// By ViewInfo::reports.
  [[nodiscard]] virtual std::vector<double> reports() const;
  /// A number that the whole state goes into; none: the world does not tell.
  [[nodiscard]] virtual std::optional<std::uint64_t> hash() const;

  /// By ViewInfo::overlays, when a page asks for it: boxes or lines as they are at this step ...
  virtual void overlay(std::size_t index, ViewParts& parts) const;
  /// ... or the values of a field.
  [[nodiscard]] virtual ViewField field(std::size_t index) const;
  /// Of a group with `shapes`, when it is near enough to be seen.
  [[nodiscard]] virtual ViewShape shape(std::size_t group, std::size_t row) const;
  /// Of a recording: to its last state at or before this step, or else to its first. step() goes to the next
  /// one, and is not called at the last. Errors: kIo, kCorruptFile (it stays where it is).
  [[nodiscard]] virtual Result<void> seek(std::uint64_t step);

  /// Changes a live parameter. Errors: kNotFound, kInvalidArgument.
  [[nodiscard]] virtual Result<void> set(std::string_view name, double value);
  /// Begins again, with these parameters in place of the present ones, and this seed if there is one. After
  /// an error all is as it was. Errors: kInvalidArgument.
  [[nodiscard]] virtual Result<void> restart(std::optional<std::uint64_t> seed,
                                             std::span<const std::pair<std::string, double>> parameters);
};

}  // namespace juxta
