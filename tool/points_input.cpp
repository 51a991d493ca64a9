// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/points_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/files/read_points.h"
#include "juxta/files/table_file.h"
#include "tool/answers.h"
#include "tool/console.h"
#include "tool/left_out.h"

namespace juxta::tool {
namespace {

/// All files that the library saves begin like this; which of them it is, RankedPoints::load() tells.
bool looks_saved(std::string_view start) {
  return start.starts_with("JUXTA") || start.starts_with("JXTABLE");
}

/// An index that a program saved without a table answers with row numbers. One of an earlier version had its
/// table in a file beside it, and nothing tells whether the two belong together.
Result<void> refuse_parted(const std::string& file) {
  const std::string table = file + ".table";
  std::error_code error;
  if (std::filesystem::exists(table, error)) {
    return fail(ErrorCode::kCorruptFile,
                file + " was saved by an earlier version, and nothing tells whether " + table +
                    " belongs to it: build the index again, which keeps both in one file, and remove " +
                    table);
  }
  return {};
}

/// The table of a saved index, when it has one. Names and coordinates are read where they are asked for: of
/// 10 million points, half a GB is left alone.
Result<void> add_table(Points& points, const std::string& file) {
  const auto attached = points.index.attachment();
  if (attached.empty()) {
    return refuse_parted(file);
  }
  constexpr std::string_view kLive = "JUXTALP\n";  // docs/formats/live_points.md
  if (attached.size() >= kLive.size() && std::memcmp(attached.data(), kLive.data(), kLive.size()) == 0) {
    return fail(ErrorCode::kInvalidArgument,
                "these points change, and a log beside the file says how: use juxta points");
  }
  JUXTA_TRY_LET(points.table,
                view_point_table({reinterpret_cast<const char*>(attached.data()), attached.size()}));
  if (points.table.size() != points.index.size()) {
    return fail(ErrorCode::kCorruptFile, "the table has other points than the index: build the index again");
  }
  points.has_table = true;
  return {};
}

Result<Points> load_index(const InputOptions& options) {
  if (options.columns_chosen()) {
    return fail(ErrorCode::kInvalidArgument,
                options.file +
                    " is a saved index: its columns were chosen when it was built, leave out --x, --y, "
                    "--rank, --name, --values, --categories, --ascending and --descending");
  }
  JUXTA_TRY_LET(auto index, RankedPoints::load(options.file, FileCheck::kAsRead));
  Points points{nullptr, {}, std::move(index), false};
  if (auto added = add_table(points, options.file); !added) {
    return tl::unexpected<Error>(damage_or(points.index, std::move(added.error())));
  }
  return points;
}

}  // namespace

Error damage_or(const RankedPoints& index, Error otherwise) {
  auto checked = index.check_read();
  return checked ? std::move(otherwise) : std::move(checked.error());
}

void tell_left_out(const Points& points, const std::string& file) {
  if (points.read != nullptr) {
    tell_left_out(*points.read, file);
  }
}

Result<RankedPoints> build_index(const PointTable& table, unsigned threads, Monitor* monitor, bool borrow) {
  const auto executor = make_executor(threads);
  std::vector<double> ranks = table.rank;
  if (ranks.empty()) {
    ranks.assign(table.size(), 0.0);
  } else if (table.descending) {
    std::transform(ranks.begin(), ranks.end(), ranks.begin(), [](double r) { return -r; });
  }
  const std::vector<ValueColumn> values(table.values.begin(), table.values.end());
  return RankedPoints::build(table.x, table.y, ranks,
                             {.borrow_coordinates = borrow, .categories = table.categories, .values = values},
                             {.executor = executor.get(), .monitor = monitor});
}

Result<Points> load_points(const InputOptions& options, Monitor* monitor) {
  if (options.file != "-") {
    JUXTA_TRY_LET(const auto start, read_bytes(options.file, 64));
    if (looks_saved(start)) {
      return load_index(options);
    }
  }
  JUXTA_TRY_LET(auto table, read_points(options.file, options.wanted(), {.monitor = monitor}));
  Points points{std::make_unique<PointTable>(std::move(table)), {}, RankedPoints(), true};
  points.table = PointTableView(*points.read);
  JUXTA_TRY_LET(auto index, build_index(*points.read, options.threads, monitor, true));
  points.index = std::move(index);
  return points;
}

}  // namespace juxta::tool
