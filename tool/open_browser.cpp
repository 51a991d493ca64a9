// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/open_browser.h"

#include <cstdlib>

namespace juxta::tool {

void open_browser(const std::string& url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
    return;
  }
  // The server has checked the address and the token: no letter of theirs means anything to a shell.
  const std::string command = "xdg-open '" + url + "' >/dev/null 2>&1 &";
  if (std::system(command.c_str()) != 0) {
    return;  // no xdg-open: the address is on the terminal
  }
}

}  // namespace juxta::tool
