// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta query: which boxes a box, a ray, a segment or a point touches.
#include "tool/query.h"

#include <fmt/format.h>

#include <memory>

#include "juxta/core/try.h"
#include "tool/answers.h"
#include "tool/boxes_input.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/points_input.h"

namespace juxta::tool {
namespace {

/// A question of the command line, in the order given there.
struct Asked {
  QueryKind kind;
  std::string text;
};

struct QueryOptions {
  std::string file, query_file;
  std::vector<std::string> boxes, rays, segments, points;
  std::vector<Asked> asked;
  bool all = false, any = false, count = false, json = false, skip_bad = false;
  std::size_t first = 0;
  QueryPlan plan;
  unsigned threads = 0;
};

Result<void> collect_queries(QueryOptions& options, int dimensions) {
  for (const Asked& asked : options.asked) {
    JUXTA_TRY_LET(auto query, parse_query(asked.kind, asked.text, dimensions));
    options.plan.queries.push_back(query);
  }
  return {};
}

template <int D>
int run_in(const QueryOptions& options, const BoxTable& table, ConsoleProgress& progress) {
  std::vector<Aabb<D>> storage;
  const auto executor = make_executor(options.threads);
  const auto layer = BasicLayer<D>::build(boxes_of<D>(table, storage), {},
                                          {.executor = executor.get(), .monitor = &progress});
  progress.clear();
  if (!layer) {
    return complain(layer.error(), options.file);
  }
  const Stopwatch watch;
  const std::vector<Answer> answers = ask(*layer, options.plan);
  const double seconds = watch.seconds();
  print(options.json ? json_answers(options.plan, answers, table)
                     : format_answers(options.plan, answers, table));
  if (error_is_terminal() && !answers.empty()) {
    std::size_t found = 0;
    for (const Answer& answer : answers) {
      found += answer.count;
    }
    const std::string text = fmt::format("{} queries, {} answers, {} boxes, {:.2f} us per query\n",
                                         grouped(answers.size()), grouped(found), grouped(layer->size()),
                                         seconds * 1e6 / static_cast<double>(answers.size()));
    std::fputs(text.c_str(), stderr);
  }
  return kOk;
}

int run_query(QueryOptions options) {
  if (options.asked.empty() && options.query_file.empty()) {
    return complain("nothing is asked: give --box, --ray, --segment, --nearest or --file");
  }
  if (options.file == "-" && options.query_file == "-") {
    return complain("boxes and queries are both the standard input: give one of them by name");
  }
  if (!(options.plan.within >= 0)) {
    return complain("--within is a distance: give a number from 0 on");
  }
  ConsoleProgress progress;
  auto input = load_boxes(options.file, options.skip_bad, &progress);
  progress.clear();
  if (!input) {
    return complain(input.error(), options.file);
  }
  tell_about(*input, options.file);
  const int dimensions = input->table.dimensions;
  if (const auto collected = collect_queries(options, dimensions); !collected) {
    return complain(collected.error());
  }
  if (!options.query_file.empty()) {
    auto more = load_queries(options.query_file, dimensions);
    if (!more) {
      return complain(more.error(), options.query_file);
    }
    options.plan.queries.insert(options.plan.queries.end(), more->begin(), more->end());
  }
  return dimensions == 2 ? run_in<2>(options, input->table, progress)
                         : run_in<3>(options, input->table, progress);
}

/// The questions in the order of the command line, which the options alone do not tell.
void order_questions(const CLI::App& query, QueryOptions& options) {
  std::size_t box = 0, ray = 0, segment = 0, point = 0;
  for (const CLI::Option* option : query.parse_order()) {
    const std::string name = option->get_name();
    if (name == "--box") {
      options.asked.push_back({QueryKind::kBox, options.boxes[box++]});
    } else if (name == "--ray") {
      options.asked.push_back({QueryKind::kRay, options.rays[ray++]});
    } else if (name == "--segment") {
      options.asked.push_back({QueryKind::kSegment, options.segments[segment++]});
    } else if (name == "--nearest") {
      options.asked.push_back({QueryKind::kPoint, options.points[point++]});
    }
  }
}

void add_questions(CLI::App& query, QueryOptions& options) {
  const auto question = [&](const char* name, std::vector<std::string>& texts, const char* help) {
    query.add_option(name, texts, help)->allow_extra_args(false)->option_text("N,N,...");
  };
  question("--box", options.boxes,
           "lx,ly,lz,hx,hy,hz: what this box touches; inf and -inf are allowed. Repeatable");
  question("--ray", options.rays,
           "ox,oy,oz,dx,dy,dz and optionally the largest t: what a ray touches. Repeatable");
  question("--segment", options.segments, "ax,ay,az,bx,by,bz: what lies between two points. Repeatable");
  question("--nearest", options.points,
           "x,y,z: the box nearest to a point (one, or none within --within). Repeatable");
  query.add_option("--file", options.query_file,
                   "Queries of one kind: CSV with the columns of --box (minx, ...), --ray (ox, ... dx, ...), "
                   "--segment (ax, ... bx, ...) or --nearest (x, ...); - is the standard input");
  query.add_option("--within", options.plan.within, "How far the nearest box may be [inf]")
      ->option_text("DISTANCE");
}

}  // namespace

void add_query(CLI::App& app, Run& run) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* query = app.add_subcommand("query", "Which boxes a box, a ray, a segment or a point touches");
  query
      ->add_option(
          "FILE", options->file,
          "Boxes: CSV or TSV (minx,miny,minz,maxx,maxy,maxz; without z: 2D, and so are the queries), or "
          "a mesh (OBJ, glTF), whose triangles are the boxes; - is the standard input")
      ->required();
  add_questions(*query, *options);
  auto* all =
      query->add_flag("--all", options->all, "Every box: of a box by number, of a ray by t (the default)");
  auto* any = query->add_flag("--any", options->any, "Any one")->excludes(all);
  auto* count = query->add_flag("--count", options->count, "How many")->excludes(all)->excludes(any);
  auto* first = query->add_option("--first", options->first, "This many: of a ray the nearest ones")
                    ->check(CLI::Range(0, 2147483647))
                    ->option_text("K")
                    ->excludes(all)
                    ->excludes(any)
                    ->excludes(count);
  add_skip_bad(*query, options->skip_bad);
  query->add_flag("--json", options->json, "JSON instead of CSV");
  query->add_option("--threads", options->threads, "Threads that build; 0: as many as this process may use")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  query->callback([options, query, first, &run] {
    QueryPlan& plan = options->plan;
    plan.amount = options->any          ? Amount::kAny
                  : options->count      ? Amount::kCount
                  : first->count() != 0 ? Amount::kFirst
                                        : Amount::kAll;
    plan.first = options->first;
    order_questions(*query, *options);
    run = [options] { return run_query(*options); };
  });
}

}  // namespace juxta::tool
