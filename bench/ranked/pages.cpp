// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// page_<p>: page p, of 20 points, of the rectangles of the stream that have so many; page_<p>_<filter> in the
// same way.
//   juxta   RankedPoints::top_after, behind the last point of page p - 1
//   again   RankedPoints::top with p times as many points
//   scan    all points in rank order, from behind that point until 20 are inside; the first 200 rectangles
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/rows.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kPage = 20, kScanned = 200;
constexpr std::array<std::size_t, 3> kPages = {2, 10, 100};

/// The points with their ranks, also in rank order, and three categories, each of half of the points.
class PageWorld {
 public:
  explicit PageWorld(const scenes::ContestWorld& world) : world_(world), masks_(world.x.size()) {
    for (std::size_t i = 0; i < masks_.size(); ++i) {
      masks_[i] = (i * 0x9E3779B97F4A7C15) >> 32 & 7;
    }
    points = std::make_unique<RankedPoints>(
        RankedPoints::build(world.x, world.y, world.rank,
                            {.borrow_coordinates = true, .categories = masks_, .keep_ranks = true})
            .value());
    order_.resize(world.x.size());
    place_.resize(world.x.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      order_[i] = i;
    }
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return world.rank[i]; });
    for (std::uint32_t p = 0; p < order_.size(); ++p) {
      place_[order_[p]] = p;
      xs_.push_back(world.x[order_[p]]);
      ys_.push_back(world.y[order_[p]]);
    }
  }

  [[nodiscard]] RankedCursor behind(Id id) const { return {world_.rank[id], id}; }

  std::size_t scan(const RectF& r, const RankedFilter& f, Id last, Id* out) const {
    std::size_t found = 0;
    for (std::size_t p = place_[last] + std::size_t{1}; p < xs_.size() && found < kPage; ++p) {
      if ((xs_[p] >= r.lx) & (xs_[p] <= r.hx) & (ys_[p] >= r.ly) & (ys_[p] <= r.hy)) {
        const std::uint64_t mask = masks_[order_[p]];
        out[found] = order_[p];
        found += (mask & f.none) == 0 && (f.any == 0 || (mask & f.any) != 0);
      }
    }
    return found;
  }

  std::unique_ptr<RankedPoints> points;

 private:
  const scenes::ContestWorld& world_;
  std::vector<std::uint64_t> masks_;
  std::vector<Id> order_, place_;
  std::vector<float> xs_, ys_;
};

/// One page of one rectangle.
struct Question {
  RectF rect;
  RectD wide;
  Id last;  // of the page before
};

/// Of the rectangles that have a page `page`.
std::vector<Question> make_questions(const PageWorld& world, const std::vector<RectF>& rects,
                                     const RankedFilter& filter, std::size_t page) {
  std::vector<Question> questions;
  std::vector<Id> out(page * kPage);
  for (std::size_t i = 0; i < rects.size() && questions.size() < 2000; ++i) {
    const RectD wide = {rects[i].lx, rects[i].ly, rects[i].hx, rects[i].hy};
    if (world.points->top(wide, out.size(), out, filter).written == out.size()) {
      questions.push_back({rects[i], wide, out[out.size() - kPage - 1]});
    }
  }
  return questions;
}

using Ask = std::size_t (*)(PageWorld&, const Question&, const RankedFilter&, std::size_t page, Id* out);

std::size_t ask_juxta(PageWorld& world, const Question& q, const RankedFilter& filter, std::size_t, Id* out) {
  return world.points->top_after(world.behind(q.last), q.wide, kPage, {out, kPage}, filter)->written;
}
std::size_t ask_again(PageWorld& world, const Question& q, const RankedFilter& filter, std::size_t page,
                      Id* out) {
  const std::size_t n = world.points->top(q.wide, page * kPage, {out, page * kPage}, filter).written;
  std::copy(out + n - kPage, out + n, out);
  return kPage;
}
std::size_t ask_scan(PageWorld& world, const Question& q, const RankedFilter& filter, std::size_t, Id* out) {
  return world.scan(q.rect, filter, q.last, out);
}

void add(Official& official, std::shared_ptr<Once<PageWorld>> worlds, const std::string& row,
         std::size_t page, const RankedFilter& filter, std::size_t most, Ask ask) {
  auto timed = std::make_shared<QueryRow>();
  benchmark::RegisterBenchmark(row.c_str(), [=, &official](benchmark::State& state) {
    PageWorld& world = **worlds;
    const std::vector<Question> questions = make_questions(world, *official.stream_rects, filter, page);
    if (questions.empty()) {
      state.SkipWithError("no rectangle has so many points");
      return;
    }
    std::vector<Id> got(page * kPage), want(page * kPage);
    for (std::size_t i = 0; i < std::min(kScanned, questions.size()); ++i) {
      if (ask(world, questions[i], filter, page, got.data()) != kPage ||
          ask_scan(world, questions[i], filter, page, want.data()) != kPage ||
          !std::equal(got.begin(), got.begin() + kPage, want.begin())) {
        wrong_answer(row, i);
      }
    }
    timed->run(state, std::min(most, questions.size()),
               [&](std::size_t i) { return ask(world, questions[i], filter, page, got.data()); });
  });
}

}  // namespace

void register_pages(Official& official) {
  const auto worlds =
      std::make_shared<Once<PageWorld>>([&official] { return std::make_unique<PageWorld>(*official.world); });
  const std::array<std::pair<const char*, RankedFilter>, 3> filters = {
      {{"", {}}, {"_category", {.any = 1}}, {"_none", {.any = 2, .none = 4}}}};
  for (const std::size_t page : kPages) {
    for (const auto& [name, filter] : filters) {
      const std::string row = "page_" + std::to_string(page) + name;
      add(official, worlds, row + "/juxta", page, filter, SIZE_MAX, ask_juxta);
      add(official, worlds, row + "/again", page, filter, SIZE_MAX, ask_again);
      add(official, worlds, row + "/scan", page, filter, kScanned, ask_scan);
    }
  }
}

}  // namespace juxta::bench
