// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The server's part of the page without a server, as a WebAssembly module: viewer/web/src/local/worker.ts
// calls it.
//
//   page_input(bytes)      -> where to put a text of so many bytes, for the next call
//   page_show(bytes)       shows the scene of that name
//   page_open(name, bytes) shows a map of the points of a CSV, TSV text: its name, and behind it the text
//   page_hear(bytes)       a message of the page
//   page_turn()            -> milliseconds until it is to be called again
// Functions that can fail return 1 when they did what they should, else 0, and say why by the import
// page.error.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/files/read_points.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/view/local_view.h"
#include "tool/view_worlds.h"
#include "viewer/wasm/scenes.h"

#define PAGE_IMPORT(name) __attribute__((import_module("page"), import_name(name)))
#define PAGE_EXPORT(name) __attribute__((export_name(name)))

extern "C" {
PAGE_IMPORT("text") void page_text(const char* text, std::size_t bytes);
PAGE_IMPORT("frame") void page_frame(const char* frame, std::size_t bytes);
PAGE_IMPORT("error") void page_error(const char* text, std::size_t bytes);
}

namespace juxta::page {
namespace {

class Browser final : public LocalPage {
 public:
  void on_text(std::string_view message) override { page_text(message.data(), message.size()); }
  void on_frame(std::span<const char> frame) override { page_frame(frame.data(), frame.size()); }
};

/// What a map borrows, and the map. It stays where it is.
struct Map {
  Map(std::string title, PointTable points, RankedPoints ranked)
      : table(std::move(points)),
        index(std::move(ranked)),
        viewed{std::move(title), index, PointTableView(table)} {}
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;

  PointTable table;
  RankedPoints index;
  ViewedMap viewed;
};

/// All that lives as long as the page.
struct Page {
  Browser browser;
  std::string input;
  // The view goes before what it shows.
  std::unique_ptr<ViewedWorld> world;
  std::unique_ptr<Map> map;
  std::optional<LocalView> view;
};

Page& page() {
  static Page only;
  return only;
}

Result<void> show_world(Result<std::unique_ptr<ViewedWorld>> made) {
  JUXTA_TRY_LET(std::unique_ptr<ViewedWorld> world, std::move(made));
  JUXTA_TRY_LET(LocalView view, LocalView::show(*world, page().browser));
  page().view = std::move(view);
  page().world = std::move(world);
  page().map.reset();
  return {};
}

Result<void> show_map(std::string title, PointTable points) {
  std::vector<double> ranks = points.rank;
  for (double& rank : ranks) {
    rank = points.descending ? -rank : rank;
  }
  ranks.resize(points.size());  // without a column of ranks all have the same
  JUXTA_TRY_LET(RankedPoints index, RankedPoints::build(points.x, points.y, ranks));
  auto map = std::make_unique<Map>(std::move(title), std::move(points), std::move(index));
  JUXTA_TRY_LET(LocalView view, LocalView::show(map->viewed, page().browser));
  page().view = std::move(view);
  page().map = std::move(map);
  page().world.reset();
  return {};
}

Result<void> show(std::string_view scene) {
  if (scene == "map") {
    return show_map("200,000 invented cities", make_cities(200'000, 1));
  }
  if (scene == "flock") {
    return show_world(tool::view_flock({.agents = 10'000, .most = 200'000}, nullptr));
  }
  if (scene == "boxes") {
    return show_world(make_boxes_world(2'000, 1));
  }
  if (scene == "rays") {
    return show_world(make_rays_world(10'000, 1));
  }
  return fail(ErrorCode::kNotFound,
              "there is no scene '" + std::string(scene) + "': there are map, flock, boxes and rays");
}

Result<void> open(std::string name, std::string_view text) {
  JUXTA_TRY(check_text(text));
  JUXTA_TRY_LET(PointTable points, parse_points_csv(text, {.rank_required = false}));
  page().input = {};
  return show_map(std::move(name), std::move(points));
}

int told(const Result<void>& result) {
  if (!result) {
    page_error(result.error().message.data(), result.error().message.size());
  }
  return result ? 1 : 0;
}

}  // namespace
}  // namespace juxta::page

extern "C" {

PAGE_EXPORT("page_input") char* page_input(std::size_t bytes) {
  std::string& input = juxta::page::page().input;
  input.resize(bytes);
  return input.data();
}

PAGE_EXPORT("page_show") int page_show(std::size_t bytes) {
  return juxta::page::told(juxta::page::show(std::string_view(juxta::page::page().input).substr(0, bytes)));
}

PAGE_EXPORT("page_open") int page_open(std::size_t name, std::size_t bytes) {
  const std::string_view input = juxta::page::page().input;
  return juxta::page::told(juxta::page::open(std::string(input.substr(0, name)), input.substr(name, bytes)));
}

PAGE_EXPORT("page_hear") int page_hear(std::size_t bytes) {
  auto& page = juxta::page::page();
  return page.view ? juxta::page::told(page.view->hear(std::string_view(page.input).substr(0, bytes))) : 0;
}

PAGE_EXPORT("page_turn") double page_turn() {
  auto& view = juxta::page::page().view;
  return view ? view->turn() : 1000.0;
}

}  // extern "C"
