// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta generate boxes: the worlds that layers are measured on.
#include "tool/generate_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "juxta/core/try.h"
#include "scenes/boxes.h"
#include "tool/arguments.h"
#include "tool/console.h"
#include "tool/row_writer.h"

namespace juxta::tool {
namespace {

struct GenerateBoxesOptions {
  std::string set = "uniform";
  std::size_t count = 100'000;
  std::uint64_t seed = 1;
  std::string output = "-";
};

/// As options are written: flat-x.
std::string name_of(scenes::BoxSet set) {
  std::string text(scenes::name(set));
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

Result<void> write_boxes(const std::vector<Aabb3>& boxes, const std::string& path, Monitor& monitor) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  out.buffer() = "minx,miny,minz,maxx,maxy,maxz\n";
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Aabb3& b = boxes[i];
    fmt::format_to(std::back_inserter(out.buffer()), "{},{},{},{},{},{}\n", b.lo[0], b.lo[1], b.lo[2],
                   b.hi[0], b.hi[1], b.hi[2]);
    if (i % 4096 == 0 && !monitor.on_progress("write boxes", i, boxes.size())) {
      return fail(ErrorCode::kCancelled, "cancelled");
    }
    JUXTA_TRY(out.flush());
  }
  return out.close();
}

int run_generate_boxes(const GenerateBoxesOptions& options) {
  ConsoleProgress progress;
  const auto set = std::find_if(scenes::kBoxSets.begin(), scenes::kBoxSets.end(),
                                [&](scenes::BoxSet known) { return name_of(known) == options.set; });
  const auto world =
      scenes::make_boxes(*set, options.count, options.seed);  // the command line checked the name
  const auto written = write_boxes(world.boxes, options.output, progress);
  progress.clear();
  return written ? kOk : complain(written.error());
}

}  // namespace

void add_generate_boxes(CLI::App& generate, Run& run) {
  auto options = std::make_shared<GenerateBoxesOptions>();
  CLI::App* boxes = generate.add_subcommand("boxes", "A world of boxes: minx,miny,minz,maxx,maxy,maxz");
  std::vector<std::string> names;
  std::transform(scenes::kBoxSets.begin(), scenes::kBoxSets.end(), std::back_inserter(names), name_of);
  boxes->add_option("--set", options->set, "Which world")->check(CLI::IsMember(names))->capture_default_str();
  boxes->add_option("--count", options->count, "How many")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  add_seed_option(*boxes, options->seed, "Any whole number; the same seed makes the same boxes");
  boxes->add_option("-o,--output,--out", options->output, "The boxes; - is the standard output")
      ->capture_default_str();
  boxes->callback([options, &run] { run = [options] { return run_generate_boxes(*options); }; });
}

}  // namespace juxta::tool
