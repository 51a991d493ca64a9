// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta points: points in a file that change: insert, delete, ask, and what was changed.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/files/read_points.h"
#include "juxta/ranked/live_points.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/left_out.h"
#include "tool/point_filter.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct LiveOptions {
  std::string file;
  InputOptions input;            // of insert
  FilterOptions filter;          // of top
  std::vector<std::string> ids;  // of delete
  std::string rect;              // of top
  std::size_t k = 10;
};

// An id as one number, as in Python: the slot in the low half.
std::string text_of(Id id) {
  return std::to_string(std::uint64_t{id.generation} << 32 | id.slot);
}
Result<Id> id_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorCode::kInvalidArgument,
                "'" + std::string(text) + "' is not an id: give a number that 'juxta points insert' printed");
  }
  return Id{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
}

std::string text_of(const RankedPoint& point) {
  const std::string rank =
      point.rank.is_integer() ? std::to_string(point.rank.integer()) : fmt::format("{}", point.rank.real());
  return fmt::format("{},{},{},{}", point.x, point.y, rank, point.categories);
}

Result<LiveRankedPoints> open_live(const std::string& file) {
  return LiveRankedPoints::open(file, {.merge_in_background = false});
}

/// A tenth of the points has changed: the next command starts sooner with a short log.
Result<void> merge_if_long(LiveRankedPoints& live) {
  constexpr std::size_t kLeast = 1024;
  if (live.unmerged() < std::max(kLeast, live.size() / 10)) {
    return {};
  }
  ConsoleProgress progress;
  return live.merge({.monitor = &progress});
}

std::vector<double> ranks_of(const PointTable& table) {
  std::vector<double> ranks = table.rank;
  ranks.resize(table.size(), 0.0);  // without a column of ranks, all are equal
  if (table.descending) {
    std::ranges::transform(ranks, ranks.begin(), [](double rank) { return -rank; });
  }
  return ranks;
}

/// The points of the file with those of the table, whose ids go to `ids`. Without a file, it is made.
Result<LiveRankedPoints> insert_into(const std::string& file, const PointTable& table, std::vector<Id>& ids) {
  const std::vector<double> ranks = ranks_of(table);
  ids.resize(table.size());
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    JUXTA_TRY_LET(LiveRankedPoints live, open_live(file));
    JUXTA_TRY(live.insert({table.x, table.y, ranks, table.categories}, ids));
    JUXTA_TRY(live.sync());
    return live;
  }
  JUXTA_TRY_LET(LiveRankedPoints live, LiveRankedPoints::build({table.x, table.y, ranks, table.categories},
                                                               {.merge_in_background = false}));
  ConsoleProgress progress;
  JUXTA_TRY(live.keep(file, {.monitor = &progress}));
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    ids[i] = {i, 1};
  }
  return live;
}

/// Refuses words: nothing would keep which bit they have.
Result<void> check_categories(const PointTable& table) {
  for (std::size_t bit = 0; bit < table.category_names.size(); ++bit) {
    const std::string& name = table.category_names[bit];
    if (!name.empty() && name != std::to_string(bit)) {
      return fail(
          ErrorCode::kInvalidArgument,
          in_quotes(name) + " is a category, and such a file keeps no names: give numbers from 0 to 63");
    }
  }
  return {};
}

int run_insert(const LiveOptions& options) {
  const std::string inputs[] = {options.input.file};
  const NamedFile outputs[] = {{options.file, "LIVE"}};
  if (const auto checked = check_outputs(inputs, outputs); !checked) {
    return complain(checked.error());
  }
  ConsoleProgress progress;
  const auto table = read_points(options.input.file, options.input.wanted(), {.monitor = &progress});
  progress.clear();
  if (!table) {
    return complain(table.error(), options.input.file);
  }
  tell_left_out(*table, options.input.file);
  if (const auto checked = check_categories(*table); !checked) {
    return complain(checked.error(), options.input.file);
  }
  std::vector<Id> ids;
  const OutputLock lock;
  auto live = insert_into(options.file, *table, ids);
  if (!live) {
    return complain(live.error(), options.file);
  }
  std::string text;
  for (const Id id : ids) {
    text += text_of(id) + "\n";
  }
  (void)print(text);  // first: they are inserted, whatever becomes of the merge
  const auto merged = merge_if_long(*live);
  return merged ? kOk : complain(merged.error(), options.file);
}

Result<std::vector<Id>> ids_of(const std::vector<std::string>& given) {
  std::vector<std::string> texts = given;
  if (given.size() == 1 && given[0] == "-") {
    texts.clear();
    for (std::string line; std::getline(std::cin, line);) {
      texts.push_back(line);
    }
  }
  std::vector<Id> ids;
  for (const std::string& text : texts) {
    JUXTA_TRY_LET(const Id id, id_of(text));
    ids.push_back(id);
  }
  return ids;
}

Result<void> delete_from(const LiveOptions& options, const std::vector<Id>& ids) {
  const OutputLock lock;
  JUXTA_TRY_LET(LiveRankedPoints live, open_live(options.file));
  JUXTA_TRY(live.remove(ids));
  JUXTA_TRY(live.sync());
  return merge_if_long(live);
}

int run_delete(const LiveOptions& options) {
  const auto ids = ids_of(options.ids);
  if (!ids) {
    return complain(wrong_use(ids.error()));
  }
  const auto done = delete_from(options, *ids);
  return done ? kOk : complain(done.error(), options.file);
}

int run_log(const LiveOptions& options) {
  std::string text = "change,id,what,x,y,rank,categories\n";
  bool printed = true;
  const auto read = read_live_log(options.file, [&](const LiveLogRow& row) {
    text += fmt::format("{},{},{}\n", row.change, text_of(row.id),
                        row.is_removed ? "removed,,,," : "set," + text_of(row.point));
    if (text.size() >= 1 << 20) {
      printed = print(text).has_value();
      text.clear();
    }
    return printed && !interrupted();
  });
  if (!read) {
    return complain(read.error(), options.file);
  }
  (void)print(text);
  return kOk;
}

int run_top(const LiveOptions& options) {
  const auto rect = parse_rect(options.rect);
  if (!rect) {
    return complain(rect.error());
  }
  const auto filter = numbered_filter_of(options.filter);
  if (!filter) {
    return complain(filter.error());
  }
  const auto live = open_live(options.file);
  if (!live) {
    return complain(live.error(), options.file);
  }
  const RankedSnapshot now = live->snapshot();
  std::vector<Id> ids(std::min(options.k, now.size()));
  ids.resize(now.top(*rect, ids.size(), ids, *filter).written);
  std::string text = "id,x,y,rank,categories\n";
  for (const Id id : ids) {
    text += text_of(id) + "," + text_of(live->find(id).value()) + "\n";
  }
  (void)print(text);
  return kOk;
}

CLI::App& add_one(CLI::App& points, const std::shared_ptr<LiveOptions>& options, Run& run, const char* name,
                  const char* what, int (*command)(const LiveOptions&)) {
  CLI::App* app = points.add_subcommand(name, what);
  app->add_option("LIVE", options->file, "The file of the points; its log is beside it")->required();
  app->callback([options, &run, command] { run = [options, command] { return command(*options); }; });
  return *app;
}

}  // namespace

void add_points(CLI::App& app, Run& run) {
  auto options = std::make_shared<LiveOptions>();
  CLI::App* points = app.add_subcommand("points", "Points in a file that change, one by one or many at once");
  points->require_subcommand(1);
  CLI::App& insert =
      add_one(*points, options, run, "insert",
              "Insert points and print their ids; the file is made if it is not there", run_insert);
  add_input_options(insert, options->input);
  add_categories_option(insert, options->input, ": numbers from 0 to 63 between commas, semicolons or bars");
  options->input.columns.rank_required = false;
  add_one(*points, options, run, "delete", "Delete points by their ids, all of them or none", run_delete)
      .add_option("ID", options->ids,
                  "Ids that insert printed; - reads them from the standard input, one a line")
      ->required();
  add_one(*points, options, run, "log", "Print the changes since the last merge, as CSV", run_log);
  CLI::App& top = add_one(*points, options, run, "top",
                          "The k most important points inside a rectangle, as CSV", run_top);
  top.add_option("--rect", options->rect, "lx,ly,hx,hy; inf and -inf are sides without an end")->required();
  add_category_options(top, options->filter, ", joined by commas: numbers from 0 to 63");
  top.add_option("-k", options->k, "How many at most")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
}

}  // namespace juxta::tool
