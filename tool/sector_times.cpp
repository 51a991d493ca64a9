// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the ticks of a battle took, and what happened in them, as numbers.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tool/answers.h"
#include "tool/sector.h"

namespace juxta::tool {

void SectorTimes::begin(std::size_t stage) {
  if (trace_ != nullptr) {
    trace_->begin(stage);
  }
  began_ = Clock::now();
}

void SectorTimes::end(std::size_t stage) {
  const std::chrono::duration<float, std::milli> took = Clock::now() - began_;
  stages_[stage].push_back(took.count());
  if (trace_ != nullptr) {
    trace_->end(stage);
  }
}

std::vector<double> SectorTimes::ticks() const {
  std::vector<double> sums(stages_.back().size(), 0);  // ticks that came to their end
  for (const auto& stage : stages_) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += static_cast<double>(stage[i]);
    }
  }
  return sums;
}

std::vector<SectorTime> time_rows(const SectorTimes& times) {
  std::vector<SectorTime> rows;
  const auto add = [&rows](std::string_view name, std::vector<double> ms) {
    if (!ms.empty()) {
      const double median = quantile(ms, 0.5), p99 = quantile(ms, 0.99);
      rows.push_back({std::string(name), median, p99, quantile(std::move(ms), 1)});
    }
  };
  for (std::size_t i = 0; i < SectorTimes::kStages; ++i) {
    add(sector::kStages[i].name, {times.stage(i).begin(), times.stage(i).end()});
  }
  add("tick", times.ticks());
  add("record", {times.record().begin(), times.record().end()});
  return rows;
}

TickRates ticks_per_second(const SectorReport& report) {
  const std::vector<double> ticks = report.times.ticks();
  const double count = static_cast<double>(ticks.size());
  const double ms = std::accumulate(ticks.begin(), ticks.end(), 0.0);
  return {ms > 0 ? 1e3 * count / ms : 0, report.seconds > 0 ? count / report.seconds : 0};
}

Counts living(const SectorReport& report) {
  const sector::Census census = sector::census_of(*report.world);
  Counts counts;
  for (std::uint32_t f = 0; f < report.world->scenario.factions; ++f) {
    counts.emplace_back(fmt::format("ships {}", f), census.ships[f]);
  }
  counts.insert(counts.end(), {{"bullets", census.bullets},
                               {"explosions", census.explosions},
                               {"wrecks", census.wrecks},
                               {"spawn points", census.spawn_points},
                               {"nodes", census.nodes}});
  return counts;
}

Counts happened(const SectorReport& report) {
  const sector::Tally& t = report.total;
  return {{"released", t.released}, {"shots", t.shots},   {"hits", t.hits},   {"collisions", t.collisions},
          {"deaths", t.deaths},     {"warned", t.warned}, {"aimed", t.aimed}, {"nodes moved", t.nodes_moved}};
}

std::string headline(const SectorReport& report) {
  const sector::Scenario& s = report.world->scenario;
  return fmt::format("{}: {} ships of {} factions, {} spawn points, {} asteroids; seed {}", s.name,
                     grouped(s.ships), s.factions, grouped(s.spawn_points), grouped(s.asteroids), s.seed);
}

}  // namespace juxta::tool
