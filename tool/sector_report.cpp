// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How a battle is told, as text and as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tool/answers.h"
#include "tool/sector.h"

namespace juxta::tool {
namespace {

std::string sentence(const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, grouped(count));
  }
  return text;
}

nlohmann::ordered_json object_of(const Counts& counts) {
  nlohmann::ordered_json object;
  for (const auto& [name, count] : counts) {
    object[name] = count;
  }
  return object;
}

}  // namespace

std::string format_report(const SectorReport& report) {
  const std::uint32_t at = report.world->tick();
  const TickRates rates = ticks_per_second(report);
  std::string out = report_line("battle", headline(report));
  out += report_line(
      "ticks", fmt::format("{}, from {} to {}, in {:.2f} s on {} thread{}", grouped(at - report.first),
                           report.first, at, report.seconds, report.threads, report.threads == 1 ? "" : "s"));
  if (at != report.first) {
    out += report_line("", fmt::format("{:.1f} ticks per second, the simulation alone", rates.simulation));
    out += report_line(
        "",
        fmt::format("{:.1f} ticks per second with hashes, recording, pictures and checkpoints", rates.whole));
  }
  if (const auto rows = time_rows(report.times); !rows.empty()) {
    out += fmt::format("\n  {:<10}{:>10}{:>10}{:>10}\n", "ms a tick", "median", "p99", "worst");
    for (const SectorTime& row : rows) {
      out += fmt::format("  {:<10}{:>10.3f}{:>10.3f}{:>10.3f}", row.name, row.median, row.p99, row.worst);
      out += row.name == "record" ? "    beside the tick: hash, pictures, files\n" : "\n";
    }
    out += "\n";
  }
  out += report_line("living", sentence(living(report)));
  out += report_line("happened", sentence(happened(report)));
  out += report_line("state", fmt::format("{:016x}, the same for any number of threads", report.hash));
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    out += report_line(i == 0 ? "written" : "", report.files[i]);
  }
  return out;
}

std::string json_report(const SectorReport& report) {
  const sector::World& world = *report.world;
  nlohmann::ordered_json object = {{"scenario", world.scenario.name},
                                   {"seed", world.scenario.seed},
                                   {"first_tick", report.first},
                                   {"tick", world.tick()},
                                   {"threads", report.threads},
                                   {"seconds", report.seconds},
                                   {"ticks_per_second", ticks_per_second(report).simulation},
                                   {"ticks_per_second_with_recording", ticks_per_second(report).whole}};
  for (const SectorTime& row : time_rows(report.times)) {
    object["milliseconds"][row.name] = {{"median", row.median}, {"p99", row.p99}, {"worst", row.worst}};
  }
  object["living"] = object_of(living(report));
  object["happened"] = object_of(happened(report));
  object["state"] = fmt::format("{:016x}", report.hash);
  object["files"] = report.files;
  object["interrupted"] = report.interrupted;
  return object.dump(2) + "\n";
}

}  // namespace juxta::tool
