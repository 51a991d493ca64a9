// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// cast_pair/KINDS: a box, capsule or hull of 24 corners on a ball moves towards another, past which half of
// them go; none overlap at the start. cast_turning/KINDS: the same, and it turns by 0.5 to 2.5 radians about
// its middle on the way. 4,000 pairs, JUXTA_BENCH_SEED for others. One iteration is one cast.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "bench/shape/casts.h"
#include "bench/shape/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/shape/parts.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kPairs = 4'000;
constexpr std::uint32_t kHulls = 16, kCorners = 24;
// Of 1000 answers, how many Bullet may give otherwise: it hits what it passes by, and is late or early by
// some hundredths of the way; those of turning shapes more often.
constexpr double kAllowed = 20, kAllowedTurning = 100;
constexpr float kTolerance = 0.05F;

class JuxtaCasts final : public CastAsker {
 public:
  explicit JuxtaCasts(const std::vector<CastPair>& pairs) : pairs_(pairs) {}
  float ask(std::size_t i) override {
    const CastPair& pair = pairs_[i];
    const Motion motion{.from = pair.from, .way = pair.way, .turn = pair.turn};
    const CastHit hit = cast(pair.moving, motion, pair.still, pair.at);  // a turn of 0: that without one
    return hit ? hit.t : 2;
  }

 private:
  const std::vector<CastPair>& pairs_;
};

/// Random pairs of two kinds: 'b', 'c' or 'h'; turning or not.
class Pairs {
 public:
  Pairs(char moving, char still, bool turning, std::uint64_t seed) : draws_(seed) {
    for (std::uint32_t i = 0; i < kHulls; ++i) {
      std::vector<Vec3> corners(kCorners);
      for (Vec3& corner : corners) {
        corner = direction();
      }
      hulls_.push_back(ConvexHull::build(corners).value());
    }
    // The rounder, the smaller: so far aside that half of them pass.
    const float aside = moving == 'c' && still == 'c' ? 3 : moving == 'c' || still == 'c' ? 3.7F : 4.5F;
    while (all.size() < kPairs) {
      CastPair pair{shape(moving), shape(still)};
      pair.from.rotation = rotation();
      pair.at.rotation = rotation();
      pair.from.position = direction() * draws_.uniform(0, 5);
      const Vec3 towards = direction() * draws_.uniform(2.5F, 6);
      pair.at.position = pair.from.position + towards;
      const Vec3 off = direction() * draws_.uniform(0, aside);
      pair.way = (towards + off) * draws_.uniform(0.7F, 2);
      if (turning) {
        const Vec3 axis = direction();
        pair.turn = axis * draws_.uniform(0.5F, 2.5F);
      }
      if (!overlaps(pair.moving, pair.from, pair.still, pair.at)) {
        all.push_back(pair);
      }
    }
  }

  std::vector<CastPair> all;

 private:
  Vec3 direction() {
    for (;;) {
      const float x = draws_.uniform(-1, 1), y = draws_.uniform(-1, 1), z = draws_.uniform(-1, 1);
      if (const float squared = x * x + y * y + z * z; squared > 0.01F && squared <= 1) {
        return Vec3{x, y, z} * (1 / std::sqrt(squared));
      }
    }
  }
  Quat rotation() {
    for (;;) {
      const float x = draws_.uniform(-1, 1), y = draws_.uniform(-1, 1), z = draws_.uniform(-1, 1);
      const Quat q{x, y, z, draws_.uniform(-1, 1)};
      if (const float squared = length_squared(q); squared > 0.01F && squared <= 1) {
        return normalized(q);
      }
    }
  }
  Shape shape(char kind) {
    if (kind == 'b') {
      const float x = draws_.uniform(0.3F, 1), y = draws_.uniform(0.3F, 1);
      return Box{{}, {}, {x, y, draws_.uniform(0.3F, 1)}};
    }
    if (kind == 'c') {
      const float half = draws_.uniform(0.3F, 0.8F);
      return Capsule{{0, -half, 0}, {0, half, 0}, draws_.uniform(0.2F, 0.5F)};
    }
    return hulls_[draws_.below(kHulls)];
  }

  scenes::Draws draws_;
  std::vector<ConvexHull> hulls_;
};

struct Question {
  std::string name;  // of the row
  std::shared_ptr<Once<Pairs>> pairs;
};
using Make = std::function<std::unique_ptr<CastAsker>(const std::vector<CastPair>&)>;

/// How many answers differ from the library's, which tests/shape compares with brute force.
std::size_t differing(CastAsker& asker, const std::vector<CastPair>& pairs, const std::string& row) {
  JuxtaCasts juxta(pairs);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const float got = asker.ask(i), right = juxta.ask(i);
    const bool same = (got <= 1) == (right <= 1) && (right > 1 || std::abs(got - right) <= kTolerance);
    differ += same ? 0U : 1U;
  }
  const bool turning =
      std::any_of(pairs.begin(), pairs.end(), [](const CastPair& p) { return p.turn != Vec3{}; });
  const double allowed = turning ? kAllowedTurning : kAllowed;
  if (static_cast<double>(differ) > allowed * 1e-3 * static_cast<double>(pairs.size())) {
    give_up(row + " answers " + std::to_string(differ) + " casts differently; nothing was timed.");
  }
  return differ;
}

void add_row(const Question& question, const std::string& who, const Make& make) {
  const std::string row = question.name + "/" + who;
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    const std::vector<CastPair>& pairs = (*question.pairs)->all;
    const std::unique_ptr<CastAsker> asker = make(pairs);
    const std::size_t differ = differing(*asker, pairs, row);
    std::size_t hits = 0;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(pairs.size()))) {
      hits = 0;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        hits += asker->ask(i) <= 1 ? 1U : 0U;
      }
    }
    state.counters["queries"] = static_cast<double>(pairs.size());
    state.counters["hits"] = static_cast<double>(hits);
    state.counters["differ"] = static_cast<double>(differ);
  });
}

void add_rows(bool turning) {
  const auto juxta = [](const std::vector<CastPair>& pairs) { return std::make_unique<JuxtaCasts>(pairs); };
  const std::size_t seed = number_setting("JUXTA_BENCH_SEED", 1);
  for (const char* kinds :
       {"box_box", "capsule_capsule", "hull_hull", "box_hull", "capsule_box", "capsule_hull"}) {
    const std::string name = kinds;
    const char moving = name[0], still = name[name.find('_') + 1];
    const Question question{
        (turning ? "cast_turning/" : "cast_pair/") + name,
        std::make_shared<Once<Pairs>>([=] { return std::make_unique<Pairs>(moving, still, turning, seed); })};
    add_row(question, "juxta", juxta);
#ifdef JUXTA_BENCH_BULLET
    if (!turning) {  // this one takes the rotation to be that at the start
      add_row(question, "bullet_subsimplex", [](const std::vector<CastPair>& pairs) {
        return make_bullet_casts(pairs, BulletCast::kSubsimplex);
      });
    }
    add_row(question, "bullet_continuous", [](const std::vector<CastPair>& pairs) {
      return make_bullet_casts(pairs, BulletCast::kContinuous);
    });
#endif
  }
}

}  // namespace

void add_cast_pair_rows() {
  for (const bool turning : {false, true}) {
    add_rows(turning);
  }
}

}  // namespace juxta::bench
