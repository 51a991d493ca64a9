// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/terminal.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace juxta::program_detail {

/// A standard stream that was closed (>&-) leaves its number to the next file that is opened, and what is
/// printed would end in that file. /dev/null takes the number, opened such that every use is an error.
void prepare_streams() {
  for (const auto& [stream, mode] :
       {std::pair{"/dev/stdin", "w"}, {"/dev/stdout", "r"}, {"/dev/stderr", "r"}}) {
    std::error_code error;
    if (!std::filesystem::exists(stream, error)) {
      static_cast<void>(std::fopen("/dev/null", mode));  // stays open to the end
    }
  }
}

/// The standard streams by name: the C++ library alone cannot ask whether a FILE is a terminal, but a
/// terminal is the character device that a person has there (the other one, /dev/null, does not mind).
bool is_terminal(int stream) noexcept {
  std::error_code error;
  return std::filesystem::is_character_file(stream == 1 ? "/dev/stdout" : "/dev/stderr", error);
}

void restore_terminal() noexcept {}

void call_when_closed(void (* /*handler*/)(int)) noexcept {}

void end_without_reader() noexcept {}

char** utf8_arguments(int& /*argc*/, char** argv) {
  return argv;
}

}  // namespace juxta::program_detail
