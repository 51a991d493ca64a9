// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The questions of native.mjs, natively: run it with JUXTA_ISA=sse4. Prints microseconds, the least of as
// many rounds as its argument says, and a hash of the answers.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "juxta/agents/flock.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/query.h"
#include "juxta/ranked/ranked_points.h"

namespace {

class Random {  // mulberry32, as in cases.mjs
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  double operator()() {
    state_ += 0x6d2b79f5;
    std::uint32_t t = (state_ ^ (state_ >> 15)) * (1 | state_);
    t = (t + ((t ^ (t >> 7)) * (61 | t))) ^ t;
    return static_cast<double>(t ^ (t >> 14)) / 4294967296.0;
  }

 private:
  std::uint32_t state_;
};

/// FNV-1a over words of 32 bits, as in native.mjs.
class Answers {
 public:
  template <class Words>
  void add(const Words& words) {
    mix(static_cast<std::uint32_t>(std::size(words)));
    for (const auto& word : words) mix(std::bit_cast<std::uint32_t>(word));
  }
  [[nodiscard]] std::uint32_t hash() const { return state_; }

 private:
  void mix(std::uint32_t word) { state_ = (state_ ^ word) * 0x01000193; }
  std::uint32_t state_ = 0x811c9dc5;
};

/// Prints the least time of `rounds`, and the answers.
template <class Run, class Ask>
void report(const char* name, double questions, int rounds, Run&& run, Ask&& ask) {
  Answers answers;
  ask(answers);
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count() / questions);
  }
  std::printf("%s %.4f %u\n", name, best, answers.hash());
}

std::span<const std::uint32_t> words(std::span<const juxta::Pair> pairs) {
  return {&pairs.data()->a, 2 * pairs.size()};
}

struct Inputs {
  std::vector<double> x, y;
  std::vector<std::int32_t> rank;
  std::vector<juxta::RectD> rects;
  std::vector<juxta::Aabb3> boxes, moved;
};

constexpr std::size_t kPoints = 1'000'000, kBoxes = 100'000, kQueries = 2000;

Inputs make_inputs() {
  Random next(1);
  Inputs in;
  for (std::size_t i = 0; i < kPoints; ++i) {
    in.x.push_back(next() * 1000);
    in.y.push_back(next() * 1000);
    in.rank.push_back(static_cast<std::int32_t>(next() * 1e9));
  }
  for (std::size_t i = 0; i < kQueries; ++i) {
    const double lx = next() * 900, ly = next() * 900, first = next(), w = first * next() * 100;
    in.rects.push_back({lx, ly, lx + w, ly + w});
  }
  for (std::size_t i = 0; i < kBoxes; ++i) {
    juxta::Aabb3 box, moved;
    for (int a = 0; a < 3; ++a) {
      box.lo[a] = static_cast<float>(next() * 100);
      box.hi[a] = box.lo[a] + static_cast<float>(next() * 3);
      moved.lo[a] = box.lo[a] + 1;
      moved.hi[a] = box.hi[a] + 1;
    }
    in.boxes.push_back(box);
    in.moved.push_back(moved);
  }
  return in;
}

void ask_points(const Inputs& in, int rounds) {
  std::vector<std::uint32_t> out(kPoints);
  std::size_t sum = 0;
  const auto points = juxta::RankedPoints::build(in.x, in.y, in.rank).value();
  const auto top = [&](const auto& r) { return points.top(r, 20, out).written; };
  const auto circle = [&](const auto& r) {
    return points.top(juxta::RankedRegion::circle(r.lx, r.ly, r.hx - r.lx), 20, out).written;
  };
  const auto each = [&](auto&& use) {
    return [&, use] {
      for (const auto& r : in.rects) sum += use(r);
    };
  };
  const auto answers = [&](auto&& use) {
    return [&, use](Answers& all) {
      for (const auto& r : in.rects) all.add(std::span(out).first(use(r)));
    };
  };
  const auto count = [&](const auto& r) { return points.count(r).found; };
  report("top", kQueries, rounds, each(top), answers(top));
  report("count", kQueries, rounds, each(count), [&](Answers& all) {
    std::vector<std::uint32_t> counts;
    for (const auto& r : in.rects) counts.push_back(static_cast<std::uint32_t>(count(r)));
    all.add(counts);
  });
  report("circles", kQueries, rounds, each(circle), answers(circle));
}

void ask_boxes(const Inputs& in, int rounds) {
  juxta::Workspace workspace;
  const juxta::Context context{.workspace = &workspace};
  auto layer = juxta::Layer::build(in.boxes).value();
  (void)layer.refit(in.boxes, context);
  std::vector<juxta::Pair> pairs(4'000'000);
  std::vector<std::uint32_t> out(kBoxes);
  std::size_t sum = 0;
  const auto find = [&] { return juxta::find_pairs(layer, pairs, {}, context)->found; };
  const auto add_pairs = [&](Answers& all) { all.add(words(std::span(pairs).first(find()))); };
  report(
      "pairs", 1, rounds, [&] { sum += find(); }, add_pairs);
  const auto search = [&](std::size_t i) { return juxta::find_all(layer, in.boxes[i], out).found; };
  report(
      "search", kQueries, rounds,
      [&] {
        for (std::size_t i = 0; i < kQueries; ++i) sum += search(i);
      },
      [&](Answers& all) {
        for (std::size_t i = 0; i < kQueries; ++i) all.add(std::span(out).first(search(i)));
      });
  report(
      "refit", 1, rounds, [&] { sum += layer.refit(in.boxes, context).has_value(); },
      [&](Answers& all) {
        for (const auto* boxes : {&in.moved, &in.boxes}) {
          (void)layer.refit(*boxes, context);
          add_pairs(all);
        }
      });
}

void ask_flock(int rounds) {
  juxta::Workspace workspace;
  const auto make = [] {
    juxta::FlockOptions options;
    options.half_size = 40;
    auto flock = juxta::Flock::build(options).value();
    (void)flock.scatter(20'000, 5);
    return flock;
  };
  auto flock = make();
  report(
      "flock", 1, rounds, [&] { (void)flock.step({.workspace = &workspace}); },
      [&](Answers& all) {
        auto own = make();
        for (int i = 0; i < 5; ++i) (void)own.step({.workspace = &workspace});
        for (int axis = 0; axis < 2; ++axis) all.add(own.position(axis));
      });
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 7;
  const Inputs in = make_inputs();
  ask_points(in, rounds);
  ask_boxes(in, rounds);
  ask_flock(rounds);
}
