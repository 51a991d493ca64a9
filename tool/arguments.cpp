// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace juxta::tool {
Result<RectD> parse_rect(const std::string& text) {
  double side[4] = {};
  const char* at = text.data();
  const char* last = at + text.size();
  for (int i = 0; i < 4; ++i) {
    while (at != last && *at == ' ') {
      ++at;
    }
    const auto [end, error] = std::from_chars(at, last, side[i]);
    const bool separated = i < 3 ? end != last && *end == ',' : end == last;
    if (error != std::errc{} || std::isnan(side[i]) || !separated) {
      return fail(
          ErrorCode::kInvalidArgument,
          "--rect '" + text + "' is not lx,ly,hx,hy: give four numbers joined by commas, like -10,-5,3,4");
    }
    at = end + (i < 3 ? 1 : 0);
  }
  return RectD{side[0], side[1], side[2], side[3]};
}

Result<std::vector<float>> parse_floats(const std::string& text) {
  std::vector<float> numbers;
  const char* at = text.data();
  const char* last = at + text.size();
  for (;;) {
    while (at != last && *at == ' ') {
      ++at;
    }
    float number = 0;
    const auto [end, error] = std::from_chars(at, last, number);
    if (error != std::errc{} || std::isnan(number) || (end != last && *end != ',')) {
      return fail(ErrorCode::kInvalidArgument, "'" + text + "' is not a list of numbers joined by commas");
    }
    numbers.push_back(number);
    if (end == last) {
      return numbers;
    }
    at = end + 1;
  }
}

Result<PixelSize> parse_size(const std::string& text) {
  constexpr std::uint32_t kMostPixels = 16384;  // of a side, as Raster
  PixelSize size;
  const char* last = text.data() + text.size();
  const auto [x, bad_width] = std::from_chars(text.data(), last, size.width);
  const bool joined = bad_width == std::errc{} && x != last && *x == 'x';
  const auto [end, bad_height] = joined ? std::from_chars(x + 1, last, size.height)
                                        : std::from_chars_result{x, std::errc::invalid_argument};
  if (bad_height != std::errc{} || end != last || size.width == 0 || size.height == 0 ||
      size.width > kMostPixels || size.height > kMostPixels) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--size '{}' is no WIDTHxHEIGHT: give two numbers from 1 to {}, like 640x480",
                            text, kMostPixels));
  }
  return size;
}

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& what) {
  command
      .add_option_function<std::string>(
          "--seed", [&seed](const std::string& text) { seed = parse_seed(text); }, what)
      ->type_name("UINT")
      ->default_str(std::to_string(seed));
}

void add_input_options(CLI::App& command, InputOptions& options) {
  command
      .add_option(
          "FILE", options.file,
          "Points: CSV, TSV, GeoJSON, or a file that 'juxta index' wrote (told apart by content); - is the "
          "standard input")
      ->required();
  command.add_option("--x", options.columns.x,
                     "Column of x, by title or number from 1 [x, lon, longitude, lng, ...]");
  command.add_option("--y", options.columns.y, "Column of y [y, lat, latitude, northing]");
  command.add_option("--rank", options.columns.rank,
                     "Column of the rank [rank, scalerank, population, importance, ...]");
  command.add_option("--name", options.columns.name, "Column of the name [name, label, title, city]");
  auto* descending = command.add_flag(
      "--descending", options.descending,
      "The largest rank is the most important; the default for columns titled population, pop, "
      "pop_max, importance, score, weight, magnitude, elevation, votes");
  command.add_flag("--ascending", options.ascending, "The smallest is; the default for all other columns")
      ->excludes(descending);
  command.add_flag(
      "--skip-bad", options.skip_bad,
      "Leave out rows and features that cannot be read, and tell of them; else they are an error");
  command
      .add_option("--threads", options.threads,
                  "Threads that build the index; 0: as many as this process may use")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void add_rect_options(CLI::App& command, std::string& rect, bool& geographic) {
  command
      .add_option(
          "--rect", rect,
          "lx,ly,hx,hy: edges belong to it; inf and -inf are allowed. With longitudes, 170,-10,-170,10 "
          "lies across the antimeridian")
      ->required();
  command.add_flag(
      "--geographic", geographic,
      "x is a longitude and y a latitude; the default for GeoJSON and for columns titled lon and "
      "lat (and the like)");
}

}  // namespace juxta::tool
