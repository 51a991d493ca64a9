// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/files/point_table.h"
#include "juxta/math/rect.h"
#include "program/arguments.h"
#include "tool/console.h"

namespace juxta::tool {

/// "lx,ly,hx,hy"; inf and -inf are sides without an end. Errors: kInvalidArgument.
[[nodiscard]] Result<RectD> parse_rect(const std::string& text);

/// Numbers joined by commas, as floats; inf and -inf are numbers, NaN is not. Errors: kInvalidArgument.
[[nodiscard]] Result<std::vector<float>> parse_floats(const std::string& text);

/// Of a picture.
struct PixelSize {
  std::uint32_t width = 0, height = 0;
};
/// "640x480", for --size; 1 to 16,384 each. Errors: kInvalidArgument.
[[nodiscard]] Result<PixelSize> parse_size(const std::string& text);

/// --seed, read by parse_seed(); `seed` holds the default.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& what);

/// Where the points come from, and what their columns mean.
struct InputOptions {
  std::string file;
  PointColumns columns;
  bool ascending = false, descending = false, skip_bad = false;
  unsigned threads = 0;
  std::vector<std::string> ranged;  ///< Columns that ranges are of; a text without --values has these.

  /// How to read the file.
  [[nodiscard]] PointColumns wanted() const {
    PointColumns wanted = columns;
    wanted.skip_bad = skip_bad;
    if (wanted.values.empty()) {
      wanted.values = ranged;
    }
    wanted.direction = ascending    ? RankDirection::kAscending
                       : descending ? RankDirection::kDescending
                                    : RankDirection::kByTitle;
    return wanted;
  }
  /// True when a column or a direction was chosen, which a saved index cannot do any more.
  [[nodiscard]] bool columns_chosen() const {
    return ascending || descending || !columns.x.empty() || !columns.y.empty() || !columns.rank.empty() ||
           !columns.name.empty() || !columns.values.empty() || !columns.categories.empty();
  }
};
void add_input_options(CLI::App& command, InputOptions& options);

/// --rect and --geographic.
void add_rect_options(CLI::App& command, std::string& rect, bool& geographic);

}  // namespace juxta::tool
