// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Histories of changes, merges and questions drawn from fuzz bytes, in lockstep with a plain list.
#include "juxta/ranked/live_points.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/ranked/point_set.h"

namespace juxta::fuzz {
namespace {

template <class Coordinate, class Rank>
class History {
 public:
  explicit History(Draw& draw)
      : draw_(draw),
        first_(draw, draw.below(4) == 0 ? 400 : 30),
        live_(LiveRankedPoints::build({first_.x, first_.y, first_.rank}, {.merge_in_background = false})
                  .value()) {
    for (std::size_t i = 0; i < first_.x.size(); ++i) {
      points_.push_back(Entry{first_.x[i], first_.y[i], first_.rank[i], 0});
      generations_.push_back(1);
    }
  }

  void run() {
    const std::size_t steps = 5 + draw_.below(120);
    for (std::size_t i = 0; i < steps; ++i) {
      change();
      if (draw_.below(3) == 0) {
        ask();
      }
    }
    ask();
  }

 private:
  struct Entry {
    Coordinate x, y;
    Rank rank;
    std::uint64_t categories;
  };

  Entry entry() {
    return {draw_.one_of(first_.palette), draw_.one_of(first_.palette),
            static_cast<Rank>(static_cast<std::int64_t>(draw_.below(9)) - 4), draw_.below(8)};
  }
  /// A slot, alive or not, and the Id that it would have.
  std::uint32_t any_slot() { return static_cast<std::uint32_t>(draw_.below(points_.size() + 1)); }
  Id id_of(std::uint32_t slot) const {
    return slot < points_.size() ? Id{slot, generations_[slot] - (points_[slot] ? 0U : 1U)} : Id{};
  }
  bool alive(std::uint32_t slot) const { return slot < points_.size() && points_[slot]; }

  void insert() {
    const Entry e = entry();
    const Id id =
        live_.insert({static_cast<double>(e.x), static_cast<double>(e.y), e.rank, e.categories}).value();
    if (id.slot >= points_.size()) {
      JUXTA_FUZZ_CHECK(id.slot == points_.size());
      points_.emplace_back();
      generations_.push_back(0);
    }
    JUXTA_FUZZ_CHECK(!points_[id.slot]);
    points_[id.slot] = e;
    generations_[id.slot] = id.generation;
  }
  void change() {
    const std::uint32_t slot = any_slot();
    const bool is_alive = alive(slot);
    const Entry e = entry();
    switch (draw_.below(7)) {
      case 0:
      case 1:
        return insert();
      case 2:
        JUXTA_FUZZ_CHECK(live_.remove(id_of(slot)).has_value() == is_alive);
        if (is_alive) {
          points_[slot].reset();
          ++generations_[slot];
        }
        return;
      case 3:
        JUXTA_FUZZ_CHECK(
            live_.move(id_of(slot), static_cast<double>(e.x), static_cast<double>(e.y)).has_value() ==
            is_alive);
        if (is_alive) {
          points_[slot]->x = e.x;
          points_[slot]->y = e.y;
        }
        return;
      case 4:
        JUXTA_FUZZ_CHECK(live_.set_rank(id_of(slot), e.rank).has_value() == is_alive);
        if (is_alive) {
          points_[slot]->rank = e.rank;
        }
        return;
      case 5:
        JUXTA_FUZZ_CHECK(live_.set_categories(id_of(slot), e.categories).has_value() == is_alive);
        if (is_alive) {
          points_[slot]->categories = e.categories;
        }
        return;
      default:
        if (draw_.below(8) == 0) {
          JUXTA_FUZZ_CHECK(live_.merge().has_value() && live_.unmerged() == 0);
        }
    }
  }

  void ask() {
    const RectD rect = first_.rectangle(draw_);
    const RankedFilter filter = {
        .any = draw_.below(4), .all = draw_.below(3) == 0 ? 1U : 0U, .none = draw_.below(3) == 0 ? 4U : 0U};
    std::vector<std::uint32_t> right;
    for (std::uint32_t slot = 0; slot < points_.size(); ++slot) {
      if (points_[slot] &&
          rect.contains(static_cast<double>(points_[slot]->x), static_cast<double>(points_[slot]->y)) &&
          passes(points_[slot]->categories, filter)) {
        right.push_back(slot);
      }
    }
    std::stable_sort(right.begin(), right.end(),
                     [&](auto a, auto b) { return points_[a]->rank < points_[b]->rank; });
    const RankedSnapshot now = live_.snapshot();
    JUXTA_FUZZ_CHECK(now.count(rect, filter).found == right.size());
    std::vector<Id> out(draw_.below(2) == 0 ? right.size() + 3 : draw_.below(20));
    const std::size_t written = now.top(rect, out.size(), out, filter).written;
    JUXTA_FUZZ_CHECK(written == std::min(out.size(), right.size()));
    expect(out, written, right, 0);
    if (!right.empty()) {
      const std::size_t last = draw_.below(right.size());
      const auto page = now.top_after({points_[right[last]]->rank, right[last]}, RankedRegion::rect(rect),
                                      out.size(), out, filter);
      JUXTA_FUZZ_CHECK(page && page->written == std::min(out.size(), right.size() - last - 1));
      expect(out, page->written, right, last + 1);
    }
  }
  static bool passes(std::uint64_t mask, const RankedFilter& f) {
    return (mask & f.all) == f.all && (mask & f.none) == 0 && (f.any == 0 || (mask & f.any) != 0);
  }
  void expect(const std::vector<Id>& out, std::size_t written, const std::vector<std::uint32_t>& right,
              std::size_t first) const {
    for (std::size_t i = 0; i < written; ++i) {
      JUXTA_FUZZ_CHECK(out[i] == id_of(right[first + i]));
    }
  }

  Draw& draw_;
  PointSet<Coordinate, Rank> first_;
  LiveRankedPoints live_;
  std::vector<std::optional<Entry>> points_;  // by slot
  std::vector<std::uint32_t> generations_;    // odd while the slot is in use
};

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta::fuzz;
  Draw draw(data, size);
  switch (draw.value<std::uint8_t>() % 3) {
    case 0:
      History<float, std::int32_t>(draw).run();
      break;
    case 1:
      History<double, std::int64_t>(draw).run();
      break;
    default:
      History<double, double>(draw).run();
  }
  return 0;
}
