// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/open_browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>

namespace juxta::tool {

void open_browser(const std::string& url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
    return;
  }
  // No shell in between, and what it prints is not ours.
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = "xdg-open", page = url;
  char* const words[] = {program.data(), page.data(), nullptr};
  pid_t child = 0;
  static_cast<void>(posix_spawnp(&child, program.c_str(), &quiet, nullptr, words, environ));
  posix_spawn_file_actions_destroy(&quiet);
}

}  // namespace juxta::tool
