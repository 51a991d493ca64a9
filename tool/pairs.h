// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta pairs': what was found, and how it is told, listed and drawn.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/array.h"
#include "juxta/core/function_ref.h"
#include "juxta/layer/find_pairs.h"
#include "tool/boxes_input.h"

namespace juxta::tool {

/// How a search for pairs went, and what it cost.
struct PairsReport {
  std::vector<std::string> files;         ///< One or two.
  std::vector<const BoxesInput*> inputs;  ///< The same.
  QueryResult result;
  std::size_t touched[2] = {};  ///< Boxes with a pair, per file ...
  std::size_t most = 0;         ///< ... and the most pairs that one box has.
  bool listed = true;           ///< False: too many pairs to keep; they were counted.
  double read_seconds = 0, build_seconds = 0, find_seconds = 0;
  double frame_seconds = 0;  ///< Rebuilding in place and finding again; 0: not measured.
  unsigned threads = 1;
  std::size_t checked = 0;  ///< Boxes whose pairs were compared with a plain scan.
};

/// Lines for a person.
[[nodiscard]] std::string format_report(const PairsReport& report);
/// The same as one JSON object.
[[nodiscard]] std::string json_report(const PairsReport& report);

/// Calls `take` with all pairs, batch by batch, until it returns false.
using PairSource = FunctionRef<void(PairVisitor take)>;

/// What a plain scan found different.
struct PairsCheck {
  std::size_t boxes = 0, wrong = 0;
};
/// Looks for the partners of up to 1000 boxes of the first file (fewer of millions, to end within seconds) by
/// comparing them with all boxes.
[[nodiscard]] PairsCheck check_pairs(const PairsReport& report, PairSource pairs);

/// Writes a,b (and the names, where a file has them) to a file or the standard output.
[[nodiscard]] Result<void> write_pairs(const PairsReport& report, const std::string& path, PairSource pairs,
                                       Monitor& monitor);

/// Boxes from the side that shows most of them, those with a pair in another colour. A crowded world in 3D is
/// cut by a plane, because its boxes would hide each other. `hit[f][i]`: box i of file f has a pair.
[[nodiscard]] std::string draw_pairs(const PairsReport& report, const std::vector<std::uint8_t> (&hit)[2]);

}  // namespace juxta::tool
