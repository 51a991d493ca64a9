// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Questions to a snapshot about places: the nearest points, and counts per cell.
//
//   frozen   the k nearest that are not gone: a circle around the query
//   live     those in that circle, from the live tree
//
// Determinism: distances are compared as RankedPoints compares them, and equal ones by rank and slot.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "juxta/core/try.h"
#include "ranked/cells_kernel.h"
#include "ranked/cursor.h"
#include "ranked/live_questions.h"

namespace juxta {
namespace {

using ranked_detail::kBehindAll;
using ranked_detail::LiveGeneration;
using ranked_detail::LiveNear;
using ranked_detail::LiveOrder;
using ranked_detail::LiveQuestion;
using ranked_detail::LiveRecord;
using ranked_detail::LiveScratch;
using ranked_detail::LiveState;

class NearestOfState {
 public:
  NearestOfState(const ranked_detail::LiveStore& store, const LiveState& state, double x, double y,
                 const RankedNearestOptions& options, LiveScratch& scratch)
      : store_(store), state_(state), x_(x), y_(y), options_(options), scratch_(scratch) {}

  /// Leaves the k nearest in scratch.near, ascending.
  QueryResult run(std::size_t k) {
    if (options_.most_important < state_.size && changed()) {
      last_ = ranked_detail::live_order_at(store_, state_, scratch_, options_.most_important - 1);
    }
    scratch_.near.clear();
    QueryResult result = ask_frozen(k);
    const QueryResult live = ask_live(k);
    result.tested += live.tested;
    result.visited += live.visited;
    std::sort(scratch_.near.begin(), scratch_.near.end());
    scratch_.near.resize(std::min(scratch_.near.size(), k));
    return result;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  /// Whether the frozen index is not all there is: then places in rank order are others.
  [[nodiscard]] bool changed() const noexcept { return state_.live_root != 0 || state_.removed_root != 0; }

  /// How many of the frozen index's places in rank order are not behind the last one that counts.
  [[nodiscard]] std::size_t frozen_end() const {
    const RankedPoints& frozen = state_.generation->frozen();
    if (last_ == kBehindAll) {
      return changed() ? frozen.size() : std::min(options_.most_important, frozen.size());
    }
    const auto cursor = ranked_detail::frozen_cursor(
        store_.types, *state_.generation, RankedCursor(store_.types.value_of(last_.key), last_.slot));
    return cursor ? ranked_detail::position_after(ranked_detail::StoreAccess::view(frozen), *cursor) : 0;
  }

  [[nodiscard]] double square_of(const LiveRecord& record) const noexcept {
    const double dx = record.x - x_, dy = record.y - y_;
    return dx * dx + dy * dy;
  }

  void add(const LiveRecord& record) {
    scratch_.near.push_back({square_of(record), record.order(), {record.slot, record.generation}});
  }

  /// The k nearest that are not gone. There is no way to go on behind the last one: asks anew for twice as
  /// many where too many are gone.
  QueryResult ask_frozen(std::size_t k) {
    const RankedPoints& frozen = state_.generation->frozen();
    const std::size_t gone = state_.removed_size(), end = frozen_end();
    RankedNearestOptions options = options_;
    options.most_important = end;
    std::size_t spare = ranked_detail::spare_for(k, gone, frozen.size());
    QueryResult cost;
    while (true) {
      const std::size_t wanted = std::min(k + spare, end);
      scratch_.frozen.resize(wanted);
      scratch_.distances.resize(wanted);
      const QueryResult asked = frozen.nearest(x_, y_, wanted, scratch_.frozen, scratch_.distances, options);
      cost.tested += asked.tested;
      cost.visited += asked.visited;
      scratch_.near.clear();
      std::size_t i = 0;
      for (; i < asked.written && scratch_.near.size() < k; ++i) {
        if (!state_.generation->gone(scratch_.frozen[i], state_.sequence)) {
          add(state_.generation->frozen_record(scratch_.frozen[i]));
        }
      }
      if (i != scratch_.near.size()) {
        store_.waste(scratch_, i - scratch_.near.size());
      }
      if (scratch_.near.size() == k || asked.written < wanted || wanted == end) {
        return cost;
      }
      spare = 2 * (spare + k);
    }
  }

  /// Those that are not further than the k-th of the frozen index.
  QueryResult ask_live(std::size_t k) {
    const bool full = scratch_.near.size() == k;
    double most = options_.max_distance * options_.max_distance;
    if (full) {
      most = std::min(most, scratch_.near.back().square);
    }
    // A circle that holds all of them, whatever was rounded; beyond 1e150, everything.
    constexpr double kFar = 1e150;
    const double radius = std::max(std::nextafter(std::sqrt(most), kInfinity), 1 / kFar);
    const RankedRegion region = radius < kFar
                                    ? RankedRegion::circle(x_, y_, radius)
                                    : RankedRegion::rect({-kInfinity, -kInfinity, kInfinity, kInfinity});
    LiveQuestion question;
    if (state_.live_root == 0 || !state_.generation->question_of(region, options_.filter, question)) {
      return {};
    }
    return ranked_detail::visit_live(state_.live(), question, last_, scratch_, [&](const LiveRecord& record) {
      if (square_of(record) <= most) {
        add(record);
        most = cut_back(k, most);
      }
    });
  }

  /// Keeps the k best when there are far more; the largest square that can still be an answer.
  double cut_back(std::size_t k, double most) {
    std::vector<LiveNear>& near = scratch_.near;
    if (near.size() < 2 * k + 64) {
      return most;
    }
    const auto last = near.begin() + static_cast<std::ptrdiff_t>(k) - 1;
    std::nth_element(near.begin(), last, near.end());
    near.resize(k);
    return std::min(most, near[k - 1].square);
  }

  const ranked_detail::LiveStore& store_;
  const LiveState& state_;
  const double x_, y_;
  const RankedNearestOptions& options_;
  LiveScratch& scratch_;
  LiveOrder last_ = kBehindAll;  // points behind it do not count
};

}  // namespace

QueryResult RankedSnapshot::nearest(double x, double y, std::size_t k, std::span<Id> out,
                                    std::span<double> distances, const RankedNearestOptions& options) const {
  const std::size_t wanted =
      std::min({k, out.size(), distances.size(), state_->size, options.most_important});
  if (wanted == 0 || !std::isfinite(x) || !std::isfinite(y) || !(options.max_distance >= 0)) {
    return {};
  }
  LiveScratch& scratch = slot_->scratch;
  QueryResult result = NearestOfState(*store_, *state_, x, y, options, scratch).run(wanted);
  for (std::size_t i = 0; i < scratch.near.size(); ++i) {
    out[i] = scratch.near[i].id;
    distances[i] = std::sqrt(scratch.near[i].square);
  }
  result.found = result.written = scratch.near.size();
  constexpr std::size_t kKept = std::size_t{1} << 16;  // answers, 52 bytes each, for the next question
  if (scratch.near.capacity() > kKept) {
    scratch = {};
  }
  return result;
}

Result<QueryResult> RankedSnapshot::count_cells(const RectD& rect, std::size_t columns, std::size_t rows,
                                                std::span<std::uint32_t> counts,
                                                const Context& context) const {
  const LiveGeneration& generation = *state_->generation;
  JUXTA_TRY_LET(QueryResult result, generation.frozen().count_cells(rect, columns, rows, counts, context));
  const RankedRegion region = RankedRegion::rect(rect);
  LiveQuestion question;
  if (!generation.question_of(region, {}, question)) {
    return result;
  }
  const ranked_detail::CellEdges x(rect.lx, rect.hx, columns), y(rect.ly, rect.hy, rows);
  const auto cell_of = [&](const LiveRecord& record) -> std::uint32_t& {
    return counts[y.cell_of(record.y) * columns + x.cell_of(record.x)];
  };
  const QueryResult live = ranked_detail::visit_live(state_->live(), question, kBehindAll, slot_->scratch,
                                                     [&](const LiveRecord& r) { ++cell_of(r); });
  const QueryResult gone = ranked_detail::visit_live(state_->removed(), question, kBehindAll, slot_->scratch,
                                                     [&](const LiveRecord& r) { --cell_of(r); });
  return QueryResult{.found = result.found + live.found - gone.found,
                     .written = result.written,
                     .tested = result.tested + live.tested + gone.tested,
                     .visited = result.visited + live.visited + gone.visited};
}

}  // namespace juxta
