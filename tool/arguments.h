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

namespace juxta::tool {

/// The command line with "--rect -10,-5,3,4" joined to "--rect=-10,-5,3,4": its numbers may start with a
/// minus sign, which would otherwise look like an option. "--rect -10 -5 3 4" becomes the same. So with
/// --box, --ray, --segment, --nearest, --from, --to, --shift, --eye, --at and --video-centre. "--checkpoint
/// every 100" becomes "--checkpoint 100", and so does --record. "-k=1" becomes "-k1", which CLI11
/// understands. In the reversed order that CLI11 parses.
[[nodiscard]] std::vector<std::string> joined_arguments(int argc, char** argv);

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

/// All of 64 bits and nothing else, for --seed: an option's own conversion makes the largest of -1, and 8 of
/// 010. Throws CLI::ValidationError.
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);
/// --seed, read by parse_seed(); `seed` holds the default.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& what);

/// Where the points come from, and what their columns mean.
struct InputOptions {
  std::string file;
  PointColumns columns;
  bool ascending = false, descending = false, skip_bad = false;
  unsigned threads = 0;

  /// How to read the file.
  [[nodiscard]] PointColumns wanted() const {
    PointColumns wanted = columns;
    wanted.skip_bad = skip_bad;
    wanted.direction = ascending    ? RankDirection::kAscending
                       : descending ? RankDirection::kDescending
                                    : RankDirection::kByTitle;
    return wanted;
  }
  /// True when a column or a direction was chosen, which a saved index cannot do any more.
  [[nodiscard]] bool columns_chosen() const {
    return ascending || descending || !columns.x.empty() || !columns.y.empty() || !columns.rank.empty() ||
           !columns.name.empty();
  }
};
void add_input_options(CLI::App& command, InputOptions& options);

/// --rect and --geographic.
void add_rect_options(CLI::App& command, std::string& rect, bool& geographic);

}  // namespace juxta::tool
