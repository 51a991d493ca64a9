// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/files/vtk_cells.h"
#include "juxta/files/vtk_points.h"
#include "juxta/grid/field.h"

namespace juxta {

/// The agents of a population as points with fields: every column of numbers under its name, but for
/// positions; "vx", "vy" (and "vz") together as "velocity" too; "id" as an integer. Borrows from the
/// population and from `scratch`: valid until either changes.
struct SnapshotScratch {
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<std::int64_t>> ids;
};
[[nodiscard]] PointCloud snapshot_of(const Population& population, SnapshotScratch& scratch);

/// A field as a grid of cells: a component has the name of the field, several have its name and "_0", "_1"
/// and so on. Borrows from the field, which is on one machine: valid until it changes.
[[nodiscard]] CellImage snapshot_of(const Field& field, std::string_view name);

/// A series of snapshots of a simulation, a file for each population, field and time, and one index of each
/// that opens as a whole:
///
///   folder/birds_000000.vtkhdf  birds_000100.vtkhdf ...  birds.xdmf
class SnapshotSeries {
 public:
  /// Into this folder, which is made when it is not there. Errors: kIo.
  [[nodiscard]] static Result<SnapshotSeries> open(std::string_view folder);
  /// Writes the state as it is now, and the indexes with it: at any time they name whole files only. Every
  /// population gets an entry, an empty one too (a file of no points with all fields), so that a viewer does
  /// not show what was there before. An earlier snapshot of the same step is replaced. When an index stands
  /// there before the first call, as a stopped run leaves it, its times before this one are kept.
  /// Errors: kIo; kParse (an index that is not of this library's).
  [[nodiscard]] Result<void> add(const Simulation& simulation);

 private:
  [[nodiscard]] Result<void> put(const std::string& stem, std::uint32_t number, double time,
                                 FunctionRef<Result<XdmfStep>(const std::string&)> write);
  [[nodiscard]] Result<std::vector<XdmfStep>> earlier(const std::string& stem, double time) const;

  std::string folder_;
  std::vector<std::pair<std::string, std::vector<XdmfStep>>> series_;  // by population
};

}  // namespace juxta
