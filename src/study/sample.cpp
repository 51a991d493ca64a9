// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "study/sobol.h"

namespace juxta {
namespace {

/// Random numbers of one seed: which one is for what.
enum Step : std::uint32_t { kOrder, kPlace, kShift };  // RandomKey::step; RandomKey::purpose is the parameter

Result<void> check_size(std::size_t ranges, std::size_t count) {
  if (count == 0 || ranges == 0) {
    return fail(ErrorCode::kInvalidArgument, "a sample has at least one point and one parameter that varies");
  }
  if (count > kMostSamples) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("a sample of {} points is too large: give at most {}", count, kMostSamples));
  }
  if (ranges > kMostSampledParameters) {
    return fail(ErrorCode::kTooLarge, fmt::format("a sample of {} parameters is too large: vary at most {}",
                                                  ranges, kMostSampledParameters));
  }
  if (count * ranges > kMostSampledNumbers) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("{} points of {} parameters are more than {} numbers: give fewer points", count,
                            ranges, kMostSampledNumbers));
  }
  return {};
}

/// Both ends tried on the parameter, so that its range is known to hold.
Result<void> check_range(const Parameters& parameters, const SampleRange& range) {
  Parameters trial = parameters;
  JUXTA_TRY(trial.set(range.parameter, range.from));
  JUXTA_TRY(trial.set(range.parameter, range.to));
  if (range.from > range.to) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: from = {} is above to = {}: exchange them", range.parameter,
                            number_text(range.from), number_text(range.to)));
  }
  return {};
}

/// One point in each of `count` equal parts of [0, 1), in random order. 24 random bits within a part: then no
/// rounding puts a point into the next one.
std::vector<double> latin_column(std::size_t count, std::uint64_t seed, std::uint32_t parameter) {
  std::vector<std::uint32_t> part(count);
  random_order({seed, kOrder, parameter}, part);
  std::vector<float> place(count);
  fill_random({seed, kPlace, parameter}, 0, std::span(place));
  std::vector<double> column(count);
  for (std::size_t i = 0; i < count; ++i) {
    column[i] = (part[i] + double{place[i]}) / static_cast<double>(count);
  }
  return column;
}

std::vector<double> sobol_column(std::span<const std::uint64_t> points, std::size_t parameters,
                                 std::size_t parameter, std::uint64_t seed) {
  const RandomKey key{seed, kShift, static_cast<std::uint32_t>(parameter)};
  const std::uint64_t shift = seed == 0 ? 0 : random_u64(key, 0);
  std::vector<double> column(points.size() / parameters);
  for (std::size_t i = 0; i < column.size(); ++i) {
    column[i] = static_cast<double>((points[i * parameters + parameter] ^ shift) >> 11U) * 0x1p-53;
  }
  return column;
}

/// From [0, 1) to the range.
double value_at(double part, const SampleRange& range, bool whole) {
  if (whole) {
    return std::min(range.from + std::floor((range.to - range.from + 1) * part), range.to);
  }
  return std::clamp(range.from * (1 - part) + range.to * part, range.from, range.to);
}

}  // namespace

Result<std::vector<std::pair<std::string, std::vector<double>>>> sample(const Parameters& parameters,
                                                                        std::span<const SampleRange> ranges,
                                                                        const SampleOptions& options) {
  JUXTA_TRY(check_size(ranges.size(), options.count));
  std::vector<std::uint64_t> points;
  if (options.kind == SampleKind::kSobol) {
    JUXTA_TRY_LET(points, study_detail::sobol_points(ranges.size(), options.count));
  }
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const SampleRange& range = ranges[r];
    JUXTA_TRY(check_range(parameters, range));
    if (std::ranges::find(columns, range.parameter, [](const auto& each) { return each.first; }) !=
        columns.end()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} varies twice: give one range", range.parameter));
    }
    auto column = points.empty() ? latin_column(options.count, options.seed, static_cast<std::uint32_t>(r))
                                 : sobol_column(points, ranges.size(), r, options.seed);
    const bool whole = std::ranges::find(parameters.declared(), range.parameter, &Parameter::name)->whole;
    for (double& each : column) {
      each = value_at(each, range, whole);
    }
    columns.emplace_back(range.parameter, std::move(column));
  }
  return columns;
}

}  // namespace juxta
