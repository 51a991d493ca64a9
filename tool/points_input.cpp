// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/points_input.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

#include "juxta/files/read_points.h"
#include "juxta/files/table_file.h"

namespace juxta::tool {
namespace {

/// A saved index is binary: its header holds small byte values, which no text has.
bool looks_binary(std::string_view start) {
  return std::any_of(start.begin(), start.end(), [](char c) { return static_cast<unsigned char>(c) < 9; });
}

bool same_bounds(const PointTable& table, const RectD& bounds) {
  if (table.size() == 0) {
    return true;
  }
  const auto [lx, hx] = std::minmax_element(table.x.begin(), table.x.end());
  const auto [ly, hy] = std::minmax_element(table.y.begin(), table.y.end());
  return RectD{*lx, *ly, *hx, *hy} == bounds;
}

Result<Points> load_index(const InputOptions& options) {
  if (options.columns_chosen()) {
    return fail(ErrorCode::kInvalidArgument,
                options.file +
                    " is a saved index: its columns were chosen when it was built, leave out --x, --y, "
                    "--rank, --name, --ascending and --descending");
  }
  auto index = RankedPoints::load(options.file);
  if (!index) {
    return tl::unexpected<Error>(std::move(index.error()));
  }
  Points points{{}, std::move(*index), false};
  const auto path = table_path(options.file);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return points;
  }
  auto table = load_point_table(path);
  if (!table) {
    table.error().message = path.string() + ": " + table.error().message;
    return tl::unexpected<Error>(std::move(table.error()));
  }
  if (table->size() != points.index.size() || !same_bounds(*table, points.index.bounds())) {
    return fail(ErrorCode::kCorruptFile,
                path.string() + " belongs to another index than " + options.file + ": build the index again");
  }
  points.table = std::move(*table);
  points.has_table = true;
  return points;
}

}  // namespace

std::filesystem::path table_path(const std::filesystem::path& index) {
  return index.string() + ".table";
}

std::unique_ptr<Executor> make_executor(unsigned threads) {
  auto executor = make_tbb_executor(threads);
  return executor ? std::move(*executor) : nullptr;
}

unsigned thread_count(const Executor* executor, unsigned asked) {
  return executor == nullptr ? 1 : asked != 0 ? asked : std::max(std::thread::hardware_concurrency(), 1u);
}

Result<RankedPoints> build_index(const PointTable& table, unsigned threads, Monitor* monitor, bool borrow) {
  const auto executor = make_executor(threads);
  RankedPointsOptions options;
  options.executor = executor.get();
  options.monitor = monitor;
  options.borrow_coordinates = borrow;
  std::vector<double> ranks = table.rank;
  if (ranks.empty()) {
    ranks.assign(table.size(), 0.0);
  } else if (table.descending) {
    std::transform(ranks.begin(), ranks.end(), ranks.begin(), [](double r) { return -r; });
  }
  return RankedPoints::build(table.x, table.y, ranks, options);
}

Result<Points> load_points(const InputOptions& options, Monitor* monitor) {
  PointColumns columns = options.columns;
  columns.direction = options.ascending    ? RankDirection::kAscending
                      : options.descending ? RankDirection::kDescending
                                           : RankDirection::kByTitle;
  if (options.file != "-") {
    const auto start = read_bytes(options.file, nullptr, 64);
    if (!start) {
      return tl::unexpected<Error>(start.error());
    }
    if (looks_binary(*start)) {
      return load_index(options);
    }
  }
  auto table = read_points(options.file, columns, monitor);
  if (!table) {
    return tl::unexpected<Error>(std::move(table.error()));
  }
  Points points{std::move(*table), RankedPoints(), true};
  auto index = build_index(points.table, options.threads, monitor, true);
  if (!index) {
    return tl::unexpected<Error>(std::move(index.error()));
  }
  points.index = std::move(*index);
  return points;
}

}  // namespace juxta::tool
