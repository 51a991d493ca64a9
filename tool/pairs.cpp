// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta pairs: which boxes of a file overlap, or which of one file overlap which of another.
#include "tool/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "juxta/core/try.h"
#include "juxta/core/workspace.h"
#include "juxta/files/output_file.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/mesh_input.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

/// One GiB of them; more are counted, and written without being kept.
constexpr std::size_t kMostKept = std::size_t{1} << 27;

struct PairsOptions {
  std::string file, second, out, svg;
  bool sorted = false, json = false, check = false, skip_bad = false;
  unsigned threads = 0;
};

/// One layer or two, and what finds their pairs.
template <int D>
class PairSearch {
 public:
  PairSearch(const PairsReport& report, const Executor* executor) : executor_(executor) {
    for (std::size_t f = 0; f < report.inputs.size(); ++f) {
      boxes_[f] = boxes_of<D>(report.inputs[f]->table, storage_[f]);
    }
    count_ = report.inputs.size();
  }

  /// Builds, or builds again in place.
  Result<void> build(Monitor* monitor) {
    for (std::size_t f = 0; f < count_; ++f) {
      JUXTA_TRY(layers_[f].rebuild(boxes_[f], {},
                                   {.executor = executor_, .workspace = &workspace_, .monitor = monitor}));
    }
    return {};
  }
  Result<QueryResult> find(std::span<Pair> out, bool sorted) {
    return count_ == 2 ? find_pairs(layers_[0], layers_[1], out, {.sorted = sorted}, context())
                       : find_pairs(layers_[0], out, {.sorted = sorted}, context());
  }
  Result<QueryResult> visit(PairVisitor visitor) {
    return count_ == 2 ? visit_pairs(layers_[0], layers_[1], visitor, {}, context())
                       : visit_pairs(layers_[0], visitor, {}, context());
  }

 private:
  [[nodiscard]] Context context() { return {.executor = executor_, .workspace = &workspace_}; }

  const Executor* executor_;
  std::size_t count_ = 0;
  std::vector<Aabb<D>> storage_[2];
  std::span<const Aabb<D>> boxes_[2];
  BasicLayer<D> layers_[2];
  Workspace workspace_;
};

/// Finds all pairs, keeps them where they fit, and measures.
template <int D>
Result<void> search(PairSearch<D>& pairs, const PairsOptions& options, PairsReport& report, Array<Pair>& kept,
                    Monitor& monitor) {
  const Stopwatch build_watch;
  JUXTA_TRY(pairs.build(&monitor));
  report.build_seconds = build_watch.seconds();
  const Stopwatch count_watch;
  JUXTA_TRY_LET(report.result, pairs.find({}, false));
  report.find_seconds = count_watch.seconds();
  report.listed = report.result.found <= kMostKept;
  if (!report.listed) {
    return {};
  }
  kept.resize_discard(report.result.found);
  std::fill(kept.begin(), kept.end(), Pair{});  // the memory is there before the clock starts
  const Stopwatch find_watch;
  JUXTA_TRY_LET(report.result, pairs.find(kept.span(), options.sorted));
  report.find_seconds = find_watch.seconds();

  constexpr double kLong = 0.25;  // seconds; then once more is enough
  std::vector<double> frames;
  double total = 0;
  while (total < kLong && frames.size() < 5 && report.build_seconds + report.find_seconds < 2) {
    const Stopwatch frame;
    JUXTA_TRY(pairs.build(&monitor));
    JUXTA_TRY(pairs.find(kept.span(), options.sorted));
    frames.push_back(frame.seconds());
    total += frames.back();
  }
  std::sort(frames.begin(), frames.end());
  report.frame_seconds = frames.empty() ? 0 : frames[frames.size() / 2];
  return {};
}

/// Which boxes have a pair, and how many the fullest has.
void count_bodies(PairsReport& report, PairSource pairs, std::vector<std::uint8_t> (&hit)[2]) {
  std::vector<std::uint32_t> degree[2];
  const std::size_t second = report.inputs.size() - 1;
  for (std::size_t f = 0; f <= second; ++f) {
    degree[f].resize(report.inputs[f]->table.size());
  }
  pairs([&](std::span<const Pair> batch) {
    for (const Pair& pair : batch) {
      ++degree[0][pair.a];
      ++degree[second][pair.b];
    }
    return !interrupted();
  });
  for (std::size_t f = 0; f <= second; ++f) {
    hit[f].resize(degree[f].size());
    for (std::size_t i = 0; i < degree[f].size(); ++i) {
      hit[f][i] = degree[f][i] != 0 ? 1 : 0;
      report.touched[f] += hit[f][i];
      report.most = std::max<std::size_t>(report.most, degree[f][i]);
    }
  }
}

Result<void> write_outputs(const PairsOptions& options, const PairsReport& report, PairSource pairs,
                           const std::vector<std::uint8_t> (&hit)[2], Monitor& monitor) {
  Result<void> written;
  if (!options.out.empty()) {
    written = write_pairs(report, options.out, pairs, monitor);
  }
  if (written && !options.svg.empty()) {
    const std::string picture = draw_pairs(report, hit);
    const OutputLock lock;
    written = write_file(options.svg, picture);
  }
  return written;
}

template <int D>
int run_in(const PairsOptions& options, PairsReport& report, ConsoleProgress& progress) {
  const auto executor = make_executor(options.threads);
  report.threads = thread_count(executor.get(), options.threads);
  PairSearch<D> pairs(report, executor.get());
  Array<Pair> kept;
  if (const auto found = search(pairs, options, report, kept, progress); !found) {
    progress.clear();
    return complain(found.error(), options.file);
  }
  if (!report.listed && options.sorted) {
    progress.clear();
    return complain(
        fmt::format("{} pairs are too many to sort in memory: leave out --sorted", report.result.found));
  }
  const auto source = [&](PairVisitor take) {
    if (report.listed) {
      take(kept.span());
    } else {
      (void)pairs.visit(take);  // no body is left out, so that nothing can be refused
    }
  };
  std::vector<std::uint8_t> hit[2];
  if (report.listed || !options.svg.empty()) {
    count_bodies(report, source, hit);
  }
  if (options.check) {
    const PairsCheck check = check_pairs(report, source);
    if (check.wrong != 0) {
      progress.clear();
      return complain(Error{
          ErrorCode::kCorruptFile,
          fmt::format("the pairs of {} boxes differ from a plain scan: please report it", check.wrong)});
    }
    report.checked = check.boxes;
  }
  const auto written = write_outputs(options, report, source, hit, progress);
  progress.clear();
  if (!written) {
    return complain(written.error());
  }
  if (options.out != "-") {
    print(options.json ? json_report(report) : format_report(report));
  }
  return kOk;
}

int run_pairs(const PairsOptions& options) {
  if (options.file == "-" && options.second == "-") {
    return complain("both files are the standard input: give one of them by name");
  }
  if (options.json && options.out == "-") {
    return complain("--json and --out - both want the standard output: give --out a file");
  }
  std::vector<std::string> sources = mesh_files(options.file);
  for (std::string& file : mesh_files(options.second)) {
    sources.push_back(std::move(file));
  }
  const NamedFile outputs[] = {{options.out, "--out"}, {options.svg, "--svg"}};
  if (const auto checked = check_outputs(sources, outputs); !checked) {
    return complain(checked.error());
  }
  PairsReport report;
  report.files.push_back(options.file);
  if (!options.second.empty()) {
    report.files.push_back(options.second);
  }
  std::vector<BoxesInput> inputs;
  ConsoleProgress progress;
  for (const std::string& file : report.files) {
    auto input = load_boxes(file, options.skip_bad, &progress);
    progress.clear();
    if (!input) {
      return complain(input.error(), file);
    }
    tell_about(*input, file);
    report.read_seconds += input->read_seconds;
    inputs.push_back(std::move(*input));
  }
  for (const BoxesInput& input : inputs) {
    report.inputs.push_back(&input);
  }
  const int dimensions = inputs.front().table.dimensions;
  if (inputs.back().table.dimensions != dimensions) {
    return complain(fmt::format("{} has boxes in {}D and {} in {}D: give both the same axes", options.file,
                                dimensions, options.second, inputs.back().table.dimensions));
  }
  return dimensions == 2 ? run_in<2>(options, report, progress) : run_in<3>(options, report, progress);
}

}  // namespace

void add_pairs(CLI::App& app, Run& run) {
  auto options = std::make_shared<PairsOptions>();
  CLI::App* pairs = app.add_subcommand("pairs", "Which boxes overlap (touching included)");
  pairs
      ->add_option("FILE", options->file,
                   "Boxes: CSV or TSV (minx,miny,minz,maxx,maxy,maxz; without z: 2D), or a mesh (OBJ, glTF), "
                   "whose triangles are the boxes; - is the standard input")
      ->required();
  pairs->add_option("SECOND", options->second, "Pairs of a box of FILE with a box of this one, instead");
  pairs->add_option("--out,-o", options->out,
                    "Write the pairs there, a,b: rows from 0; - is the standard output");
  pairs->add_flag("--sorted", options->sorted, "Pairs in ascending order");
  pairs->add_option("--svg", options->svg, "Draw the boxes, those that overlap in another colour");
  pairs->add_flag("--check", options->check,
                  "Compare the pairs of up to 1000 boxes with a plain scan over all boxes");
  add_skip_bad(*pairs, options->skip_bad);
  pairs->add_flag("--json", options->json, "The report as JSON");
  pairs
      ->add_option("--threads", options->threads,
                   "Threads; 0: as many as this process may use. Never changes the pairs")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  pairs->callback([options, &run] { run = [options] { return run_pairs(*options); }; });
}

}  // namespace juxta::tool
