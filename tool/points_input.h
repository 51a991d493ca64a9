// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/monitor.h"
#include "juxta/files/point_table.h"
#include "juxta/ranked/ranked_points.h"
#include "tool/arguments.h"
#include "tool/console.h"

namespace juxta::tool {

/// The points of one file, ready to be asked.
struct Points {
  std::unique_ptr<PointTable> read;  ///< Of a text. Null: a saved index, whose table stays in its file.
  PointTableView table;              ///< Empty when a saved index has none: a program saved it.
  RankedPoints index;
  bool has_table = false;
};

/// What is wrong with a question: the damage of a saved index, if what was read of it is damaged.
[[nodiscard]] Error damage_or(const RankedPoints& index, Error otherwise);

/// Tells on the error output which rows of a text were left out.
void tell_left_out(const Points& points, const std::string& file);

/// Builds the index of a table. Coordinates are borrowed when asked for: the table must then outlive the
/// index. A table without ranks ranks by input order.
[[nodiscard]] Result<RankedPoints> build_index(const PointTable& table, unsigned threads, Monitor* monitor,
                                               bool borrow);

/// Reads a text and builds its index, or loads a saved one. Such a file is not read before it is asked: what
/// is told of it counts when index.check_read() has found nothing.
[[nodiscard]] Result<Points> load_points(const InputOptions& options, Monitor* monitor);

}  // namespace juxta::tool
