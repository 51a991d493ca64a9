// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Questions to a snapshot: the frozen index answers first, what is gone is left out, and what was inserted
// since is merged in.
//
//   frozen   3  7  9  12  14  20     k = 5, and one more for those that are gone
//   gone        x
//   live        8                    only those before the k-th frozen one are looked for
//   answer   3  8  9  12  14

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "ranked/cursor.h"
#include "ranked/live_questions.h"

namespace juxta {
namespace {

using ranked_detail::LiveFound;
using ranked_detail::LiveGeneration;
using ranked_detail::LiveOrder;
using ranked_detail::LiveQuestion;
using ranked_detail::LiveScratch;
using ranked_detail::LiveState;
using ranked_detail::LiveTop;

/// Frozen answers that are not gone, in scratch.frozen.
class FrozenTop {
 public:
  FrozenTop(const ranked_detail::LiveStore& store, const LiveState& state, const RankedRegion& region,
            const RankedFilter& filter, LiveScratch& scratch)
      : store_(store), state_(state), region_(region), filter_(filter), scratch_(scratch) {}

  /// Asks for k and some more. `after`: a cursor in frozen indices, or null. What happens between begin() and
  /// end() hides the misses of looking up which ones are gone.
  void begin(std::size_t k, const RankedCursor* after) {
    k_ = k;
    spare_ = ranked_detail::spare_for(k, state_.removed_size(), state_.generation->frozen().size());
    found_.clear();
    ask(after);
  }
  /// An order that no answer of end() is behind, where that finds k.
  [[nodiscard]] LiveOrder bound() const noexcept {
    return more_ && found_.size() >= k_ ? state_.generation->frozen_order(last_) : ranked_detail::kBehindAll;
  }
  /// Leaves at most k. False: it had to ask again, and bound() does not hold.
  bool end() {
    drop_gone();
    bool first = true;
    while (more_ && found_.size() < k_) {
      first = false;
      spare_ = 2 * (spare_ + k_);
      const RankedCursor behind(store_.types.value_of(state_.generation->frozen_key(last_)), last_);
      ask(&behind);
      drop_gone();
    }
    return first;
  }
  [[nodiscard]] const QueryResult& cost() const noexcept { return cost_; }

 private:
  static constexpr std::uint32_t kMark = 1U << 31;  // of what may be gone: no index has this bit

  /// Adds answers, with marks.
  void ask(const RankedCursor* after) {
    const LiveGeneration& generation = *state_.generation;
    const RankedPoints& frozen = generation.frozen();
    kept_ = found_.size();
    const std::size_t wanted = std::min(k_ - kept_ + spare_, frozen.size());
    found_.resize(kept_ + wanted);
    const auto out = std::span(found_).subspan(kept_);
    const QueryResult result = after == nullptr ? frozen.top(region_, wanted, out, filter_)
                                                : *frozen.top_after(*after, region_, wanted, out, filter_);
    cost_.tested += result.tested;
    cost_.visited += result.visited;
    more_ = result.written == wanted && wanted != 0;
    found_.resize(kept_ + result.written);
    if (more_) {
      last_ = found_.back();
      generation.prefetch_key(last_);
    }
    for (std::size_t i = kept_; i < found_.size(); ++i) {
      generation.prefetch_id(found_[i]);
    }
    if (state_.removed_root != 0) {  // without branches: what is gone cannot be predicted
      for (std::size_t i = kept_; i < found_.size(); ++i) {
        found_[i] |= generation.marked(found_[i]) ? kMark : 0;
      }
      all_marks_count_ = generation.is_latest(state_.sequence);
    }
  }

  /// Leaves out those from kept_ on that are gone, and those behind k.
  void drop_gone() {
    const LiveGeneration& generation = *state_.generation;
    const std::size_t size = found_.size();
    if (state_.removed_root == 0) {
      found_.resize(std::min(size, k_));
      return;
    }
    std::size_t alive = kept_, at = kept_;
    for (; at < size && alive < k_; ++at) {
      const std::uint32_t index = found_[at] & ~kMark;
      const bool gone =
          found_[at] != index && (all_marks_count_ || generation.removed_by(index, state_.sequence));
      found_[alive] = index;
      alive += static_cast<std::size_t>(!gone);
    }
    found_.resize(alive);
    store_.waste(scratch_, at - alive);
  }

  const ranked_detail::LiveStore& store_;
  const LiveState& state_;
  const RankedRegion& region_;
  const RankedFilter& filter_;
  LiveScratch& scratch_;
  std::vector<std::uint32_t>& found_ = scratch_.frozen;
  std::size_t k_ = 0, spare_ = 0;
  std::size_t kept_ = 0;         // of found_: those of earlier questions
  std::uint32_t last_ = 0;       // the last answer, where more_
  bool more_ = false;            // there may be more behind the last one
  bool all_marks_count_ = true;  // no later change had begun when the marks were read
  QueryResult cost_;
};

/// Writes the k best of both lists.
std::size_t merge_answers(const LiveState& state, const LiveScratch& scratch, std::size_t k, Id* out) {
  const LiveGeneration& generation = *state.generation;
  const auto& records = generation.live().records();
  const std::vector<std::uint32_t>& frozen = scratch.frozen;
  std::size_t written = 0;
  auto next = frozen.begin();
  const auto write_frozen_up_to = [&](auto end) {
    for (; next != end && written < k; ++next) {
      out[written++] = generation.frozen_id(*next);
    }
  };
  for (const LiveFound& found : scratch.found) {  // few: so their places are searched for
    write_frozen_up_to(std::partition_point(next, frozen.end(), [&](std::uint32_t index) {
      return generation.frozen_order(index) < found.order;
    }));
    if (written == k) {
      break;
    }
    const ranked_detail::LiveRecord& record = records[found.record];
    out[written++] = {record.slot, record.generation};
  }
  write_frozen_up_to(frozen.end());
  return written;
}

/// Leaves the best of the frozen index and of the live tree in scratch, up to `wanted` each, at least one.
QueryResult find_top(const ranked_detail::LiveStore& store, const LiveState& state, LiveScratch& scratch,
                     const RankedRegion& region, const RankedFilter& filter, const RankedCursor* frozen_after,
                     const LiveOrder* after, std::size_t wanted) {
  FrozenTop frozen(store, state, region, filter, scratch);
  frozen.begin(wanted, frozen_after);
  scratch.found.clear();
  LiveQuestion question;
  if (state.live_root == 0 || !state.generation->question_of(region, filter, question)) {
    frozen.end();
    return frozen.cost();
  }
  LiveTop top{.k = wanted, .limit = frozen.bound(), .after = after};
  QueryResult live = ranked_detail::top_live(state.live(), question, top, scratch);
  if (!frozen.end() && top.limit != ranked_detail::kBehindAll) {
    top.limit = scratch.frozen.size() == wanted ? state.generation->frozen_order(scratch.frozen.back())
                                                : ranked_detail::kBehindAll;
    live = ranked_detail::top_live(state.live(), question, top, scratch);
  }
  if (!scratch.found.empty()) {  // their places are among the keys of the frozen ones: all misses at once
    for (const std::uint32_t index : scratch.frozen) {
      state.generation->prefetch_key(index);
    }
  }
  live.tested += frozen.cost().tested;
  live.visited += frozen.cost().visited;
  return live;
}

QueryResult top_of(const ranked_detail::LiveStore& store, const LiveState& state, LiveScratch& scratch,
                   const RankedRegion& region, const RankedFilter& filter, const RankedCursor* frozen_after,
                   const LiveOrder* after, std::size_t k, std::span<Id> out) {
  const std::size_t wanted = std::min({k, out.size(), state.size});
  if (wanted == 0) {
    return {};
  }
  QueryResult result = find_top(store, state, scratch, region, filter, frozen_after, after, wanted);
  result.written = result.found = merge_answers(state, scratch, wanted, out.data());
  return result;
}

}  // namespace

std::size_t ranked_detail::spare_for(std::size_t k, std::size_t gone, std::size_t frozen) noexcept {
  if (gone == 0) {
    return 0;
  }
  const double expected = static_cast<double>(k) * static_cast<double>(gone) / static_cast<double>(frozen);
  return std::min(gone, static_cast<std::size_t>(expected + 2 * std::sqrt(expected)) + 1);
}

std::optional<RankedCursor> ranked_detail::frozen_cursor(const LiveTypes& types,
                                                         const LiveGeneration& generation,
                                                         const RankedCursor& after) {
  const std::uint32_t up_to = generation.frozen_up_to(after.index());
  if (up_to != 0) {
    return RankedCursor(after.rank(), up_to - 1);
  }
  // All points of this rank are behind it, and so it stands behind all of the rank before.
  constexpr std::uint32_t kLast = ~std::uint32_t{0};
  if (types.integer_ranks()) {
    const std::int64_t rank = after.rank().integer();
    return rank == std::numeric_limits<std::int64_t>::min() ? std::nullopt
                                                            : std::optional(RankedCursor(rank - 1, kLast));
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double rank = after.rank().real();
  return rank == -kInfinity ? std::nullopt
                            : std::optional(RankedCursor(std::nextafter(rank, -kInfinity), kLast));
}

LiveOrder ranked_detail::live_order_at(const LiveStore& store, const LiveState& state, LiveScratch& scratch,
                                       std::size_t place) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const RankedRegion everywhere = RankedRegion::rect({-kInfinity, -kInfinity, kInfinity, kInfinity});
  find_top(store, state, scratch, everywhere, {}, nullptr, nullptr, place + 1);
  // The last of the two lists' first place + 1 in common.
  auto frozen = scratch.frozen.begin();
  auto live = scratch.found.begin();
  LiveOrder last;
  for (std::size_t i = 0; i <= place; ++i) {
    const LiveOrder of_frozen =
        frozen != scratch.frozen.end() ? state.generation->frozen_order(*frozen) : kBehindAll;
    if (live != scratch.found.end() && live->order < of_frozen) {
      last = (live++)->order;
    } else {
      last = of_frozen;
      ++frozen;
    }
  }
  return last;
}

RankedSnapshot::RankedSnapshot(const ranked_detail::LiveStore& store)
    : store_(&store), slot_(&store.readers.pin(store.version.load())) {
  state_ = store.state.load();
}

RankedSnapshot::RankedSnapshot(RankedSnapshot&& other) noexcept
    : store_(other.store_), state_(other.state_), slot_(std::exchange(other.slot_, nullptr)) {}

RankedSnapshot::~RankedSnapshot() {
  if (slot_ != nullptr) {
    ranked_detail::Readers::release(*slot_);
  }
}

QueryResult RankedSnapshot::top(const RectD& rect, std::size_t k, std::span<Id> out,
                                const RankedFilter& filter) const {
  return top(RankedRegion::rect(rect), k, out, filter);
}

QueryResult RankedSnapshot::top(const RankedRegion& region, std::size_t k, std::span<Id> out,
                                const RankedFilter& filter) const {
  return top_of(*store_, *state_, slot_->scratch, region, filter, nullptr, nullptr, k, out);
}

Result<QueryResult> RankedSnapshot::top_after(const RankedCursor& after, const RankedRegion& region,
                                              std::size_t k, std::span<Id> out,
                                              const RankedFilter& filter) const {
  const ranked_detail::LiveTypes& types = store_->types;
  JUXTA_TRY(ranked_detail::check_rank(types.rank, after.rank()));
  const LiveOrder order = {types.key_of(after.rank()), after.index()};
  const std::optional<RankedCursor> frozen = frozen_cursor(types, *state_->generation, after);
  return top_of(*store_, *state_, slot_->scratch, region, filter, frozen ? &*frozen : nullptr, &order, k,
                out);
}

QueryResult RankedSnapshot::count(const RectD& rect, const RankedFilter& filter) const {
  return count(RankedRegion::rect(rect), filter);
}

QueryResult RankedSnapshot::count(const RankedRegion& region, const RankedFilter& filter) const {
  QueryResult result = state_->generation->frozen().count(region, filter);
  LiveQuestion question;
  if ((state_->live_root == 0 && state_->removed_root == 0) ||
      !state_->generation->question_of(region, filter, question)) {
    return result;
  }
  const QueryResult live = ranked_detail::count_live(state_->live(), question, slot_->scratch);
  const QueryResult gone = ranked_detail::count_live(state_->removed(), question, slot_->scratch);
  return {.found = result.found + live.found - gone.found,
          .tested = result.tested + live.tested + gone.tested,
          .visited = result.visited + live.visited + gone.visited};
}

std::size_t RankedSnapshot::size() const noexcept {
  return state_->size;
}

}  // namespace juxta
