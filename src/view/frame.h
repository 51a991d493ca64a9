// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A state as one client is sent it: what is in its view, in 16 bits (docs/formats/view.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "juxta/view/viewed_world.h"
#include "view/snapshot.h"

namespace juxta::view_detail {

/// What a client asked to watch.
struct Watch {
  std::optional<std::array<float, 16>> matrix;  ///< None: all that there is.
  std::vector<int> colour;                      ///< Column for each group; -1: none.
  double rate = 60;                             ///< Frames a second, at most.
  std::size_t most = 1'000'000;                 ///< Things a frame, at most.
};

/// Makes frames for one client. Values of amounts are coloured from the least to the most that this client
/// has ever been shown, so that colours do not flicker.
class FrameWriter {
 public:
  /// `skipped`: states that it did not get. `out` is overwritten.
  void write(const Snapshot& state, const ViewInfo& info, const Watch& watch, std::uint32_t number,
             std::uint32_t skipped, std::string& out);

 private:
  struct Range {
    int column = -1;
    float lo = 0, hi = 0;
  };
  void write_group(const SnapshotGroup& of, const ViewGroup& group, std::size_t index, const Watch& watch,
                   std::size_t most, std::string& out);
  /// False: nobody colours by anything here.
  bool write_column(const SnapshotGroup& of, const ViewGroup& group, std::size_t index, const Watch& watch,
                    char* header, std::string& out);
  void write_colours(const std::vector<float>& values, bool classes, Range& range, char* header,
                     std::string& out) const;

  std::vector<std::uint32_t> seen_;  // rows that are in view
  std::vector<Range> ranges_;        // by group
};

}  // namespace juxta::view_detail
