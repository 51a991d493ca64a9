// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// In place of juxta view, in a build without it.
#include "tool/commands.h"
#include "tool/console.h"

namespace juxta::tool {

void add_view(CLI::App& app, Run& run) {
  CLI::App* view = app.add_subcommand("view", "See it live in a browser (not in this build)");
  view->prefix_command();
  view->callback([&run] {
    run = [] {
      return complain(
          "this build has no viewer: ./run view builds it. It needs Boost's headers (Debian: libboost-dev), "
          "and npm for its pages");
    };
  });
}

}  // namespace juxta::tool
