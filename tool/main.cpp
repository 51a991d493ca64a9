// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The juxta command. Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted.

#include <fmt/format.h>
#include <juxta/version.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include "program/terminal.h"
#include "tool/arguments.h"
#include "tool/commands.h"
#include "tool/console.h"

namespace {

/// Why no command could be chosen: CLI11 says that one is required even where a word was mistyped.
std::string missing_command(const CLI::App* command, int argc, char** argv) {
  for (int i = 1;; ++i) {
    const auto known = command->get_subcommands([](const CLI::App*) { return true; });
    const std::string word = i < argc ? argv[i] : "";
    const auto chosen = std::find_if(known.begin(), known.end(),
                                     [&](const CLI::App* app) { return app->get_name() == word; });
    if (chosen != known.end()) {
      command = *chosen;
      continue;
    }
    std::string names;
    for (const CLI::App* app : known) {
      names += (names.empty() ? "" : ", ") + app->get_name();
    }
    return word.empty() ? fmt::format("a command is missing: give one of {}", names)
                        : fmt::format("'{}' is no command: give one of {}", word, names);
  }
}

/// The order of --help.
constexpr struct {
  std::string_view name;
  void (*add)(CLI::App&, juxta::tool::Run&);
} kCommands[] = {
    {"top", juxta::tool::add_top},       {"count", juxta::tool::add_count},
    {"index", juxta::tool::add_index},   {"points", juxta::tool::add_points},
    {"pairs", juxta::tool::add_pairs},   {"query", juxta::tool::add_query},
    {"ray", juxta::tool::add_ray},       {"distance", juxta::tool::add_distance},
    {"render", juxta::tool::add_render}, {"scene", juxta::tool::add_scene},
    {"flock", juxta::tool::add_flock},   {"model", juxta::tool::add_model},
    {"sector", juxta::tool::add_sector}, {"replay", juxta::tool::add_replay},
    {"view", juxta::tool::add_view},     {"generate", juxta::tool::add_generate},
    {"demo", juxta::tool::add_demo},     {"isa", juxta::tool::add_isa},
};

/// Describing the options of all commands takes some ms, longer than most questions. When the first word is a
/// command, only that one is described.
void add_commands(CLI::App& app, juxta::tool::Run& run, std::string_view first_word) {
  const auto named =
      std::ranges::find(kCommands, first_word, [](const auto& command) { return command.name; });
  if (named != std::end(kCommands)) {
    named->add(app, run);
    return;
  }
  for (const auto& command : kCommands) {
    command.add(app, run);
  }
}

int run_command(int argc, char** argv) {
  using namespace juxta::tool;
  CLI::App app("Juxta: questions about things in space, answered fast.", "juxta");
  app.allow_windows_style_options(false);  // "/x.csv" is a file on every system
  app.set_version_flag("--version", "juxta " JUXTA_VERSION_STRING);
  app.require_subcommand(1);
  app.footer(
      "juxta COMMAND --help explains a command. juxta-mpi runs flock, model and sweep over MPI: ./run "
      "cluster "
      "builds it.");
  Run run;
  add_commands(app, run, argc > 1 ? argv[1] : "");
  try {
    app.parse(joined_arguments(argc, argv));
  } catch (const CLI::Success& request) {  // --help, --version
    std::ostringstream out, none;          // CLI11 itself would not notice that it cannot be written
    const int status = app.exit(request, out, none);
    return print(out.str()) ? status : kFailed;
  } catch (const CLI::RequiredError& error) {
    const std::string what = error.what();
    return complain(
        (what.find("subcommand") == std::string::npos ? what : missing_command(&app, argc, argv)) +
        ": see juxta --help");
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + ": see juxta --help");
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  int status = juxta::tool::kFailed;
  try {
    argv = juxta::program_detail::utf8_arguments(argc, argv);
    juxta::tool::begin_console();
    status = run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("juxta: not enough memory: try a smaller input\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "juxta: %s\n", error.what());
  }
  return juxta::tool::finish_output(status);
}
