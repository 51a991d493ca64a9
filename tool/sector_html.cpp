// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A battle as one page: everything is in it, nothing is fetched.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "juxta/files/svg_curves.h"
#include "juxta/files/svg_map.h"
#include "tool/answers.h"
#include "tool/sector.h"

namespace juxta::tool {
namespace {

constexpr std::size_t kWindows = 200;  // points of a stage's curve: means over so many parts of the battle

constexpr std::string_view kStyle =
    "body{margin:2em auto;max-width:1000px;padding:0 1em;font:15px/1.45 Helvetica,Arial,'DejaVu "
    "Sans',sans-serif;color:#1d2b36}\n"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em 1em;text-align:right;"
    "border-bottom:1px solid #dde3e8}td:first-child,th:first-child{text-align:left;padding-left:0}\n"
    ".sum td{font-weight:bold}figure{margin:0}figcaption{color:#5b6b77;font-size:13px;margin:.3em 0 1em}\n"
    "img{display:block;width:100%;background:#000}.few{display:grid;grid-template-columns:repeat(3,1fr);"
    "gap:0 10px}svg{max-width:100%;height:auto}code{font-size:14px}\n";

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < have ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= have ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

void add_picture(std::string& page, const SectorReport::Picture& picture) {
  fmt::format_to(std::back_inserter(page),
                 "<figure><img alt=\"The battle from above\" src=\"data:image/png;base64,{}\">"
                 "<figcaption>tick {}</figcaption></figure>\n",
                 base64(picture.png), picture.tick);
}

void add_times(std::string& page, const SectorReport& report) {
  page += "<table><tr><th>milliseconds a tick</th><th>median</th><th>p99</th><th>worst</th></tr>\n";
  for (const SectorTime& row : time_rows(report.times)) {
    fmt::format_to(std::back_inserter(page),
                   "<tr{}><td>{}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.3f}</td></tr>\n",
                   row.name == "tick" ? " class=\"sum\"" : "",
                   row.name == "record" ? "record (beside the tick: hash, pictures, files)" : row.name,
                   row.median, row.p99, row.worst);
  }
  page += "</table>\n";
}

void add_counts(std::string& page, std::string_view title, const Counts& counts) {
  fmt::format_to(std::back_inserter(page), "<table><tr><th>{}</th><th></th></tr>\n", title);
  for (const auto& [name, count] : counts) {
    fmt::format_to(std::back_inserter(page), "<tr><td>{}</td><td>{}</td></tr>\n", name, grouped(count));
  }
  page += "</table>\n";
}

std::vector<double> tick_numbers(const SectorReport& report, std::size_t count, std::size_t every) {
  std::vector<double> at(count);
  for (std::size_t i = 0; i < count; ++i) {
    at[i] = report.first + static_cast<double>(std::min((i + 1) * every, report.times.record().size()));
  }
  return at;
}

std::vector<double> window_means(std::span<const float> values, std::size_t window) {
  std::vector<double> means;
  for (std::size_t first = 0; first < values.size(); first += window) {
    const auto part = values.subspan(first, std::min(window, values.size() - first));
    double sum = 0;
    for (const float value : part) {
      sum += static_cast<double>(value);
    }
    means.push_back(sum / static_cast<double>(part.size()));
  }
  return means;
}

std::string plot_of_ticks(const SectorReport& report) {
  const std::vector<double> whole = report.times.ticks(), at = tick_numbers(report, whole.size(), 1);
  const Curve curve{"all stages", at, whole};
  return svg_curves({&curve, 1},
                    {.title = "A tick's time", .x_axis = "tick", .y_axis = "milliseconds", .height = 320});
}

std::string plot_of_stages(const SectorReport& report) {
  const std::size_t ticks = report.times.record().size(), window = (ticks + kWindows - 1) / kWindows;
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < SectorTimes::kStages; ++i) {
    values.push_back(window_means(std::span(report.times.stage(i)).first(ticks), window));
  }
  const std::vector<double> at = tick_numbers(report, values.front().size(), window);
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < values.size(); ++i) {
    curves.push_back({std::string(sector::kStages[i].name), at, values[i]});
  }
  return svg_curves(curves, {.title = "The stages' times",
                             .x_axis = "tick",
                             .y_axis = "milliseconds",
                             .note = window > 1 ? fmt::format("means of {} ticks", window) : ""});
}

std::string plot_of(const Table& table, const std::string& title, const std::string& y,
                    std::span<const std::string_view> names) {
  std::vector<Curve> curves;
  for (const std::string_view name : names) {
    curves.push_back({std::string(name), table.column("tick"), table.column(name)});
  }
  return svg_curves(curves, {.title = title, .x_axis = "tick", .y_axis = y, .height = 320});
}

void add_populations(std::string& page, const SectorReport& report) {
  constexpr std::array<std::string_view, sector::kMostFactions> kShips = {"ships 0", "ships 1", "ships 2",
                                                                          "ships 3"};
  constexpr std::array<std::string_view, 3> kBrief = {"bullets", "explosions", "wrecks"};
  constexpr std::array<std::string_view, 5> kEvents = {"released", "shots", "hits", "collisions", "deaths"};
  const Table& table = report.populations;
  page +=
      plot_of(table, "Ships, by faction", "ships", std::span(kShips).first(report.world->scenario.factions));
  page += plot_of(table, "What is brief", "alive", kBrief);
  page += plot_of(table, "What happens", "in a tick", kEvents);
}

}  // namespace

std::string html_report(const SectorReport& report) {
  const std::string title = xml_escape(report.world->scenario.name);
  const std::uint32_t at = report.world->tick();
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: a battle by "
      "Juxta</title>\n"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n<p>{2}.</p>\n",
      title, kStyle, xml_escape(headline(report)));
  const TickRates rates = ticks_per_second(report);
  fmt::format_to(std::back_inserter(page),
                 "<p>Ticks {} to {}{} on {} thread{}: {:.1f} ticks per second, the simulation alone; {:.1f} "
                 "with hashes, recording, pictures and checkpoints. State <code>{:016x}</code>, the "
                 "same for any number of threads.</p>\n",
                 report.first, at, report.interrupted ? " (interrupted)" : "", report.threads,
                 report.threads == 1 ? "" : "s", rates.simulation, rates.whole, report.hash);
  if (!report.pictures.empty()) {
    add_picture(page, report.pictures.back());
    page += "<div class=\"few\">\n";
    for (std::size_t i = 0; i + 1 < report.pictures.size(); ++i) {
      add_picture(page, report.pictures[i]);
    }
    page +=
        "</div>\n<p>Factions 0 to 3 are blue, red, green and yellow; pale strokes are bullets, discs of fire "
        "explosions, grey discs asteroids and wrecks, faint squares spawn points.</p>\n";
  }
  if (!report.times.record().empty()) {
    page += "<h2>Times</h2>\n";
    add_times(page, report);
    page += plot_of_ticks(report) + plot_of_stages(report);
  }
  page += "<h2>Populations</h2>\n";
  add_counts(page, "at the end", living(report));
  add_counts(page, "in all ticks", happened(report));
  add_populations(page, report);
  return page + "</body></html>\n";
}

}  // namespace juxta::tool
