// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "juxta/files/point_table.h"
#include "juxta/ranked/ranked_points.h"

namespace juxta {

/// Ranked points to look at. Everything is borrowed.
struct ViewedMap {
  std::string title;
  const RankedPoints& index;
  /// Coordinates, ranks and names, by the index's input order. As many points as the index has.
  PointTableView table;
};

}  // namespace juxta
