// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "juxta/core/try.h"
#include "tool/answers.h"
#include "tool/pairs.h"
#include "tool/row_writer.h"

namespace juxta::tool {
namespace {

/// 0.0123 s, or 12.3 us when it is that short.
std::string time_text(double seconds) {
  return seconds >= 1      ? fmt::format("{:.2f} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.2f} ms", seconds * 1e3)
                           : fmt::format("{:.1f} us", seconds * 1e6);
}

double per(std::size_t number, std::size_t of) {
  return static_cast<double>(number) / static_cast<double>(std::max<std::size_t>(of, 1));
}

std::size_t all_boxes(const PairsReport& report) {
  std::size_t boxes = 0;
  for (const BoxesInput* input : report.inputs) {
    boxes += input->table.size();
  }
  return boxes;
}

void append_name(std::string& out, const BoxTable& table, std::uint32_t body) {
  out += ',';
  out += csv_cell(std::string(table.name(body)));
}

}  // namespace

std::string format_report(const PairsReport& r) {
  std::string out;
  for (std::size_t f = 0; f < r.files.size(); ++f) {
    const BoxesInput& input = *r.inputs[f];
    out += report_line("boxes", fmt::format("{} {}, {}", grouped(input.table.size()),
                                            input.mesh                    ? "triangles"
                                            : input.table.dimensions == 2 ? "in 2D"
                                                                          : "in 3D",
                                            r.files[f] == "-" ? "the standard input" : r.files[f]));
  }
  const std::size_t boxes = all_boxes(r);
  out += report_line("pairs", fmt::format("{} overlap or touch, {:.2f} per box", grouped(r.result.found),
                                          per(r.result.found, boxes)));
  if (r.listed) {
    out += report_line("", fmt::format("{} boxes have one, the fullest has {}",
                                       grouped(r.touched[0] + r.touched[1]), grouped(r.most)));
  }
  out += report_line("read", time_text(r.read_seconds));
  out += report_line("build", time_text(r.build_seconds));
  out += report_line("find", fmt::format("{}{}; {} boxes compared, {:.1f} per box", time_text(r.find_seconds),
                                         r.listed ? "" : " (counted only: too many to keep)",
                                         grouped(r.result.tested), per(r.result.tested, boxes)));
  if (r.frame_seconds > 0) {
    out +=
        report_line("frame", fmt::format("{} to rebuild in place and find again, on {} thread{}",
                                         time_text(r.frame_seconds), r.threads, r.threads == 1 ? "" : "s"));
  }
  if (r.checked != 0) {
    out += report_line("check",
                       fmt::format("the pairs of {} boxes equal those of a plain scan", grouped(r.checked)));
  }
  return out;
}

std::string json_report(const PairsReport& r) {
  nlohmann::ordered_json object = {{"files", r.files}};
  object["boxes"] = nlohmann::ordered_json::array();
  for (const BoxesInput* input : r.inputs) {
    object["boxes"].push_back(input->table.size());
  }
  object["dimensions"] = r.inputs[0]->table.dimensions;
  object["pairs"] = r.result.found;
  if (r.listed) {
    object["boxes_with_a_pair"] = r.touched[0] + r.touched[1];
    object["most_pairs_of_a_box"] = r.most;
  }
  object["boxes_compared"] = r.result.tested;
  object["blocks_compared"] = r.result.visited;
  object["threads"] = r.threads;
  if (r.checked != 0) {
    object["boxes_checked"] = r.checked;
  }
  object["seconds"] = {{"read", r.read_seconds}, {"build", r.build_seconds}, {"find", r.find_seconds}};
  if (r.frame_seconds > 0) {
    object["seconds"]["frame"] = r.frame_seconds;
  }
  // A file's name that is no UTF-8 gets the replacement character: JSON has no other way.
  return object.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<void> write_pairs(const PairsReport& report, const std::string& path, PairSource pairs,
                         Monitor& monitor) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  const BoxTable& first = report.inputs.front()->table;
  const BoxTable& second = report.inputs.back()->table;
  out.buffer() = "a,b";
  out.buffer() += first.has_names() ? ",name_a" : "";
  out.buffer() += second.has_names() ? ",name_b\n" : "\n";
  Result<void> state;
  std::size_t written = 0;
  pairs([&](std::span<const Pair> batch) {
    for (const Pair& pair : batch) {
      fmt::format_to(std::back_inserter(out.buffer()), "{},{}", pair.a, pair.b);
      if (first.has_names()) {
        append_name(out.buffer(), first, pair.a);
      }
      if (second.has_names()) {
        append_name(out.buffer(), second, pair.b);
      }
      out.buffer() += '\n';
      if (++written % 4096 == 0 && state) {
        state = out.flush();
        if (state && !monitor.on_progress("write pairs", written, report.result.found)) {
          state = fail(ErrorCode::kCancelled, "cancelled");
        }
      }
    }
    return state.has_value();
  });
  return state ? out.close() : state;
}

}  // namespace juxta::tool
