// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/program.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <sstream>
#include <string>

#include "core/path.h"
#include "juxta/version.h"
#include "program/arguments.h"
#include "program/console.h"
#include "program/model.h"
#include "program/terminal.h"

namespace juxta {
namespace {

using namespace program_detail;

/// "my_model", of whatever it was called by.
std::string name_of(int argc, char** argv) {
  const std::string name = argc > 0 ? utf8_of(path_of(argv[0]).filename()) : std::string();
  return name.empty() ? "model" : name;
}

int run_program(const std::string& name, int argc, char** argv, std::span<const ModelInfo> models) {
  if (models.empty()) {
    return complain("this program has no models: give study_main() one at least");
  }
  CLI::App app(models.size() == 1 ? fmt::format("{}: {}.", models.front().name, models.front().what)
                                  : fmt::format("{} models: run, collected, swept.", models.size()),
               name);
  app.allow_windows_style_options(false);  // "/x" is a file on every system
  app.set_version_flag("--version", fmt::format("{}, with Juxta {}", name, JUXTA_VERSION_STRING));
  auto settings = std::make_shared<ModelSettings>();
  settings->models = models;
  settings->command = argc > 0 ? argv[0] : name;
  add_model_options(app, settings);
  try {
    app.parse(joined_arguments(argc, argv));
  } catch (const CLI::Success& request) {  // --help, --version
    std::ostringstream out, none;
    const int status = app.exit(request, out, none);
    return print(out.str()) ? status : kFailed;
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}: see {} --help", error.what(), name));
  }
  return run_models(*settings);
}

}  // namespace

int study_main(int argc, char** argv, std::span<const ModelInfo> models) {
  argv = utf8_arguments(argc, argv);
  const char* const called = argc > 0 ? argv[0] : "model";
  int status = kFailed;
  try {
    const std::string name = name_of(argc, argv);
    begin_console(name);
    status = run_program(name, argc, argv, models);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: not enough memory: try a smaller model\n", called);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", called, error.what());
  }
  return finish_output(status);
}

int study_main(int argc, char** argv, std::initializer_list<ModelInfo> models) {
  return study_main(argc, argv, std::span(models.begin(), models.size()));
}

}  // namespace juxta
