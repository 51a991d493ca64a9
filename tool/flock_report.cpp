// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "tool/answers.h"
#include "tool/flock.h"
#include "tool/row_writer.h"

namespace juxta::tool {
namespace {

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

/// Two digits that mean something, the rest as zeros: an extrapolation has no more.
std::string about(double number) {
  double unit = 1;
  while (number / unit >= 100) {
    unit *= 10;
  }
  return grouped(static_cast<std::uint64_t>(std::llround(number / unit) * std::llround(unit)));
}

std::string instructions() {
  const auto isa = active_isa();
  return isa ? std::string(isa_name(*isa)) : "no";
}

/// "the last step", "the last 30 steps".
std::string last_steps(const FlockReport& r) {
  return r.late_steps == 1 ? "the last step" : fmt::format("the last {} steps", grouped(r.late_steps));
}

std::string first_to_last(const FlockReport& r, double FlockOrder::*what) {
  return fmt::format("{:.3f} -> {:.3f}", r.order.front().*what, r.order.back().*what);
}

std::string speed_lines(const FlockReport& r) {
  const std::uint64_t steps = r.flock->steps();
  const double boids = static_cast<double>(r.flock->size());
  const double each = r.seconds / static_cast<double>(steps);
  std::string out = report_line(
      "steps", fmt::format("{} in {:.3f} s: {:.1f} a second, {:.1f} ns a boid, the flight alone, on {} ({})",
                           grouped(steps), r.seconds, ratio(1, each), each * 1e9 / boids,
                           workers(r.ranks, r.threads), instructions()));
  out +=
      report_line("", fmt::format("{:.1f} a second in {}",
                                  ratio(static_cast<double>(r.late_steps), r.late_seconds), last_steps(r)));
  out += report_line("", fmt::format("{:.1f} a second with the measurements of order",
                                     ratio(static_cast<double>(steps), r.all_seconds)));
  out += report_line(
      "at 60/s", fmt::format("about {} boids of this density: extrapolated from {}, the same time for each",
                             about(boids_at_60(r)), last_steps(r)));
  return out;
}

nlohmann::ordered_json json_order(const FlockOrder& o) {
  nlohmann::ordered_json row = {{"step", o.step},
                                {"polarisation", o.polarisation},
                                {"local_polarisation", o.local_polarisation},
                                {"neighbours", o.neighbours},
                                {"speed_mean", o.speed_mean},
                                {"speed_deviation", o.speed_deviation}};
  row["milling"] = o.milling ? nlohmann::ordered_json(*o.milling) : nullptr;
  row["spread"] = o.spread ? nlohmann::ordered_json(*o.spread) : nullptr;
  return row;
}

}  // namespace

double boids_at_60(const FlockReport& report) {
  const double rate = ratio(static_cast<double>(report.late_steps), report.late_seconds);
  return static_cast<double>(report.flock->size()) * rate / 60;
}

std::string format_report(const FlockReport& r) {
  const FlockOptions& of = r.flock->options();
  std::string out =
      report_line("boids", fmt::format("{} in {}D, [{:g}, {:g}] on every axis, {}; seed {}",
                                       grouped(r.flock->size()), of.dimensions, -of.half_size, of.half_size,
                                       of.periodic ? "periodic" : "walls", r.seed));
  if (r.flock->steps() != 0) {
    out += speed_lines(r);
  }
  out += report_line("order", fmt::format("polarisation {}, among neighbours {}",
                                          first_to_last(r, &FlockOrder::polarisation),
                                          first_to_last(r, &FlockOrder::local_polarisation)));
  const FlockOrder &first = r.order.front(), &last = r.order.back();
  if (last.milling) {
    out += report_line("", fmt::format("milling {:.3f} -> {:.3f}, spread {:.4g} -> {:.4g}", *first.milling,
                                       *last.milling, *first.spread, *last.spread));
  }
  out += report_line("", fmt::format("neighbours {:.1f} -> {:.1f}, speed {}", first.neighbours,
                                     last.neighbours, first_to_last(r, &FlockOrder::speed_mean)));
  out += report_line("state", fmt::format("{:016x}, the same for any number of threads", r.hash));
  for (std::size_t i = 0; i < r.files.size(); ++i) {
    out += report_line(i == 0 ? "written" : "", r.files[i]);
  }
  return out;
}

std::string json_report(const FlockReport& r) {
  const FlockOptions& of = r.flock->options();
  nlohmann::ordered_json object = {{"agents", r.flock->size()},
                                   {"dimensions", of.dimensions},
                                   {"half_size", of.half_size},
                                   {"periodic", of.periodic},
                                   {"seed", r.seed},
                                   {"steps", r.flock->steps()},
                                   {"threads", r.threads},
                                   {"instructions", instructions()},
                                   {"seconds", r.seconds},
                                   {"seconds_with_measurements", r.all_seconds},
                                   {"late_steps", r.late_steps},
                                   {"late_seconds", r.late_seconds}};
  if (r.ranks != 0) {
    object["ranks"] = r.ranks;
  }
  if (r.flock->steps() != 0) {
    object["steps_a_second"] = ratio(static_cast<double>(r.flock->steps()), r.seconds);
    object["agents_at_60_steps_a_second"] = boids_at_60(r);
  }
  object["memory_bytes"] = r.flock->memory_bytes();
  object["first"] = json_order(r.order.front());
  object["last"] = json_order(r.order.back());
  object["state"] = fmt::format("{:016x}", r.hash);
  object["files"] = r.files;
  // A file's name that is no UTF-8 gets the replacement character: JSON has no other way.
  return object.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<void> write_order(const FlockReport& report, const std::string& path) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  out.buffer() =
      "step,seconds,polarisation,local_polarisation,neighbours,speed_mean,speed_deviation,milling,spread\n";
  for (const FlockOrder& o : report.order) {
    const auto to = std::back_inserter(out.buffer());
    fmt::format_to(to, "{},{:.6g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", o.step, o.seconds, o.polarisation,
                   o.local_polarisation, o.neighbours, o.speed_mean, o.speed_deviation);
    for (const std::optional<double>& value : {o.milling, o.spread}) {
      out.buffer() += value ? fmt::format(",{:.9g}", *value) : ",";
    }
    out.buffer() += '\n';
    JUXTA_TRY(out.flush());
  }
  return out.close();
}

Result<void> write_boids(const Flock& flock, const std::string& path, Monitor& monitor) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  const std::uint32_t dimensions = flock.options().dimensions;
  out.buffer() = dimensions == 2 ? "number,x,y,vx,vy\n" : "number,x,y,z,vx,vy,vz\n";
  for (const std::uint32_t row : rows_by_number(flock)) {
    const std::uint32_t number = flock.numbers()[row];
    const auto to = std::back_inserter(out.buffer());
    fmt::format_to(to, "{}", number);
    for (std::uint32_t i = 0; i < 2 * dimensions; ++i) {
      fmt::format_to(to, ",{}",
                     i < dimensions ? flock.position(i)[row] : flock.velocity(i - dimensions)[row]);
    }
    out.buffer() += '\n';
    if (number % 4096 == 0 && !monitor.on_progress("write boids", number, flock.size())) {
      return fail(ErrorCode::kCancelled, "cancelled");
    }
    JUXTA_TRY(out.flush());
  }
  return out.close();
}

}  // namespace juxta::tool
