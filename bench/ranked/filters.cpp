// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// filter_<which>: the 20 lowest ranks of the points that pass, over the stream of the official world and of
// those of other seeds. Categories 0, 1 and 2 have 1 %, 10 % and 50 % of the points, at random.
//   juxta   one index of all points, asked with a filter
//   own     an index of the points that pass, and of no others
//   scan    all points in rank order, looked at until 20 pass (bench/ranked/plain_filter.h)
// filter_count_<which>: how many pass in the first rectangles of the stream, juxta and scan.
// filter_world, filter_count_world: the worst case. Two categories share no point, each has half of all, and
// the rectangle is the world; juxta and scan. The scan answers the first 200 queries only.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/own_index.h"
#include "bench/ranked/plain_filter.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kResults = 20;
constexpr std::size_t kScanQueries = 200;  // it takes milliseconds

constexpr std::uint64_t kOthers = 8;  // the points that category 2 does not have

struct Which {
  const char* name;
  RankedFilter filter;
};
constexpr std::array<Which, 7> kWhich = {{{"1pct", {.all = 1}},
                                          {"10pct", {.all = 2}},
                                          {"50pct", {.all = 4}},
                                          {"any", {.any = 3}},
                                          {"all", {.all = 6}},
                                          {"none", {.none = 4}},
                                          {"rare", {.all = 3}}}};

bool passes(std::uint64_t mask, const RankedFilter& f) {
  return (mask & f.all) == f.all && (mask & f.none) == 0 && (f.any == 0 || (mask & f.any) != 0);
}

/// What answers over one world.
class FilterWorld {
 public:
  explicit FilterWorld(Official& official) : of_(official), masks_(official.world->x.size()) {
    std::uint64_t state = 1;
    const auto drawn = [&](double share) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return std::uint64_t{static_cast<double>(state >> 11) * 0x1p-53 < share};
    };
    for (std::uint64_t& mask : masks_) {
      mask = drawn(0.01) | drawn(0.1) << 1 | drawn(0.5) << 2;
      mask |= (mask & 4) == 0 ? kOthers : 0;
    }
    const scenes::ContestWorld& w = *of_.world;
    all = std::make_unique<RankedPoints>(
        RankedPoints::build(w.x, w.y, w.rank, {.borrow_coordinates = true, .categories = masks_}).value());
    scan = std::make_unique<PlainFilter>(w.x, w.y, w.rank, masks_);
  }

  /// An index of what passes.
  const RankedPoints& own(const Which& which) {
    return own_.of(*of_.world, which.name, [&](std::size_t i) { return passes(masks_[i], which.filter); });
  }
  [[nodiscard]] Id id(Id own) const { return own_.id(own); }
  [[nodiscard]] Official& official() const { return of_; }

  std::unique_ptr<RankedPoints> all;
  std::unique_ptr<PlainFilter> scan;

 private:
  Official& of_;
  std::vector<std::uint64_t> masks_;
  OwnIndex own_;
};

/// One world at a time. Worlds are told apart by their frames: the next one may have the address of the last.
FilterWorld& world_of(Official& official) {
  static std::unique_ptr<FilterWorld> current;
  static RectF frame{};
  const RectF& wanted = official.world->world;
  if (current == nullptr || wanted.hx != frame.hx || wanted.hy != frame.hy) {
    current.reset();
    current = std::make_unique<FilterWorld>(official);
    frame = wanted;
  }
  return *current;
}

/// Ends the program when `answer(i, out)` is not what the scan finds.
template <class Answer>
void check(FilterWorld& world, const std::string& row, const RankedFilter& filter, const Answer& answer) {
  const std::vector<RectF>& rects = *world.official().stream_rects;
  std::vector<Id> got(kResults), want(kResults);
  for (std::size_t i = 0; i < std::min(kScanQueries, rects.size()); ++i) {
    const std::size_t n = answer(i, got.data());
    if (n != world.scan->top(rects[i], kResults, filter, want.data()) ||
        !std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(n), want.begin())) {
      wrong_answer(row, i);
    }
  }
}

template <class Ask>
void add(const Source& source, const std::string& row, std::size_t most, const Ask& ask) {
  auto timed = std::make_shared<QueryRow>();
  benchmark::RegisterBenchmark(row.c_str(), [source, most, ask, timed, row](benchmark::State& state) {
    FilterWorld& world = world_of(source());
    const std::vector<RectF>& rects = *world.official().stream_rects;
    const auto answer = ask(world, row);
    std::vector<Id> out(kResults);
    timed->run(state, std::min(most, rects.size()), [&](std::size_t i) { return answer(i, out.data()); });
  });
}

RectD rect_of(FilterWorld& world, std::size_t i) {
  const RectF& r = (*world.official().stream_rects)[i];
  return {r.lx, r.ly, r.hx, r.hy};
}

void add_top(const Source& source, const std::string& workload, const Which& which) {
  const RankedFilter filter = which.filter;
  add(source, workload + "/juxta", SIZE_MAX, [filter](FilterWorld& world, const std::string& row) {
    const auto answer = [filter, &world](std::size_t i, Id* out) {
      return world.all->top(rect_of(world, i), kResults, {out, kResults}, filter).written;
    };
    check(world, row, filter, answer);
    return answer;
  });
  add(source, workload + "/own", SIZE_MAX, [which](FilterWorld& world, const std::string& row) {
    const RankedPoints& own = world.own(which);
    const auto answer = [&own, &world](std::size_t i, Id* out) {
      return own.top(rect_of(world, i), kResults, {out, kResults}).written;
    };
    check(world, row, which.filter, [&](std::size_t i, Id* out) {
      const std::size_t n = answer(i, out);
      std::transform(out, out + n, out, [&](Id id) { return world.id(id); });
      return n;
    });
    return answer;
  });
  add(source, workload + "/scan", kScanQueries, [filter](FilterWorld& world, const std::string&) {
    return [filter, &world](std::size_t i, Id* out) {
      return world.scan->top((*world.official().stream_rects)[i], kResults, filter, out);
    };
  });
}

void add_count(const Source& source, const std::string& workload, const Which& which) {
  const RankedFilter filter = which.filter;
  add(source, workload + "/juxta", kScanQueries, [filter](FilterWorld& world, const std::string& row) {
    const auto answer = [filter, &world](std::size_t i, Id*) {
      return world.all->count(rect_of(world, i), filter).found;
    };
    for (std::size_t i = 0; i < std::min(kScanQueries, world.official().stream_rects->size()); ++i) {
      if (answer(i, nullptr) != world.scan->count((*world.official().stream_rects)[i], filter)) {
        wrong_answer(row, i);
      }
    }
    return answer;
  });
  add(source, workload + "/scan", kScanQueries, [filter](FilterWorld& world, const std::string&) {
    return [filter, &world](std::size_t i, Id*) {
      return world.scan->count((*world.official().stream_rects)[i], filter);
    };
  });
}

void add_world(const Source& source, const std::string& seed) {
  constexpr RankedFilter kNobody = {.all = 4 | kOthers};
  const auto whole = [](FilterWorld& world) -> const RectF& { return world.official().world->world; };
  const auto row = [&](const char* name, const auto& ask) {
    add(source, name + seed + "/juxta", 1, [ask](FilterWorld& world, const std::string& row_name) {
      std::vector<Id> out(kResults);
      if (ask(world, true, out.data()) != 0 || ask(world, false, out.data()) != 0) {
        wrong_answer(row_name, 0);
      }
      return [ask, &world](std::size_t, Id* to) { return ask(world, true, to); };
    });
    add(source, name + seed + "/scan", 1, [ask](FilterWorld& world, const std::string&) {
      return [ask, &world](std::size_t, Id* to) { return ask(world, false, to); };
    });
  };
  row("filter_world", [whole, kNobody](FilterWorld& world, bool juxta, Id* out) -> std::size_t {
    const RectF& r = whole(world);
    return juxta ? world.all->top({r.lx, r.ly, r.hx, r.hy}, kResults, {out, kResults}, kNobody).written
                 : world.scan->top(r, kResults, kNobody, out);
  });
  row("filter_count_world", [whole, kNobody](FilterWorld& world, bool juxta, Id*) -> std::size_t {
    const RectF& r = whole(world);
    return juxta ? world.all->count({r.lx, r.ly, r.hx, r.hy}, kNobody).found : world.scan->count(r, kNobody);
  });
}

}  // namespace

void add_filters(const Source& source, const std::string& seed) {
  for (const Which& which : kWhich) {
    add_top(source, std::string("filter_") + which.name + seed, which);
  }
  for (const std::size_t w : {1, 3, 4}) {
    add_count(source, std::string("filter_count_") + kWhich[w].name + seed, kWhich[w]);
  }
  add_world(source, seed);
}

}  // namespace juxta::bench
