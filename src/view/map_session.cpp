// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/map_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/version.h"
#include "view/arguments.h"
#include "view/map_labels.h"
#include "view/name_search.h"

namespace juxta::view_detail {
namespace {

constexpr std::size_t kMostPoints = 10'000, kMostCells = 512, kMostText = 200, kMostKept = 1000;

class Microseconds {
 public:
  [[nodiscard]] double passed() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Result<RectD> rect_in(const Json& body) {
  return numbers_of<4>(body, "rect").map([](const std::array<double, 4>& r) {
    return RectD{r[0], r[1], r[2], r[3]};
  });
}

}  // namespace

Result<void> MapSession::begin() const {
  const PointTableView& table = map_.table;
  const bool fits = table.x.size() == map_.index.size() && table.y.size() == table.x.size() &&
                    (table.rank.empty() || table.rank.size() == table.x.size()) &&
                    (table.name_end.empty() || table.name_end.size() == table.x.size());
  if (!fits) {
    return fail(ErrorCode::kInvalidArgument, "a map needs the coordinates of all points of its index");
  }
  return {};
}

void MapSession::turn() {
  const auto now = Exchange::Clock::now();
  auto question = exchange_.next(now + std::chrono::milliseconds(50));
  if (question) {
    ++answered_;
    Answer given = answer(*question);
    // Of a damaged file, an answer may be anything: what was read is checked before it is told.
    if (const auto read = map_.index.check_read(); !read) {
      given = tl::unexpected<Error>(read.error());
    }
    question->answer(std::move(given));
  } else if (exchange_.state_wanted()) {
    exchange_.publish(std::make_shared<Snapshot>());  // a map has nothing that moves
  }
}

Answer MapSession::answer(const Question& question) {
  const std::string& name = question.name;
  const Json& body = question.body;
  if (name == "info")
    return info();
  if (name == "status")
    return Json{{"answered", answered_}, {"clients", exchange_.clients()}};
  if (name == "view")
    return view(body);
  if (name == "top")
    return top(body);
  if (name == "count")
    return count(body);
  if (name == "search")
    return search(body);
  return fail(ErrorCode::kNotFound,
              "there is no question '" + name + "': a map answers info, status, view, top, count and search");
}

Json MapSession::info() const {
  const RectD bounds = map_.index.bounds();
  return {{"kind", "map"},
          {"title", map_.title},
          {"version", JUXTA_VERSION_STRING},
          {"points", map_.index.size()},
          {"bounds", {bounds.lx, bounds.ly, bounds.hx, bounds.hy}},
          {"names", map_.table.has_names()},
          {"rank", map_.table.rank_title},
          {"descending", map_.table.descending}};
}

MapSession::Found MapSession::top_of(const RectD& rect, std::size_t k) {
  found_.resize(std::max(found_.size(), k));
  const Microseconds watch;
  const QueryResult result = map_.index.top(rect, k, found_);
  const double us = watch.passed();
  // Of a damaged file: none that the table has not got.
  const auto end =
      std::remove_if(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(result.written),
                     [&](std::uint32_t i) { return i >= map_.table.size(); });
  return {{found_.data(), static_cast<std::size_t>(end - found_.begin())}, us};
}

Json MapSession::point(std::uint32_t i) const {
  const PointTableView& table = map_.table;
  return {{"i", i},
          {"x", table.x[i]},
          {"y", table.y[i]},
          {"rank", table.rank.empty() ? static_cast<double>(i) : table.rank[i]},
          {"name", table.name(i)}};
}

Answer MapSession::top(const Json& body) {
  JUXTA_TRY_LET(const RectD rect, rect_in(body));
  JUXTA_TRY_LET(const std::size_t k, count_of(body, "k", 20, kMostPoints));
  const Found found = top_of(rect, k);
  Json points = Json::array();
  for (const std::uint32_t i : found.points) {
    points.push_back(point(i));
  }
  return Json{{"points", std::move(points)}, {"count", map_.index.count(rect).found}, {"us", found.us}};
}

Answer MapSession::count(const Json& body) const {
  JUXTA_TRY_LET(const RectD rect, rect_in(body));
  const Microseconds watch;
  const std::size_t found = map_.index.count(rect).found;
  return Json{{"count", found}, {"us", watch.passed()}};
}

Result<Json> MapSession::heat(const RectD& rect, const Json& body, double& us) const {
  JUXTA_TRY_LET(const auto cells, numbers_of<2>(body, "heat"));
  const auto allowed = [](double n) { return n >= 1 && n <= kMostCells; };
  if (!allowed(cells[0]) || !allowed(cells[1])) {
    return fail(ErrorCode::kInvalidArgument, "heat: give columns and rows from 1 to 512");
  }
  const auto columns = static_cast<std::size_t>(cells[0]), rows = static_cast<std::size_t>(cells[1]);
  std::vector<std::uint32_t> counts(columns * rows);
  const Microseconds watch;
  JUXTA_TRY_LET([[maybe_unused]] const QueryResult all, map_.index.count_cells(rect, columns, rows, counts));
  us = watch.passed();
  return Json(counts);
}

/// Points whose labels are shown already, if they are in view; then those that were found.
Result<std::vector<std::uint32_t>> MapSession::candidates(const RectD& rect,
                                                          std::span<const std::uint32_t> found,
                                                          const Json& body) const {
  std::vector<std::uint32_t> all;
  if (const auto keep = body.find("keep"); keep != body.end() && !keep->is_null()) {
    if (!keep->is_array() || keep->size() > kMostKept) {
      return fail(ErrorCode::kInvalidArgument, "keep: give up to 1000 numbers of points");
    }
    for (const Json& number : *keep) {
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= map_.table.size()) {
        return fail(ErrorCode::kInvalidArgument, "keep: give numbers of points, as answers have them in i");
      }
      const auto i = number.get<std::uint32_t>();
      const double x = map_.table.x[i], y = map_.table.y[i];
      if (rect.lx <= x && x <= rect.hx && rect.ly <= y && y <= rect.hy) {
        all.push_back(i);
      }
    }
  }
  all.insert(all.end(), found.begin(), found.end());  // one that is there twice is in its own way
  return all;
}

Answer MapSession::view(const Json& body) {
  JUXTA_TRY_LET(const RectD rect, rect_in(body));
  JUXTA_TRY_LET(const double width, number_of(body, "width", 1000));
  JUXTA_TRY_LET(const double height, number_of(body, "height", 800));
  JUXTA_TRY_LET(const std::size_t k, count_of(body, "k", 200, 1000));
  JUXTA_TRY_LET(const std::size_t most, count_of(body, "points", 4000, kMostPoints));
  if (!(width >= 1 && width <= 20'000 && height >= 1 && height <= 20'000)) {
    return fail(ErrorCode::kInvalidArgument, "width, height: give pixels from 1 to 20000");
  }
  Json answer, us;
  const Found found = top_of(rect, most);
  us["top"] = found.us;
  std::vector<double> x, y, rank;
  for (const std::uint32_t i : found.points) {
    x.push_back(map_.table.x[i]);
    y.push_back(map_.table.y[i]);
    rank.push_back(map_.table.rank.empty() ? static_cast<double>(i) : map_.table.rank[i]);
  }
  answer["points"] = {{"x", x}, {"y", y}, {"rank", rank}};
  answer["labels"] = Json::array();
  JUXTA_TRY_LET(const auto named, candidates(rect, found.points, body));
  for (const std::uint32_t i : labels_that_fit(map_.table, named, rect, width, height, k)) {
    answer["labels"].push_back(point(i));
  }
  const Microseconds watch;
  answer["count"] = map_.index.count(rect).found;
  us["count"] = watch.passed();
  if (body.contains("heat") && !body["heat"].is_null()) {
    double heat_us = 0;
    JUXTA_TRY_LET(answer["heat"], heat(rect, body, heat_us));
    us["heat"] = heat_us;
  }
  answer["us"] = std::move(us);
  return answer;
}

Answer MapSession::search(const Json& body) const {
  JUXTA_TRY_LET(const std::string text, text_in(body, "text"));
  JUXTA_TRY_LET(const std::size_t k, count_of(body, "k", 20, 1000));
  if (text.size() > kMostText) {
    return fail(ErrorCode::kInvalidArgument, "text: give up to 200 bytes");
  }
  const Microseconds watch;
  const auto found = find_names(map_.table, text, k);
  const double us = watch.passed();
  Json points = Json::array();
  for (const std::uint32_t i : found) {
    points.push_back(point(i));
  }
  return Json{{"points", std::move(points)}, {"us", us}};
}

}  // namespace juxta::view_detail
