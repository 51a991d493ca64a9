// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How a run of a model is told and drawn.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <type_traits>
#include <variant>

#include "juxta/core/random.h"
#include "juxta/files/svg_curves.h"
#include "program/model.h"
#include "program/report.h"

namespace juxta::program_detail {
namespace {

constexpr int kPanelWidth = 900, kPanelHeight = 260;

/// Small grids run whole in less than a thousandth of a second.
std::string time_text(double seconds) {
  return seconds < 0.1 ? fmt::format("{:.3f} ms", seconds * 1e3) : fmt::format("{:.3f} s", seconds);
}

double rate(std::uint32_t steps, double seconds) {
  return seconds > 0 ? steps / seconds : 0;
}

std::size_t agents_of(const Simulation& simulation) {
  std::size_t agents = 0;
  for (std::size_t i = 0; i < simulation.population_count(); ++i) {
    agents += simulation.population(i).size();
  }
  return agents;
}

/// For people: six digits of a number.
std::string short_text(const Cell& cell) {
  if (const auto* const number = std::get_if<double>(&cell)) {
    return fmt::format("{:.6g}", *number);
  }
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  const auto* const id = std::get_if<Id>(&cell);
  return whole != nullptr ? std::to_string(*whole)
         : id != nullptr  ? std::to_string(random_id(*id))
                          : std::get<std::string>(cell);
}

nlohmann::ordered_json json_of(const Cell& cell) {
  const auto* const id = std::get_if<Id>(&cell);
  return id != nullptr ? nlohmann::ordered_json(random_id(*id))
                       : std::visit(
                             [](const auto& value) -> nlohmann::ordered_json {
                               if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Id>) {
                                 return nullptr;
                               } else {
                                 return value;
                               }
                             },
                             cell);
}

}  // namespace

Table thinned(const Table& table, std::uint32_t every) {
  Table thin = Table::of(table.columns());
  std::vector<Cell> row(table.names().size());
  const auto step = table.column("step");
  for (std::size_t r = 0; r < table.rows(); ++r) {
    if (std::fmod(step[r], every) == 0 || r + 1 == table.rows()) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        row[c] = table.cell(r, c);
      }
      thin.append(row);
    }
  }
  return thin;
}

std::string draw_columns(const Table& table, const std::string& x, const std::string& title) {
  std::string panels;
  int top = 0;
  for (const std::string& name : table.names()) {
    if (name != x && table.column(name).size() == table.rows()) {  // text has no curve
      const Curve curve{name, table.column(x), table.column(name)};
      std::string panel = svg_curves({&curve, 1}, {.title = top == 0 ? title : std::string(),
                                                   .x_axis = x,
                                                   .y_axis = name,
                                                   .width = kPanelWidth,
                                                   .height = kPanelHeight});
      panel.insert(panel.find("<svg") + 4, fmt::format(" y=\"{}\"", top));
      panels += panel;
      top += kPanelHeight;
    }
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} "
      "{}\">\n{}</svg>\n",
      kPanelWidth, top, kPanelWidth, top, panels);
}

std::string format_report(const ModelReport& report) {
  const juxta::Run& run = *report.run;
  const std::uint32_t steps = run.simulation().step() - report.first;
  const std::size_t agents = agents_of(run.simulation());
  std::string set;
  for (const Parameter& p : run.parameters().declared()) {
    set += fmt::format("{}{}={}", set.empty() ? "" : " ", p.name, number_text(p.value));
  }
  std::string out = report_line("model", fmt::format("{}: {}", run.info().name, run.info().what));
  out += report_line("parameters", set);
  out += report_line("seed", fmt::format("{}", run.simulation().seed()));
  out += report_line("steps", fmt::format("{}, from {} to {}, in {} on {}", grouped(steps), report.first,
                                          run.simulation().step(), time_text(report.seconds),
                                          workers(report.ranks, report.threads)));
  if (run.until()) {
    out += report_line(
        "until", fmt::format("{}{}", run.until()->text(), run.until_met() ? ", which is met" : ": not met"));
  }
  if (steps != 0) {
    out += report_line("", fmt::format("{:.1f} a second, the simulation alone", rate(steps, report.seconds)));
    out += report_line("", fmt::format("{:.1f} a second with snapshots, pictures and checkpoints",
                                       rate(steps, report.all_seconds)));
  }
  if (steps != 0 && agents != 0) {
    out += report_line("", fmt::format("{} agents at the end, {:.1f} ns each a step", grouped(agents),
                                       report.seconds * 1e9 / steps / static_cast<double>(agents)));
  }
  const Table& table = run.collected().steps();
  for (std::size_t c = 1; c < table.names().size(); ++c) {
    out += report_line(c == 1 ? "reported" : "",
                       fmt::format("{} {} -> {}", table.names()[c], short_text(table.cell(0, c)),
                                   short_text(table.cell(table.rows() - 1, c))));
  }
  out += report_line("state", fmt::format("{:016x}, the same for any number of threads", run.state_hash()));
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    out += report_line(i == 0 ? "written" : "", report.files[i]);
  }
  return out;
}

std::string json_report(const ModelReport& report) {
  const juxta::Run& run = *report.run;
  nlohmann::ordered_json object = {{"model", run.info().name}};
  for (const Parameter& p : run.parameters().declared()) {
    object["parameters"][p.name] = p.value;
  }
  object["seed"] = run.simulation().seed();
  object["first_step"] = report.first;
  object["step"] = run.simulation().step();
  if (run.until()) {
    object["until"] = run.until()->text();
    object["until_met"] = run.until_met();
  }
  object["agents"] = agents_of(run.simulation());
  object["threads"] = report.threads;
  if (report.ranks != 0) {
    object["ranks"] = report.ranks;
  }
  object["seconds"] = report.seconds;
  object["seconds_with_recording"] = report.all_seconds;
  const Table& table = run.collected().steps();
  for (std::size_t c = 1; c < table.names().size(); ++c) {
    object["reported"][table.names()[c]] = json_of(table.cell(table.rows() - 1, c));
  }
  object["state"] = fmt::format("{:016x}", run.state_hash());
  object["files"] = report.files;
  // A text of a reporter may be no UTF-8.
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace juxta::program_detail
