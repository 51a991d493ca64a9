// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All replicas of a sweep: one table, resumable, and the means over the seeds as curves.
#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "juxta/files/output_file.h"
#include "program/console.h"
#include "program/model.h"
#include "program/output_folder.h"
#include "program/same_file.h"
#include "program/threads.h"

namespace juxta::program_detail {
namespace {

constexpr std::array kFiles = {"sweep.csv", "sweep.svg"};

/// Means over seeds, in the order of replicas: of the first parameter that varies, or else of steps, when the
/// others are averaged over too.
Table means(const Sweep& sweep, const Table& table) {
  const std::string over = sweep.vary.empty() ? "step" : sweep.vary.front().first;
  const std::size_t reported = 2 + sweep.vary.size() + 1;  // behind replica, seed, what varies, step
  std::vector<std::string> names = {over};
  std::vector<std::size_t> columns;  // of numbers: text has no mean
  for (std::size_t c = reported; c < table.names().size(); ++c) {
    if (table.kind(c) == CellKind::kNumber || table.kind(c) == CellKind::kWhole) {
      names.push_back(table.names()[c]);
      columns.push_back(c);
    }
  }
  std::map<double, std::pair<double, std::vector<double>>> sums;  // value -> rows, sums
  const auto x = table.column(over), replica = table.column("replica");
  for (std::size_t r = 0; r < table.rows(); ++r) {
    if (over != "step" && r + 1 != table.rows() && replica[r + 1] == replica[r]) {
      continue;  // of a parameter: as it was at the end
    }
    auto& [rows, sum] = sums[x[r]];
    sum.resize(names.size() - 1);
    rows += 1;
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c] += table.column(columns[c])[r];
    }
  }
  Table mean(std::move(names));
  for (const auto& [value, of] : sums) {
    std::vector<double> row = {value};
    for (const double sum : of.second) {
      row.push_back(sum / of.first);
    }
    mean.append(row);
  }
  return mean;
}

Result<std::vector<std::string>> write_outputs(const ModelSettings& settings, const Sweep& sweep,
                                               const Table& table) {
  if (settings.out.empty()) {
    return std::vector<std::string>{};
  }
  const std::vector<std::string> files = {in_folder(settings.out, kFiles[0]),
                                          in_folder(settings.out, kFiles[1])};
  const Table mean = means(sweep, table);
  return table.write_csv(files[0])
      .and_then([&] {
        return write_file(
            files[1], draw_columns(mean, mean.names().front(), sweep.model->name + ", means over all seeds"));
      })
      .map([&] { return files; });
}

}  // namespace

int run_model_sweep(const ModelSettings& settings) {
  const OutputLock lock;  // an interrupt waits for the replicas under way to be noted
  const std::string inputs[] = {settings.sweep};
  std::vector<NamedFile> outputs;
  for (const char* name : {kFiles[0], kFiles[1], "sweep.journal"}) {
    outputs.push_back({settings.out.empty() ? "" : in_folder(settings.out, name), "--out"});
  }
  if (const auto checked = check_outputs(inputs, outputs); !checked) {
    return complain(checked.error());
  }
  const auto sweep = read_sweep(settings.sweep, settings.models);
  if (const auto read = on_all(settings, sweep.map([](const Sweep&) {})); !read) {
    return complain(read.error(), settings.sweep);
  }
  if (!settings.name.empty() && settings.name != sweep->model->name) {
    return complain(
        fmt::format("{} is a sweep of {}, not of {}", settings.sweep, sweep->model->name, settings.name));
  }
  const auto made = settings.writes() ? make_folder(settings.out, kFiles) : Result<void>();
  if (const auto ready = on_all(settings, made); !ready) {
    return complain(ready.error());
  }
  const auto executor = make_executor(settings.threads);
  ConsoleProgress progress;
  const std::string journal = settings.out.empty() ? "" : in_folder(settings.out, "sweep.journal");
  const Stopwatch watch;
  const auto swept =
      settings.sweep_over_ranks
          ? settings.sweep_over_ranks(*sweep, {.journal = journal}, progress)
          : run_sweep(*sweep, {.journal = journal}, {.executor = executor.get(), .monitor = &progress});
  progress.clear();
  if (!swept) {
    const int status = complain(swept.error());
    if (!journal.empty() && swept.error().code == ErrorCode::kCancelled) {
      static_cast<void>(
          complain(fmt::format("what had finished is in {}: the same command goes on", journal)));
    }
    return status;
  }
  if (!settings.writes()) {
    return kOk;
  }
  const double seconds = watch.seconds();
  for (const Error& diverged : swept->diverged) {
    static_cast<void>(complain(diverged));
  }
  if (swept->table.rows() == 0 && !swept->diverged.empty()) {
    return kFailed;
  }
  const int status = swept->diverged.empty() ? kOk : kFailed;
  const auto files = write_outputs(settings, *sweep, swept->table);
  if (!files) {
    return complain(files.error());
  }
  if (settings.out.empty()) {
    return print(swept->table.csv()) ? status : kFailed;
  }
  if (settings.json) {
    const nlohmann::ordered_json object = {{"model", sweep->model->name},
                                           {"replicas", sweep->replicas()},
                                           {"resumed", swept->resumed},
                                           {"diverged", swept->diverged.size()},
                                           {"steps", sweep->steps},
                                           {"seconds", seconds},
                                           {"files", *files}};
    return print(object.dump(2) + "\n") ? status : kFailed;
  }
  return print(fmt::format("  {:<10} {} replicas of {} steps, {} of them from the journal, in {:.3f} s\n  "
                           "{:<10} {}\n  {:<10} {}\n",
                           sweep->model->name, sweep->replicas(), sweep->steps, swept->resumed, seconds,
                           "written", (*files)[0], "", (*files)[1]))
             ? status
             : kFailed;
}

}  // namespace juxta::program_detail
