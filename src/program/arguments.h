// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace juxta::program_detail {

/// The command line with "--rect -10,-5,3,4" joined to "--rect=-10,-5,3,4": its numbers may start with a
/// minus sign, which would otherwise look like an option. "--rect -10 -5 3 4" becomes the same. So with
/// --box, --ray, --segment, --nearest, --from, --to, --shift, --eye, --at, --centre and --video-centre.
/// "--checkpoint every 100" becomes "--checkpoint 100", and so does --record. "-k=1" becomes "-k1", which
/// CLI11 understands. In the reversed order that CLI11 parses.
[[nodiscard]] std::vector<std::string> joined_arguments(int argc, char** argv);

/// All of 64 bits and nothing else, for --seed: an option's own conversion makes the largest of -1, and 8 of
/// 010. Throws CLI::ValidationError.
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);

}  // namespace juxta::program_detail
