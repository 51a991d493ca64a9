// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// range_<which>: the 20 lowest ranks of the points whose number is in a range, over the first rectangles of
// the stream of the official world and of those of other seeds. Numbers are random, and the range holds 0.01
// %, 1 %, 10 % or 50 % of the points; `worst`: numbers rise with ranks, and the range holds the worst 1 %.
//   juxta      one index of all points, asked with a range
//   own        an index of the points in the range, and of no others
//   by_rank    all points in rank order, looked at until 20 pass
//   by_number  all points in the order of numbers: a run of them, and the best 20 in a heap
// range_count_<which>: how many pass: juxta and by_number.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/own_index.h"
#include "bench/ranked/plain_range.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kResults = 20;
constexpr std::size_t kQueries = 2000, kScanQueries = 100;  // scans take milliseconds

struct Which {
  const char* name;
  float least, most;
  bool by_rank;
};
constexpr std::array<Which, 5> kWhich = {{{"001pct", 0.3F, 0.3001F, false},
                                          {"1pct", 0.3F, 0.31F, false},
                                          {"10pct", 0.3F, 0.4F, false},
                                          {"50pct", 0.3F, 0.8F, false},
                                          {"worst", 0.99F, 1.0F, true}}};

/// What answers over one world, of one kind of numbers.
class RangeWorld {
 public:
  RangeWorld(Official& official, bool by_rank) : of_(official), numbers_(official.world->x.size()) {
    const scenes::ContestWorld& w = *of_.world;
    std::uint64_t state = 1;
    for (float& number : numbers_) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      number = static_cast<float>(state >> 40) * 0x1p-24F;
    }
    if (by_rank) {
      std::vector<std::uint32_t> order(numbers_.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<std::uint32_t>(i);
      }
      std::ranges::stable_sort(order, {}, [&](auto i) { return w.rank[i]; });
      for (std::size_t p = 0; p < order.size(); ++p) {
        numbers_[order[p]] = static_cast<float>(p) / static_cast<float>(order.size());
      }
    }
    const ValueColumn column(numbers_);
    all = std::make_unique<RankedPoints>(
        RankedPoints::build(w.x, w.y, w.rank, {.borrow_coordinates = true, .values = {&column, 1}}).value());
    plain = std::make_unique<PlainRange>(w.x, w.y, w.rank, numbers_);
  }

  /// An index of what passes.
  const RankedPoints& own(const Which& which) {
    return own_.of(*of_.world, which.name,
                   [&](std::size_t i) { return numbers_[i] >= which.least && numbers_[i] <= which.most; });
  }
  [[nodiscard]] Id id(Id own) const { return own_.id(own); }
  [[nodiscard]] const RectF& rect(std::size_t i) const { return (*of_.stream_rects)[i]; }
  [[nodiscard]] std::size_t queries() const { return of_.stream_rects->size(); }

  std::unique_ptr<RankedPoints> all;
  std::unique_ptr<PlainRange> plain;

 private:
  Official& of_;
  std::vector<float> numbers_;
  OwnIndex own_;
};

/// One world at a time, told apart by their frames.
RangeWorld& world_of(Official& official, bool by_rank) {
  static std::unique_ptr<RangeWorld> current;
  static RectF frame{};
  static bool ranked = false;
  const RectF& wanted = official.world->world;
  if (current == nullptr || wanted.hx != frame.hx || wanted.hy != frame.hy || ranked != by_rank) {
    current.reset();
    current = std::make_unique<RangeWorld>(official, by_rank);
    frame = wanted;
    ranked = by_rank;
  }
  return *current;
}

RectD wide(const RectF& r) {
  return {r.lx, r.ly, r.hx, r.hy};
}

RankedFilter filter_of(const Which& which) {
  return {.ranges = {{which.least, which.most}}};
}

using Ask = std::size_t (*)(RangeWorld& world, const Which& which, std::size_t i, Id* out);

std::size_t ask_juxta(RangeWorld& world, const Which& which, std::size_t i, Id* out) {
  return world.all->top(wide(world.rect(i)), kResults, {out, kResults}, filter_of(which)).written;
}
std::size_t ask_own(RangeWorld& world, const Which& which, std::size_t i, Id* out) {
  return world.own(which).top(wide(world.rect(i)), kResults, {out, kResults}).written;
}
std::size_t ask_by_rank(RangeWorld& world, const Which& which, std::size_t i, Id* out) {
  return world.plain->top_by_rank(world.rect(i), which.least, which.most, kResults, out);
}
std::size_t ask_by_number(RangeWorld& world, const Which& which, std::size_t i, Id* out) {
  return world.plain->top_by_number(world.rect(i), which.least, which.most, kResults, out);
}
std::size_t count_juxta(RangeWorld& world, const Which& which, std::size_t i, Id*) {
  return world.all->count(wide(world.rect(i)), filter_of(which)).found;
}
std::size_t count_by_number(RangeWorld& world, const Which& which, std::size_t i, Id*) {
  return world.plain->count(world.rect(i), which.least, which.most);
}

/// Ends the program where `ask` and `plain` differ. An index of its own names its own points.
void check(RangeWorld& world, const Which& which, const std::string& row, Ask ask, Ask plain) {
  std::vector<Id> got(kResults), want(kResults);
  const bool lists = plain == ask_by_rank;
  for (std::size_t i = 0; i < std::min(kScanQueries, world.queries()); ++i) {
    const std::size_t n = ask(world, which, i, got.data()), m = plain(world, which, i, want.data());
    if (ask == ask_own) {
      std::transform(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(n), got.begin(),
                     [&](Id id) { return world.id(id); });
    }
    if (n != m ||
        (lists && !std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(n), want.begin()))) {
      wrong_answer(row, i);
    }
  }
}

void add(const Source& source, const std::string& row, const Which& which, std::size_t most, Ask ask,
         Ask plain) {
  auto timed = std::make_shared<QueryRow>();
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    RangeWorld& world = world_of(source(), which.by_rank);
    check(world, which, row, ask, plain);
    std::vector<Id> out(kResults);
    timed->run(state, std::min(most, world.queries()),
               [&](std::size_t i) { return ask(world, which, i, out.data()); });
    state.counters["bytes"] = static_cast<double>(world.all->memory_bytes());
  });
}

}  // namespace

void add_ranges(const Source& source, const std::string& seed) {
  for (const Which& which : kWhich) {
    const std::string top = std::string("range_") + which.name + seed;
    add(source, top + "/juxta", which, kQueries, ask_juxta, ask_by_rank);
    add(source, top + "/own", which, kQueries, ask_own, ask_by_rank);
    add(source, top + "/by_rank", which, kScanQueries, ask_by_rank, ask_by_rank);
    add(source, top + "/by_number", which, kScanQueries, ask_by_number, ask_by_rank);
    const std::string count = std::string("range_count_") + which.name + seed;
    add(source, count + "/juxta", which, kQueries, count_juxta, count_by_number);
    add(source, count + "/by_number", which, kScanQueries, count_by_number, count_by_number);
  }
}

}  // namespace juxta::bench
