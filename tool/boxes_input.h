// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"
#include "juxta/files/box_table.h"

namespace juxta::tool {

/// The boxes of one file.
struct BoxesInput {
  BoxTable table;
  bool mesh = false;        ///< Boxes of a mesh's triangles.
  std::string note;         ///< What a person should know about the file; empty: nothing.
  double read_seconds = 0;  ///< Reading and understanding it.
};

/// Reads a CSV of boxes, or a mesh (OBJ or glTF), told apart by content and by the name's ending; "-" is the
/// standard input. `skip_bad`: rows of a CSV that cannot be read are left out.
[[nodiscard]] Result<BoxesInput> load_boxes(const std::string& file, bool skip_bad, Monitor* monitor);
/// Tells on the error output what a person should know about the file: its note, and rows that were left out.
void tell_about(const BoxesInput& input, const std::string& file);

/// --skip-bad, for boxes.
void add_skip_bad(CLI::App& command, bool& skip_bad);

/// The boxes in D dimensions. `storage` holds them where the table has another form.
template <int D>
[[nodiscard]] std::span<const Aabb<D>> boxes_of(const BoxTable& table, std::vector<Aabb<D>>& storage);

}  // namespace juxta::tool
