// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random changes and questions of LiveRankedPoints, in lockstep with a plain list of points.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "juxta/ranked/live_points.h"
#include "ranked/live_scene.h"

namespace juxta::test {

template <class T, class R>
class Lockstep {
 public:
  using Entry = Point<T, R>;

  Lockstep(const Scene& scene, unsigned seed, const LiveRankedOptions& options)
      : scene_(scene), random_(seed), live_(make(options)) {}

  /// One random change of one or many points.
  void change() {
    switch (random_() % 10) {
      case 0:
        return insert_many(1 + random_() % 60);
      case 1:
        return remove_many(1 + random_() % 60);
      case 2:
        return move_many(1 + random_() % 60);
      case 3:
      case 4:
        return insert_one();
      case 5:
        return remove_one();
      case 6:
      case 7:
        return move_one();
      case 8:
        return scene_.values != 0 && random_() % 2 == 0 ? set_value() : set_rank();
      default:
        return set_categories();
    }
  }

  void merge() { ASSERT_TRUE(live_.merge()); }

  /// All questions about a random place.
  void ask() {
    const RankedSnapshot now = live_.snapshot();
    ASSERT_EQ(now.size(), points_.size());
    ASSERT_EQ(live_.size(), points_.size());
    const std::array<RankedFilter, 5> filters = {
        {{}, {.any = 0, .all = 1, .none = 0}, {.any = 6}, {.any = 1, .none = 4}, {.all = 1U << 7}}};
    RankedFilter filter = filters[random_() % 5];
    for (std::size_t c = 0; c < scene_.values; ++c) {
      filter.ranges[c] = random_range(random_, scene_.places);
    }
    const RankedRegion region = random_region();
    const std::vector<Id> want = all_of(region, filter);
    ASSERT_EQ(now.count(region, filter).found, want.size());
    const std::size_t ks[] = {1, 20, 300, points_.size() + 5};
    const std::size_t k = ks[random_() % 4];
    std::vector<Id> got(k + 1, Id{7, 7});
    const QueryResult result = now.top(region, k, std::span(got).first(k), filter);
    ASSERT_EQ(got.back(), (Id{7, 7}));
    ASSERT_EQ(result.found, result.written);
    got.resize(result.written);
    ASSERT_EQ(got, std::vector<Id>(want.begin(),
                                   want.begin() + static_cast<std::ptrdiff_t>(std::min(k, want.size()))));
    ask_pages(now, region, filter, want);
    if (random_() % 3 == 0) {  // slow to do without an index
      ask_nearest(now, filter);
      ask_cells(now);
    }
  }

  /// A point by its Id.
  void find() {
    if (points_.empty()) {
      return;
    }
    const Id id = any_id();
    const RankedPoint found = live_.find(id).value();
    const Entry& entry = points_.at(id.slot);
    EXPECT_EQ(found.x, static_cast<double>(entry.x));
    EXPECT_EQ(found.y, static_cast<double>(entry.y));
    EXPECT_EQ(found.rank.real(), static_cast<double>(entry.rank));
    EXPECT_EQ(found.categories, entry.categories);
    if (scene_.values > 0) {
      EXPECT_TRUE(found.values[0].real() == entry.price || std::isnan(entry.price));
      EXPECT_EQ(std::isnan(found.values[0].real()), std::isnan(entry.price));
    }
    if (scene_.values > 1) {
      EXPECT_EQ(found.values[1].integer(), entry.time);
    }
  }

  LiveRankedPoints& live() { return live_; }

 private:
  T coordinate(double spread) {
    return static_cast<T>(static_cast<double>(random_() % scene_.places) * spread);
  }
  R rank() { return static_cast<R>(random_() % scene_.ranks) - static_cast<R>(scene_.ranks / 2); }
  std::uint64_t mask() { return random_() & random_() & 7; }
  double price() {
    return random_() % 8 == 0 ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(random_() % scene_.places) / 4;
  }
  std::int32_t time() { return static_cast<std::int32_t>(random_() % scene_.ranks) - 20; }
  Entry entry() {
    Entry e = {coordinate(scene_.spread), coordinate(scene_.spread), rank(), mask(), 0};
    if (scene_.values != 0) {  // else histories are those of before there were numbers
      e.price = price();
      e.time = time();
    }
    return e;
  }
  RankedPoint point(const Entry& e) const {
    RankedPoint made = {static_cast<double>(e.x), static_cast<double>(e.y), e.rank, e.categories};
    if (scene_.values > 0) {
      made.values[0] = e.price;
    }
    if (scene_.values > 1) {
      made.values[1] = e.time;
    }
    return made;
  }
  Id any_id() {
    auto at = points_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_() % points_.size()));
    return {at->first, at->second.generation};
  }

  LiveRankedPoints make(const LiveRankedOptions& options) {
    std::vector<T> x, y;
    std::vector<R> ranks;
    std::vector<std::uint64_t> masks;
    std::vector<double> prices;
    std::vector<std::int32_t> times;
    for (std::uint32_t i = 0; i < scene_.points; ++i) {
      Entry e = {coordinate(1), coordinate(1), rank(), mask(), 1};
      if (scene_.values != 0) {
        e.price = price();
        e.time = time();
      }
      prices.push_back(e.price);
      times.push_back(e.time);
      x.push_back(e.x);
      y.push_back(e.y);
      ranks.push_back(e.rank);
      masks.push_back(e.categories);
      points_[i] = e;
    }
    const ValueColumn values[] = {prices, times};
    return LiveRankedPoints::build({x, y, ranks, masks, std::span(values).first(scene_.values)}, options)
        .value();
  }

  void added(Id id, Entry e) {
    e.generation = id.generation;
    ASSERT_TRUE(points_.emplace(id.slot, e).second);
  }
  void insert_one() {
    const Entry e = entry();
    added(live_.insert(point(e)).value(), e);
  }
  void insert_many(std::size_t count) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count; ++i) {
      entries.push_back(entry());
    }
    const bool masks = random_() % 2 == 0;
    std::vector<std::uint64_t> categories;
    for (Entry& e : entries) {
      e.categories = masks ? e.categories : 0;
      categories.push_back(e.categories);
    }
    std::vector<Id> ids(count);
    const Entry* const first = entries.data();
    const ValueColumn values[] = {{&first->price, count, sizeof(Entry)},
                                  {&first->time, count, sizeof(Entry)}};
    ASSERT_TRUE(live_.insert(
        {.xs = {&first->x, count, sizeof(Entry)},
         .ys = {&first->y, count, sizeof(Entry)},
         .ranks = {&first->rank, count, sizeof(Entry)},
         .categories = masks ? std::span<const std::uint64_t>(categories) : std::span<const std::uint64_t>(),
         .values = std::span(values).first(scene_.values)},
        ids));
    for (std::size_t i = 0; i < count; ++i) {
      added(ids[i], entries[i]);
    }
  }
  void remove_one() {
    if (!points_.empty()) {
      const Id id = any_id();
      ASSERT_TRUE(live_.remove(id));
      ASSERT_FALSE(live_.remove(id));
      points_.erase(id.slot);
    }
  }
  void remove_many(std::size_t count) {
    std::vector<Id> ids;
    for (std::size_t i = 0; i < count && !points_.empty(); ++i) {
      ids.push_back(any_id());
      points_.erase(ids.back().slot);
    }
    if (!ids.empty()) {
      std::vector<Id> twice = ids;
      twice.push_back(ids[0]);
      ASSERT_EQ(live_.remove(twice).error().index, ids.size());
    }
    ASSERT_TRUE(live_.remove(ids));
  }
  void move_one() {
    if (!points_.empty()) {
      const Id id = any_id();
      Entry& e = points_[id.slot];
      e.x = coordinate(scene_.spread);
      e.y = coordinate(scene_.spread);
      ASSERT_TRUE(live_.move(id, static_cast<double>(e.x), static_cast<double>(e.y)));
    }
  }
  void move_many(std::size_t count) {
    std::vector<Id> ids;
    std::vector<T> x, y;
    for (std::size_t i = 0; i < count && !points_.empty(); ++i) {
      ids.push_back(any_id());  // some of them twice
      Entry& e = points_[ids.back().slot];
      x.push_back(e.x = coordinate(scene_.spread));
      y.push_back(e.y = coordinate(scene_.spread));
    }
    ASSERT_TRUE(live_.move(ids, x, y));
  }
  void set_rank() {
    if (!points_.empty()) {
      const Id id = any_id();
      ASSERT_TRUE(live_.set_rank(id, points_[id.slot].rank = rank()));
    }
  }
  void set_value() {
    if (points_.empty()) {
      return;
    }
    const Id id = any_id();
    if (scene_.values > 1 && random_() % 2 == 0) {
      ASSERT_TRUE(live_.set_value(id, 1, points_[id.slot].time = time()));
    } else {
      ASSERT_TRUE(live_.set_value(id, 0, points_[id.slot].price = price()));
    }
    ASSERT_EQ(live_.set_value(id, scene_.values, 1).error().code, ErrorCode::kInvalidArgument);
  }
  void set_categories() {
    if (!points_.empty()) {
      const Id id = any_id();
      ASSERT_TRUE(live_.set_categories(id, points_[id.slot].categories = mask()));
    }
  }

  RankedRegion random_region() {
    const auto edge = [&] { return static_cast<double>(coordinate(scene_.spread)); };
    const double x = edge(), y = edge(), side = edge() / (random_() % 2 == 0 ? 10 : 1);
    switch (random_() % 6) {
      case 0:
        return RankedRegion::rect(kAll);
      case 1:
        return RankedRegion::circle(x, y, side);
      case 2:
        return RankedRegion::across({x, y, x - side, y + side});
      case 3:
        return RankedRegion::rect({x, y, edge(), edge()});  // often empty
      default:
        return RankedRegion::rect({x, y, x + side, y + side});
    }
  }

  bool passes(const Entry& e, const RankedFilter& filter) const {
    return test::passes(e.categories, filter) && (scene_.values < 1 || holds(filter.ranges[0], e.price)) &&
           (scene_.values < 2 || holds(filter.ranges[1], e.time));
  }
  std::vector<Id> all_of(const RankedRegion& region, const RankedFilter& filter) const {
    std::vector<std::uint32_t> slots;  // ascending, so equal ranks stay in order of their slots
    for (const auto& [slot, e] : points_) {
      if (passes(e, filter) && region.contains(static_cast<double>(e.x), static_cast<double>(e.y))) {
        slots.push_back(slot);
      }
    }
    std::ranges::stable_sort(slots, {}, [&](std::uint32_t slot) { return points_.at(slot).rank; });
    std::vector<Id> ids;
    for (const std::uint32_t slot : slots) {
      ids.push_back({slot, points_.at(slot).generation});
    }
    return ids;
  }

  void ask_pages(const RankedSnapshot& now, const RankedRegion& region, const RankedFilter& filter,
                 const std::vector<Id>& want) {
    const std::size_t before = want.empty() ? 0 : random_() % want.size();
    if (before == 0) {
      return;
    }
    const std::uint32_t last = want[before - 1].slot;
    std::vector<Id> page(random_() % 50 + 1);
    page.resize(now.top_after({points_.at(last).rank, last}, region, page.size(), page, filter)->written);
    const auto begin = want.begin() + static_cast<std::ptrdiff_t>(before);
    const std::size_t size = std::min(page.size(), want.size() - before);
    ASSERT_EQ(page, std::vector<Id>(begin, begin + static_cast<std::ptrdiff_t>(size)));
    ASSERT_TRUE(page.size() == want.size() - before || !page.empty());
  }

  /// Against all points, sorted by distance.
  void ask_nearest(const RankedSnapshot& now, const RankedFilter& filter) {
    const double x = static_cast<double>(coordinate(scene_.spread)),
                 y = static_cast<double>(coordinate(random_() % 2 == 0 ? 1 : scene_.spread));
    const std::size_t most[] = {~std::size_t{0}, ~std::size_t{0}, points_.size(), points_.size() / 2,
                                random_() % 50};
    const double far[] = {std::numeric_limits<double>::infinity(), 0,
                          std::abs(static_cast<double>(coordinate(scene_.spread))) / 8};
    const RankedNearestOptions options = {
        .most_important = most[random_() % 5], .filter = filter, .max_distance = far[random_() % 3]};
    struct Near {
      double square;
      Id id;
    };
    std::vector<Near> want;
    const std::vector<Id> by_rank = all_of(RankedRegion::rect(kAll), {});
    for (std::size_t i = 0; i < std::min(by_rank.size(), options.most_important); ++i) {
      const Entry& e = points_.at(by_rank[i].slot);
      const double dx = static_cast<double>(e.x) - x, dy = static_cast<double>(e.y) - y;
      const double square = dx * dx + dy * dy;
      if (passes(e, filter) && square <= options.max_distance * options.max_distance) {
        want.push_back({square, by_rank[i]});
      }
    }
    std::ranges::stable_sort(want, {}, &Near::square);
    const std::size_t ks[] = {1, 9, 200, points_.size() + 3};
    const std::size_t k = ks[random_() % 4];
    want.resize(std::min(want.size(), k));
    std::vector<Id> ids(k);
    std::vector<double> distances(k);
    const QueryResult found = now.nearest(x, y, k, ids, distances, options);
    ASSERT_EQ(found.written, want.size());
    ASSERT_EQ(found.found, want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(ids[i], want[i].id) << i;
      ASSERT_EQ(distances[i], std::sqrt(want[i].square)) << i;
    }
  }

  void ask_cells(const RankedSnapshot& now) {
    const double x = static_cast<double>(coordinate(scene_.spread)), y = static_cast<double>(coordinate(1)),
                 side = 1 + static_cast<double>(random_() % 1000);
    const RectD rect = {x, y, x + side, y + side / 2};
    const std::size_t columns = 1 + random_() % 9, rows = 1 + random_() % 5;
    std::vector<std::uint32_t> counts(columns * rows, 77), want(counts.size());
    std::size_t inside = 0;
    const auto cell_of = [](double value, double low, double high, std::size_t cells) {
      const double step = (high - low) / static_cast<double>(cells);
      std::size_t cell = 0;
      while (cell + 1 < cells && static_cast<double>(cell + 1) * step + low <= value) {
        ++cell;
      }
      return cell;
    };
    for (const auto& [slot, e] : points_) {
      const double px = static_cast<double>(e.x), py = static_cast<double>(e.y);
      if (rect.contains(px, py)) {
        ++inside;
        ++want[cell_of(py, rect.ly, rect.hy, rows) * columns + cell_of(px, rect.lx, rect.hx, columns)];
      }
    }
    const auto found = now.count_cells(rect, columns, rows, counts);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->found, inside);
    ASSERT_EQ(counts, want);
  }

  Scene scene_;
  std::mt19937 random_;
  std::map<std::uint32_t, Entry> points_;  // by slot
  LiveRankedPoints live_;
};

}  // namespace juxta::test
